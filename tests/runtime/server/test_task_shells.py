"""Tasks of a built server: over stdio, over HTTP alone and with worker processes, and under ASGI servers."""

from __future__ import annotations

import itertools
import sys
import threading

import pytest

from tests.asgi_servers import Hypercorn, Uvicorn
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


@tool(task="optional")
def dies(ctx: SyncContext) -> str:
    """End the process that runs it, once somebody agrees."""
    ctx.elicit("sure", "End?", schema=bool)
    os._exit(7)


@tool(task="optional", timeout=1.0)  # longer than a busy machine takes to make a task of it
def hurries(ctx: SyncContext) -> str:
    """Take more time than it has."""
    ctx.sleep(60)
    return "late"


@tool(task="optional")
async def picks(ctx: Context) -> str:
    """Ask two questions, and wait for the first answer only."""
    asked = [asyncio.ensure_future(ctx.elicit(key, f"{key}?", schema=str)) for key in ("one", "two")]
    done, others = await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
    for each in others:
        each.cancel()
    await ctx.progress(1, 2, "picked")
    await ctx.elicit("more", "More?", schema=str)
    return done.pop().result()


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

    def listen(self, *task_ids):
        """Listen to tasks; return the acknowledgement and what comes then."""
        self.server.send("subscriptions/listen", {"notifications": {"taskIds": [*task_ids]}, "_meta": META})
        self.send("server/discover", {})  # answered behind the acknowledgement
        return self.server.notifications[0], self._notifications()

    def _notifications(self):
        seen = 1
        while True:
            while len(self.server.notifications) == seen:
                self.send("server/discover", {})
                threading.Event().wait(PAUSE)
            yield self.server.notifications[seen]
            seen += 1

    def close(self):
        assert self.server.close() == 0


class Http:
    """A client over HTTP."""

    server_class = HttpServer
    options = ()

    def __init__(self, argv):
        self.server = self.server_class(argv, *self.options)
        self.numbers = itertools.count(1)
        self.wires = []

    def send(self, method, params):
        message, headers = modern(request(next(self.numbers), method, params), **{META_CAPABILITIES: CAPABILITIES})
        if "taskId" in params:
            headers["Mcp-Name"] = params["taskId"]
        answer = self.server.post(message, headers)
        assert answer.status == 200, answer
        return answer.json["result"]

    def listen(self, *task_ids):
        """Listen to tasks; return the acknowledgement and what comes then."""
        params = {"notifications": {"taskIds": [*task_ids]}}
        message, headers = modern(
            request(next(self.numbers), "subscriptions/listen", params), **{META_CAPABILITIES: CAPABILITIES}
        )
        wire = self.server.wire()
        self.wires.append(wire)
        wire.send(self.server.bytes_of(message, headers))
        wire.head()
        events = (event.json for event in wire.events())
        return next(events), events

    def close(self):
        for wire in self.wires:
            wire.close()
        self.server.stop()


class Workers(Http):
    """The same, with processes that run the calls."""

    options = ("--workers", "2")


class UnderUvicorn(Http):
    """The application under uvicorn."""

    server_class = Uvicorn


class UnderHypercorn(Http):
    """The application under hypercorn."""

    server_class = Hypercorn


@pytest.fixture(scope="module")
def argv(tmp_path_factory):
    return stub(built(tmp_path_factory.mktemp("tasks"), "work", MODULE), sys.executable)


@pytest.fixture(params=[Stdio, Http, Workers, UnderUvicorn, UnderHypercorn])
def client(request, argv):
    found = request.param(argv)
    yield found
    found.close()


@pytest.fixture
def with_workers(argv):
    found = Workers(argv)
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


def test_a_task_that_waits_for_one_answer_of_two_takes_the_other_question_down(client):
    task_id = begin(client, "picks")
    for _ in range(LOOKS):
        waiting = client.send("tasks/get", {"taskId": task_id})
        if set(waiting.get("inputRequests", ())) == {"one", "two"}:
            break
        threading.Event().wait(PAUSE)
    answer(client, task_id, "two", "b")
    for _ in range(LOOKS):
        waiting = client.send("tasks/get", {"taskId": task_id})
        if set(waiting.get("inputRequests", ())) == {"more"}:  # the other one leaves when its waiting was cancelled
            break
        threading.Event().wait(PAUSE)
    assert set(waiting["inputRequests"]) == {"more"}
    assert waiting["statusMessage"] == "picked"
    answer(client, task_id, "more", "c")
    assert until(client, task_id, "completed")["result"]["content"][0]["text"] == "b"


def answer(client, task_id, key, value):
    filled_in = {key: {"action": "accept", "content": {key: value}}}
    client.send("tasks/update", {"taskId": task_id, "inputResponses": filled_in})


def test_whoever_listens_to_a_task_is_told_of_its_changes(client):
    task_id = begin(client, "delete", name="a.txt")
    until(client, task_id, "input_required")
    acknowledged, told = client.listen(task_id, "somebody else's")
    assert acknowledged["method"] == "notifications/subscriptions/acknowledged"
    assert acknowledged["params"]["notifications"] == {"taskIds": [task_id]}
    first = next(told)
    assert (first["method"], first["params"]["status"]) == ("notifications/tasks", "input_required")
    assert set(first["params"]["inputRequests"]) == {"sure"}
    answer(client, task_id, "sure", True)
    seen = []
    while "completed" not in seen:
        params = next(told)["params"]
        assert params["taskId"] == task_id
        seen.append(params["status"])
    assert set(seen) <= {"working", "completed"}
    assert params["result"]["content"][0]["text"] == "deleted a.txt"


def test_whoever_listens_is_told_how_far_a_task_is_and_that_it_was_cancelled(client):
    task_id = begin(client, "picks")
    until(client, task_id, "input_required")
    _, told = client.listen(task_id)
    answer(client, task_id, "one", "a")
    while next(told)["params"].get("statusMessage") != "picked":
        pass
    client.send("tasks/cancel", {"taskId": task_id})
    while (last := next(told)["params"])["status"] != "cancelled":
        pass
    assert "inputRequests" not in last


def test_a_task_over_its_time_completes_with_an_error_of_its_tool(client):
    found = until(client, begin(client, "hurries"), "completed")
    assert found["result"]["isError"]
    assert "M-RUN-001" in found["result"]["content"][0]["text"]


def test_a_task_whose_worker_ends_is_told_so_and_the_next_one_runs(with_workers):
    client = with_workers
    lost = begin(client, "dies")
    until(client, lost, "input_required")
    answer(client, lost, "sure", True)
    found = until(client, lost, "completed")
    assert found["result"]["isError"]
    assert "M-RUN-004" in found["result"]["content"][0]["text"]
    again = begin(client, "slow", seconds=0)
    assert until(client, again, "completed")["result"]["content"][0]["text"] == "done"


def test_a_server_with_running_tasks_still_ends_at_once(client):
    begin(client, "slow", seconds=600)  # closing the client checks how the process ends
