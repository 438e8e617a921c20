"""Resources, prompts and completion: what functions return, what goes wrong, and that both are told rightly."""

from __future__ import annotations

import json

import pytest

from generator.runtime.authoring import Audio, File, Image, Link, Message, Text, ToolError
from generator.runtime.server.invoke import run
from generator.runtime.server.outcome import busy, stopped, timed_out
from tests.runtime.server.offering import Server, lambda_of

MODERN = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def server(monkeypatch):
    return Server(monkeypatch)


# -- contents


class Stringy:
    def __str__(self):
        return "a secret"


@pytest.mark.parametrize(
    ("value", "content"),
    [
        ("text", {"mimeType": "text/plain", "text": "text"}),
        ("", {"mimeType": "text/plain", "text": ""}),
        (b"\x00\xff", {"mimeType": "application/octet-stream", "blob": "AP8="}),
        (bytearray(b"a"), {"mimeType": "application/octet-stream", "blob": "YQ=="}),
        (PNG, {"mimeType": "image/png", "blob": "iVBORw0KGgo="}),
        ({"a": 1}, {"mimeType": "application/json", "text": '{"a":1}'}),
        ([1, "b"], {"mimeType": "application/json", "text": '[1,"b"]'}),
        ([], {"mimeType": "application/json", "text": "[]"}),
        (0, {"mimeType": "application/json", "text": "0"}),
        (False, {"mimeType": "application/json", "text": "false"}),
        (Text("said"), {"mimeType": "text/plain", "text": "said"}),
        (Image(PNG), {"mimeType": "image/png", "blob": "iVBORw0KGgo="}),
        (Audio(b"x", mime_type="audio/wav"), {"mimeType": "audio/wav", "blob": "eA=="}),
    ],
)
def test_a_value_becomes_contents_of_the_media_type_it_has(server, value, content):
    server.resource(lambda_of(value))
    assert server.read()["result"] == {"contents": [{"uri": "t://x", **content}]}


def test_a_declared_media_type_wins(server):
    server.resource(lambda_of("<p>"), more={"mimeType": "text/html"})
    assert server.read()["result"]["contents"] == [{"uri": "t://x", "mimeType": "text/html", "text": "<p>"}]


def test_bytes_and_content_in_a_list_are_contents_of_their_own(server):
    server.resource(lambda_of([b"a", Text("b"), {"c": 1}, File("t://d", text="e", mime_type="text/x")]))
    found = server.read()["result"]["contents"]
    assert [each.get("text", each.get("blob")) for each in found] == ["YQ==", "b", '{"c":1}', "e"]
    assert [each["uri"] for each in found] == ["t://x", "t://x", "t://x", "t://d"]


def test_a_generator_is_collected(server):
    def lines():
        yield b"a"
        yield b"b"

    server.resource(lines)
    assert [each["blob"] for each in server.read()["result"]["contents"]] == ["YQ==", "Yg=="]


@pytest.mark.parametrize(("meta", "code"), [({}, -32002), ({"_meta": MODERN}, -32602)])
def test_none_means_that_there_is_no_such_resource(server, meta, code):
    server.resource(lambda_of(None))
    assert server.read(**meta)["error"] == {"code": code, "message": "Resource not found", "data": {"uri": "t://x"}}


@pytest.mark.parametrize("value", [Link("t://y"), object(), float("nan"), Image("not base64!", mime_type="image/png")])
def test_what_cannot_be_sent_is_an_internal_error(server, value):
    server.resource(lambda_of(value))
    error = server.read()["error"]
    assert error["code"] == -32603
    assert "base64!" not in error["message"]


@pytest.mark.parametrize("value", ["x" * 101, b"x" * 80, ["x" * 60, "y" * 60], [b"x" * 45, b"y" * 45]])
def test_what_is_too_large_is_refused(server, value):
    server.resource(lambda_of(value), limits={"max_result_bytes": 100})
    error = server.read()["error"]
    assert (error["code"], error["data"]["reason"]) == (-32603, "result_too_large")


# -- messages


def said(text, role="user"):
    return {"role": role, "content": {"type": "text", "text": text}}


@pytest.mark.parametrize(
    ("value", "messages"),
    [
        ("hello", [said("hello")]),
        (["a", "b"], [said("a"), said("b")]),
        (Message("assistant", "yes"), [said("yes", "assistant")]),
        ([{"role": "assistant", "content": "yes"}], [said("yes", "assistant")]),
        ({"role": "user", "content": {"type": "text", "text": "by hand"}}, [said("by hand")]),
        ({"role": "user", "content": {"type": "unheard of"}}, [said('{"type":"unheard of"}')]),
        ({"some": "data"}, [said('{"some":"data"}')]),
        (3, [said("3")]),
        ([], []),
        (Message("user", ["a", Text("b")]), [said("a"), said("b")]),
        (
            Image(PNG),
            [{"role": "user", "content": {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}}],
        ),
    ],
)
def test_a_value_becomes_messages(server, value, messages):
    server.prompt(lambda_of(value))
    assert server.get()["result"] == {"messages": messages}


