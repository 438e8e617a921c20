"""Further lines of the kinds in the corpus: each is judged alone, between a handshake and a ping."""

from __future__ import annotations

import json
import time

import pytest

from .wire import ALIVE, HANDSHAKE, call, exchange, request

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
MARK = b"\xef\xbb\xbf"


def raw(**members: object) -> bytes:
    """Write an object as one line, without the envelope."""
    return json.dumps(members).encode() + b"\n"


def enveloped(**members: object) -> bytes:
    return raw(jsonrpc="2.0", **members)


def between(echo: list[str], line: bytes):
    found = exchange(echo, HANDSHAKE + line + ALIVE)
    assert found.code(0) is None
    assert found.the("alive")["result"] == {}
    return found


ENVELOPES = {
    "an empty object": (raw(), [-32600]),
    "no method and no id": (enveloped(), [-32600]),
    "an id that is null": (enveloped(id=None, method="ping"), [-32600]),
    "an id with a fraction": (enveloped(id=1.5, method="ping"), [-32600]),
    "an id that is true": (enveloped(id=True, method="ping"), [-32600]),
    "an id that is an object": (enveloped(id={"a": 1}, method="ping"), [-32600]),
    "an id that is a list": (enveloped(id=[1], method="ping"), [-32600]),
    "a version that is a number": (raw(jsonrpc=2.0, id=None, method="ping"), [-32600]),
    "a batch in a batch": (b'[[{"jsonrpc":"2.0","id":1,"method":"ping"}]]\n', [-32600]),
    "batches all the way down": (b"[" * 100 + b"]" * 100 + b"\n", [-32600]),
    "a batch of nothing useful": (b'[1,null,"x",[],{}]\n', [-32600]),
    "a string": (b'"ping"\n', [-32600]),
    "a number": (b"5\n", [-32600]),
    "null": (b"null\n", [-32600]),
    "true": (b"true\n", [-32600]),
    "a word": (b"ping\n", [-32700]),
    "an unclosed string": (b'{"jsonrpc":"2.0","id":1,"method":"ping\n', [-32700]),
    "a raw NUL in a string": (b'{"jsonrpc":"2.0","id":1,"method":"pi\x00ng"}\n', [-32700]),
    "NULs before the message": (b'\x00\x00{"jsonrpc":"2.0","id":1,"method":"ping"}\n', [-32700]),
    "only NULs": (b"\x00" * 1000 + b"\n", [-32700]),
    "two messages on a line": (ALIVE.strip() * 2 + b"\n", [-32700]),
    "carriage returns between messages": (ALIVE.strip() + b"\r" + ALIVE.strip() + b"\n", [-32700]),
    "text after the message": (ALIVE.strip() + b" // bye\n", [-32700]),
    "a comma too many": (b'{"jsonrpc":"2.0","id":1,"method":"ping",}\n', [-32700]),
    "single quotes": (b"{'jsonrpc':'2.0','id':1,'method':'ping'}\n", [-32700]),
    "a comment": (b'/* hello */ {"jsonrpc":"2.0","id":1,"method":"ping"}\n', [-32700]),
    "a leading zero": (b'{"jsonrpc":"2.0","id":01,"method":"ping"}\n', [-32700]),
    "a plus sign": (b'{"jsonrpc":"2.0","id":+1,"method":"ping"}\n', [-32700]),
    "a lone continuation byte": (b"\x80\n", [-32700]),
    "an overlong encoding": (b'{"jsonrpc":"2.0","id":1,"method":"\xc0\xaf"}\n', [-32700]),
    "a surrogate in UTF-8": (b'{"jsonrpc":"2.0","id":1,"method":"\xed\xa0\x80"}\n', [-32700]),
    "Latin-1": ('{"jsonrpc":"2.0","id":1,"method":"\xe9"}\n'.encode("latin-1"), [-32700]),
    "a negative infinity": (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":-Infinity}}\n', [-32700]),
    "an id with too many digits": (b'{"jsonrpc":"2.0","id":%s,"method":"ping"}\n' % (b"9" * 5000), [-32700]),
    "a negative number with too many digits": (b'{"jsonrpc":"2.0","id":1,"a":-%s}\n' % (b"9" * 5000), [-32700]),
    "deep objects": (b'{"a":' * 150_000 + b"1" + b"}" * 150_000 + b"\n", [-32700]),
    "deep and never closed": (b"[" * 300_000 + b"\n", [-32700]),
    "a byte order mark twice": (MARK * 2 + ALIVE, [-32700]),
}


@pytest.mark.parametrize("name", ENVELOPES)
def test_what_is_no_request_is_refused_without_an_id(echo, name):
    line, codes = ENVELOPES[name]
    found = between(echo, line)
    assert found.nameless_codes() == codes
    assert set(found.answers) == {0, "alive"}


def test_utf_16_is_refused_line_by_line(echo):
    line = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'.encode("utf-16")
    found = between(echo, line + b"\n")
    assert found.nameless_codes() == [-32700, -32700]


SILENT = {
    "a notification nobody knows": enveloped(method="nope/x", params=[1]),
    "a notification with odd params": enveloped(method="notifications/cancelled", params=[]),
    "a cancellation of nothing": enveloped(method="notifications/cancelled", params={"requestId": True}),
    "an answer nobody waits for": enveloped(id="x", result={"a": 1}),
    "an answer without an id": enveloped(result=None),
    "an error nobody waits for": enveloped(id=None, error={"code": -32700, "message": "x"}),
    "a progress message": enveloped(method="notifications/progress", params={"progressToken": {}, "progress": "x"}),
    "a request without an id": enveloped(method="tools/call", params={"name": "echo"}),
    "blank lines": b"\n\r\n \t \n",
}


@pytest.mark.requirement("R016")
@pytest.mark.requirement("R194")
@pytest.mark.parametrize("name", SILENT)
def test_what_asks_nothing_is_met_with_silence(echo, name):
    found = between(echo, SILENT[name])
    assert set(found.answers) == {0, "alive"}
    assert found.nameless == []


REFUSED = {
    "a method that is empty": (enveloped(id=1, method=""), -32601),
    "a method with a NUL": (enveloped(id=1, method="pi\x00ng"), -32601),
    "a method of private parts": (enveloped(id=1, method="__init__"), -32601),
    "a very long method": (enveloped(id=1, method="m" * 1_000_000), -32601),
    "a method with lone surrogates": (enveloped(id=1, method="\ud800\udfff"), -32601),
    "a method in other letters": (enveloped(id=1, method="PING"), -32601),
    "params that are null": (enveloped(id=1, method="ping", params=None), -32602),
    "params that are a list": (enveloped(id=1, method="ping", params=[]), -32602),
    "params that are text": (enveloped(id=1, method="tools/list", params="x"), -32602),
    "a tool name that is a number": (request(1, "tools/call", name=5), -32602),
    "a tool name that is missing": (request(1, "tools/call"), -32602),
    "a tool name that is a list": (request(1, "tools/call", name=["echo"]), -32602),
    "a tool nobody knows": (request(1, "tools/call", name="ecko"), -32602),
    "a tool that is a module path": (request(1, "tools/call", name="../echo"), -32602),
    "a tool with a lone surrogate": (request(1, "tools/call", name="\udcff"), -32602),
    "a very long tool name": (request(1, "tools/call", name="e" * 2_000_000), -32602),
    "arguments that are a list": (request(1, "tools/call", name="echo", arguments=[1]), -32602),
    "arguments that are a number": (request(1, "tools/call", name="echo", arguments=5), -32602),
    "a cursor that is a list": (request(1, "tools/list", cursor=[]), -32602),
    "a cursor that is an object": (request(1, "tools/list", cursor={"a": 1}), -32602),
    "a cursor that is empty": (request(1, "tools/list", cursor=""), -32602),
    "a cursor of the server's form": (request(1, "tools/list", cursor="1.3"), -32602),
    "a cursor with a wide digit": (request(1, "tools/list", cursor="\uff11.3"), -32602),
    "a huge cursor": (request(1, "tools/list", cursor="9" * 1_000_000), -32602),
    "a level nobody knows": (request(1, "logging/setLevel", level="loud"), -32602),
    "a level that is a list": (request(1, "logging/setLevel", level=["info"]), -32602),
    "a modern version that is a number": (
        request(1, "tools/list", _meta={**META, "io.modelcontextprotocol/protocolVersion": 20260728}),
        -32602,
    ),
    "a modern version nobody knows": (
        request(1, "tools/list", _meta={**META, "io.modelcontextprotocol/protocolVersion": "\ud800" * 1000}),
        -32022,
    ),
    "modern metadata without capabilities": (
        request(1, "tools/list", _meta={"io.modelcontextprotocol/protocolVersion": "2026-07-28"}),
        -32602,
    ),
    "modern capabilities that are a list": (
        request(1, "tools/list", _meta={**META, "io.modelcontextprotocol/clientCapabilities": []}),
        -32602,
    ),
    "a modern log level nobody knows": (
        request(1, "tools/call", name="echo", _meta={**META, "io.modelcontextprotocol/logLevel": {}}),
        -32602,
    ),
    "discover without metadata": (request(1, "server/discover"), -32602),
    "a legacy method in the modern era": (request(1, "ping", _meta=META), -32601),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_request_that_cannot_be_served_is_refused_by_its_id(echo, name):
    line, code = REFUSED[name]
    found = between(echo, line)
    assert found.code(1) == code
    assert found.nameless == []
    message = found.the(1)["error"]["message"]
    assert len(message) < 200
    assert message.isprintable()


def test_a_tool_nobody_knows_comes_with_the_nearest_name(echo):
    found = between(echo, request(1, "tools/call", name="ecko", arguments={}))
    data = found.the(1)["error"]["data"]
    assert (data["errorCode"], data["reason"]) == ("M-CMD-001", "unknown_tool")
    assert "'echo'" in data["suggestion"]


SERVED = {
    "a negative id": (enveloped(id=-1, method="ping"), -1),
    "an id beyond 64 bits": (enveloped(id=2**70, method="ping"), 2**70),
    "an id with hundreds of digits": (enveloped(id=10**300, method="ping"), 10**300),
    "an empty id": (enveloped(id="", method="ping"), ""),
    "an id with a lone surrogate": (enveloped(id="\ud800", method="ping"), "\ud800"),
    "an id of control characters": (enveloped(id="\x00\n\u2028", method="ping"), "\x00\n\u2028"),
    "a very long id": (enveloped(id="i" * 1_000_000, method="ping"), "i" * 1_000_000),
    "members nobody knows": (enveloped(id=1, method="ping", extra={"a": [1]}, params={"b": 1}), 1),
    "metadata that is a list": (request(1, "ping", _meta=[1]), 1),
    "metadata that is null": (request(1, "ping", _meta=None), 1),
    "a byte order mark": (MARK + enveloped(id=1, method="ping"), 1),
    "a carriage return at the end": (enveloped(id=1, method="ping").strip() + b"\r\n", 1),
    "blanks around": (b" \t " + enveloped(id=1, method="ping").strip() + b" \t\n", 1),
    "a request and a result in one": (enveloped(id=1, method="ping", result={}), 1),
    "escapes for plain letters": (b'{"\\u006asonrpc":"2.0","\\u0069d":1,"method":"\\u0070ing"}\n', 1),
    "an initialize without params": (enveloped(id=1, method="initialize"), 1),
    "an initialize with odd params": (
        request(1, "initialize", protocolVersion=["x"], clientInfo="me", capabilities=5),
        1,
    ),
}


@pytest.mark.parametrize("name", SERVED)
def test_an_odd_but_sound_request_is_served(echo, name):
    line, identity = SERVED[name]
    found = between(echo, line)
    assert found.code(identity) is None
    assert found.nameless == []


TOKENS = [2**70, -1, "", "t" * 1_000_000, "\ud800", [], {}, None, True, 1.5, [[[]]]]


@pytest.mark.parametrize("token", TOKENS, ids=[str(token)[:12].encode("ascii", "replace").decode() for token in TOKENS])
def test_an_odd_progress_token_does_no_harm(echo, token):
    line = request(1, "tools/call", name="echo", arguments={"x": 1}, _meta={"progressToken": token})
    assert between(echo, line).the(1)["result"]["content"] == [{"type": "text", "text": "1"}]


DEEP = "[" * 100_000 + "]" * 100_000
ARGUMENTS = {
    "text that is a deep list": ("typed", {"rows": DEEP}),
    "text that is a deep object": ("typed", {"table": '{"a":' * 100_000 + "1" + "}" * 100_000}),
    "text that is half a list": ("typed", {"rows": "[[1, 2"}),
    "text with thousands of digits": ("typed", {"number": "9" * 5_000}),
    "text that is a huge power": ("typed", {"number": "1e1000000000"}),
    "text that is no number": ("typed", {"fraction": "NaN"}),
    "text beyond all floats": ("typed", {"fraction": "1e999"}),
    "text in wide digits": ("typed", {"number": "\uff11\uff12"}),
    "text with an underscore": ("typed", {"number": "1_0"}),
    "a list for an object": ("typed", {"table": [1]}),
    "a deep value within the limit": ("echo", {"x": json.loads("[" * 190 + "]" * 190)}),
    "a key that is empty": ("echo", {"x": {"": 1}, "": 2}),
    "keys of Python": ("echo", {"x": 1, "self": 1, "cls": 1, "__kwdefaults__": 1, "lambda": 1}),
    "lone surrogates": ("echo", {"x": "\ud800"}),
    "lone surrogates in keys": ("echo", {"x": {"\udfff": 1}}),
    "surrogates as arguments' names": ("echo", {"\ud800": 1}),
    "control characters": ("typed", {"text": "".join(map(chr, range(32)))}),
    "a hundred thousand unknown arguments": ("typed", {f"k{number}": number for number in range(100_000)}),
    "a hundred thousand wrong items": ("typed", {"rows": ["x"] * 100_000}),
    "no arguments": ("echo", {}),
}


@pytest.mark.parametrize("name", ARGUMENTS)
def test_odd_arguments_are_taken_or_refused_by_a_result(echo, name):
    tool, arguments = ARGUMENTS[name]
    begun = time.monotonic()
    found = between(echo, call(1, tool, **arguments))
    result = found.the(1)["result"]
    text = result["content"][0]["text"]
    assert "Traceback" not in text
    assert "RecursionError" not in text
    if result.get("isError"):
        assert len(text) < 10_000, "values are never repeated whole"
    assert time.monotonic() - begun < 10


@pytest.mark.parametrize(
    "name", ["no arguments", "text with thousands of digits", "text in wide digits", "keys of Python"]
)
def test_wrong_arguments_are_coded_errors(echo, name):
    tool, arguments = ARGUMENTS[name]
    result = between(echo, call(1, tool, **arguments)).the(1)["result"]
    assert result["isError"] is True
    assert "[M-INP-00" in result["content"][0]["text"]
    assert "structuredContent" not in result


def test_arguments_sent_as_text_are_read_or_refused(echo):
    good = request(1, "tools/call", name="echo", arguments='{"x": 1}')
    bad = request(2, "tools/call", name="echo", arguments=DEEP)
    found = between(echo, good + bad)
    assert found.the(1)["result"]["content"] == [{"type": "text", "text": "1"}]
    assert found.the(2)["result"]["isError"] is True


def test_an_id_that_is_still_in_use_is_refused(echo):
    # The first call still sleeps when the second comes; both share an id, so both answers carry it.
    found = exchange(echo, HANDSHAKE + call(7, "nap", seconds=0.5) + call(7, "nap", seconds=0) + ALIVE)
    first, second = found.answers[7]
    assert first["error"]["code"] == -32600
    assert second["result"]["content"] == [{"type": "text", "text": "rested"}]


def test_cancellations_that_race_with_answers_leave_each_call_with_one_answer_at_most(echo):
    lines = []
    for number in range(300):
        lines.append(call(number, "echo", x=number))
        lines.append(enveloped(method="notifications/cancelled", params={"requestId": number}))
        lines.append(enveloped(method="notifications/cancelled", params={"requestId": number}))
    found = exchange(echo, b"".join(lines) + ALIVE, all_answered=False)
    assert all(len(answers) == 1 for answers in found.answers.values())
    assert found.the("alive")["result"] == {}
    for number in set(found.answers) - {"alive"}:
        assert found.the(number)["result"]["content"] == [{"type": "text", "text": str(number)}]


def test_thousands_of_refusals_in_a_row_are_all_answered(echo):
    lines = b"".join(line for line, _ in ENVELOPES.values() if len(line) < 6_000) * 50
    found = exchange(echo, lines + ALIVE)
    assert len(found.nameless) == lines.count(b"\n")
    assert found.the("alive")["result"] == {}
