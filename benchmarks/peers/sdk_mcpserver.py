"""The benchmarks' tools on the official SDK's MCPServer class. Usage: sdk_mcpserver.py MODULE.py."""

from mcp.server.mcpserver import MCPServer
from served import functions

server = MCPServer("benchmark")
for function in functions():
    server.tool()(function)
server.run()
