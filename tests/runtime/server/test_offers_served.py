"""Resources, prompts and completion in a real process: they run beside the reader, in time, and can be cancelled."""

from __future__ import annotations

import json
import sys
import time

import pytest

from tests.command import built
from tests.stdio_client import CallFailed, StdioServer, stub

MODULE = """
import asyncio, os, time
from mcpgen import Context, SyncContext, completer, prompt, resource

@resource("s://looping/{n}", timeout=0.5)
def looping(n: int, ctx: SyncContext) -> str:
    while not ctx.cancelled:
        time.sleep(0.01)
    return "late"

@resource("s://sleeping")
async def sleeping(ctx: Context) -> str:
    try:
        await ctx.progress(1)
        await ctx.sleep(60)
    finally:
        await ctx.info("woken")
    return "late"

@resource("s://quick")
def quick() -> str:
    print("noise on standard output")
    return "quick"

@resource("s://broken")
def broken() -> str:
    raise ValueError("secret words")

@prompt(timeout=0.4)
async def tired() -> str:
    await asyncio.sleep(60)

@completer(looping, "n")
def numbers(typed: str) -> list[str]:
    time.sleep(0.3)
    return [typed, str(os.getpid())]
"""


@pytest.fixture(scope="module")
def argv(tmp_path_factory):
    return stub(built(tmp_path_factory.mktemp("served"), "served", MODULE), sys.executable)


def failed(server: StdioServer, number: int) -> dict:
    with pytest.raises(CallFailed) as caught:
        server.wait_for(number, timeout=10)
    return caught.value.error


@pytest.mark.requirement("R157")
def test_a_server_without_tools_shakes_hands_and_reads(argv):
    with StdioServer(argv) as server:
        assert sorted(server.initialize()["capabilities"]) == ["completions", "logging", "prompts", "resources"]
        found = server.request("resources/read", {"uri": "s://quick"})
        assert found["contents"] == [{"uri": "s://quick", "mimeType": "text/plain", "text": "quick"}]
        assert server.close() == 0


def test_ping_is_answered_while_resources_loop_and_they_time_out(argv):
    with StdioServer(argv) as server:
        numbers = [server.send("resources/read", {"uri": f"s://looping/{n}"}) for n in range(3)]
        numbers.append(server.send("prompts/get", {"name": "tired"}))
        for _ in range(20):
            assert server.request("ping", timeout=2) == {}
        for number in numbers:
            error = failed(server, number)
            assert (error["code"], error["data"]["errorCode"]) == (-32603, "M-RUN-001")


def test_a_read_is_cancelled_and_never_answered(argv):
    with StdioServer(argv) as server:
        token = {"_meta": {"progressToken": "t"}}
        number = server.send("resources/read", {"uri": "s://sleeping", **token})
        begun = time.monotonic()
        while not server.notifications and time.monotonic() - begun < 20:
            server.request("ping")
        assert server.notifications[0]["params"] == {"progressToken": "t", "progress": 1}
        server.notify("notifications/cancelled", {"requestId": number})
        assert server.request("resources/read", {"uri": "s://quick"})["contents"][0]["text"] == "quick"
        assert server.close() == 0  # an answer to the cancelled one would have been a problem of the protocol


@pytest.mark.alone
def test_completions_overlap(argv):
    with StdioServer(argv) as server:
        params = {"ref": {"type": "ref/resource", "uri": "s://looping/{n}"}}
        begun = time.monotonic()
        numbers = [
            server.send("completion/complete", {**params, "argument": {"name": "n", "value": str(n)}})
            for n in range(12)
        ]
        found = [server.wait_for(number)["completion"]["values"][0] for number in numbers]
        assert found == [str(n) for n in range(12)]
        assert time.monotonic() - begun < 0.3 * 12


def test_an_exception_is_a_number_for_the_client_and_words_in_the_log(argv):
    with StdioServer(argv) as server:
        error = failed(server, server.send("resources/read", {"uri": "s://broken"}))
        assert (error["code"], error["message"]) == (-32603, f"resource broken failed (id {error['data']['id']})")
        assert "secret" not in json.dumps(error)
        server.close()
        assert f"fault {error['data']['id']} resource broken ValueError: secret words" in server.stderr


@pytest.mark.requirement("R155")
@pytest.mark.parametrize("uri", ["served://schema", "about:this"])
def test_a_server_describes_itself_under_the_uri_that_the_settings_name(tmp_path, uri):
    project = built(tmp_path, "served", MODULE + "\n\ndef add(a: int) -> int: ...", f'schema_resource_uri = "{uri}"')
    with StdioServer(stub(project, sys.executable)) as server:
        server.initialize()
        (content,) = server.request("resources/read", {"uri": uri})["contents"]
        assert (content["uri"], content["mimeType"]) == (uri, "application/json")
        told = json.loads(content["text"])
        assert told["server"]["name"] == "served"
        assert told["tools"] == server.tools()
        assert told["resources"] == server.request("resources/list")["resources"]
        assert told["templates"] == server.request("resources/templates/list")["resourceTemplates"]
        assert told["prompts"] == server.request("prompts/list")["prompts"]
        assert uri in [each["uri"] for each in told["resources"]]
        assert ".served:" not in content["text"]


def test_a_modern_client_needs_no_handshake(argv):
    with StdioServer(argv) as server:
        server.discover()
        found = server.request("resources/read", {"uri": "s://quick"})
        assert (found["resultType"], found["ttlMs"], found["cacheScope"]) == ("complete", 0, "private")
        assert server.request("prompts/list")["prompts"][0]["name"] == "tired"


VIEWS = """
import time
from mcpgen import tool, ui_resource

running = most = 0

@ui_resource("ui://s/one-by-one", max_concurrent=1)
def page() -> str:
    global running, most
    running += 1
    most = max(most, running)
    time.sleep(0.05)
    running -= 1
    return f"<!doctype html>{most}"

@tool(ui="ui://s/one-by-one")
def t() -> int:
    return 1
"""


@pytest.mark.requirement("R100")
@pytest.mark.requirement("R101")
def test_a_view_is_made_at_each_read_and_one_after_another_on_request(tmp_path):
    host = {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}}
    with StdioServer(stub(built(tmp_path, "served", VIEWS), sys.executable)) as server:
        server.initialize(capabilities=host)
        asked = [server.send("resources/read", {"uri": "ui://s/one-by-one"}) for _ in range(5)]
        pages = [server.wait_for(each)["contents"][0]["text"] for each in asked]
    assert pages == ["<!doctype html>1"] * 5


def test_a_view_that_is_read_is_an_event_of_its_own_kind(tmp_path):
    host = {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}}
    events = tmp_path / "events.jsonl"
    argv = stub(built(tmp_path, "served", VIEWS), sys.executable)
    with StdioServer([*argv, "--events", str(events)]) as server:
        server.initialize(capabilities=host)
        server.request("resources/read", {"uri": "ui://s/one-by-one"})
    (event,) = (json.loads(line) for line in events.read_text(encoding="utf-8").splitlines())
    assert (event["kind"], event["tool"], event["uri"]) == ("view", "page", "ui://s/one-by-one")
