"""Questions to the client in the middle of a call: the same function, whatever the client's revision."""

from __future__ import annotations

import asyncio
import json

import pytest

from generator.runtime.authoring import (
    Cancelled,
    ClientError,
    Context,
    Declined,
    Elicit,
    MissingRequiredClientCapability,
    ProtocolError,
    Roots,
    Sample,
    SyncContext,
)

from .asking import Legacy, Modern, accept, catalog_of, run_call, text_of

CAPABILITIES = {"elicitation": {}, "sampling": {}, "roots": {}}
ERAS = pytest.mark.parametrize("era", [Legacy, Modern])


def greet(ctx: SyncContext):
    name = ctx.elicit("who", "Who are you?", schema=str)
    return f"hello {name}"


async def agreet(ctx: Context):
    name = await ctx.elicit("who", "Who are you?", schema=str)
    return f"hello {name}"


def client_of(era, *functions, **more):
    return era(catalog_of(*functions), capabilities=more.pop("capabilities", CAPABILITIES), **more)


@pytest.mark.parametrize("function", [greet, agreet])
@ERAS
def test_a_function_gets_the_answer_of_its_client(era, function):
    client = client_of(era, function)
    client.answers["elicitation/create"] = accept(who="Ada")
    assert text_of(client.call(function.__name__)) == "hello Ada"
    (request,) = client.asked
    assert request["params"] == {
        "mode": "form",
        "message": "Who are you?",
        "requestedSchema": {"type": "object", "properties": {"who": {"type": "string"}}, "required": ["who"]},
    }


@pytest.mark.parametrize(("action", "said"), [("decline", "Declined()"), ("cancel", "Cancelled()")])
@ERAS
def test_a_person_may_say_no_or_nothing(era, action, said):
    def go_on(ctx: SyncContext):
        answer = ctx.elicit("go", "Go on?", schema=bool)
        return f"{answer!r} {bool(answer)} {answer == Declined()} {isinstance(answer, Cancelled)}"

    client = client_of(era, go_on)
    client.answers["elicitation/create"] = lambda _: {"action": action}
    declined = action == "decline"
    assert text_of(client.call("go_on")) == f"{said} False {declined} {not declined}"


@ERAS
def test_several_questions_are_asked_at_once(era):
    async def everything(ctx: Context):
        found = await ctx.ask(name=Elicit("Name?", str), word=Sample("Say a word", max_tokens=5), roots=Roots())
        return f"{found['name']} {found['word']} {found['roots'][0].path}"

    client = client_of(era, everything)
    client.answers = {
        "elicitation/create": accept(name="Ada"),
        "sampling/createMessage": lambda params: {
            "role": "assistant",
            "model": "m",
            "content": {"type": "text", "text": f"{params['messages'][0]['content']['text']}:{params['maxTokens']}"},
        },
        "roots/list": lambda _: {"roots": [{"uri": "file:///home/ada", "name": "home"}]},
    }
    assert text_of(client.call("everything")) == "Ada Say a word:5 /home/ada"
    assert len(client.asked) == 3
    assert len(getattr(client, "rounds", [1])) == 1


def test_questions_of_tasks_started_together_leave_in_one_round():
    async def two(ctx: Context):
        return await asyncio.gather(ctx.elicit("a", "A?", schema=int), ctx.elicit("b", "B?", schema=int))

    client = client_of(Modern, two)
    client.answers["elicitation/create"] = lambda params: {
        "action": "accept",
        "content": dict.fromkeys(params["requestedSchema"]["properties"], 1),
    }
    assert json.loads(text_of(client.call("two"))) == [1, 1]
    assert [sorted(each["inputRequests"]) for each in client.rounds] == [["a", "b"]]


def test_questions_in_a_task_group_end_the_call_as_well():
    async def grouped(ctx: Context):
        async with asyncio.TaskGroup() as group:
            first = group.create_task(ctx.elicit("a", "A?", schema=int))
            second = group.create_task(ctx.elicit("b", "B?", schema=int))
        return first.result() + second.result()

    client = client_of(Modern, grouped)
    client.answers["elicitation/create"] = lambda params: {
        "action": "accept",
        "content": dict.fromkeys(params["requestedSchema"]["properties"], 2),
    }
    assert text_of(client.call("grouped")) == "4"


