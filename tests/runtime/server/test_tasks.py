"""Tasks: calls that go on behind their answer (io.modelcontextprotocol/tasks)."""

from __future__ import annotations

import asyncio
import threading
from types import ModuleType

import pytest

from generator.runtime.authoring import Context, Declined, Elicit, ProtocolError, SyncContext, ToolError
from generator.runtime.server import tasks as tasks_module
from generator.runtime.wire.limits import TASK_SECONDS

from .asking import SECONDS, Legacy, catalog_of, text_of
from .tasking import TASKS, Client, client_of, task


@task
def add():
    return 3


@task
async def aadd():
    return 3


@pytest.mark.parametrize("function", [add, aadd])
def test_a_call_is_answered_with_a_task_and_the_task_with_its_result(function):
    client = client_of(function)
    created = client.request("tools/call", name=function.__name__, arguments={})["result"]
    del created["_meta"]
    found = client.end(created["taskId"])
    assert created == {
        "resultType": "task",
        "taskId": created["taskId"],
        "status": "working",
        "createdAt": created["createdAt"],
        "lastUpdatedAt": created["createdAt"],
        "ttlMs": TASK_SECONDS * 1000,
        "pollIntervalMs": 1000,
    }
    assert found["resultType"] == "complete"
    assert found["status"] == "completed"
    assert found["result"]["structuredContent"] == {"result": 3}
    assert not {"requestState", "inputRequests", "error", "task"} & found.keys()


def test_a_client_without_the_extension_gets_the_result_itself():
    response = client_of(add, tasks=False).request("tools/call", name="add", arguments={})
    assert response["result"]["structuredContent"] == {"result": 3}
    assert response["result"]["resultType"] == "complete"


def test_a_tool_that_has_to_be_a_task_refuses_clients_without_the_extension():
    @task(support="required")
    def long():
        return 1

    response = client_of(long, tasks=False).request("tools/call", name="long", arguments={})
    assert response["error"]["code"] == -32021
    assert response["error"]["data"] == {"requiredCapabilities": {"extensions": {TASKS: {}}}}
    older = Legacy(catalog_of(long), capabilities={}).call("long")
    assert older["result"]["isError"]
    assert "M-ASK-001" in text_of(older)


@pytest.mark.parametrize("method", ["tasks/get", "tasks/update", "tasks/cancel"])
def test_methods_about_tasks_need_the_extension_with_the_request(method):
    client = client_of(add, tasks=False)
    response = client.request(method, taskId="x", inputResponses={})
    assert response["error"]["code"] == -32021
    assert response["error"]["data"] == {"requiredCapabilities": {"extensions": {TASKS: {}}}}


@pytest.mark.parametrize("method", ["tasks/result", "tasks/list"])
def test_methods_of_the_experiment_before_are_unknown(method):
    assert client_of(add).request(method, taskId="x")["error"]["code"] == -32601


@pytest.mark.parametrize("method", ["tasks/get", "tasks/update", "tasks/cancel"])
def test_a_legacy_client_has_no_tasks(method):
    response = Legacy(catalog_of(add), capabilities={"extensions": {TASKS: {}}}).request(method, taskId="x")
    assert response["error"]["code"] == -32601


def test_the_extension_is_told_by_servers_that_have_tasks():
    def plain():
        return 1

    def told(*functions):
        return client_of(*functions).request("server/discover")["result"]["capabilities"].get("extensions")

    assert told(add) == {TASKS: {}}
    assert told(plain) is None


def test_only_the_principal_that_started_a_task_finds_it():
    catalog = catalog_of(add)
    ada, eve = Client(catalog, principal="ada"), Client(catalog, principal="eve")
    task_id = ada.start("add")
    assert ada.end(task_id)["status"] == "completed"
    for method in ("tasks/get", "tasks/update", "tasks/cancel"):
        assert eve.request(method, taskId=task_id, inputResponses={})["error"]["code"] == -32602


@pytest.mark.parametrize("task_id", ["x", "", 3, None])
def test_an_id_without_a_task_is_an_invalid_parameter(task_id):
    assert client_of(add).request("tasks/get", taskId=task_id)["error"]["code"] == -32602


def test_an_error_of_the_tool_is_a_result_and_one_of_the_protocol_a_failure():
    @task
    def breaks():
        raise ToolError("no paper")

    @task
    def refuses():
        raise ProtocolError(-32001, "not here", {"why": "moon"})

    client = client_of(breaks, refuses)
    broken, refused = client.end(client.start("breaks")), client.end(client.start("refuses"))
    assert (broken["status"], broken["result"]["isError"]) == ("completed", True)
    assert refused["status"] == "failed"
    assert refused["error"] == {"code": -32001, "message": "not here", "data": {"why": "moon"}}
    assert "result" not in refused


