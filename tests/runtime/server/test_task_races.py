"""Tasks at the moment when several things happen at once: cancelled, answered, over their time, finished."""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
import threading
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.runtime.authoring import SyncContext
from generator.runtime.authoring.errors import CallCancelled
from generator.runtime.server import task_start
from generator.runtime.server import tasks as tasks_module
from generator.runtime.server.task_asking import Parked
from generator.runtime.server.tasks import Task, Tasks
from generator.runtime.wire import jsonrpc
from generator.runtime.wire.dialects import META_CAPABILITIES, META_VERSION

from .asking import SECONDS
from .tasking import client_of, task

TURNS = 300
LAST = ("completed", "failed", "cancelled")
QUESTION = {"method": "elicitation/create", "params": {}}


@pytest.fixture(autouse=True)
def _threads_that_change_often():
    """Give other threads a turn as often as can be."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


class Waiting:
    """A call as a task sees it."""

    class tool:  # noqa: N801 # what the task asks of it
        name = "work"
        entry = {"definition": {}}  # noqa: RUF012 # as above


def together(*functions):
    """Run functions at the same moment."""
    gate = threading.Barrier(len(functions))

    def run(function):
        gate.wait(SECONDS)
        function()

    threads = [threading.Thread(target=run, args=(function,)) for function in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS)


def test_a_task_never_leaves_its_last_status_whatever_comes_at_once():
    for _ in range(TURNS):
        told = []
        found = Task(Waiting(), "")
        found.tell = lambda each, told=told: told.append(each.details())
        found.ask({"a": QUESTION, "b": QUESTION})
        together(
            lambda found=found: found.end({"content": []}),
            lambda found=found: found.answer({"a": {}, "b": {}}),
            lambda found=found: found.withdraw(["a"]),
            lambda found=found: found.say("further"),
        )
        assert found.status == "completed"
        assert found.details()["result"] == {"content": []}
        statuses = [each["status"] for each in told]
        assert statuses.count("completed") == 1
        assert statuses[-1] == "completed"


def test_a_task_that_is_cancelled_and_ends_at_once_has_one_end():
    for _ in range(TURNS):
        found = Task(Waiting(), "")
        together(lambda found=found: found.end({"content": []}), found.cancel)
        facts = found.details()
        assert found.ended
        assert (facts["status"] == "completed") == ("result" in facts)


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("ask"), st.sampled_from("abc")),
        st.tuples(st.just("answer"), st.sampled_from("abc")),
        st.tuples(st.just("withdraw"), st.sampled_from("abc")),
        st.tuples(st.just("take"), st.sampled_from("abc")),
        st.tuples(st.just("say"), st.text(max_size=3)),
        st.tuples(st.just("end"), st.booleans()),
        st.tuples(st.just("cancel"), st.none()),
    ),
    max_size=20,
)


@settings(deadline=None, max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(STEPS)
def test_a_task_wants_input_exactly_while_it_has_open_questions(steps):
    found = Task(Waiting(), "")
    told = []
    found.tell = lambda each: told.append(each.status)
    ended = False
    for verb, value in steps:
        if verb == "ask":
            found.ask({value: QUESTION})
        elif verb == "answer":
            found.answer({value: {}})
        elif verb == "withdraw":
            found.withdraw([value])
        elif verb == "take":
            found.take([value])
        elif verb == "say":
            found.say(value)
        elif verb == "end":
            found.end({"rpcError": {"code": 1, "message": "m"}} if value else {"content": []})
        else:
            found.cancel()
        if ended:
            assert found.status == ended
        assert (found.status == "input_required") == bool(found.wanted)
        facts = found.details()
        assert ("inputRequests" in facts) == (found.status == "input_required")
        assert ("result" in facts) == (found.status == "completed")
        assert ("error" in facts) == (found.status == "failed")
        if found.ended:
            ended = found.status
            assert ended in LAST
    assert sum(status in LAST for status in told) == bool(ended)


def test_a_call_that_ends_at_the_moment_it_becomes_a_task_is_answered_once(monkeypatch):
    monkeypatch.setattr(tasks_module, "MAX_TASKS", 10 * TURNS)

    @task
    def work(ctx: SyncContext):
        return 1

    client = client_of(work)
    session = client.session
    meta = {META_VERSION: "2026-07-28", META_CAPABILITIES: client.capabilities}
    params = {"name": "work", "arguments": {}, "_meta": meta}
    for number in range(TURNS):
        call = session.receive({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params})
        lines = []
        call.hand_over = lines.append

        def become(call=call):
            with suppress(CallCancelled):
                task_start.detach(call)

        def end(call=call, lines=lines):
            lines.append(session.finish(call, {"content": [], "isError": True}))

        together(*((become, end) if number % 2 else (end, become)))
        session.finish(call, {"content": []})  # the clock's next look, or the function's end
        answers = [json.loads(line) for line in lines if line]
        assert len(answers) == 1
        assert answers[0]["id"] == number
        if answers[0]["result"]["resultType"] == "task":
            assert client.look(answers[0]["result"]["taskId"])["status"] == "completed"
        assert call not in session.open


def test_results_that_come_to_too_much_together_are_not_kept(monkeypatch):
    monkeypatch.setattr(tasks_module, "MAX_TASK_BYTES", 1_000)
    monkeypatch.setattr(tasks_module, "MAX_RESULT_BYTES", 1_000)
    tasks = Tasks()
    several = [tasks.open(Waiting(), "") for _ in range(5)]
    for each in several:
        each.end({"content": [{"type": "text", "text": "x" * 800}]})
    kept = [each for each in several if "isError" not in each.details()["result"]]
    assert len(kept) == 2
    assert "M-RUN-002" in several[-1].details()["result"]["content"][0]["text"]
    assert sum(each.size for each in several) < 5_000
    assert tasks.open(Waiting(), "") is None


def test_a_place_that_is_kept_for_a_call_is_no_other_calls(monkeypatch):
    monkeypatch.setattr(tasks_module, "MAX_TASKS", 2)
    tasks = Tasks()
    first, second = Waiting(), Waiting()
    assert tasks.reserve(first)
    assert tasks.reserve(second)
    assert tasks.open(Waiting(), "") is None
    assert tasks.open(first, "") is not None
    tasks.release(second)
    assert tasks.open(Waiting(), "") is not None


def test_tasks_that_ended_long_ago_make_room_for_others(monkeypatch):
    monkeypatch.setattr(tasks_module, "MAX_TASKS", 3)
    clock = [100.0]
    monkeypatch.setattr(tasks_module, "monotonic", lambda: clock[0])
    tasks = Tasks()
    running, first, second = (tasks.open(Waiting(), "") for _ in range(3))
    second.end({"content": []})
    clock[0] += 1
    first.cancel()
    assert tasks.open(Waiting(), "") is None
    clock[0] += tasks_module.READ_SECONDS
    assert tasks.open(Waiting(), "") is not None
    assert tasks.open(Waiting(), "") is not None
    assert tasks.open(Waiting(), "") is None
    assert [tasks.find(each.id, "") for each in (running, first, second)] == [running, None, None]


def test_a_task_that_is_forgotten_while_it_runs_ends_without_trouble(monkeypatch):
    go_on = threading.Event()

    @task
    def work(ctx: SyncContext):
        go_on.wait(SECONDS)
        return 1

    client = client_of(work)
    task_id = client.start("work")
    now = tasks_module.monotonic()
    monkeypatch.setattr(tasks_module, "monotonic", lambda: now + tasks_module.TASK_SECONDS + 1)
    for method in ("tasks/get", "tasks/update", "tasks/cancel"):
        assert client.request(method, taskId=task_id, inputResponses={})["error"]["code"] == -32602
    go_on.set()
    for thread in client.threads:
        thread.join(SECONDS)
    assert not client.session.open


@pytest.mark.parametrize("order", sorted(set(itertools.permutations(["tasks/update", "tasks/cancel", "tasks/cancel"]))))
def test_answers_and_cancellations_at_once_leave_a_task_that_has_ended(order):
    @task
    def work(ctx: SyncContext):
        return ctx.elicit("who", "Who?", schema=str)

    client = client_of(work)
    task_id = client.start("work")
    client.until(task_id, "input_required")
    answers = {"who": {"action": "accept", "content": {"who": "Ada"}}}
    responses = []
    lock = threading.Lock()

    def send(method):
        with lock:  # a session takes one message at a time; the function's thread is the other party
            responses.append(client.request(method, taskId=task_id, inputResponses=answers))

    together(*(lambda method=method: send(method) for method in order))
    assert all(each["result"]["resultType"] == "complete" for each in responses)
    assert client.end(task_id)["status"] in ("completed", "cancelled")


def test_a_question_that_the_collector_ends_says_nothing():
    call = Waiting()
    call.cancelled = call.finished = False
    found = Task(call, "")
    told = []
    parked = Parked(call, found)

    async def begin():
        waiting = parked.fetch_async({"who": QUESTION})
        waiting.send(None)
        found.tell = told.append
        waiting.close()  # as the collector does, perhaps within a lock that telling needs

    asyncio.run(begin())
    assert told == []
    assert found.wake == []


def test_what_a_task_says_is_always_json():
    found = Task(Waiting(), "")
    found.end({"content": [{"type": "text", "text": float("nan")}]})
    assert found.status == "failed"
    assert jsonrpc.encode(found.details())
