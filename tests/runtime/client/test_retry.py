"""What is tried again, when, and what never is."""

from __future__ import annotations

import threading
import time
from email.utils import formatdate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.client import retry
from generator.runtime.client.caps import BACK_OFF_SECONDS, MAX_BACK_OFF_SECONDS
from generator.runtime.client.message import Origin, Request, Response, Watch
from generator.runtime.client.problem import CANNOT_REACH
from generator.runtime.client.stopping import Turn
from generator.runtime.client.transport import Transport, TransportProblem
from tests.runtime.client.upstream import answer, answering, get, patient, post, serving


@pytest.fixture
def transport(monkeypatch):
    monkeypatch.setattr(retry, "back_off", lambda attempt: 0.0)
    transport = Transport({"breaker": False}, environment={})
    yield transport
    transport.close()


@pytest.mark.requirement("R190")
@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_a_passing_trouble_is_waited_out(transport, status):
    busy = answer(b"busy", status=f"{status} Busy")
    with serving(answering(busy, busy, answer(b"done"))) as server:
        assert transport.send(get(server), patient()).body == b"done"
    assert len(server.asked) == 3


def test_the_last_answer_is_given_when_trouble_does_not_pass(transport):
    with serving(answering(answer(b"slow down", "Retry-After: 0", status="429 Too Many Requests"))) as server:
        response = transport.send(get(server), patient())
    assert (response.status, response.body) == (429, b"slow down")
    assert len(server.asked) == 3


@pytest.mark.parametrize("status", [400, 401, 404, 409, 500, 501])
def test_an_answer_about_the_request_itself_is_final(transport, status):
    with serving(answering(answer(status=f"{status} No"))) as server:
        assert transport.send(get(server), patient()).status == status
    assert len(server.asked) == 1


@pytest.mark.requirement("R190")
def test_a_request_that_must_not_be_sent_twice_is_sent_once(transport):
    with serving(answering(answer(b"", "Retry-After: 0", status="503 Busy"))) as server:
        assert transport.send(post(server), patient()).status == 503
    assert len(server.asked) == 1


def test_a_broken_connection_is_tried_again_for_a_safe_request_only(transport):
    def script(peer):
        if peer.read() and peer.number % 2:
            peer.send(answer(b"x", "Connection: close"))

    with serving(script) as server:
        assert transport.send(get(server), patient()).body == b"x"
        with pytest.raises(TransportProblem) as raised:
            transport.send(post(server, b"1"), Watch(10))
    assert not raised.value.retryable
    assert [asked.method for asked in server.asked] == ["GET", "GET", "POST"]


def test_a_request_that_was_never_sent_is_tried_again_whatever_it_is(transport, monkeypatch):
    with serving(answering(answer(b"x"))) as server:
        from generator.runtime.client import dial

        attempts = []
        connect = dial._connect

        def flaky(endpoints, turn):
            attempts.append(endpoints)
            if len(attempts) < 3:
                raise ConnectionRefusedError
            return connect(endpoints, turn)

        monkeypatch.setattr(dial, "_connect", flaky)
        assert transport.send(post(server), patient()).body == b"x"
    assert len(attempts) == 3


def test_retries_can_be_turned_off():
    transport = Transport({"retries": 0}, environment={})
    with serving(answering(answer(status="503 Busy"))) as server:
        transport.send(get(server), patient())
    assert len(server.asked) == 1
    transport.close()


@pytest.mark.requirement("R190")
def test_retry_after_is_kept():
    transport = Transport({"retries": 1}, environment={})
    with serving(answering(answer(b"", "Retry-After: 1", status="429 Slow Down"), answer(b"x"))) as server:
        began = time.monotonic()
        assert transport.send(get(server), patient()).body == b"x"
    assert 0.95 < time.monotonic() - began < 5
    transport.close()


@pytest.mark.alone
@pytest.mark.parametrize("asked", ["3600", "5", "99999999999999999999999"])
def test_a_wait_that_is_too_long_is_left_to_the_caller(transport, asked):
    with serving(answering(answer(b"", f"Retry-After: {asked}", status="503 Busy"))) as server:
        began = time.monotonic()
        assert transport.send(get(server, timeout=2.0), patient()).header("retry-after") == asked
        assert time.monotonic() - began < 1.5
    assert len(server.asked) == 1


def test_waiting_ends_when_the_call_is_cancelled(monkeypatch):
    waiting = threading.Event()
    pause = Turn.pause

    def pausing(turn, seconds):
        waiting.set()
        return pause(turn, seconds)

    monkeypatch.setattr(Turn, "pause", pausing)
    transport = Transport({"retries": 3}, environment={})
    watch = Watch(10)
    with serving(answering(answer(b"", "Retry-After: 8", status="503 Busy"))) as server:
        results = []
        thread = threading.Thread(target=lambda: results.append(transport.send(get(server), watch)))
        thread.start()
        assert waiting.wait(10)
        watch.stop()
        thread.join(5)
        assert not thread.is_alive()
    assert [response.status for response in results] == [503]
    assert len(server.asked) == 1
    transport.close()


def test_retry_after_may_be_a_date():
    answered = Response(503, headers=[("Retry-After", formatdate(time.time() + 60, usegmt=True))])
    assert 55 < retry.retry_after(answered) <= 60
    past = Response(503, headers=[("Retry-After", "Wed, 21 Oct 2015 07:28:00 GMT")])
    assert retry.retry_after(past) == 0.0


@given(st.text(max_size=40) | st.integers().map(str))
def test_any_retry_after_is_a_wait_or_nothing(text):
    asked = retry.retry_after(Response(503, headers=[("Retry-After", text)]))
    assert asked is None or asked >= 0


@given(st.integers(0, 1000))
def test_waits_grow_and_stay_bounded(attempt):
    wait = retry.back_off(attempt)
    assert BACK_OFF_SECONDS / 2 <= wait <= MAX_BACK_OFF_SECONDS
    assert attempt or wait <= BACK_OFF_SECONDS


def test_what_cannot_be_helped_by_waiting_is_not_tried_again():
    request = Request("GET", Origin("http", "a"), "/", idempotent=True)
    hopeless = TransportProblem(CANNOT_REACH, "the name of a does not exist", retryable=False, sent=False)
    assert retry.after_problem(request, hopeless, 0) is None