def test_an_open_question_stands_above_what_a_function_makes_of_it():
    def careless(ctx: SyncContext):
        try:
            ctx.elicit("who", "Who?", schema=str)
        except BaseException:  # noqa: BLE001 # what a careless author writes
            return "nobody"
        return "somebody"

    client = client_of(Modern, careless)
    client.answers["elicitation/create"] = accept(who="Ada")
    assert text_of(client.call("careless")) == "somebody"
    assert len(client.rounds) == 1


@ERAS
def test_what_stands_before_a_question_runs_again_and_each_question_once(era):
    ran = []

    def steps(ctx: SyncContext):
        ran.append("start")
        first = ctx.elicit("first", "First?", schema=int)
        ran.append("middle")
        second = ctx.elicit("second", "Second?", schema=int)
        return [first, second, ctx.elicit("first", "First?", schema=int)]

    client = client_of(era, steps)
    client.answers["elicitation/create"] = lambda params: {
        "action": "accept",
        "content": dict.fromkeys(params["requestedSchema"]["properties"], len(client.asked)),
    }
    assert json.loads(text_of(client.call("steps"))) == [1, 2, 1]
    assert len(client.asked) == 2
    assert ran == (["start", "middle"] if era is Legacy else ["start", "start", "middle", "start", "middle"])


@ERAS
def test_one_key_for_two_questions_is_a_mistake(era):
    def twice(ctx: SyncContext):
        return ctx.elicit("key", "One?", schema=int) + ctx.elicit("key", "Another?", schema=int)

    client = client_of(era, twice)
    client.answers["elicitation/create"] = accept(key=1)
    assert "the key 'key' is used for two questions of one call" in text_of(client.call("twice"))


@ERAS
def test_a_form_filled_in_wrongly_is_asked_again(era):
    client = client_of(era, greet)
    answers = iter([5, "Ada"])
    client.answers["elicitation/create"] = lambda _: {"action": "accept", "content": {"who": next(answers)}}
    assert text_of(client.call("greet")) == "hello Ada"
    assert len(client.asked) == 2


def test_a_client_that_never_fills_in_a_form_is_given_up_on():
    client = client_of(Legacy, greet)
    client.answers["elicitation/create"] = accept(whom="Ada")
    assert text_of(client.call("greet")).startswith("[M-ASK-003] What was filled in for 'who' does not fit the form")
    assert len(client.asked) == 3


def test_a_client_that_did_not_say_it_can_is_never_asked():
    modern = client_of(Modern, greet, capabilities={}).call("greet")
    assert modern["error"]["code"] == -32021
    assert modern["error"]["data"] == {"requiredCapabilities": {"elicitation": {"form": {}}}}
    legacy = client_of(Legacy, greet, capabilities={}).call("greet")
    assert legacy["result"]["isError"]
    assert text_of(legacy).startswith("[M-ASK-001] greet cannot run with this client: missing required client capab")


@ERAS
def test_forms_and_pages_are_capabilities_of_their_own(era):
    def page(ctx: SyncContext):
        return repr(ctx.elicit_url("pay", "Pay here", "https://pay.example/1"))

    client = client_of(era, page, greet, capabilities={"elicitation": {"url": {}}})
    client.answers["elicitation/create"] = lambda _: {"action": "accept"}
    assert text_of(client.call("page")) == "True"
    assert client.asked[0]["params"]["url"] == "https://pay.example/1"
    assert ("elicitationId" in client.asked[0]["params"]) is (era is Legacy)
    refused = client.call("greet")
    assert "error" in refused or text_of(refused).startswith("[M-ASK-001]")
    forms_only = client_of(era, page).call("page")
    assert "error" in forms_only or text_of(forms_only).startswith("[M-ASK-001]")