@pytest.mark.parametrize(
    "value", [None, {"role": "system", "content": "x"}, {"role": "user"}, [object()], ["x"] * 1_001]
)
def test_what_is_no_message_is_an_internal_error(server, value):
    server.prompt(lambda_of(value))
    assert server.get()["error"]["code"] == -32603


def test_too_many_messages_by_size_are_refused(server):
    server.prompt(lambda_of(["x" * 60, "y" * 60]), limits={"max_result_bytes": 150})
    assert server.get()["error"]["data"]["reason"] == "result_too_large"


def test_the_description_goes_with_the_messages(server):
    server.prompt(lambda_of("x"), more={"description": "About."})
    assert server.get()["result"]["description"] == "About."


# -- arguments


NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": False}


def test_arguments_are_read_from_texts_without_a_word_about_it(server):
    def double(n):
        return str(n + n)

    server.prompt(double, arguments=NUMBER)
    assert server.get(arguments={"n": "21"})["result"] == {"messages": [said("42")]}
    assert not [line for line in server.logged if "coerced" in line]


@pytest.mark.parametrize(
    ("arguments", "code"), [({}, "M-INP-004"), ({"n": "x"}, "M-INP-006"), ({"n": "1", "m": "2"}, "M-INP-005")]
)
def test_wrong_arguments_are_invalid_params_that_say_what_is_wrong(server, arguments, code):
    server.prompt(lambda_of("x"), arguments=NUMBER)
    error = server.get(arguments=arguments)["error"]
    assert (error["code"], error["data"]["errorCode"]) == (-32602, code)


# -- what goes wrong


@pytest.mark.parametrize("method", ["resources/read", "prompts/get"])
def test_the_text_of_an_exception_stays_in_the_log(server, method):
    def broken():
        raise ValueError("the password is hunter2")

    server.resource(broken)
    server.prompt(broken)
    error = server.ask(method, uri="t://x", name="p")["error"]
    assert error["code"] == -32603
    assert "hunter2" not in json.dumps(error)
    assert "ValueError" not in json.dumps(error)
    (line,) = server.logged
    assert line.startswith(f"fault {error['data']['id']} ")
    assert "ValueError" in line


class Treacherous:
    def __iter__(self):
        raise ValueError("the password is hunter2")

    @property
    def __dict__(self):
        raise ValueError("the password is hunter2")


def test_nor_is_what_a_value_raises_while_it_is_read(server):
    server.resource(lambda_of({"a": Treacherous()}))
    server.prompt(lambda_of([{"a": Treacherous()}]))
    for answer in (server.read(), server.get()):
        assert answer["error"]["code"] == -32603
        assert "hunter2" not in json.dumps(answer)


