"""A server of a description on fastmcp. Usage: fastmcp_openapi.py DOCUMENT BASE."""

import json
import sys
from pathlib import Path

import httpx2 as httpx
from fastmcp import FastMCP

document = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
server = FastMCP.from_openapi(document, client=httpx.AsyncClient(base_url=sys.argv[2]), name="benchmark")
server.run(show_banner=False)
