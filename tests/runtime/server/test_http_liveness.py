"""The HTTP shell with a real process: calls overlap, connections live on or end, and so does the server."""

from __future__ import annotations

import contextlib
import json
import signal
import socket
import struct
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.http_client import HttpServer, call, modern, request
from tests.stdio_client import StdioServer

from .http_behaviour import guarded_server

SLACK = 2.0
"""Seconds a loaded machine may add to anything."""


@pytest.fixture(scope="module")
def argv_talks(tmp_path_factory):
    return guarded_server(tmp_path_factory.mktemp("liveness"))


# One worker, because some of these tools meet each other in its memory; test_http_workers has several.
@pytest.fixture(scope="module", params=[(), ("--workers", "1")], ids=["one process", "worker"])
def options(request):
    return request.param


@pytest.fixture(scope="module")
def server(argv_talks, options):
    with HttpServer(argv_talks, *options) as running:
        yield running


def text(answer):
    return answer.json["result"]["content"][0]["text"]


# -- calls


@pytest.mark.alone
@pytest.mark.parametrize("tool", ["nap", "waits"])
def test_slow_calls_of_many_clients_overlap(server, tool):
    server.post(call(0, tool, {"seconds": 0}))
    wires = [server.wire() for _ in range(16)]
    begun = time.monotonic()
    for number, wire in enumerate(wires):
        wire.send(server.bytes_of(*modern(call(number, tool, {"seconds": 0.5}))))
    for number, wire in enumerate(wires):
        answer = wire.answer()
        assert answer.json["id"] == number
        wire.close()
    assert time.monotonic() - begun < 16 * 0.5 / 2


@pytest.mark.alone
def test_a_quick_tool_that_turns_slow_holds_nobody_up(server):
    for number in range(30):
        assert text(server.post(call(number, "sometimes", {"seconds": 0}))) == "done"
    with server.wire() as slow:
        begun = time.monotonic()
        slow.send(server.bytes_of(call("slow", "sometimes", {"seconds": 1.5})))
        for number in range(10):
            assert server.post(request(number, "ping")).json["result"] == {}
            assert text(server.post(call(number, "add", {"a": 1, "b": 1}))) == "2"
        assert time.monotonic() - begun < 1.5
        answer = slow.answer()
        assert (answer.json["id"], text(answer)) == ("slow", "done")
        slow.send(server.bytes_of(call("again", "sometimes", {"seconds": 0})))
        assert slow.answer().json["id"] == "again"


def test_a_slow_call_that_ends_while_a_quick_one_runs_elsewhere_ends_only_itself(server):
    for _ in range(10):
        for number in range(3):
            assert text(server.post(call(number, "meets", {"who": "nobody"}))) == "nobody"
        with server.wire() as first, server.wire() as second:
            first.send(server.bytes_of(call("first", "meets", {"who": "first"})))
            assert server.post(request(1, "ping")).json["result"] == {}
            second.send(
                server.bytes_of(call("second", "meets", {"who": "second"})) + server.bytes_of(request(2, "ping"))
            )
            assert text(first.answer()) == "first"
            assert text(second.answer()) == "second"
            assert second.answer().json["id"] == 2


def test_a_tool_that_says_much_holds_nobody_up(server):
    loud = {"io.modelcontextprotocol/logLevel": "info"}
    wires = [server.wire() for _ in range(3)]
    for wire in wires:
        wire.send(server.bytes_of(*modern(call(1, "says", {"count": 100_000}), **loud)))
    for wire in wires:
        wire.head()
    assert text(server.post(call(2, "hush"))) == "3"
    for wire in wires:
        *_, last = wire.events()
        assert text(last) == "said"
        wire.close()


@pytest.mark.alone
def test_no_answer_is_late_when_quick_and_slow_calls_of_many_clients_mix(server):
    waits = []
    for tool in ("nap", "waits", "sometimes"):  # what they import at their first call is no matter here
        server.post(call(0, tool, {"seconds": 0}))

    def ask(first):
        with server.wire() as wire:
            for number in range(100):
                kinds = (("nap", 0.002), ("waits", 0.001), ("sometimes", 0.003 if number % 7 == 0 else 0))
                tool, seconds = kinds[(first + number) % 3]
                wire.send(server.bytes_of(call(number, tool, {"seconds": seconds}), {"Accept": "application/json"}))
                begun = time.monotonic()
                assert wire.answer().json["id"] == number
                waits.append(time.monotonic() - begun)

    with ThreadPoolExecutor(8) as clients:
        for done in [clients.submit(ask, first) for first in range(8)]:
            done.result()
    assert len(waits) == 800
    late = [wait for wait in waits if wait > 0.9]  # a wake-up that was lost is made up for after a second
    assert len(late) < 4


