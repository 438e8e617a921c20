"""The straight path beside the general one: the same answers, events and lines in the log, and who takes it.

There are two straight paths: where nobody is told of calls, those of most tools are not even made (`brief`).
"""

from __future__ import annotations

import json
import os
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.runtime.server import logs
from generator.runtime.server.http_runner import HttpRunner
from tests.http_client import BOTH, LEGACY, META, MODERN

from .straight_bench import TOOLS, Bench

JSON = "application/json"
NAMES = [function.__name__ for function in TOOLS]
PAGE = "https://app.example"
UNSTEADY = ("timestamp", "call_id", "duration_ms")


@pytest.fixture(scope="module")
def benches(tmp_path_factory):
    """A server with a straight path, one where that is brief, and one without."""
    options = ("--allow-origin", PAGE)
    return [
        Bench(tmp_path_factory.mktemp("straight"), straight=True, options=options),
        Bench(tmp_path_factory.mktemp("brief"), straight=True, told=False, options=options),
        Bench(tmp_path_factory.mktemp("general"), straight=False, options=options),
    ]


@pytest.fixture(autouse=True)
def told(tmp_path, monkeypatch):
    """Return what was logged and what ran straight since it was asked last."""
    path, ran, run, run_brief = tmp_path / "log", [], HttpRunner.run_straight, HttpRunner.run_brief
    path.touch()
    logs.configure(log_file=str(path))

    def counted(self: HttpRunner, call: Any, straight: Any) -> bool:
        ran.append("a call")
        return run(self, call, straight)

    def counted_brief(self: HttpRunner, brief: Any, ticket: Any, straight: Any) -> bool:
        ran.append("a ticket")
        return run_brief(self, brief, ticket, straight)

    def since() -> tuple[list[str], list[str]]:
        logs.flush()
        lines = [
            " ".join(word for word in line.split() if not word.endswith("ms"))
            for line in path.read_text(encoding="utf-8", errors="replace").splitlines()
        ]
        found = ran[:]
        path.write_text("", encoding="utf-8")
        ran.clear()
        return lines, found

    monkeypatch.setattr(HttpRunner, "run_straight", counted)
    monkeypatch.setattr(HttpRunner, "run_brief", counted_brief)
    yield since
    logs.flush()
    os.close(logs.options.descriptor)
    logs.configure()


def data_of(headers: list[tuple[str, str]], body: bytes, *, method: str = "POST", path: str = "/mcp") -> bytes:
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers)]
    return "\r\n".join([*lines, f"Content-Length: {len(body)}", "", ""]).encode("latin-1") + body


def session_of(bench: Bench, version: str) -> str:
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    message = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}
    headers = [("Host", "localhost"), ("Content-Type", JSON), ("Accept", BOTH)]
    head = bench.ask(bench.connect(), data_of(headers, json.dumps(message).encode())).partition(b"\r\n\r\n")[0]
    return head.decode().partition("Mcp-Session-Id: ")[2].partition("\r\n")[0]


def outcome(bench: Bench, data: bytes, told: Any) -> tuple[list[Any], list[str]]:
    """Return all that can be seen of a request that is sent three times, and what of the three ran straight."""
    bench.events.clear()
    told()
    seen: list[Any] = []
    for times in (1, 2):  # the first time, its head is not known yet, and then not on this connection
        connection = bench.connect()
        for _ in range(times):
            if connection._closing:
                break
            seen += [bench.ask(connection, data), connection._closing, connection.deadline > bench.server.now]
        connection.drop()
    lines, ran = told()
    assert bench.server.is_settled()
    assert not bench.runner.books.open
    events = [{name: value for name, value in each.items() if name not in UNSTEADY} for each in bench.events]
    return [seen, lines, events], ran


# -- what comes