def test_arguments_that_do_not_fit_are_told_at_once():
    @task
    def square(n: int):
        return n * n

    square.entry["definition"] = {
        "name": "square",
        "inputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]},
    }
    response = client_of(square).request("tools/call", name="square", arguments={})
    assert response["result"]["resultType"] == "complete"
    assert response["result"]["isError"]


@task
def both(ctx: SyncContext):
    said = ctx.ask(first=_elicit("one?"), second=_elicit("two?"))
    return f"{said['first']} {said['second']}"


@task
async def aboth(ctx: Context):
    said = await ctx.ask(first=_elicit("one?"), second=_elicit("two?"))
    return f"{said['first']} {said['second']}"


def _elicit(message):
    return Elicit(message, schema=str)


@pytest.mark.parametrize("function", [both, aboth])
def test_a_task_asks_and_goes_on_when_all_is_answered(function):
    client = client_of(function)
    task_id = client.start(function.__name__)
    waiting = client.until(task_id, "input_required")
    assert {key: each["method"] for key, each in waiting["inputRequests"].items()} == {
        "first": "elicitation/create",
        "second": "elicitation/create",
    }
    client.request("tasks/update", taskId=task_id, inputResponses={"second": _accept("second", "b"), "other": 1})
    assert set(client.look(task_id)["inputRequests"]) == {"first"}
    client.request("tasks/update", taskId=task_id, inputResponses={"first": _accept("first", "a")})
    assert client.end(task_id)["result"]["content"][0]["text"] == "a b"


def _accept(key, value):
    return {"action": "accept", "content": {key: value}}


def test_a_form_filled_in_wrongly_is_asked_for_again_under_another_key():
    @task
    def ask(ctx: SyncContext):
        return ctx.elicit("age", "How old?", schema=int)

    client = client_of(ask)
    task_id = client.start("ask")
    client.until(task_id, "input_required")
    client.request("tasks/update", taskId=task_id, inputResponses={"age": _accept("age", "old")})
    again = client.until(task_id, "input_required")
    (key,) = again["inputRequests"]
    assert key != "age"
    client.request("tasks/update", taskId=task_id, inputResponses={key: _accept("age", 7)})
    assert client.end(task_id)["result"]["structuredContent"] == {"result": 7}


@pytest.mark.parametrize("responses", [None, 3, [], {"who": 3}, {"who": {"action": "perhaps"}}])
def test_misshapen_answers_are_invalid_parameters_and_change_nothing(responses):
    @task
    def ask(ctx: SyncContext):
        return str(ctx.elicit("who", "Who?", schema=str))

    client = client_of(ask)
    task_id = client.start("ask")
    client.until(task_id, "input_required")
    assert client.request("tasks/update", taskId=task_id, inputResponses=responses)["error"]["code"] == -32602
    assert client.look(task_id)["status"] == "input_required"
    client.request("tasks/update", taskId=task_id, inputResponses={"who": {"action": "decline"}})
    assert client.end(task_id)["result"]["content"][0]["text"] == str(Declined())


@task
def wait(ctx: SyncContext):
    ctx.sleep(SECONDS * 10)


@task
async def await_(ctx: Context):
    await ctx.sleep(SECONDS * 10)


@task
def asks(ctx: SyncContext):
    ctx.elicit("who", "Who?", schema=str)


@task
async def aasks(ctx: Context):
    await ctx.elicit("who", "Who?", schema=str)


@pytest.mark.parametrize("function", [wait, asks])
def test_a_cancelled_task_stays_cancelled(function):
    client = client_of(function)
    task_id = client.start(function.__name__)
    assert client.request("tasks/cancel", taskId=task_id)["result"]["resultType"] == "complete"
    assert client.end(task_id)["status"] == "cancelled"
    assert "error" not in client.request("tasks/cancel", taskId=task_id)
    assert "error" not in client.request("tasks/update", taskId=task_id, inputResponses={"who": _accept("who", "x")})
    assert client.look(task_id)["status"] == "cancelled"


def test_cancelling_a_task_that_has_ended_changes_nothing():
    client = client_of(add)
    task_id = client.start("add")
    client.end(task_id)
    assert client.request("tasks/cancel", taskId=task_id)["result"]["resultType"] == "complete"
    assert client.look(task_id)["status"] == "completed"


