"""A proxy of fastmcp's own kind in front of a server over stdio. Usage: fastmcp_proxy.py COUNT WORD ...

COUNT is how many times the server stands behind it, each under a name of its own.
"""

import sys

from fastmcp.server import create_proxy

count, command, *arguments = sys.argv[1:]
servers = {f"s{number}": {"command": command, "args": arguments} for number in range(int(count))}
server = create_proxy({"mcpServers": servers}, name="benchmark")
server.run(show_banner=False)