@ERAS
def test_capabilities_can_be_required_before_anything_is_done(era):
    def needs(ctx: SyncContext):
        ctx.require("sampling", "elicitation.form")
        ctx.require("sampling.tools")
        return "never"

    response = client_of(era, needs).call("needs")
    if era is Modern:
        assert response["error"]["data"] == {"requiredCapabilities": {"sampling": {"tools": {}}}}
    else:
        assert "missing required client capability: sampling.tools" in text_of(response)


@ERAS
def test_a_function_may_go_on_without_a_capability(era):
    def either(ctx: SyncContext):
        try:
            return ctx.sample("word", "Say a word").text
        except MissingRequiredClientCapability as missing:
            return f"without {missing.capabilities}"

    assert text_of(client_of(era, either, capabilities={}).call("either")) == "without {'sampling': {}}"


def test_tools_in_sampling_need_their_own_capability():
    def uses(ctx: SyncContext):
        return ctx.sample("word", "x", tools=[{"name": "t", "inputSchema": {"type": "object"}}]).stop or ""

    refused = client_of(Modern, uses).call("uses")
    assert refused["error"]["data"] == {"requiredCapabilities": {"sampling": {"tools": {}}}}
    client = client_of(Modern, uses, capabilities={"sampling": {"tools": {}}})
    client.answers["sampling/createMessage"] = lambda params: {
        "role": "assistant",
        "model": "m",
        "stopReason": params["tools"][0]["name"],
        "content": [{"type": "tool_use", "id": "1", "name": "t", "input": {}}],
    }
    assert text_of(client.call("uses")) == "t"


def test_an_error_of_the_client_can_be_caught_or_reaches_the_model():
    def asks(ctx: SyncContext):
        return ctx.sample("word", "x").text

    def catches(ctx: SyncContext):
        try:
            return asks(ctx)
        except ClientError as error:
            return f"code {error.rpc_code}"

    client = client_of(Legacy, asks, catches)
    client.answers["sampling/createMessage"] = lambda _: {"code": -1, "message": "User rejected"}
    assert text_of(client.call("asks")) == "[M-ASK-003] The client refused sampling/createMessage: User rejected"
    assert text_of(client.call("catches")) == "code -1"


@pytest.mark.parametrize("content", [{"who": "Ada"}, "no object"])
def test_an_answer_that_is_none_is_refused(content):
    client = client_of(Legacy, greet)
    client.answers["elicitation/create"] = lambda _: {"action": "maybe", "content": content}
    assert text_of(client.call("greet")).startswith(
        "[M-ASK-003] The client's answer to elicitation/create cannot be read"
    )


def test_an_author_may_raise_an_error_of_the_protocol():
    def wrong():
        raise ProtocolError(-32602, "no such account", {"account": 7})

    for era in (Legacy, Modern):
        response = client_of(era, wrong).call("wrong")
        assert response["error"] == {"code": -32602, "message": "no such account", "data": {"account": 7}}


@pytest.mark.parametrize(
    ("revision", "field"),
    [
        ("2025-06-18", {"type": "string", "enum": ["a", "b"], "enumNames": ["A", "B"]}),
        ("2025-11-25", {"type": "string", "oneOf": [{"const": "a", "title": "A"}, {"const": "b", "title": "B"}]}),
    ],
)
def test_a_form_has_the_shape_of_the_clients_revision(revision, field):
    titled = [{"const": "a", "title": "A"}, {"const": "b", "title": "B"}]

    def pick(ctx: SyncContext):
        schema = {
            "type": "object",
            "properties": {
                "which": {"type": "string", "oneOf": titled},
                "sure": {"type": "boolean", "default": True},
                "note": {"type": "string", "default": "none"},
            },
        }
        return ctx.elicit("pick", "Which?", schema=schema)

    client = client_of(Legacy, pick, revision=revision)
    client.answers["elicitation/create"] = accept(which="b", sure=False)
    assert client.call("pick")["result"]["structuredContent"]["result"] == {"which": "b", "sure": False}
    params = client.asked[0]["params"]
    assert params["requestedSchema"]["properties"]["which"] == field
    assert params["requestedSchema"]["properties"]["sure"]["default"] is True
    assert ("default" in params["requestedSchema"]["properties"]["note"]) is (revision == "2025-11-25")
    assert ("mode" in params) is (revision == "2025-11-25")


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-03-26"])
def test_revisions_without_elicitation_are_not_asked_to_elicit(revision):
    client = client_of(Legacy, greet, revision=revision)
    assert text_of(client.call("greet")).startswith("[M-ASK-001]")
    assert client.asked == []