def test_a_tool_may_ask_in_the_call_and_go_on_as_a_task():
    @task(support="required", starts="later")
    def greet(ctx: SyncContext):
        name = ctx.elicit("who", "Who?", schema=str)
        ctx.start_task()
        word = ctx.elicit("word", f"What to say to {name}?", schema=str)
        return f"{word} {name}"

    client = client_of(greet)
    first = client.request("tools/call", name="greet", arguments={})["result"]
    assert first["resultType"] == "input_required"
    second = client.request(
        "tools/call",
        name="greet",
        arguments={},
        inputResponses={"who": _accept("who", "Ada")},
        requestState=first["requestState"],
    )["result"]
    assert second["resultType"] == "task"
    task_id = second["taskId"]
    waiting = client.until(task_id, "input_required")
    assert waiting["inputRequests"]["word"]["params"]["message"] == "What to say to Ada?"
    client.request("tasks/update", taskId=task_id, inputResponses={"word": _accept("word", "hi")})
    assert client.end(task_id)["result"]["content"][0]["text"] == "hi Ada"


def test_progress_of_a_task_is_told_to_those_who_look():
    go_on = threading.Event()

    @task
    def work(ctx: SyncContext):
        ctx.progress(1, 2, "half done")
        go_on.wait(SECONDS)

    client = client_of(work)
    task_id = client.start("work")
    for _ in range(1000):
        if client.look(task_id).get("statusMessage") == "half done":
            break
        threading.Event().wait(0.01)
    assert client.look(task_id)["statusMessage"] == "half done"
    go_on.set()
    client.end(task_id)


def test_a_task_is_forgotten_when_its_time_is_over(monkeypatch):
    client = client_of(add)
    task_id = client.start("add")
    client.end(task_id)
    now = tasks_module.monotonic()
    monkeypatch.setattr(tasks_module, "monotonic", lambda: now + TASK_SECONDS + 1)
    assert client.request("tasks/get", taskId=task_id)["error"]["code"] == -32602


def test_no_more_tasks_begin_than_can_be_kept(monkeypatch):
    monkeypatch.setattr(tasks_module, "MAX_TASKS", 1)
    client = client_of(add)
    client.end(client.start("add"))
    response = client.request("tools/call", name="add", arguments={})
    assert response["result"]["isError"]
    assert "M-RUN-002" in text_of(response)


def test_the_request_of_a_task_is_over_for_its_client():
    client = client_of(wait)
    task_id = client.start("wait")
    cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    assert client.session.receive(cancelled) is None
    assert client.look(task_id)["status"] == "working"
    client.request("tasks/cancel", taskId=task_id)
    client.end(task_id)


def test_async_tasks_that_wait_end_when_they_are_cancelled():
    client = client_of(aasks)
    task_id = client.start("aasks")
    client.until(task_id, "input_required")
    client.request("tasks/update", taskId=task_id, inputResponses={"who": {"action": "cancel"}})
    assert client.end(task_id)["status"] == "completed"


def test_a_question_that_the_function_waits_for_no_longer_is_taken_down():
    go_on = threading.Event()

    @task
    async def hurried(ctx: Context):
        try:
            async with asyncio.timeout(0.05):
                await ctx.elicit("who", "Who?", schema=str)
        except TimeoutError:
            await asyncio.to_thread(go_on.wait, SECONDS)
            return "went on"

    client = client_of(hurried)
    task_id = client.start("hurried")
    found = client.until(task_id, "input_required")
    assert "who" in found["inputRequests"]
    found = client.until(task_id, "working")
    assert "inputRequests" not in found
    client.request("tasks/update", taskId=task_id, inputResponses={"who": {"action": "cancel"}})
    assert client.look(task_id)["status"] == "working"
    go_on.set()
    assert client.end(task_id)["result"]["structuredContent"] == {"result": "went on"}


@pytest.mark.parametrize("is_async", [False, True])
def test_a_confirmed_call_goes_on_as_a_task(is_async):
    def publish():
        return 3

    async def apublish():
        return 3

    function = task(apublish if is_async else publish, support="required")
    function.entry |= {"confirm": True}
    call = {"name": function.__name__, "arguments": {}}
    refused = client_of(function, tasks=False).request("tools/call", **call)
    assert refused["error"]["code"] == -32021  # nobody is asked to confirm what cannot run
    client = client_of(function)
    asked = client.request("tools/call", **call)["result"]
    assert asked["resultType"] == "input_required"
    yes = {"mcpgen.confirm": {"action": "accept", "content": {"confirm": True}}}
    created = client.request("tools/call", **call, inputResponses=yes, requestState=asked["requestState"])["result"]
    assert created["resultType"] == "task"
    assert client.end(created["taskId"])["result"]["structuredContent"] == {"result": 3}


@pytest.mark.parametrize("function", [add, aadd])
def test_a_task_goes_through_its_middleware(function):
    def stamp(call):
        result = yield
        result["content"].append({"type": "text", "text": "stamped"})

    module = ModuleType("middleware_of_tasks")
    module.stamp = stamp
    client = client_of(function, module=module, settings={"middleware": [f"{module.__name__}:stamp"]})
    result = client.end(client.start(function.__name__))["result"]
    assert [each["text"] for each in result["content"]] == ["3", "stamped"]
