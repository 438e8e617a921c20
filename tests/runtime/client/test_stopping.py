"""Calls that are stopped, and many at once."""

from __future__ import annotations

import threading
import time

import pytest

from generator.runtime.client.message import Origin, Request, Watch
from generator.runtime.client.stopping import Turn
from generator.runtime.client.transport import Transport, TransportProblem
from tests.runtime.client.test_tls import AUTHORITY, tls
from tests.runtime.client.upstream import answer, chunked, get, outcome, patient, post, serving

THREADS = 32
STREAM = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.fixture
def transport():
    transport = Transport({"ca_file": AUTHORITY}, environment={})
    yield transport
    transport.close()


def in_thread(transport, request, watch):
    """Send on a thread; return it and the list its outcome comes into."""
    outcomes = []
    thread = threading.Thread(target=lambda: outcomes.append(outcome(transport, request, watch)))
    thread.start()
    return thread, outcomes


@pytest.mark.alone
@pytest.mark.parametrize("wrap", [None, tls()])
@pytest.mark.parametrize("begun", [b"", b"HTTP/1.1 200 OK\r\nContent-", STREAM + b"5\r\nhello\r\n"])
def test_stopping_a_call_closes_its_connection_at_once(transport, wrap, begun):
    blocked, gone = threading.Event(), threading.Event()

    def script(peer):
        peer.read()
        peer.send(begun)
        blocked.set()
        if not peer.socket.recv(1):
            gone.set()

    with serving(script, wrap) as server:
        watch = Watch(10)
        thread, outcomes = in_thread(transport, get(server), watch)
        assert blocked.wait(10)
        began = time.monotonic()
        watch.stop()
        thread.join(5)
        assert not thread.is_alive()
        assert time.monotonic() - began < 1
        assert gone.wait(5), "the server was not told"
    assert outcomes[0].message == "the call was cancelled"
    assert not outcomes[0].retryable
    assert len(server.asked) == 1, "a cancelled call was tried again"


def test_a_handshake_is_stopped(transport):
    reached = threading.Event()

    def script(peer):
        peer.socket.recv(1)
        reached.set()
        peer.server.over.wait(10)

    with serving(script) as server:
        watch = Watch(10)
        request = Request("GET", Origin("https", "127.0.0.1", server.port), "/", idempotent=True)
        thread, outcomes = in_thread(transport, request, watch)
        assert reached.wait(10)
        watch.stop()
        thread.join(5)
        assert not thread.is_alive()
    assert outcomes[0].message == "the call was cancelled"


def test_a_call_that_was_stopped_before_is_not_sent(transport):
    with serving(lambda peer: peer.read()) as server:
        watch = Watch(10)
        watch.stop()
        with pytest.raises(TransportProblem) as raised:
            transport.send(get(server), watch)
        assert server.asked == []
    assert not raised.value.sent


def test_a_stopped_call_leaves_the_others_alone(transport):
    """Answer every second request only when the others are stopped."""

    def script(peer):
        while asked := peer.read():
            if asked.target == "/hang":
                peer.server.over.wait(10)
                return
            peer.send(answer(asked.target.encode()))

    with serving(script) as server:
        watches = [Watch(10) for _ in range(8)]
        hanging = [in_thread(transport, get(server, "/hang"), watch) for watch in watches]
        for number in range(50):
            assert transport.send(get(server, f"/{number}"), patient()).body == b"/%d" % number
        for watch in watches:
            watch.stop()
        for thread, outcomes in hanging:
            thread.join(5)
            assert outcomes[0].message == "the call was cancelled"
        assert transport.send(get(server, "/after"), patient()).body == b"/after"


@pytest.mark.parametrize("wrap", [None, tls()])
def test_many_calls_at_once_get_their_own_answers(transport, wrap):
    def script(peer):
        while asked := peer.read():
            if asked.method == "GET":
                peer.send(answer(asked.target.encode()))
            else:
                peer.send(STREAM + chunked(*[asked.body[at : at + 7] for at in range(0, len(asked.body), 7)]))

    wrong = []

    def work(number):
        for turn in range(20):
            mark = b"/%d-%d" % (number, turn)
            request = get(server, mark.decode()) if turn % 2 else post(server, mark * 20)
            response = outcome(transport, request)
            if getattr(response, "body", None) != (mark if turn % 2 else mark * 20):
                wrong.append((mark, response))

    with serving(script, wrap) as server:
        threads = [threading.Thread(target=work, args=(number,)) for number in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert not any(thread.is_alive() for thread in threads)
    assert wrong == []
    assert server.connections <= THREADS


def test_a_closer_registered_too_late_is_called_at_once():
    watch, called = Watch(10), []
    watch.stop()
    watch.on_stop(lambda: called.append(1))
    assert called == [1]


def test_a_closer_that_fails_keeps_no_other_from_being_called():
    watch, called = Watch(10), []
    watch.on_stop(lambda: 1 / 0)
    watch.on_stop(lambda: called.append(1))
    watch.stop()
    watch.stop()
    assert called == [1]


def test_a_forgotten_closer_is_not_called():
    watch, called = Watch(10), []

    def closer():
        called.append(1)

    watch.on_stop(closer)
    watch.forget(closer)
    watch.forget(closer)
    watch.stop()
    assert called == []


def test_a_turn_ends_with_the_earlier_of_its_own_time_and_its_watch_s():
    assert Turn(Watch(5), 100).left() <= 5
    assert Turn(Watch(100), 5).left() <= 5
    with pytest.raises(TimeoutError):
        Turn(Watch(0), 5).left()
    assert not Turn(Watch(0.1), 5).pause(0.2)
    assert Turn(Watch(5), 5).pause(0.001)
