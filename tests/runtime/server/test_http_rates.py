"""How often something may be done: by the clock, and over HTTP."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.server import http_limits
from generator.runtime.server.http_rates import Rates, whole_seconds
from tests.http_client import HttpServer, call, modern, request

from .http_behaviour import bearer
from .serving import server_words

PING = request(1, "ping")


def test_a_bucket_has_its_burst_at_once_and_fills_again():
    rates = Rates({"per_second": 2, "burst": 3})
    assert [rates.wait("a", 0.0) for _ in range(4)] == [0.0, 0.0, 0.0, 0.5]
    assert rates.wait("b", 0.0) == 0.0
    assert rates.wait("a", 0.5) == 0.0
    assert rates.wait("a", 0.5) == 0.5
    assert [rates.wait("a", 100.0) for _ in range(4)] == [0.0, 0.0, 0.0, 0.5]


@pytest.mark.parametrize(("per_second", "allowed"), [(0.1, 1), (1, 1), (5, 5)])
def test_without_a_burst_a_second_s_worth_comes_at_once(per_second, allowed):
    rates = Rates({"per_second": per_second})
    assert [rates.wait("a", 0.0) for _ in range(allowed)] == [0.0] * allowed
    assert rates.wait("a", 0.0) > 0


@given(st.floats(0.1, 100), st.integers(1, 20), st.lists(st.floats(0, 3), max_size=200))
def test_never_more_than_burst_and_rate_allow(per_second, burst, pauses):
    rates, now, passed = Rates({"per_second": per_second, "burst": burst}), 0.0, 0
    for pause in pauses:
        now += pause
        passed += not rates.wait("a", now)
        assert passed <= burst + per_second * now + 1e-6


def test_buckets_are_bounded():
    rates = Rates({"per_second": 1, "burst": 1})
    for number in range(http_limits.MAX_BUCKETS + 10):
        rates.wait(number, 0.0)
    assert len(rates._buckets) == http_limits.MAX_BUCKETS
    assert rates.wait(http_limits.MAX_BUCKETS, 0.0) > 0
    assert rates.wait(0, 0.0) == 0


@pytest.mark.parametrize(("seconds", "whole"), [(0.01, 1), (1.0, 1), (1.2, 2), (9.0, 9)])
def test_a_wait_is_told_in_whole_seconds_that_suffice(seconds, whole):
    assert whole_seconds(seconds) == whole


SERVE = """tokens = ["${ONE}", "${TWO}"]
rate_limit = { per_second = 0.01, burst = 8 }
tool_rate_limits = { add = { per_second = 0.01, burst = 2 }, "*" = { per_second = 0.01, burst = 3 } }
"""


@pytest.fixture
def server(tmp_path):
    with HttpServer(server_words(tmp_path, SERVE), env={**os.environ, "ONE": "one", "TWO": "two"}) as running:
        yield running


@pytest.mark.requirement("R136", "R188")
def test_too_many_requests_of_one_token_are_429_before_their_body_is_read(server):
    for _ in range(8):
        assert server.post(PING, bearer("one")).status == 200
    answer = server.post(PING, bearer("one"))
    assert (answer.status, answer.json["error"]) == (429, "too_many_requests")
    assert 1 <= int(answer.headers["retry-after"]) <= 100
    with server.wire() as wire:
        wire.send(server.head(headers={"Content-Length": "1000000", **bearer("one")}))
        assert wire.answer().status == 429
    assert server.post(PING, bearer("two")).status == 200
    assert server.post(PING).status == 401
    assert server.get("/health").status == 200


@pytest.mark.requirement("R136", "R188")
def test_a_tool_that_is_called_too_often_says_so_to_the_model(server):
    def said(tool, token, arguments):
        message, headers = modern(call(1, tool, arguments))
        return server.post(message, {**headers, **bearer(token)}).json["result"]

    numbers = {"a": 1, "b": 2}
    assert [said("add", "one", numbers).get("isError", False) for _ in range(3)] == [False, False, True]
    result = said("add", "one", numbers)
    facts = result["_meta"]["mcpgen/error"]
    assert (facts["code"], facts["reason"], facts["retryable"]) == ("M-RUN-002", "rate_limited", True)
    assert 1 <= facts["retryAfter"] <= 100
    assert result["content"][0]["text"].startswith("[M-RUN-002] add was not run: it was called too often.")
    assert "isError" not in said("add", "two", numbers)
    asked = {"user": "ann"}
    assert [said("sign_in", "one", asked).get("isError", False) for _ in range(4)] == [False, False, False, True]
