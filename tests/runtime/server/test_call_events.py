"""Every call is one event, on standard input as over HTTP, and no trouble with its file is a call's trouble."""

from __future__ import annotations

import json
import os
import re
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from generator.runtime.server import event_file, logs
from generator.runtime.server.event_file import EventFile
from tests.command import built
from tests.http_client import HttpServer, call, initialize, modern, request
from tests.stdio_client import StdioServer, stub

from .http_behaviour import bearer
from .serving import MODULE, SETTINGS, events_in, server_words, waited_for

SERVE = """tokens = [{ name = "desk", token = "${DESK}", scopes = ["weather:read"] }, "${ADMIN}"]
tool_rate_limits = { fails = { per_second = 0.001, burst = 1 } }
limits = { shutdown_seconds = 0.3 }
"""
ENVIRONMENT = {**os.environ, "DESK": "desk-token", "ADMIN": "admin-token"}


@pytest.fixture(scope="module")
def argv(tmp_path_factory):
    return server_words(tmp_path_factory.mktemp("events"), SERVE)


def told(event):
    return event["tool"], event["status"], event.get("error")


def complete(path, count):
    """Wait for this many events and return them."""
    return waited_for(lambda: found if len(found := events_in(path)) >= count else None)


CALLS = [
    (call(1, "add", {"a": 1, "b": 2}), ("add", "success", None)),
    (call(2, "fails", {"why": "no"}), ("fails", "error", "ToolError")),
    (call(3, "add", {"a": "x"}), ("add", "rejected", "M-INP-005")),
    (call(4, "nothing", {"a": "x"}), ("nothing", "rejected", "M-CMD-001")),
    (request(5, "tools/call", {"name": 5}), ("", "rejected", -32602)),
    (request(6, "resources/read", {"uri": "weather://now"}), ("now", "success", None)),
    (request(7, "prompts/get", {"name": "ask", "arguments": {"city": "Oslo"}}), ("ask", "success", None)),
    (request(8, "prompts/get", {"name": "nothing"}), ("nothing", "rejected", -32602)),
    (request(9, "tools/list"), None),
    (request(10, "no/such/method"), None),
]


@pytest.mark.requirement("R094")
def test_each_call_on_standard_input_is_one_event(argv, tmp_path):
    path = tmp_path / "events.jsonl"
    lines = b"".join(json.dumps(message).encode() + b"\n" for message, _ in CALLS)
    done = subprocess.run(
        [*argv, "--events", str(path)], input=lines, capture_output=True, timeout=30, check=False, env=ENVIRONMENT
    )
    assert (done.returncode, len(done.stdout.splitlines())) == (0, len(CALLS)), done.stderr
    events = {event["request_id"]: event for event in events_in(path)}
    expected = {message["id"]: what for message, what in CALLS if what is not None}
    assert {number: told(event)[:2] for number, event in events.items()} == {
        number: what[:2] for number, what in expected.items()
    }
    for number, (_, _, error) in expected.items():
        assert error == events[number].get("error") or str(error).startswith("M-INP"), events[number]
    assert {event["kind"] for event in events.values()} == {"tool", "resource", "prompt"}
    assert events[6]["uri"] == "weather://now"
    for event in events.values():
        assert re.fullmatch("[0-9a-f]{12}", event["call_id"])
        assert event["timestamp"] > 1e9
        assert event["duration_ms"] >= 0
        assert "principal" not in event
    assert len({event["call_id"] for event in events.values()}) == len(events)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.requirement("R094")
@pytest.mark.parametrize("serve", ["", 'events = "events.jsonl"'])
def test_without_being_asked_there_are_none_and_a_setting_asks(tmp_path, serve):
    project = server_words(tmp_path, serve)
    line = json.dumps(call(1, "add", {"a": 1, "b": 2})).encode() + b"\n"
    subprocess.run(project, input=line, capture_output=True, timeout=30, check=True, cwd=tmp_path)
    assert (tmp_path / "events.jsonl").exists() is bool(serve)


