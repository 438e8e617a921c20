"""A proxy of fastmcp's own kind in front of a server over stdio. Usage: fastmcp_proxy.py WORD ..."""

import sys

from fastmcp.server import create_proxy

command, *arguments = sys.argv[1:]
server = create_proxy({"mcpServers": {"bench": {"command": command, "args": arguments}}}, name="benchmark")
server.run(show_banner=False)