def test_what_is_asked_obeys_the_official_schema_of_its_revision(shared):
    import jsonschema

    async def everything(ctx: Context):
        await ctx.ask(
            name=Elicit("Name?", str), page=Elicit("Go", url="https://x.example"), word=Sample("x"), roots=Roots()
        )

    for revision, era in (("2025-11-25", Legacy), ("2026-07-28", Modern)):
        schema = json.loads((shared / "protocol" / "spec" / revision / "schema.json").read_text(encoding="utf-8"))
        client = client_of(era, everything, capabilities={**CAPABILITIES, "elicitation": {"form": {}, "url": {}}})
        client.answers = dict.fromkeys(
            ("elicitation/create", "sampling/createMessage", "roots/list"), lambda _: {"action": "cancel"}
        )
        client.call("everything")
        assert len(client.asked) >= 4 or era is Legacy
        for request in client.asked:
            name = {
                "elicitation/create": "ElicitRequest",
                "sampling/createMessage": "CreateMessageRequest",
                "roots/list": "ListRootsRequest",
            }[request["method"]]
            jsonschema.Draft202012Validator({**schema, "$ref": f"#/$defs/{name}"}).validate(request)
        for result in getattr(client, "rounds", ()):
            jsonschema.Draft202012Validator({**schema, "$ref": "#/$defs/InputRequiredResult"}).validate(result)


def test_the_log_tells_calls_that_ask_from_those_that_are_done(log):
    log(enabled=True)
    client = client_of(Modern, greet)
    client.answers["elicitation/create"] = accept(who="Ada")
    from generator.runtime.server import logs

    effect = client.session.receive(
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {
                "name": "greet",
                "_meta": {
                    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                    "io.modelcontextprotocol/clientCapabilities": CAPABILITIES,
                },
            },
        }
    )
    logs.call(effect, run_call(effect), 0.001)
    logs.call(effect, {"rpcError": {"code": -32021}, "isError": True}, 0.001)
    assert log()[-2:] == ["call greet asks 1.0ms id=1", "call greet failed 1.0ms id=1 error=-32021"]


@pytest.mark.parametrize(
    ("revision", "contents"),
    [
        ("2024-11-05", ["text", "text"]),
        ("2025-06-18", ["text", "audio"]),
        ("2025-11-25", [["text", "audio"]]),
    ],
)
def test_a_model_is_told_what_its_clients_revision_can_say(revision, contents):
    from generator.runtime.authoring import Audio, Message

    def listen(ctx: SyncContext):
        return ctx.sample("heard", Message("user", ["what is this?", Audio(b"ID3x", mime_type="audio/mpeg")])).text

    client = client_of(Legacy, listen, revision=revision)
    client.answers["sampling/createMessage"] = lambda _: {
        "role": "assistant",
        "model": "m",
        "content": {"type": "text", "text": "a bell"},
    }
    assert text_of(client.call("listen")) == "a bell"
    found = [message["content"] for message in client.asked[0]["params"]["messages"]]
    assert [[each["type"] for each in c] if isinstance(c, list) else c["type"] for c in found] == contents


def test_one_question_may_be_asked_by_many_calls_at_once():
    shared = Elicit("How many?", int)
    assert shared.request("a")["params"]["requestedSchema"]["required"] == ["a"]
    assert shared.request("b")["params"]["requestedSchema"]["required"] == ["b"]
    assert shared.read("a", {"action": "accept", "content": {"a": 1}}) == 1