def test_a_call_that_its_client_cancels_is_an_event_too(argv, tmp_path):
    path = tmp_path / "events.jsonl"
    with StdioServer([*argv, "--events", str(path)], env=ENVIRONMENT) as server:
        number = server.send("tools/call", {"name": "nap", "arguments": {"seconds": 60}})
        server.notify("notifications/cancelled", {"requestId": number})
        (event,) = complete(path, 1)
    assert told(event) == ("nap", "cancelled", None)


@pytest.mark.requirement("R094")
def test_over_http_it_is_told_who_called_and_what_was_refused(argv, tmp_path):
    path = tmp_path / "events.jsonl"
    with HttpServer(argv, "--events", str(path), env=ENVIRONMENT) as server:
        session = {"Mcp-Session-Id": server.post(initialize(), bearer("desk-token")).headers["mcp-session-id"]}
        server.post(call(1, "forecast", {"city": "Oslo"}), {**session, **bearer("desk-token")})
        server.post(call(2, "record", {"city": "Oslo"}), {**session, **bearer("desk-token")})
        server.post(call(3, "fails", {"why": "x"}), bearer("admin-token"))
        server.post(call(4, "fails", {"why": "x"}), bearer("admin-token"))
        message, headers = modern(call(5, "nothing"))
        server.post(message, {**headers, **bearer("admin-token")})
        message, headers = modern(call(6, "add", {"a": 1, "b": 1}))
        server.post(message, {**headers, "Mcp-Name": "other", **bearer("admin-token")})
        server.post(call(7, "add", {"a": 1, "b": 1}))
        message, headers = modern(call(8, "nap", {"seconds": 60}))
        with server.wire() as leaving:
            leaving.send(server.bytes_of(message, {**headers, **bearer("admin-token")}))
        events = {event["request_id"]: event for event in complete(path, 7)}
    assert {number: (*told(event), event.get("principal")) for number, event in events.items()} == {
        1: ("forecast", "success", None, "desk"),
        2: ("record", "rejected", "M-AUTH-002", "desk"),
        3: ("fails", "error", "ToolError", "ADMIN"),
        4: ("fails", "rejected", "M-RUN-002", "ADMIN"),
        5: ("nothing", "rejected", "M-CMD-001", "ADMIN"),
        6: ("add", "rejected", -32020, "ADMIN"),
        8: ("nap", "cancelled", None, "ADMIN"),
    }
    assert events[1]["client"] == "mcpgen-tests"
    assert events[1]["arguments"] == {"city": "Oslo"}


def test_calls_that_the_end_cuts_off_are_told_before_it(argv, tmp_path):
    path = tmp_path / "events.jsonl"
    with HttpServer(argv, "--events", str(path), env=ENVIRONMENT) as server:
        server.post(call(0, "add", {"a": 1, "b": 2}), bearer("admin-token"))
        wires = [server.wire() for _ in range(5)]
        for number, wire in enumerate(wires, 1):
            message, headers = modern(call(number, "nap", {"seconds": 60}))
            wire.send(server.bytes_of(message, {**headers, **bearer("admin-token")}))
        waited_for(lambda: server.post(call(9, "add", {"a": 1, "b": 2}), bearer("admin-token")).status == 200)
        server.stop(signal.SIGTERM)
        for wire in wires:
            wire.close()
    cut = [event for event in events_in(path) if event["tool"] == "nap"]
    assert [told(event) for event in cut] == [("nap", "error", "M-RUN-004")] * 5


CANARIES = ["hunter2-canary", "sk-canary0123456789", "configured-canary-77"]


def test_no_secret_is_in_an_event(tmp_path):
    settings = (
        f'{SETTINGS}[config.api]\nenv = "API"\nsensitive = true\nrequired = false\n[serve]\nevent_values = "all"\n'
    )
    argv = stub(built(tmp_path, "weather", MODULE, settings), sys.executable)
    path = tmp_path / "events.jsonl"
    arguments = {"user": CANARIES[2], "password": CANARIES[0], "note": f"use {CANARIES[1]} and {CANARIES[2]}"}
    lines = [call(1, "sign_in", arguments), call(2, "fails", {"why": CANARIES[2]}), call(3, CANARIES[2], arguments)]
    text = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    environment = {**os.environ, "API": CANARIES[2]}
    done = subprocess.run(
        [*argv, "--events", str(path)], input=text, capture_output=True, timeout=30, check=True, env=environment
    )
    content = path.read_text(encoding="utf-8")
    events = sorted(events_in(path), key=lambda event: event["request_id"])
    assert [event["status"] for event in events] == ["success", "error", "rejected"]
    assert [canary for canary in CANARIES if canary in content] == []
    assert [canary for canary in CANARIES if canary.encode() in done.stderr] == []
    assert events[0]["result"] == "welcome ***"