def test_nor_is_what_a_module_raises_while_it_is_imported(server, tmp_path, monkeypatch):
    (tmp_path / "treacherous_module.py").write_text("raise ValueError('the password is hunter2')", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    target = "treacherous_module:f"
    server.add("resources", lambda_of("x"), {"uri": "t://x", "name": "x"}, call={"target": target})
    answer = server.read()
    assert answer["error"]["message"].startswith("resource x failed (id ")
    assert "hunter2" not in json.dumps(answer)
    assert "hunter2" in server.logged[0]


@pytest.mark.parametrize("error", [SystemExit, KeyboardInterrupt, RecursionError, MemoryError])
def test_whatever_a_function_raises_ends_its_call_only(server, error):
    def broken():
        raise error

    server.resource(broken)
    assert server.read()["error"]["code"] == -32603
    assert server.read()["error"]["code"] == -32603


def test_what_an_author_raises_on_purpose_is_told_as_it_is_written(server):
    def closed():
        raise ToolError("closed on Sundays", hint="come back tomorrow", retryable=True)

    server.resource(closed)
    error = server.read()["error"]
    assert error["message"] == "closed on Sundays\nHint: come back tomorrow"
    assert error["data"] == {"reason": "tool_error", "type": "ToolError", "retryable": True, "uri": "t://x"}


@pytest.mark.parametrize(
    ("outcome", "code"),
    [(lambda call: timed_out(call, 2), "M-RUN-001"), (busy, "M-RUN-002"), (stopped, "M-RUN-004")],
)
def test_time_outs_and_the_like_are_internal_errors_with_their_code(server, outcome, code):
    server.resource(lambda_of("x"))
    call = server.effect("resources/read", uri="t://x")
    error = json.loads(server.session.finish(call, outcome(call)))["error"]
    assert (error["code"], error["data"]["errorCode"]) == (-32603, code)
    assert error["data"]["retryable"] is True
    assert "resource x" in error["message"]


def test_a_missing_module_is_an_internal_error_that_names_it(server):
    server.add("resources", lambda_of("x"), {"uri": "t://x", "name": "x"}, call={"target": "no_such_module_here:f"})
    error = server.read()["error"]
    assert (error["code"], error["data"]["errorCode"]) == (-32603, "M-CMD-004")
    assert "no_such_module_here" in error["message"]


def test_the_shell_gets_a_call_with_the_limits_of_the_entry(server):
    async def slow():
        return "x"

    server.resource(slow, limits={"timeout": 3, "max_concurrent": 1})
    call = server.effect("resources/read", uri="t://x")
    assert (call.tool.timeout, call.tool.max_concurrent, call.tool.is_async) == (3, 1, True)


def test_a_cancelled_read_is_not_answered(server):
    server.resource(lambda_of("x"))
    call = server.effect("resources/read", uri="t://x")
    cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    assert server.session.receive(cancelled).call is call
    assert server.session.finish(call, run(call)) is None


def test_an_id_in_use_is_refused_for_reads_as_for_calls(server):
    server.resource(lambda_of("x"))
    server.effect("resources/read", uri="t://x")
    assert server.ask("resources/read", uri="t://x")["error"]["code"] == -32600


# -- completion


def completing(server, function, **entry):
    server.prompt(
        lambda_of("x"), more={"arguments": [{"name": "a"}]}, completions={"a": entry["how"](server, function)}
    )
    return server.ask(
        "completion/complete", ref={"type": "ref/prompt", "name": "p"}, argument={"name": "a", "value": "v"}
    )


def by_function(server, function):
    setattr(server.module, function.__name__, function)
    return {"call": {"kind": "python", "target": f"{server.module.__name__}:{function.__name__}", "positional": ["t"]}}


@pytest.mark.parametrize(
    ("value", "values"),
    [(["a", "b"], ["a", "b"]), ((1, 2), ["1", "2"]), ({"k": 1}, ["k"]), (None, []), ({"only"}, ["only"])],
)
def test_a_completer_returns_texts(server, value, values):
    def propose(t):
        return value

    found = completing(server, propose, how=by_function)["result"]["completion"]
    assert found == {"values": values, "total": len(values), "hasMore": False}


def test_a_client_gets_the_first_hundred(server):
    def propose(t):
        return (t + str(number) for number in range(250))

    found = completing(server, propose, how=by_function)["result"]["completion"]
    assert (len(found["values"]), found["values"][0], found["total"], found["hasMore"]) == (100, "v0", 250, True)


@pytest.mark.parametrize(
    ("context", "good"),
    [
        ({"arguments": {"b": "x"}}, True),
        ({"arguments": None}, True),
        ({}, True),
        (None, True),
        ([], False),
        ("x", False),
        ({"arguments": []}, False),
        ({"arguments": {"b": 1}}, False),
    ],
)
def test_what_was_chosen_before_are_texts(server, context, good):
    def propose(t):
        return [t]

    server.prompt(lambda_of("x"), more={"arguments": [{"name": "a"}]}, completions={"a": by_function(server, propose)})
    reference, argument = {"type": "ref/prompt", "name": "p"}, {"name": "a", "value": "v"}
    answer = server.ask("completion/complete", ref=reference, argument=argument, context=context)
    assert answer.get("error", {}).get("code") == (None if good else -32602)


@pytest.mark.parametrize("value", ["text", 3, object()])
def test_a_completer_that_returns_something_else_is_an_internal_error(server, value):
    def propose(t):
        return value

    assert completing(server, propose, how=by_function)["error"]["code"] == -32603


# -- what is there


@pytest.mark.parametrize(
    ("kinds", "capabilities"),
    [
        (["resources"], ["logging", "resources"]),
        (["prompts"], ["logging", "prompts"]),
        (["resources", "prompts"], ["logging", "prompts", "resources"]),
    ],
)
def test_only_what_exists_is_a_capability_and_a_method(server, kinds, capabilities):
    if "resources" in kinds:
        server.resource(lambda_of("x"))
    if "prompts" in kinds:
        server.prompt(lambda_of("x"))
    discovered = server.ask("server/discover", _meta=MODERN)["result"]
    assert sorted(discovered["capabilities"]) == capabilities
    methods = {"resources/list": "resources", "prompts/list": "prompts", "tools/list": "tools"}
    methods |= {"completion/complete": "completions", "resources/templates/list": "resources"}
    for method, capability in methods.items():
        answer = server.ask(method)
        assert ("error" not in answer) == (capability in capabilities), method
        assert "error" not in answer or answer["error"]["code"] == -32601


@pytest.mark.parametrize(("version", "there"), [("2024-11-05", False), ("2025-03-26", True), ("2025-11-25", True)])
def test_completions_are_a_capability_of_the_revisions_that_name_it(server, version, there):
    server.prompt(lambda_of("x"), completions={"a": {"choices": ["b"]}})
    answer = server.ask("initialize", protocolVersion=version)
    assert ("completions" in answer["result"]["capabilities"]) is there


def test_reads_in_a_batch_are_answered_in_its_array(server):
    server.resource(lambda_of("x"))
    server.ask("initialize", protocolVersion="2025-03-26")
    asked = {"jsonrpc": "2.0", "method": "resources/read", "params": {"uri": "t://x"}}
    batch = server.session.receive([{**asked, "id": 1}, {**asked, "id": 2}])
    lines = [server.session.finish(call, run(call)) for call in batch.effects]
    lines.append(batch.settle(None))
    assert [each["id"] for line in lines if line for each in json.loads(line)] == [1, 2]
