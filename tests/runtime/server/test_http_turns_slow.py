"""Calls that run on the straight path and turn out slow: from then on they are calls like any other."""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
from typing import Any

import pytest

from generator.runtime.server.role import Role
from generator.runtime.server.ticket import Ticket
from tests.command import built
from tests.http_client import HttpServer, call, modern, request
from tests.stdio_client import stub

from .straight_bench import Bench, hand_over_in
from .test_http_straight import ADD, LEGACY_HEAD, META, MODERN_HEAD, body_of, data_of

MODULE = '''"""Now and then."""

import time

from mcpgen import tool


@tool(timeout=1)
def sometimes(seconds: float) -> str:
    """Sleep now and then, not for long."""
    time.sleep(seconds)
    return "done"


def later(seconds: float) -> str:
    """Sleep now and then."""
    time.sleep(seconds)
    return "done"
'''
PATIENCE = 20.0


@pytest.fixture(scope="module")
def argv(tmp_path_factory):
    return stub(built(tmp_path_factory.mktemp("turns"), "turns", MODULE), sys.executable)


@pytest.fixture
def events_file(tmp_path):
    return tmp_path / "events.jsonl"


@pytest.fixture
def server(argv, events_file):
    with HttpServer(argv, "--events", str(events_file)) as running:
        yield running


def soon(what: Any) -> Any:
    """Return what is true in a moment."""
    until, looked = time.monotonic() + PATIENCE, threading.Event()
    while not (found := what()):
        assert time.monotonic() < until
        looked.wait(0.01)
    return found


def sent(server: HttpServer, wire: Any, tool: str, headers: dict[str, str] | None, *, is_modern: bool = False) -> None:
    """Send quick calls until the tool runs straight, and then, with the same head, one that takes five seconds."""
    for number in range(7):
        message = call(number, tool, {"seconds": 5 if number == 6 else 0})
        more = headers
        if is_modern:
            message, more = modern(message)
        wire.send(server.bytes_of(message, more))
        if number < 6:
            assert wire.answer().json["id"] == number


def events_in(path: Any) -> list[tuple[Any, str]]:
    return [(each["request_id"], each["status"]) for each in map(json.loads, path.read_text("utf-8").splitlines())]


@pytest.mark.alone
@pytest.mark.parametrize("is_modern", [False, True])
def test_its_time_is_limited_and_others_are_answered_meanwhile(server, events_file, is_modern):
    with server.wire() as wire:
        sent(server, wire, "sometimes", None, is_modern=is_modern)
        begun = time.monotonic()
        assert server.post(request(1, "ping")).json["result"] == {}
        assert server.post(call("other", "later", {"seconds": 0})).json["id"] == "other"
        assert time.monotonic() - begun < 1
        answer = wire.answer()
        assert answer.json["id"] == 6
        assert "M-RUN-001" in answer.json["result"]["content"][0]["text"]
    assert soon(lambda: len(events_in(events_file)) == 8)
    assert events_in(events_file)[-1] == (6, "error")


@pytest.mark.parametrize("is_modern", [False, True])
def test_it_is_cancelled_when_its_client_leaves(server, events_file, is_modern):
    with server.wire() as wire:
        sent(server, wire, "later", None, is_modern=is_modern)
    assert soon(lambda: (6, "cancelled") in events_in(events_file))
    assert "error=cancelled" in soon(lambda: server.stderr if "cancelled" in server.stderr else "")


def test_in_a_session_its_id_is_taken_and_it_can_be_cancelled(server, events_file):
    headers = server.session()
    with server.wire() as wire:
        sent(server, wire, "later", headers)
        again = server.post(call(6, "later", {"seconds": 0}), headers)
        assert again.json["error"]["message"].endswith("a request with this id is still running")
        gone = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 6}}
        assert server.post(gone, headers).status == 202
        assert wire.answer().status == 202
    assert soon(lambda: (6, "cancelled") in events_in(events_file))
    assert server.post(call(6, "later", {"seconds": 0}), headers).json["result"]


def test_it_is_answered_when_the_server_ends(server, events_file):
    with server.wire() as wire:
        sent(server, wire, "later", None)
        assert server.post(request(1, "ping")).json["result"] == {}
        server.process.send_signal(signal.SIGTERM)
        answer = wire.answer()
        assert answer.json["result"]["isError"]
        assert answer.headers["connection"] == "close"
    assert server.process.wait(PATIENCE) == 143
    assert events_in(events_file)[-1] == (6, "error")