@pytest.mark.parametrize(
    ("values", "members"), [("none", set()), ("arguments", {"arguments"}), ("all", {"arguments", "result"})]
)
def test_the_setting_says_what_values_are_shown(tmp_path, values, members):
    argv = server_words(tmp_path, f'event_values = "{values}"\nevents = "e.jsonl"')
    line = json.dumps(call(1, "forecast", {"city": "Oslo"})).encode() + b"\n"
    subprocess.run(argv, input=line, capture_output=True, timeout=30, check=True, cwd=tmp_path)
    (event,) = events_in(tmp_path / "e.jsonl")
    assert event.keys() & {"arguments", "result"} == members


# -- the file


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no full device")
def test_a_full_disk_is_told_once_and_stops_nothing(argv):
    lines = b"".join(json.dumps(call(number, "add", {"a": 1, "b": 2})).encode() + b"\n" for number in range(50))
    done = subprocess.run(
        [*argv, "--events", "/dev/full"], input=lines, capture_output=True, timeout=30, check=True, env=ENVIRONMENT
    )
    assert len(done.stdout.splitlines()) == 50
    assert done.stderr.count(b"events cannot be written") == 1


def test_a_file_that_cannot_be_opened_ends_the_start(argv, tmp_path):
    done = subprocess.run(
        [*argv, "--events", str(tmp_path)], input=b"", capture_output=True, timeout=30, check=False, env=ENVIRONMENT
    )
    assert done.returncode == 2
    assert b"the file for events cannot be opened" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.fixture
def quiet():
    logs.configure(enabled=False)
    yield
    logs.configure()


def line(number):
    return json.dumps({"n": number}).encode()


def test_a_file_that_was_moved_away_is_opened_again(tmp_path):
    file = EventFile(str(tmp_path / "e.jsonl"))
    file.take({}, line(1))
    file.close()
    (tmp_path / "e.jsonl").rename(tmp_path / "e.1")
    file.take({}, line(2))
    file.close()
    assert events_in(tmp_path / "e.1") == [{"n": 1}]
    assert events_in(tmp_path / "e.jsonl") == [{"n": 2}]


def test_a_descriptor_that_user_code_closed_or_gave_to_another_file_is_not_written_to(tmp_path):
    file = EventFile(str(tmp_path / "e.jsonl"))
    file.take({}, line(1))
    file.close()
    number = file._descriptor
    with (tmp_path / "other").open("wb") as other:
        os.dup2(other.fileno(), number)
    file.take({}, line(2))
    file.close()
    assert (tmp_path / "other").read_bytes() == b""
    assert events_in(tmp_path / "e.jsonl") == [{"n": 1}, {"n": 2}]
    os.close(number)


