"""Tasks between the front process and its workers: what a worker says, and what the front makes of it."""

from __future__ import annotations

from generator.runtime.server import farm_tasks
from generator.runtime.server.farm_frames import ASK, TASK
from generator.runtime.server.farm_tasks import FarTask, FarTasks
from generator.runtime.server.tasks import Task
from generator.runtime.wire import jsonrpc

QUESTION = {"method": "elicitation/create", "params": {}}


class Waiting:
    """A call as a task sees it."""


def told():
    said = []
    return said, lambda call, kind, content: said.append((kind, jsonrpc.parse(content)))


def test_a_worker_has_tasks_only_where_the_front_has_a_place():
    said, send = told()
    tasks, call = FarTasks(send), Waiting()
    assert tasks.open(call, "") is None
    tasks.enter(call)
    assert tasks.open(call, "") is not None
    tasks.release(call)
    assert tasks.open(call, "") is None
    assert said == []


def test_questions_progress_and_what_is_taken_down_reach_the_front():
    said, send = told()
    task = FarTask(Waiting(), "", send)
    task.say("begun")
    task.ask({"a": QUESTION, "b": QUESTION})
    task.answer({"a": {"action": "decline"}})
    assert task.take(["a"]) == {"a": {"action": "decline"}}
    task.withdraw(["a", "b"])
    task.say(None)
    assert said == [(TASK, "begun"), (ASK, {"a": QUESTION, "b": QUESTION}), (ASK, {"b": None}), (TASK, "")]


def test_a_task_that_has_ended_says_no_more():
    said, send = told()
    task = FarTask(Waiting(), "", send)
    task.ask({"a": QUESTION})
    task.end({"content": []})
    task.say("late")
    task.ask({"b": QUESTION})
    task.withdraw(["a"])
    assert [kind for kind, _ in said] == [ASK]
    assert task.came_to() == {"content": []}


def test_what_a_call_came_to_can_always_be_sent():
    task = FarTask(Waiting(), "", lambda *_: None)
    task.end({"content": [float("nan")]})
    assert "rpcError" in task.came_to()
    assert jsonrpc.encode(task.came_to())


def test_the_front_puts_questions_up_and_takes_them_down():
    task = Task(Waiting(), "")
    farm_tasks.ask(task, {"a": QUESTION, "b": QUESTION})
    assert set(task.details()["inputRequests"]) == {"a", "b"}
    farm_tasks.ask(task, {"a": None})
    assert set(task.details()["inputRequests"]) == {"b"}
    farm_tasks.ask(task, {"b": None})
    assert task.status == "working"
