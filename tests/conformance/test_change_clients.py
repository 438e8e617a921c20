"""Official clients are told of changes in both eras, over standard streams and HTTP, and come back for an answer."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.command import ROOT, built
from tests.conformance.test_clients import MODERN, SECONDS, programs  # noqa: F401 # a fixture is found by its name
from tests.http_client import HttpServer
from tests.stdio_client import stub

PYTHON = """
import asyncio, json, sys, warnings
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

warnings.simplefilter("ignore")

async def main():
    mode, *server = sys.argv[1:]
    target = server[0] if len(server) == 1 else StdioServerParameters(command=server[0], args=server[1:])
    told = asyncio.Queue()

    async def take(message):
        told.put_nowait(type(getattr(message, "root", message)).__name__)

    found = {}
    async with Client(target, mode=mode, message_handler=take) as client:
        if mode == "legacy":
            await client.subscribe_resource("shop://list")
            for kind in ("tools", "prompts", "resources"):
                await client.call_tool("turn", {"kind": kind})
            await client.call_tool("touch", {"uri": "shop://list"})
            found["told"] = sorted([await asyncio.wait_for(told.get(), 20) for _ in range(4)])
            await client.unsubscribe_resource("shop://list")
        else:
            wanted = {"tools_list_changed": True, "resource_subscriptions": ["shop://list", "shop://nothing"]}
            async with client.listen(**wanted) as sub:
                found["honoured"] = sub.honored.model_dump(by_alias=True, exclude_none=True)
                await client.call_tool("turn", {"kind": "prompts"})
                await client.call_tool("turn", {"kind": "tools"})
                await client.call_tool("touch", {"uri": "shop://list"})
                found["told"] = sorted([type(await asyncio.wait_for(anext(sub), 20)).__name__ for _ in range(2)])
            await client.call_tool("turn", {"kind": "tools"})
    print(json.dumps(found))

asyncio.run(main())
"""

TYPESCRIPT = """
import * as C from "@modelcontextprotocol/client";
const [mode, cmd, ...args] = process.argv.slice(2);
const isUrl = /^https?:/.test(cmd);
const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
const more = mode === "modern" ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {};
const client = new C.Client({ name: "t", version: "1" }, { capabilities: {}, ...more });
const told = [];
let tell = () => {};
const methods = ["tools/list_changed", "prompts/list_changed", "resources/list_changed", "resources/updated"];
for (const method of methods.map((each) => `notifications/${each}`))
  client.setNotificationHandler(method, () => { told.push(method); tell(); });
const transport = isUrl ? new C.StreamableHTTPClientTransport(new URL(cmd))
  : new StdioClientTransport({ command: cmd, args, stderr: "ignore" });
await client.connect(transport);
const until = async (count) => {
  while (told.length < count) await new Promise((done) => { tell = done; });
};
let honoured = null, ended = null;
if (mode === "modern") {
  const wanted = { promptsListChanged: true, resourceSubscriptions: ["shop://list", "shop://nothing"] };
  const listening = await client.listen(wanted);
  honoured = listening.honoredFilter;
  await client.callTool({ name: "turn", arguments: { kind: "tools" } });
  await client.callTool({ name: "turn", arguments: { kind: "prompts" } });
  await client.callTool({ name: "touch", arguments: { uri: "shop://list" } });
  await until(2);
  await listening.close();
  ended = await listening.closed;
} else {
  await client.subscribeResource({ uri: "shop://list" });
  await client.callTool({ name: "turn", arguments: { kind: "prompts" } });
  await client.callTool({ name: "touch", arguments: { uri: "shop://list" } });
  await until(2);
  await client.unsubscribeResource({ uri: "shop://list" });
}
await client.callTool({ name: "turn", arguments: { kind: "resources" } });
if (mode !== "modern") await until(3);
console.log(JSON.stringify({ told: told.sort(), honoured, ended }));
await client.close();
"""

POLLING = """
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
const client = new Client({ name: "t", version: "1" }, { capabilities: {} });
await client.connect(new StreamableHTTPClientTransport(new URL(process.argv[2])));
const result = await client.callTool({ name: "polls", arguments: {} });
console.log(JSON.stringify({ text: result.content[0].text }));
await client.close();
"""

TOOLS = '''

async def polls(ctx: Context) -> str:
    """Let go of the stream, and answer later."""
    await ctx.close_stream()
    await ctx.sleep(0.3)
    return "polled"
'''


@pytest.fixture(scope="module")
def argv(tmp_path_factory) -> list[str]:
    module = (ROOT / "tests" / "transcripts" / "changing.py").read_text(encoding="utf-8") + TOOLS
    return stub(built(tmp_path_factory.mktemp("changing"), "changing", module), sys.executable)


@pytest.fixture(scope="module")
def url(argv):
    with HttpServer(argv) as running:
        yield running.url


@pytest.fixture(params=["streams", "http"])
def server(request, argv) -> list[str]:
    return argv if request.param == "streams" else [request.getfixturevalue("url")]


def said(command: list[str], cwd) -> dict:
    done = subprocess.run(command, cwd=cwd, capture_output=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")[-3_000:]
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("mode", ["legacy", MODERN])
def test_the_python_client_is_told_of_changes(clients, server, tmp_path, mode):
    (tmp_path / "client.py").write_text(PYTHON, encoding="utf-8")
    found = said([str(clients / "venv" / "bin" / "python"), "client.py", mode, *server], tmp_path)
    if mode == "legacy":
        kinds = ["PromptListChanged", "ResourceListChanged", "ResourceUpdated", "ToolListChanged"]
        assert found == {"told": [f"{kind}Notification" for kind in kinds]}
    else:
        assert found["honoured"] == {"toolsListChanged": True, "resourceSubscriptions": ["shop://list"]}
        assert found["told"] == ["ResourceUpdated", "ToolsListChanged"]


@pytest.mark.parametrize("mode", ["legacy", "modern"])
def test_the_second_typescript_client_is_told_of_changes(node, programs, server, mode):  # noqa: F811
    (programs / "changes.mjs").write_text(TYPESCRIPT, encoding="utf-8")
    found = said([node, "changes.mjs", mode, *server], programs)
    told = [f"notifications/{each}" for each in ("prompts/list_changed", "resources/list_changed", "resources/updated")]
    if mode == "legacy":
        assert found == {"told": told, "honoured": None, "ended": None}
    else:
        honoured = {"promptsListChanged": True, "resourceSubscriptions": ["shop://list"]}
        assert found == {"told": [told[0], told[2]], "honoured": honoured, "ended": "local"}


def test_the_first_typescript_client_comes_back_for_an_answer(node, programs, url):  # noqa: F811
    (programs / "polling.mjs").write_text(POLLING, encoding="utf-8")
    assert said([node, "polling.mjs", url], programs) == {"text": "polled"}