def test_what_was_lost_is_counted_in_the_next_line_that_can_be_written(tmp_path, monkeypatch, quiet):
    file = EventFile(str(tmp_path / "e.jsonl"))
    written, whole = [], event_file.write_bytes

    def half(descriptor, data):
        if written:
            raise OSError(28, "No space left on device")
        written.append(data)
        return whole(descriptor, data[: len(data) // 2])

    monkeypatch.setattr(event_file, "write_bytes", half)
    for number in (1, 2):
        file.take({}, line(number))
        file.close()
    monkeypatch.setattr(event_file, "write_bytes", whole)
    file.take({}, line(3))
    file.close()
    torn, *rest = (tmp_path / "e.jsonl").read_text(encoding="utf-8").splitlines()
    assert torn == line(1).decode()[: len(torn)]
    assert [json.loads(each).get("dropped", json.loads(each).get("n")) for each in rest] == [2, 3]


def test_events_that_nobody_writes_are_dropped_beyond_a_bound(tmp_path, monkeypatch):
    monkeypatch.setattr(event_file, "start_new_thread", lambda *_: None)
    file = EventFile(str(tmp_path / "e.jsonl"))
    for number in range(event_file.MAX_WAITING + 5):
        file.take({}, line(number))
    assert file._queue.qsize() == event_file.MAX_WAITING
    assert file._dropped == 5


def test_a_line_that_is_too_long_is_dropped(tmp_path):
    file = EventFile(str(tmp_path / "e.jsonl"))
    file.take({}, b"x" * (event_file.MAX_LINE + 1))
    file.take({}, line(1))
    file.close()
    assert events_in(tmp_path / "e.jsonl")[1] == {"n": 1}


def test_a_server_without_events_imports_nothing_for_them(argv):
    line = json.dumps(call(1, "add", {"a": 1, "b": 2})).encode() + b"\n"
    words = [argv[0], "-X", "importtime", *argv[1:], "--mcp"]
    done = subprocess.run(words, input=line, capture_output=True, timeout=30, check=True, env=ENVIRONMENT)
    assert b"server.invoke" in done.stderr
    for name in (b"call_events", b"event_file", b"redaction", b"http_"):
        assert name not in done.stderr


@pytest.mark.requirement("R094")
def test_calls_that_run_in_workers_are_told_too(argv, tmp_path):
    path = tmp_path / "events.jsonl"
    with HttpServer(argv, "--workers", "2", "--events", str(path), env=ENVIRONMENT) as server:
        admin = bearer("admin-token")
        waited_for(lambda: server.get("/ready").status == 200)
        for number in range(20):
            assert server.post(call(number, "add", {"a": 1, "b": 2}), admin).status == 200
        server.post(call(20, "add", {"a": "x"}), admin)
        server.post(call(21, "fails", {"why": "no"}), admin)
        server.post(call(22, "dies"), admin)
        server.post(call(23, "nothing"), admin)
        message, headers = modern(call(24, "nap", {"seconds": 60}))
        with server.wire() as leaving:
            leaving.send(server.bytes_of(message, {**headers, **admin}))
        events = {event["request_id"]: event for event in complete(path, 25)}
    assert {told(events[number]) for number in range(20)} == {("add", "success", None)}
    assert [told(events[number]) for number in range(20, 25)] == [
        ("add", "rejected", "M-INP-006"),
        ("fails", "error", "ToolError"),
        ("dies", "error", "M-RUN-004"),
        ("nothing", "rejected", "M-CMD-001"),
        ("nap", "cancelled", None),
    ]
    assert events[0]["arguments"] == {"a": 1, "b": 2}
    assert {event["principal"] for event in events.values()} == {"ADMIN"}


LATER = """'''Ask and go on.'''

from mcpgen import tool


@tool(confirm=True)
def sure() -> str:
    '''Ask first.'''
    return "done"


@tool(task="required")
def later(seconds: float) -> str:
    '''Go on behind the answer.'''
    import time

    time.sleep(seconds)
    return "done"
"""


@pytest.mark.parametrize("options", [(), ("--workers", "1")])
def test_a_call_that_asks_is_told_apart_and_a_task_is_told_when_it_ends(tmp_path, options):
    path = tmp_path / "events.jsonl"
    extensions = {"elicitation": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}}
    capabilities = {"io.modelcontextprotocol/clientCapabilities": extensions}
    argv = stub(built(tmp_path, "asks", LATER, '[serve]\nevent_values = "all"\n'), sys.executable)
    with HttpServer(argv, "--events", str(path), *options) as server:
        answer = server.post(*modern(call(1, "sure"), **capabilities)).json["result"]
        assert answer["resultType"] == "input_required"
        (asked,) = complete(path, 1)
        answer = server.post(*modern(call(2, "later", {"seconds": 0.3}), **capabilities)).json["result"]
        assert answer["resultType"] == "task"
        _, ended = complete(path, 2)
        refused = server.post(*modern(call(3, "sure", requestState="made up"), **capabilities))
        assert refused.code == -32602
        *_, wrong = complete(path, 3)
    assert told(wrong) == ("sure", "error", -32602)
    assert told(asked) == ("sure", "asked", None)
    assert told(ended) == ("later", "success", None)
    assert ended["duration_ms"] >= 300
    assert ended["result"] == "done"
