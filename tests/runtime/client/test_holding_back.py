"""The rate limit and the circuit breaker (row R190); the clock is an argument."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.client import retry
from generator.runtime.client.breaker import Breaker
from generator.runtime.client.message import Watch
from generator.runtime.client.problem import CANNOT_REACH, HELD_BACK
from generator.runtime.client.rate import RateLimit
from generator.runtime.client.transport import Transport, TransportProblem
from tests.runtime.client.upstream import answer, answering, get, patient, serving


@pytest.mark.requirement("R190")
def test_a_breaker_opens_after_failures_in_a_row_and_tries_again_later():
    breaker = Breaker(3, 30.0)
    for now in (0.0, 1.0, 2.0):
        assert breaker.wait(now) == 0.0
        breaker.failed(now)
    assert breaker.wait(10.0) == pytest.approx(22.0)
    assert breaker.wait(32.0) == 0.0, "half open: one may try"
    assert breaker.wait(32.0) > 0, "and nobody else meanwhile"
    breaker.failed(33.0)
    assert breaker.wait(34.0) == pytest.approx(29.0)
    assert breaker.wait(63.0) == 0.0
    breaker.succeeded()
    assert breaker.wait(63.0) == breaker.wait(63.0) == 0.0


def test_a_success_in_between_keeps_a_breaker_closed():
    breaker = Breaker(2, 30.0)
    for _ in range(5):
        breaker.failed(0.0)
        breaker.succeeded()
    assert breaker.wait(0.0) == 0.0


def test_a_trial_that_taught_nothing_leaves_room_for_the_next():
    breaker = Breaker(1, 30.0)
    breaker.failed(0.0)
    assert breaker.wait(31.0) == 0.0
    breaker.gave_up()
    assert breaker.wait(31.0) == 0.0


@given(st.lists(st.floats(0, 5), max_size=60), st.floats(0.5, 20), st.floats(1, 10))
def test_no_more_requests_pass_than_the_rate_allows(gaps, rate, burst):
    limit = RateLimit(rate, burst, 0.0)
    now, starts = 0.0, []
    for gap in gaps:
        now += gap
        passes, wait = limit.reserve(now, 2.0)
        assert wait >= 0
        assert passes == (wait <= 2.0)
        if passes:
            starts.append(now + wait)
    for position, start in enumerate(starts):
        for count, later in enumerate(starts[position:], start=1):
            assert count <= burst + rate * (later - start) + 1e-6


@pytest.mark.requirement("R190")
def test_requests_over_the_rate_are_refused_with_the_time_to_come_back():
    transport = Transport({"rate_limit": {"per_second": 0.01, "burst": 2}}, environment={})
    with serving(answering(answer())) as server:
        for _ in range(2):
            transport.send(get(server), patient())
        with pytest.raises(TransportProblem) as raised:
            transport.send(get(server), patient())
        assert len(server.asked) == 2
    problem = raised.value
    assert (problem.code, problem.retryable, problem.sent) == (HELD_BACK, True, False)
    assert "rate limit" in problem.message
    assert problem.suggestion == "Call it again in 100 s."
    transport.close()


def test_a_short_wait_for_the_rate_is_waited():
    transport = Transport({"rate_limit": {"per_second": 50, "burst": 1}}, environment={})
    with serving(answering(answer())) as server:
        for _ in range(4):
            assert transport.send(get(server), patient()).status == 200
    transport.close()


@pytest.mark.requirement("R190")
def test_an_origin_that_cannot_be_reached_is_left_alone_for_a_while(monkeypatch):
    monkeypatch.setattr(retry, "back_off", lambda attempt: 0.0)
    transport = Transport({"breaker": {"failures": 2, "reset": 40}}, environment={})
    with serving(answering(answer())) as server, serving(answering(answer())) as other:
        server.stop()
        codes = []
        for _ in range(4):
            with pytest.raises(TransportProblem) as raised:
                transport.send(get(server), patient())
            codes.append(raised.value.code)
        assert transport.send(get(other), patient()).status == 200
    assert codes == [CANNOT_REACH, CANNOT_REACH, HELD_BACK, HELD_BACK]
    assert f"127.0.0.1:{server.port}" in raised.value.message
    assert "40 s" in raised.value.suggestion
    transport.close()


def test_slow_or_failing_answers_do_not_open_the_breaker():
    transport = Transport({"retries": 0, "breaker": {"failures": 1}}, environment={})

    def script(peer):
        while asked := peer.read():
            if asked.target == "/slow":
                peer.server.over.wait(10)
            peer.send(answer(status="500 Broken"))

    with serving(script) as server:
        for _ in range(3):
            assert transport.send(get(server), patient()).status == 500
            with pytest.raises(TransportProblem) as raised:
                transport.send(get(server, "/slow"), Watch(0.05))
            assert raised.value.code == "M-HTTP-004"
    transport.close()
