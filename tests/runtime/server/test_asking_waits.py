"""Waiting for a client's answer: it ends with the call, whatever ends that."""

from __future__ import annotations

import asyncio
import threading
from queue import Queue

import pytest

from generator.runtime.authoring import CallCancelled, Context, SyncContext

from .asking import SECONDS, Legacy, cancel, catalog_of, run_call, text_of

ENDED: list[str] = []


def waits(ctx: SyncContext):
    try:
        return ctx.elicit("who", "Who?", schema=str)
    except CallCancelled:
        ENDED.append("sync")
        raise


async def awaits(ctx: Context):
    try:
        return await ctx.elicit("who", "Who?", schema=str)
    except asyncio.CancelledError:
        ENDED.append("async")
        raise


class Running:
    """A call on a thread of its own; `sent` is what it sent so far, `result` what it came to."""

    def __init__(self, client, tool, **marks):
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": {}}}
        self.call = client.session.receive(message)
        self.sent: Queue[bytes] = Queue()
        self.call.send = self.sent.put
        for name, value in marks.items():
            setattr(self.call, name, value)
        self.results: Queue[dict] = Queue()
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def _run(self):
        if not self.call.tool.is_async:
            self.results.put(run_call(self.call))
            return
        from generator.runtime.server.invoke import run_async

        async def main():
            loop = asyncio.get_running_loop()
            task = loop.create_task(run_async(self.call))
            self.call.on_cancel = lambda: loop.call_soon_threadsafe(task.cancel)
            return await task

        self.results.put(asyncio.run(main()))

    def asked(self):
        import json

        return json.loads(self.sent.get(timeout=SECONDS))

    def result(self):
        found = self.results.get(timeout=SECONDS)
        self.thread.join(SECONDS)
        return found


@pytest.fixture
def client():
    ENDED.clear()
    return Legacy(catalog_of(waits, awaits), capabilities={"elicitation": {}})


@pytest.mark.parametrize("tool", ["waits", "awaits"])
def test_a_cancelled_call_waits_no_longer_and_tells_the_client(client, tool):
    running = Running(client, tool)
    request = running.asked()
    cancel(client, 1)
    if running.call.on_cancel is not None:
        running.call.on_cancel()
    running.result()
    assert set(ENDED) == {"sync" if tool == "waits" else "async"}
    told = running.asked()
    assert told["method"] == "notifications/cancelled"
    assert told["params"]["requestId"] == request["id"]
    assert client.session.asked == {}


def test_a_call_over_its_time_waits_no_longer(client):
    running = Running(client, "waits", deadline=0.0)
    running.asked()
    running.result()
    assert ENDED == ["sync"]


@pytest.mark.parametrize("tool", ["waits", "awaits"])
def test_an_answer_that_comes_too_late_or_twice_is_nobodys(client, tool):
    running = Running(client, tool)
    request = running.asked()
    answer = {"jsonrpc": "2.0", "id": request["id"], "result": {"action": "accept", "content": {"who": "Ada"}}}
    assert client.session.receive(answer) is None
    assert running.result()["content"][0]["text"] == "Ada"
    assert client.session.receive(answer) is None
    assert client.session.receive({**answer, "id": 1}) is None


def test_an_answer_meets_no_other_sessions_question(client):
    other = Legacy(client.catalog, capabilities={"elicitation": {}})
    running = Running(client, "waits")
    request = running.asked()
    answer = {"jsonrpc": "2.0", "id": request["id"], "result": {"action": "accept", "content": {"who": "Eve"}}}
    other.session.receive(answer)
    assert running.results.empty()
    client.session.receive({**answer, "result": {"action": "accept", "content": {"who": "Ada"}}})
    assert running.result()["content"][0]["text"] == "Ada"


def test_one_refusal_of_several_questions_ends_the_wait():
    def several(ctx: SyncContext):
        from generator.runtime.authoring import Elicit, Roots

        return str(ctx.ask(who=Elicit("Who?", str), where=Roots()))

    client = Legacy(catalog_of(several), capabilities={"elicitation": {}, "roots": {}})
    running = Running(client, "several")
    requests = [running.asked(), running.asked()]
    assert [each["method"] for each in requests] == ["elicitation/create", "roots/list"]
    client.session.receive({"jsonrpc": "2.0", "id": requests[1]["id"], "error": {"code": -32601, "message": "no"}})
    assert running.result()["content"][0]["text"] == "[M-ASK-003] The client refused roots/list: no"
    assert running.asked()["params"]["requestId"] == requests[0]["id"]


def test_where_no_answer_can_come_back_nothing_is_asked(client):
    running = Running(client, "waits", answerable=False)
    assert running.result()["content"][0]["text"].startswith("[M-ASK-002] The client cannot be asked")
    assert running.sent.empty()
    assert client.session.asked == {}


def test_many_calls_wait_at_once_and_each_gets_its_own_answer():
    client = Legacy(catalog_of(waits, awaits), capabilities={"elicitation": {}})

    def answer(params):
        return {"action": "accept", "content": {"who": str(len(client.asked))}}

    client.answers["elicitation/create"] = answer
    names = {text_of(client.call(tool)) for tool in ("waits", "awaits") * 5}
    assert names == {str(number) for number in range(1, 11)}


def test_what_outlives_its_call_asks_nobody(client):
    kept = []

    def leaves(ctx: SyncContext):
        kept.append(ctx)
        return "done"

    late = Legacy(catalog_of(leaves), capabilities={"elicitation": {}})
    assert text_of(late.call("leaves")) == "done"
    with pytest.raises(CallCancelled):
        kept[0].elicit("who", "Who?", schema=str)
    assert late.asked == []
