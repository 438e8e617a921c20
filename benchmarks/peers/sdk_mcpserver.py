"""The benchmarks' tools on the official SDK's MCPServer class. MODULE.py [PORT]."""

import sys

from mcp.server.mcpserver import MCPServer
from served import functions

server = MCPServer("benchmark")
for function in functions():
    server.tool()(function)
if len(sys.argv) > 2:
    import uvicorn

    application = server.streamable_http_app(json_response=True, stateless_http=True)
    uvicorn.run(application, port=int(sys.argv[2]), log_level="error")
else:
    server.run()