def test_a_tool_that_never_returns_times_out_and_others_are_answered(argv, options):
    with HttpServer(argv, *options) as server:
        wires = [server.wire() for _ in range(3)]
        for wire in wires:
            wire.send(server.bytes_of(call("loop", "loop")))
        for number in range(5):
            assert server.post(request(number, "ping")).status == 200
        for wire in wires:
            answer = wire.answer()
            assert answer.status == 200
            assert "M-RUN-001" in text(answer)
            wire.close()
        assert server.post(call(1, "add", {"a": 1, "b": 2})).json["result"]["structuredContent"] == {"sum": 3}


@pytest.mark.requirement("R120")
def test_one_package_serves_over_both_transports(argv_talks, server):
    with StdioServer(argv_talks) as piped:
        piped.initialize()
        assert piped.request("tools/list") == server.post(request(1, "tools/list")).json["result"]


def test_what_a_tool_prints_goes_to_standard_error(argv, options):
    with HttpServer(argv, *options) as server:
        assert text(server.post(call(1, "noisy"))) == "quiet"
        assert server.post(call(2, "reads")).json["result"]["isError"]
        server.stop()  # fails if anything came on standard output
        assert server.stderr.count("POLLUTION") == 4


def test_a_tool_that_forks_leaves_one_answer(argv, options):
    with HttpServer(argv, *options) as server:
        assert text(server.post(call(1, "fork"))) == "parent"
        assert server.post(request(2, "ping")).status == 200


def test_calls_of_one_tool_wait_for_each_other_if_it_says_so(argv, options):
    with HttpServer(argv, *options) as server:
        wires = [server.wire() for _ in range(3)]
        for number, wire in enumerate(wires):
            wire.send(server.bytes_of(call(number, "alone", {"seconds": 0.1})))
        answers = [wire.answer() for wire in wires]
        for wire in wires:
            wire.close()
        assert max((json.loads(text(answer)) for answer in answers), key=len) == ["in", "out"] * 3


# -- connections


def test_requests_that_come_together_are_answered_in_their_order(server):
    with server.wire() as wire:
        slow, quick = call(1, "nap", {"seconds": 0.3}), call(2, "add", {"a": 1, "b": 1})
        wire.send(server.bytes_of(slow) + server.bytes_of(quick) + server.bytes_of(request(3, "ping")))
        assert [wire.answer().json["id"] for _ in range(3)] == [1, 2, 3]


def test_many_requests_at_once_on_one_connection_are_all_answered(server):
    with server.wire() as wire:
        count = 2_000
        wire._socket.settimeout(60)
        data = b"".join(server.bytes_of(request(number, "ping")) for number in range(count))
        wire._socket.setblocking(False)
        answered = 0
        while answered < count:
            with contextlib.suppress(BlockingIOError):
                data = data[wire._socket.send(data) :] if data else data
            wire._socket.settimeout(0.2 if data else 20)
            try:
                assert wire.answer().json["id"] == answered
                answered += 1
            except TimeoutError:
                assert data
            wire._socket.setblocking(False)


@pytest.mark.parametrize(
    ("version", "connection", "lives"),
    [("1.1", None, True), ("1.1", "close", False), ("1.1", "Keep-Alive, CLOSE", False), ("1.0", "keep-alive", False)],
)
def test_a_connection_lives_on_unless_its_client_says_otherwise(server, version, connection, lives):
    data = server.bytes_of(request(1, "ping"), {"Connection": connection}).replace(
        b"HTTP/1.1", b"HTTP/" + version.encode()
    )
    with server.wire() as wire:
        wire.send(data)
        answer = wire.answer()
        assert (answer.status, answer.headers.get("connection")) == (200, None if lives else "close")
        if lives:
            wire.send(data)
            assert wire.answer().status == 200
        else:
            assert wire.is_closed()


def test_an_old_client_gets_a_stream_without_chunks(server):
    data = server.bytes_of(call(1, "chatty")).replace(b"HTTP/1.1", b"HTTP/1.0")
    with server.wire() as wire:
        wire.send(data)
        assert "transfer-encoding" not in wire.head().headers
        while wire._more():
            pass
        assert wire._buffer.count(b"event: message\n") == 4 - 1  # no progress was asked for


def test_a_body_in_chunks_is_read_and_a_larger_one_refused(server):
    body = json.dumps(call(1, "add", {"a": 1, "b": 2})).encode()
    chunks = b"".join(b"%x\r\n%s\r\n" % (1, body[at : at + 1]) for at in range(len(body))) + b"0\r\n\r\n"
    with server.wire() as wire:
        wire.send(server.head(headers={"Transfer-Encoding": "chunked"}) + chunks)
        assert text(wire.answer()) == "3"
        wire.send(server.head(headers={"Transfer-Encoding": "chunked"}) + b"ffffffff\r\n")
        assert wire.answer().status == 413
        assert wire.is_closed()


