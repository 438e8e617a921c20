"""The results of calls that were not run to their end."""

from __future__ import annotations

import pytest

from generator.runtime.server import outcome


@pytest.fixture
def call(bench):
    return bench.call(bench.tool(lambda: None))


@pytest.fixture
def harmless_call(bench):
    return bench.call(bench.tool(lambda: None, annotations={"readOnlyHint": True}))


def facts(result):
    assert result["isError"] is True
    assert "structuredContent" not in result
    assert result["errorData"]["errorCode"] == result["_meta"]["mcpgen/error"]["code"]
    assert result["content"][0]["text"].startswith(f"[{result['errorData']['errorCode']}] forecast ")
    assert result["content"][0]["text"].endswith(result["errorData"]["suggestion"])
    return result["_meta"]["mcpgen/error"]


def test_a_time_out_says_how_long_and_whether_to_try_again(call, harmless_call):
    assert facts(outcome.timed_out(call, 10.0))["code"] == "M-RUN-001"
    assert facts(outcome.timed_out(call, 10.0))["retryable"] is False
    assert facts(outcome.timed_out(harmless_call, 0.25))["retryable"] is True
    assert "timed out: it did not finish within 0.25 s" in outcome.timed_out(call, 0.25)["content"][0]["text"]


def test_a_busy_server_says_to_come_back(call):
    assert facts(outcome.busy(call)) == {"code": "M-RUN-002", "tool": "forecast", "reason": "busy", "retryable": True}


def test_a_stopped_process_is_named(call, harmless_call):
    assert facts(outcome.stopped(call))["code"] == "M-RUN-004"
    assert "Check what it changed" in outcome.stopped(call)["content"][0]["text"]
    assert "once the server is back" in outcome.stopped(harmless_call)["content"][0]["text"]


def test_a_call_that_the_end_of_the_input_cut_off_says_so(call):
    text = outcome.stopped(call, input_ended=True)["content"][0]["text"]
    assert "input ended" in text
    assert "Keep the input open" in text


def test_a_deep_place_in_a_result_is_shortened(call):
    text = outcome.broken_result(call, "result" + "[0]" * 200, "too deep")["content"][0]["text"]
    assert len(text) < 400
    assert "…" in text