TEXTS = st.text(max_size=40) | st.sampled_from(["", "\x7f", "é", '"\\', "\ud800", "x" * 31, "=?base64?eA==?="])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
GOOD_ARGUMENTS = {
    "add": st.fixed_dictionaries({"a": st.integers(), "b": st.integers()}),
    "both": st.dictionaries(st.sampled_from(["a", "b", "é", "self"]), VALUES, max_size=3),
    "says": st.fixed_dictionaries({"text": TEXTS}),
    "fails": st.fixed_dictionaries({"text": TEXTS}),
    "nothing": st.just({}),
    "numbers": st.fixed_dictionaries({"count": st.integers(0, 3)}),
    "placed": st.just({}) | st.fixed_dictionaries({"region": st.sampled_from(["x", "y", "é"])}),
}
EXTRAS = st.sampled_from(
    [{}, {}, {}, {"requestState": "s"}, {"inputResponses": {}}, {"task": {}}, {"progressToken": 1}, {"x": None}]
)
META_EXTRAS = st.sampled_from(
    [
        {},
        {},
        {"progressToken": "p"},
        {"progressToken": None},
        {"progressToken": True},
        {"progressToken": 1.0},
        {"progressToken": 1.5},
        {"mcpgen/idempotencyKey": ""},
        {"mcpgen/dryRun": True},
        {"io.modelcontextprotocol/logLevel": "debug"},
        {"io.modelcontextprotocol/logLevel": "loud"},
        {"io.modelcontextprotocol/logLevel": []},
        {"io.modelcontextprotocol/logLevel": None},
        {"io.modelcontextprotocol/clientInfo": {"name": "c", "version": "2"}},
        {"io.modelcontextprotocol/clientInfo": "c"},
        {"io.modelcontextprotocol/clientInfo": None},
        {"io.modelcontextprotocol/clientCapabilities": []},
        {"io.modelcontextprotocol/protocolVersion": "2025-11-25"},
        {"io.modelcontextprotocol/protocolVersion": None},
    ]
)
IDS = st.integers() | TEXTS | st.sampled_from([0, -1, 1.5, True, None, [], 10**40])