def test_a_client_that_waits_for_permission_gets_it_or_an_answer(server):
    body = json.dumps(request(1, "ping")).encode()
    with server.wire() as wire:
        wire.send(server.head(headers={"Expect": "100-continue", "Content-Length": str(len(body))}))
        assert wire.head().status == 100
        wire.send(body)
        assert wire.answer().status == 200
        wire.send(server.head(headers={"Expect": "100-continue", "Content-Type": "text/plain", "Content-Length": "9"}))
        assert wire.answer().status == 415
        assert wire.is_closed()
    assert server.post(request(1, "ping"), {"Expect": "200-ok"}).status == 417


def test_a_large_answer_reaches_a_slow_reader(server):
    with server.wire() as wire:
        wire.send(server.bytes_of(call(1, "big", {"size": 3_000_000})))
        for number in range(5):
            assert server.post(request(number, "ping")).status == 200
        assert len(text(wire.answer())) == 3_000_000


def test_a_request_that_ends_too_early_is_told_so(server):
    with server.wire() as wire:
        wire.send(server.bytes_of(request(1, "ping"))[:-5])
        wire.end_input()
        assert wire.answer().status == 400
        assert wire.is_closed()


def test_a_client_that_says_nothing_more_gets_its_answer(server):
    with server.wire() as wire:
        wire.send(server.bytes_of(request(1, "ping")))
        wire.end_input()
        assert wire.answer().status == 200
        assert wire.is_closed()


def test_connections_that_break_anywhere_harm_nobody(server):
    data = server.bytes_of(call(1, "chatty")) + server.bytes_of(call(2, "nap", {"seconds": 0.1}))
    for at in range(1, len(data), 7):
        with server.wire() as wire:
            wire._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # closing resets
            wire.send(data[:at])
    assert server.post(request(1, "ping")).status == 200
    assert "Traceback" not in server.stderr


def test_an_idle_connection_waits_without_being_asked(server):
    with server.wire() as wire:
        assert server.post(request(1, "ping")).status == 200
        wire.send(server.bytes_of(request(2, "ping")))
        assert wire.answer().json["id"] == 2


def test_descriptors_that_a_tool_closes_and_takes_for_itself_harm_nobody(argv_talks):
    with HttpServer(argv_talks) as server, server.wire() as wire:
        for number in range(3):
            wire.send(server.bytes_of(call(number, "closes", {"below": 256})))
            assert text(wire.answer()) == "closed"
            assert server.post(request(number, "ping")).json["result"] == {}


# -- the end


def test_a_server_that_lost_the_socket_clients_connect_to_ends(argv_talks):
    with HttpServer(argv_talks) as server:
        with server.wire() as wire:
            wire.send(server.bytes_of(call(1, "closes", {"below": 4096})))
            assert wire.is_closed()
        assert server.process.wait(20) == 1


@pytest.mark.alone
@pytest.mark.requirement("R137")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_ends_an_idle_server_at_once_and_its_connections(argv_talks, number, status, options):
    server = HttpServer(argv_talks, *options)
    session = server.session()
    with server.wire() as idle, server.wire() as listening:
        listening.send(server.head("GET", headers={**session, "Accept": "text/event-stream"}))
        listening.head()
        ended, seconds = server.stop(number)
        assert ended == status
        assert seconds < 1.0 + SLACK
        assert idle.is_closed()
        assert [each.data for each in listening.events()] == [""]


@pytest.mark.alone
@pytest.mark.requirement("R137")
def test_calls_in_flight_are_finished_or_told_when_the_server_ends(argv_talks, options):
    server = HttpServer(argv_talks, *options)
    with server.wire() as short, server.wire() as long:
        long.send(
            server.bytes_of(
                *modern(call("long", "waits", {"seconds": 30}), **{"io.modelcontextprotocol/logLevel": "info"})
            )
        )
        long.head()
        short.send(server.bytes_of(call("short", "nap", {"seconds": 0.5})))
        assert next(long.events()).json["params"]["data"] == "begun"
        assert server.post(request(1, "ping")).status == 200
        server.process.send_signal(signal.SIGTERM)
        answer = short.answer()
        assert (text(answer), answer.headers["connection"]) == ("rested", "close")
        (told,) = long.events()
        assert "M-RUN-004" in told.json["result"]["content"][0]["text"]
        status, seconds = server.stop()
    assert status == 143
    assert seconds < 2.0 + SLACK


@pytest.mark.alone
def test_a_tool_that_ignores_the_end_does_not_hold_it_up(argv, options):
    server = HttpServer(argv, *options)
    with server.wire() as wire:
        wire.send(server.bytes_of(call(1, "stays")))
        assert text(wire.answer()) == "started"
        wire.send(server.bytes_of(call(2, "nap", {"seconds": 60})))
        assert server.post(request(1, "ping")).status == 200
        status, seconds = server.stop()
    assert status == 143
    assert seconds < 2.0 + SLACK


def test_the_address_is_told_as_json_where_the_log_is(argv_talks, options):
    with HttpServer(argv_talks, *options, "--log-format", "json") as server:
        said = json.loads(server.stderr.splitlines()[0])
        assert (said["msg"], said["url"]) == ("serving", server.url)
