"""The official Python client, driven over one connection: what a server lists, and many calls of its tools.

Run by the interpreter of the clients' environment, not by the tests': `call_many.py MODE (URL | COMMAND WORDS)`. The
calls are a JSON list of `[tool, arguments]` on standard input, the answers a JSON object on standard output.
"""

from __future__ import annotations

import asyncio
import json
import sys

from mcp import types
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters


async def fill_in(_: object, params: types.ElicitRequestParams) -> types.ElicitResult:
    """Answer a question of a server as a person would who fills in the least."""
    if getattr(params, "mode", "form") == "url":
        return types.ElicitResult(action="accept")
    return types.ElicitResult(action="accept", content={"name": "Ada"})


async def sample(_: object, __: types.CreateMessageRequestParams) -> types.CreateMessageResult:
    """Answer a request to a model."""
    said = types.TextContent(type="text", text="sampled")
    return types.CreateMessageResult(role="assistant", content=said, model="m")


async def roots(_: object) -> types.ListRootsResult:
    """Name one root."""
    return types.ListRootsResult(roots=[types.Root(uri="file:///somewhere", name="somewhere")])


async def main() -> None:
    mode, target = sys.argv[1], sys.argv[2:]
    calls = json.load(sys.stdin)
    where = target[0] if target[0].startswith("http") else StdioServerParameters(command=target[0], args=target[1:])
    asked = {"elicitation_callback": fill_in, "sampling_callback": sample, "list_roots_callback": roots}
    async with Client(where, mode=mode, **asked) as client:
        found = {
            "negotiated": client.protocol_version,
            "tools": [each.name for each in (await client.list_tools()).tools],
        }
        found["resources"] = [str(each.uri) for each in (await client.list_resources()).resources]
        found["prompts"] = [each.name for each in (await client.list_prompts()).prompts]
        found["calls"] = []
        for tool, arguments in calls:
            result = await client.call_tool(tool, arguments)
            texts = [block.text for block in result.content if block.type == "text"]
            kinds = [block.type for block in result.content]
            answer = {"tool": tool, "error": bool(result.is_error), "text": "\n".join(texts), "kinds": kinds}
            found["calls"].append(answer)
    print(json.dumps(found))


asyncio.run(main())