@pytest.mark.parametrize("is_modern", [False, True])
def test_where_nobody_is_told_of_calls_it_becomes_one_like_any_other(argv, is_modern):
    with HttpServer(argv) as server, server.wire() as wire:
        sent(server, wire, "sometimes", None, is_modern=is_modern)
        assert server.post(request(1, "ping")).json["result"] == {}
        assert server.post(call(7, "later", {"seconds": 0})).json["id"] == 7
        answer = wire.answer()
        assert answer.json["id"] == 6
        assert "M-RUN-001" in answer.json["result"]["content"][0]["text"]
        with server.wire() as leaving:
            sent(server, leaving, "later", None, is_modern=is_modern)
        lines = soon(lambda: server.stderr if "cancelled" in server.stderr else "").splitlines()
        assert [line for line in lines if "sometimes ok" in line and line.endswith("id=5")]
        assert [line for line in lines if "sometimes failed" in line and line.endswith("id=6 error=M-RUN-001")]
        assert [line for line in lines if "later failed" in line and line.endswith("id=6 error=cancelled")]


def test_a_slow_call_that_was_not_made_before_ends_as_others_do(argv):
    with HttpServer(argv) as server, server.wire() as wire:
        for number in range(7):
            wire.send(server.bytes_of(call(number, "later", {"seconds": 1 if number == 6 else 0}), None))
            if number < 6:
                assert wire.answer().json["id"] == number
        assert server.post(request(1, "ping")).json["result"] == {}
        answer = wire.answer()
        assert answer.json["id"] == 6
        assert answer.json["result"] == server.post(call(8, "later", {"seconds": 0})).json["result"]
        assert soon(lambda: [line for line in server.stderr.splitlines() if "later ok 1" in line])


# -- when there is no thread to give the role to


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize(("headers", "params"), [(LEGACY_HEAD, ADD), (MODERN_HEAD, {**ADD, "_meta": META})])
def test_it_is_answered_the_same_when_it_was_entered_in_the_books_and_kept_the_role(
    tmp_path, monkeypatch, headers, params, told
):
    bench = Bench(tmp_path, straight=True, told=told)
    data, connection = data_of(headers, body_of(params)), bench.connect()
    bench.ask(connection, data)
    expected = bench.ask(connection, data)
    entered: list[Any] = []

    def no_thread(role: Role, running: Any) -> bool:
        entered.append((running, running in bench.runner.books.open, connection.busy, bench.server.straight.is_idle()))
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(Role, "pass_on", no_thread)
    with hand_over_in(bench, "add"):
        assert bench.ask(connection, data) == expected
    assert [facts for _, *facts in entered] == [[True, True, True]]
    assert entered[0][0].finished
    assert bench.server.is_settled()
    assert not bench.runner.books.open
    assert bench.ask(connection, data) == expected


@pytest.mark.parametrize("told", [True, False])
def test_a_call_that_ended_is_not_entered_any_more(tmp_path, monkeypatch, told):
    bench = Bench(tmp_path, straight=True, told=told)
    connection, ran, begin = bench.connect(), [], Role.begin

    def noted(role: Role, running: Any) -> None:
        ran.append(running)
        begin(role, running)

    monkeypatch.setattr(Role, "begin", noted)
    for _ in range(3):
        bench.ask(connection, data_of(LEGACY_HEAD, body_of(ADD)))
    ended = bench.server.straight._connection
    assert [type(running) is Ticket for running in ran[1:]] == [not told] * 2  # the first one's head was not known
    bench.runner.hand_over(ran[-1])
    assert bench.server.role.is_mine()
    assert not bench.runner.books.open
    assert not ended.busy
    assert bench.server.is_settled()


def test_a_call_that_was_made_for_what_it_has_to_say_is_answered_and_the_next_runs_under_a_new_ticket(tmp_path):
    bench = Bench(tmp_path, straight=True, told=False)
    connection, straight = bench.connect(), bench.server.straight
    good = data_of(LEGACY_HEAD, body_of(ADD))
    expected = [bench.ask(connection, good) for _ in range(2)][1]
    ticket = straight._ticket
    wrong = data_of(LEGACY_HEAD, body_of({"name": "add", "arguments": {"a": 1, "b": "x"}}))
    first, second = (bench.ask(connection, wrong) for _ in range(2))  # the first goes the general way, with a new head
    assert b"M-INP" in first
    assert first == second
    assert straight._ticket is not ticket
    assert bench.ask(connection, good) == expected
    assert bench.server.is_settled()
    assert bench.server.role.running is None
