"""The benchmarks' tools on the official SDK's low-level server, schemas by hand. MODULE.py [PORT]."""

import asyncio
import json
import sys

import mcp_types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from served import functions

KNOWN = {
    "add": {"a": {"type": "integer"}, "b": {"type": "integer"}},
    "sleep": {"seconds": {"type": "number"}},
    "echo": {"text": {"type": "string"}},
}
OTHER = {
    "owner": {"type": "string", "description": "Account that owns the repository."},
    "count": {"type": "integer", "description": "How many items to return.", "default": 10},
    "ratio": {"type": "number", "description": "A ratio between zero and one.", "default": 0.5},
    "labels": {"type": "array", "items": {"type": "string"}, "description": "Labels to filter by.", "default": []},
}
HANDLERS = {function.__name__: function for function in functions()}


def tool(name: str) -> mcp_types.Tool:
    """Describe one tool."""
    properties = KNOWN.get(name, OTHER)
    required = [key for key, schema in properties.items() if "default" not in schema]
    schema = {"type": "object", "properties": properties, "required": required}
    summary = (HANDLERS[name].__doc__ or "").partition("\n")[0]
    return mcp_types.Tool(name=name, description=summary, input_schema=schema)


TOOLS = [tool(name) for name in HANDLERS]


async def list_tools(_context, _params):
    return mcp_types.ListToolsResult(tools=TOOLS)


async def call_tool(_context, params):
    if params.name == "sleep":
        await asyncio.sleep(params.arguments["seconds"])
        found = {"slept": params.arguments["seconds"]}
    else:
        found = HANDLERS[params.name](**params.arguments)
    text = mcp_types.TextContent(type="text", text=json.dumps(found))
    return mcp_types.CallToolResult(content=[text], structured_content=found)


server = Server("benchmark", on_list_tools=list_tools, on_call_tool=call_tool)


async def main() -> None:
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


if __name__ == "__main__":
    if len(sys.argv) > 2:
        import uvicorn

        application = server.streamable_http_app(json_response=True, stateless_http=True)
        uvicorn.run(application, port=int(sys.argv[2]), log_level="error")
    else:
        sys.exit(asyncio.run(main()))
