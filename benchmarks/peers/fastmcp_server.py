"""The benchmarks' tools on fastmcp. Usage: fastmcp_server.py MODULE.py."""

from fastmcp import FastMCP
from served import functions

server = FastMCP("benchmark")
for function in functions():
    server.tool(function)
server.run(show_banner=False)