@st.composite
def messages(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a call, mostly a good one."""
    name = draw(st.sampled_from(NAMES))
    params: dict[str, Any] = {"name": name, "arguments": draw(GOOD_ARGUMENTS[name])}
    meta = draw(st.sampled_from([None, META, META]))
    if meta is not None:
        params["_meta"] = {**meta, **draw(META_EXTRAS)}
    message = {"jsonrpc": "2.0", "id": draw(IDS), "method": "tools/call", "params": params}
    spoil = draw(st.sampled_from(["", "", "", "params", "arguments", "name", "message", "method", "extra", "meta"]))
    if spoil == "params":
        message["params"] = draw(VALUES)
    elif spoil in ("arguments", "name"):
        params[spoil] = draw(VALUES)
        if draw(st.booleans()):
            del params[spoil]
    elif spoil == "message":
        del message[draw(st.sampled_from(sorted(message)))]
    elif spoil == "method":
        message["method"] = draw(st.sampled_from(["ping", "tools/list", "server/discover", "nowhere", 1, None]))
    elif spoil == "extra":
        params |= draw(EXTRAS)
    elif spoil == "meta":
        params["_meta"] = draw(VALUES)
    return message


@st.composite
def requests(draw: st.DrawFn) -> tuple[list[tuple[str, str]], bytes]:
    """Draw headers and body; `{session}` stands for the id of a session."""
    message = draw(messages())
    params = message.get("params")
    name = params.get("name") if type(params) is dict and type(params.get("name")) is str else "add"
    is_modern = type(params) is dict and type(params.get("_meta")) is dict
    body = json.dumps(message).encode() if draw(st.integers(0, 9)) else draw(st.binary(max_size=20))
    if not draw(st.integers(0, 9)):
        body = b"[" + body + b"]"
    usual = [("MCP-Protocol-Version", MODERN), ("Mcp-Method", "tools/call"), ("Mcp-Name", name)] if is_modern else []
    headers = {
        "Host": draw(st.sampled_from(["localhost", "127.0.0.1:80", "evil.example"])) if spoiled(draw) else "localhost",
        "Content-Type": draw(st.sampled_from(["text/plain", "application/json; charset=x"])) if spoiled(draw) else JSON,
    }
    accept = draw(st.sampled_from([BOTH, BOTH, JSON, "*/*", None, "text/event-stream", "text/html"]))
    if accept is not None:
        headers["Accept"] = accept
    pairs = [*headers.items(), *usual]
    if spoiled(draw):
        pairs += draw(st.lists(ODD, min_size=1, max_size=2))
    if usual and spoiled(draw):
        pairs.remove(draw(st.sampled_from(usual)))
    return [(each, value) for each, value in pairs if sendable(value)], body


def spoiled(draw: st.DrawFn) -> bool:
    return draw(st.integers(0, 4)) == 0


def sendable(value: str) -> bool:
    return value.isascii() and value.isprintable()


ODD = st.sampled_from(
    [
        *(
            ("MCP-Protocol-Version", version)
            for version in ("2024-11-05", "2025-03-26", LEGACY, MODERN, "1999-01-01", "")
        ),
        ("Mcp-Session-Id", "{session}"),
        ("Mcp-Session-Id", "{session}"),
        ("Mcp-Session-Id", "nobody's"),
        ("Mcp-Method", "tools/list"),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "add"),
        ("Mcp-Name", "=?base64?YWRk?="),
        ("Mcp-Name", "=?base64?YWRk=?="),
        ("Mcp-Param-Region", "x"),
        ("Origin", "http://localhost:1"),
        ("Origin", "https://evil.example"),
        ("Origin", PAGE),
        ("Connection", "close"),
        ("Expect", "100-continue"),
        ("X-Other", "1"),
    ]
)


@given(requests(), st.sampled_from(["2024-11-05", "2025-03-26", LEGACY]))
@settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_both_paths_answer_log_and_tell_the_same(benches, told, request, version):
    headers, body = request
    found = []
    for bench in benches:
        session = session_of(bench, version) if ("Mcp-Session-Id", "{session}") in headers else ""
        data = data_of([(name, value.replace("{session}", session)) for name, value in headers], body)
        found.append(outcome(bench, data, told))
    (straight, _), (brief, _), (general, never) = found
    assert straight == general
    assert brief[:2] == general[:2]
    assert never == []


# -- who takes it

CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
CLIENT = "io.modelcontextprotocol/clientInfo"
LEVEL = "io.modelcontextprotocol/logLevel"
LEGACY_HEAD = [("Host", "localhost"), ("Content-Type", JSON), ("Accept", BOTH)]
MODERN_HEAD = [*LEGACY_HEAD, ("MCP-Protocol-Version", MODERN), ("Mcp-Method", "tools/call"), ("Mcp-Name", "add")]
ADD = {"name": "add", "arguments": {"a": 1, "b": 2}}


def body_of(params: dict[str, Any], number: Any = 1) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}).encode()


@pytest.mark.parametrize("more", [{}, {"io.modelcontextprotocol/logLevel": "debug"}])
def test_a_plain_modern_call_runs_straight_once_its_head_is_known(benches, told, more):
    data = data_of(MODERN_HEAD, body_of({**ADD, "_meta": {**META, **more}}))
    (seen, lines, events), ran = outcome(benches[0], data, told)
    assert ran in (["a call"] * 2, ["a call"] * 3)
    assert b'"result":3' in seen[0]
    assert lines == ["call add ok id=1"] * 3
    assert [event["status"] for event in events] == ["success"] * 3
    (brief, brief_lines, none), ran = outcome(benches[1], data, told)
    assert ran in (["a ticket"] * 2, ["a ticket"] * 3)
    assert (brief, brief_lines, none) == (seen, lines, [])


@pytest.mark.parametrize("version", [None, "2024-11-05", LEGACY])
@pytest.mark.parametrize("in_session", [False, True])
@pytest.mark.parametrize("which", [0, 1])
def test_a_plain_legacy_call_runs_straight(benches, told, version, in_session, which):
    headers = [*LEGACY_HEAD, *([] if version is None else [("MCP-Protocol-Version", version)])]
    if in_session:
        headers.append(("Mcp-Session-Id", session_of(benches[which], LEGACY)))
    _, ran = outcome(benches[which], data_of(headers, body_of(ADD)), told)
    is_brief = which and (in_session or version != "2024-11-05")
    assert len(ran) >= 2
    assert set(ran) == {"a ticket" if is_brief else "a call"}


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", LEGACY])
def test_a_call_in_a_session_is_answered_in_the_revision_of_its_session(benches, told, version):
    found = []
    for bench in benches:
        headers = [*LEGACY_HEAD, ("Mcp-Session-Id", session_of(bench, version)), ("MCP-Protocol-Version", LEGACY)]
        found.append(outcome(bench, data_of(headers, body_of(ADD)), told))
    (straight, ran), (brief, ran_too), (general, _) = found
    assert straight == general
    assert brief[:2] == general[:2]
    assert ran
    assert set(ran_too) == {"a ticket" if version == LEGACY else "a call"}
    assert (b"structuredContent" in straight[0][0]) == (version == LEGACY)


NEARLY = {
    "a page asks": ([*LEGACY_HEAD, ("Origin", PAGE)], {"params": ADD}),
    "a last request": ([*LEGACY_HEAD, ("Connection", "close")], {"params": ADD}),
    "a stream": ([*LEGACY_HEAD[:2], ("Accept", "text/event-stream")], {"params": ADD}),
    "another era": (LEGACY_HEAD, {"params": {**ADD, "_meta": META}}),
    "a repeat": (LEGACY_HEAD, {"params": {**ADD, "_meta": {"mcpgen/idempotencyKey": "k"}}}),
    "a retry": (LEGACY_HEAD, {"params": {**ADD, "requestState": "s"}}),
    "a text": (LEGACY_HEAD, {"params": {**ADD, "arguments": '{"a":1,"b":2}'}}),
    "another protocol": (LEGACY_HEAD, {"params": ADD, "jsonrpc": "1.0"}),
    "no id": (LEGACY_HEAD, {"params": ADD, "id": None}),
    "two sessions": ([*LEGACY_HEAD, ("Mcp-Session-Id", "a"), ("Mcp-Session-Id", "b")], {"params": ADD}),
    "an unknown session": ([*LEGACY_HEAD, ("Mcp-Session-Id", "a")], {"params": ADD}),
    "no meta": (MODERN_HEAD, {"params": ADD}),
    "two names": ([*MODERN_HEAD, ("Mcp-Name", "add")], {"params": {**ADD, "_meta": META}}),
    "another name": ([*MODERN_HEAD[:-1], ("Mcp-Name", "says")], {"params": {**ADD, "_meta": META}}),
    "another method": (
        [*MODERN_HEAD[:-2], ("Mcp-Method", "ping"), MODERN_HEAD[-1]],
        {"params": {**ADD, "_meta": META}},
    ),
    "no capabilities": (MODERN_HEAD, {"params": {**ADD, "_meta": {**META, CAPABILITIES: []}}}),
    "no such level": (MODERN_HEAD, {"params": {**ADD, "_meta": {**META, LEVEL: "loud"}}}),
    "no level": (MODERN_HEAD, {"params": {**ADD, "_meta": {**META, LEVEL: []}}}),
    "a level of null": (MODERN_HEAD, {"params": {**ADD, "_meta": {**META, LEVEL: None}}}),
    "a client that is a text": (MODERN_HEAD, {"params": {**ADD, "_meta": {**META, CLIENT: "c"}}}),
    "no progress token": (MODERN_HEAD, {"params": {**ADD, "_meta": {**META, "progressToken": None}}}),
    "a mirrored parameter": (
        [*MODERN_HEAD[:-1], ("Mcp-Name", "placed")],
        {"params": {"name": "placed", "arguments": {}, "_meta": META}},
    ),
}
"""Calls that are plain but for one thing."""


@pytest.mark.parametrize("kind", NEARLY)
def test_what_is_not_plain_takes_the_general_path(benches, told, kind):
    headers, changes = NEARLY[kind]
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", **changes}).encode()
    straight, brief, general = (outcome(bench, data_of(headers, body), told) for bench in benches)
    assert straight == general
    assert brief[0][:2] == general[0][:2]
    assert straight[1] == brief[1] == []


class Anything:
    """Stands for what a server has that has to know who asks, or how often."""


@pytest.mark.parametrize("of", ["_guard._tokens", "_guard._verifier", "_guard._rates", "_posts._rates"])
def test_a_server_that_has_to_know_who_asks_or_how_often_has_no_straight_path(tmp_path, of):
    bench = Bench(tmp_path, straight=True)
    assert bench.server.straight is not None
    part, name = of.split(".")
    setattr(getattr(bench.endpoint, part), name, Anything())
    assert bench.endpoint.straight() is None
