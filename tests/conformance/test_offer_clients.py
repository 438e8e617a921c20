"""Official clients list, read, get and complete what a golden case offers besides tools, in both eras."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.command import ROOT, built
from tests.conformance.test_clients import (  # noqa: F401 # fixtures are found by their names
    ERAS,
    LATEST,
    MODERN,
    SECONDS,
    inspected,
    programs,
)
from tests.stdio_client import stub

PYTHON = """
import asyncio, json, sys
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

async def main():
    mode, *server = sys.argv[1:]
    async with Client(StdioServerParameters(command=server[0], args=server[1:]), mode=mode) as client:
        listed = [await client.list_resources(), await client.list_resource_templates(), await client.list_prompts()]
        read = await client.read_resource("recipes://dishes/soup")
        menu = await client.read_resource("recipes://menus/2026-12-24.pdf")
        got = await client.get_prompt("plan", {"guests": "4"})
        found = {
            "version": client.protocol_version,
            "uris": [each.uri for each in listed[0].resources],
            "templates": [each.uri_template for each in listed[1].resource_templates],
            "prompts": [each.name for each in listed[2].prompts],
            "text": read.contents[0].text,
            "blob": menu.contents[0].blob,
            "said": [[each.role, each.content.text] for each in got.messages],
        }
        asked = {"missing": client.read_resource("recipes://dishes/stone"), "bare": client.get_prompt("plan")}
        for name, ask in asked.items():
            try:
                await ask
            except Exception as error:
                found[name] = error.error.code if hasattr(error, "error") else str(error)
    print(json.dumps(found))

asyncio.run(main())
"""

TYPESCRIPT = """
import * as C from "@modelcontextprotocol/client";
const [mode, cmd, ...args] = process.argv.slice(2);
const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
const more = mode === "modern" ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {};
const client = new C.Client({ name: "t", version: "1" }, { capabilities: {}, ...more });
await client.connect(new StdioClientTransport({ command: cmd, args, stderr: "ignore" }));
const { resources } = await client.listResources();
const { resourceTemplates } = await client.listResourceTemplates();
const { prompts } = await client.listPrompts();
const read = await client.readResource({ uri: "recipes://dishes/soup" });
const menu = await client.readResource({ uri: "recipes://menus/2026-12-24.pdf" });
const got = await client.getPrompt({ name: "plan", arguments: { guests: "4" } });
const argument = { name: "dish", value: "s" };
const completed = await client.complete({ ref: { type: "ref/prompt", name: "plan" }, argument });
const failed = async (promise) => { try { await promise; return null; } catch (error) { return error.code; } };
console.log(JSON.stringify({
  uris: resources.map((each) => each.uri), templates: resourceTemplates.map((each) => each.uriTemplate),
  prompts: prompts.map((each) => each.name), text: read.contents[0].text, blob: menu.contents[0].blob,
  said: got.messages.map((each) => [each.role, each.content.text]), completed: completed.completion.values,
  missing: await failed(client.readResource({ uri: "recipes://dishes/stone" })),
  bare: await failed(client.getPrompt({ name: "plan" })),
}));
await client.close();
"""

WANTED = {
    "uris": ["recipes://book/index"],
    "templates": ["recipes://dishes/{name}", "recipes://menus/{day}.pdf"],
    "prompts": ["plan", "review"],
    "text": '{"name":"soup","minutes":30}',
    "blob": "JVBERi0gMjQuMTIuMjAyNiAx",
    "said": [["user", "Plan a quick meal for 4 guests."], ["assistant", "Is anybody allergic to something?"]],
}


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> list[str]:
    source = ROOT / "tests" / "golden" / "offers" / "input.py"
    return stub(built(tmp_path_factory.mktemp("offers"), "recipes", source), sys.executable)


def said(command: list[str], cwd) -> dict:
    done = subprocess.run(command, cwd=cwd, capture_output=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")[-3_000:]
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize(("mode", "version"), [("legacy", LATEST), (MODERN, MODERN)])
def test_the_python_client_reads_and_gets(clients, server, tmp_path, mode, version):
    (tmp_path / "client.py").write_text(PYTHON, encoding="utf-8")
    found = said([str(clients / "venv" / "bin" / "python"), "client.py", mode, *server], tmp_path)
    assert {name: found[name] for name in WANTED} == WANTED
    assert found["version"] == version
    assert (found["missing"], found["bare"]) == (-32002 if mode == "legacy" else -32602, -32602)


@pytest.mark.parametrize("mode", ["legacy", "modern"])
def test_the_second_typescript_client_reads_gets_and_completes(node, programs, server, mode):  # noqa: F811
    (programs / "offers.mjs").write_text(TYPESCRIPT, encoding="utf-8")
    found = said([node, "offers.mjs", mode, *server], programs)
    assert {name: found[name] for name in WANTED} == WANTED
    assert found["completed"] == ["soup"]
    assert (found["missing"], found["bare"]) == (-32602, -32602)  # this client reads the older code as the newer one


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["--method", "resources/list"], lambda result: result["resources"][0]["uri"] == WANTED["uris"][0]),
        (["--method", "resources/templates/list"], lambda result: len(result["resourceTemplates"]) == 2),
        (
            ["--method", "resources/read", "--uri", "recipes://dishes/soup"],
            lambda result: result["contents"][0]["text"] == WANTED["text"],
        ),
        (
            ["--method", "prompts/list"],
            lambda result: [each["name"] for each in result["prompts"]] == WANTED["prompts"],
        ),
        (
            ["--method", "prompts/get", "--prompt-name", "plan", "--prompt-args", "guests=4"],
            lambda result: len(result["messages"]) == 2,
        ),
    ],
    ids=["list", "templates", "read", "prompts", "get"],
)
def test_the_inspector_reads_and_gets(node, clients, server, tmp_path, era, words, found):
    done = inspected(node, clients, tmp_path, era, *words, server=server)
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    assert found(json.loads(done.stdout)["result"])
