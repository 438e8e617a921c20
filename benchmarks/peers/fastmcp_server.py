"""The benchmarks' tools on fastmcp. MODULE.py [PORT]."""

import sys

from fastmcp import FastMCP
from served import functions

server = FastMCP("benchmark")
for function in functions():
    server.tool(function)
if len(sys.argv) > 2:
    options = {"stateless_http": True, "json_response": True, "log_level": "error", "show_banner": False}
    server.run(transport="http", port=int(sys.argv[2]), **options)
else:
    server.run(show_banner=False)
