"""Tasks of a built server, over stdio and over HTTP."""

from __future__ import annotations

import itertools
import sys
import threading

import pytest

from tests.asgi_servers import Uvicorn
from tests.command import built
from tests.http_client import HttpServer, modern, request
from tests.stdio_client import StdioServer, stub

TASKS = "io.modelcontextprotocol/tasks"
CAPABILITIES = {"elicitation": {}, "extensions": {TASKS: {}}}
META_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", META_CAPABILITIES: CAPABILITIES}
LOOKS = 1000
PAUSE = 0.02

MODULE = '''"""Work that takes its time."""

import asyncio
import os

from mcpgen import Context, SyncContext, tool


@tool(task="optional")
def slow(seconds: float, ctx: SyncContext) -> str:
    """Take a while."""
    ctx.sleep(seconds)
    return "done"


@tool(task="required")
async def delete(name: str, ctx: Context) -> str:
    """Delete a file when the user agrees."""
    sure = await ctx.elicit("sure", f"Delete {name}?", schema=bool)
    return f"deleted {name}" if sure else "kept"


@tool(task="required")
def greet(ctx: SyncContext) -> str:
    """Ask who is there, then work on it."""
    name = ctx.elicit("who", "Who is there?", schema=str)
    ctx.start_task()
    ctx.sleep(0.05)
    return f"hello {name}"


@tool(task="required")
def dies() -> str:
    """End the process."""
    os._exit(7)


def plain() -> str:
    """Need no time."""
    return "here"
'''


class Stdio:
    """A client over stdio."""

    def __init__(self, argv):
        self.server = StdioServer(argv)

    def send(self, method, params):
        return self.server.request(method, {**params, "_meta": META})

    def close(self):
        assert self.server.close() == 0


class Http:
    """A client over HTTP."""

    serve = staticmethod(HttpServer)

    def __init__(self, argv):
        self.server = self.serve(argv)
        self.numbers = itertools.count(1)

    def send(self, method, params):
        message, headers = modern(request(next(self.numbers), method, params), **{META_CAPABILITIES: CAPABILITIES})
        if "taskId" in params:
            headers["Mcp-Name"] = params["taskId"]
        answer = self.server.post(message, headers)
        assert answer.status == 200, answer
        return answer.json["result"]

    def close(self):
        self.server.stop()


class Workers(Http):
    """A client of a server whose tools run in processes of their own."""

    serve = staticmethod(lambda argv: HttpServer(argv, "--workers", "2"))


class Asgi(Http):
    """A client of the application under uvicorn."""

    serve = staticmethod(Uvicorn)


@pytest.fixture(scope="module")
def argv(tmp_path_factory):
    return stub(built(tmp_path_factory.mktemp("tasks"), "work", MODULE), sys.executable)


@pytest.fixture(params=[Stdio, Http, Workers, Asgi])
def client(request, argv):
    found = request.param(argv)
    yield found
    found.close()


def begin(client, tool, **arguments):
    result = client.send("tools/call", {"name": tool, "arguments": arguments})
    assert result["resultType"] == "task"
    return result["taskId"]


def until(client, task_id, status):
    for _ in range(LOOKS):
        found = client.send("tasks/get", {"taskId": task_id})
        if found["status"] == status:
            return found
        threading.Event().wait(PAUSE)
    raise AssertionError(found)


def test_a_task_is_answered_at_once_and_completes_later(client):
    task_id = begin(client, "slow", seconds=0.2)
    assert client.send("tools/call", {"name": "plain", "arguments": {}})["content"][0]["text"] == "here"
    assert until(client, task_id, "completed")["result"]["content"][0]["text"] == "done"


def test_a_task_asks_by_tasks_get_and_is_answered_by_tasks_update(client):
    task_id = begin(client, "delete", name="a.txt")
    waiting = until(client, task_id, "input_required")
    assert waiting["inputRequests"]["sure"]["params"]["message"] == "Delete a.txt?"
    answer = {"sure": {"action": "accept", "content": {"sure": True}}}
    assert client.send("tasks/update", {"taskId": task_id, "inputResponses": answer})["resultType"] == "complete"
    assert until(client, task_id, "completed")["result"]["content"][0]["text"] == "deleted a.txt"


@pytest.mark.parametrize(("tool", "arguments"), [("slow", {"seconds": 600}), ("delete", {"name": "b"})])
def test_a_cancelled_task_ends(client, tool, arguments):
    task_id = begin(client, tool, **arguments)
    assert client.send("tasks/cancel", {"taskId": task_id})["resultType"] == "complete"
    assert client.send("tasks/get", {"taskId": task_id})["status"] == "cancelled"


def test_what_a_function_asks_before_it_starts_its_task_is_asked_in_the_call(client):
    first = client.send("tools/call", {"name": "greet", "arguments": {}})
    assert first["resultType"] == "input_required"
    answer = {"who": {"action": "accept", "content": {"who": "Ada"}}}
    more = {"inputResponses": answer, "requestState": first["requestState"]}
    second = client.send("tools/call", {"name": "greet", "arguments": {}, **more})
    assert second["resultType"] == "task"
    assert until(client, second["taskId"], "completed")["result"]["content"][0]["text"] == "hello Ada"


def test_a_server_with_running_tasks_still_ends_at_once(client):
    begin(client, "slow", seconds=600)  # closing the client checks how the process ends


def test_a_task_whose_worker_ends_comes_to_that(argv):
    client = Workers(argv)
    try:
        ended = until(client, begin(client, "dies"), "completed")
        assert ended["result"]["isError"] is True
        assert "[M-RUN-004] dies did not finish" in ended["result"]["content"][0]["text"]
        assert until(client, begin(client, "slow", seconds=0.1), "completed")["result"]["content"][0]["text"] == "done"
    finally:
        client.close()
