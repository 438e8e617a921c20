"""Calls of real children that die, take too long, or are given up: each has one end, and the next call is served."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import TYPE_CHECKING

import pytest

from tests.http_client import HttpServer, call
from tests.runtime.gateway.gatewaying import gateway, tool
from tests.stdio_client import StdioServer, stub

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DEAD = 1.0
"""Seconds until the call of a dead child has failed."""


@pytest.fixture
def project(tmp_path: Path, child: dict) -> Path:
    tools = [
        tool("worker", "add"),
        tool("worker", "dies"),
        tool("worker", "dies_once", annotations={"readOnlyHint": True}),
        tool("worker", "rest", limits={"timeout": 0.5}),
        tool("worker", "fails"),
        tool("gone", "x"),
    ]
    return gateway(tmp_path / "made", {"worker": child, "gone": {"command": ["/nowhere/python"]}}, tools)


@pytest.fixture
def server(project: Path) -> Iterator[StdioServer]:
    with StdioServer(stub(project, sys.executable)) as running:
        running.initialize()
        running.call("worker__add", {"a": 1, "b": 1})
        yield running


def _facts(result: dict) -> dict:
    assert result["isError"] is True
    facts = result["_meta"]["mcpgen/error"]
    assert result["errorData"]["suggestion"] in result["content"][0]["text"]
    return facts


@pytest.mark.alone
@pytest.mark.requirement("R117")
def test_a_call_whose_child_dies_fails_at_once_by_name_and_the_next_one_is_served(server: StdioServer) -> None:
    begun = time.monotonic()
    result = server.call("worker__dies")
    assert time.monotonic() - begun < DEAD
    facts = _facts(result)
    assert (facts["code"], facts["reason"], facts["child"]) == ("M-RUN-004", "child_disconnected", "worker")
    assert facts["retryable"] is False
    assert "server worker behind this gateway: it ended with exit status 9" in result["content"][0]["text"]
    assert server.call("worker__add", {"a": 2, "b": 2})["structuredContent"] == {"result": 4}


@pytest.mark.requirement("R117")
def test_a_read_only_call_is_sent_once_more_after_its_child_died(server: StdioServer, tmp_path: Path) -> None:
    result = server.call("worker__dies_once", {"path": os.fspath(tmp_path / "once")})
    assert result["content"] == [{"type": "text", "text": "alive"}]


@pytest.mark.alone
def test_a_call_that_takes_too_long_fails_by_name_and_its_child_lives_on(server: StdioServer) -> None:
    begun = time.monotonic()
    facts = _facts(server.call("worker__rest", {"seconds": 60}))
    assert 0.4 < time.monotonic() - begun < 2.0
    assert (facts["code"], facts["reason"], facts["child"]) == ("M-RUN-001", "child_timeout", "worker")
    assert server.call("worker__add", {"a": 2, "b": 3})["structuredContent"] == {"result": 5}
    assert server.stderr.count("child worker started") == 1


def test_a_call_its_client_gives_up_is_given_up_in_the_child_and_never_answered(server: StdioServer) -> None:
    given_up = server.send("tools/call", {"name": "worker__rest", "arguments": {"seconds": 60}})
    server.notify("notifications/cancelled", {"requestId": given_up, "reason": "no longer wanted"})
    assert server.call("worker__add", {"a": 3, "b": 3})["structuredContent"] == {"result": 6}
    assert given_up not in server._answers


def test_a_child_that_cannot_be_started_is_told_of_and_later_refused_with_the_time_to_wait(server: StdioServer) -> None:
    first = server.call("gone__x")
    assert _facts(first)["reason"] == "cli_unavailable"
    assert "/nowhere/python could not be started: no such file or directory" in first["content"][0]["text"]
    texts = [server.call("gone__x")["content"][0]["text"] for _ in range(5)]
    assert "and is started again in" in texts[-1]
    assert server.stderr.count("child gone failed") < 6


def test_a_tools_own_error_is_passed_on_as_the_tool_said_it(server: StdioServer) -> None:
    result = server.call("worker__fails")
    assert (result["isError"], result["content"]) == (True, [{"type": "text", "text": "it does not work"}])


def test_what_a_server_says_of_wrong_arguments_has_the_gateways_name_of_the_tool(server: StdioServer) -> None:
    text = server.call("worker__add", {"a": 1})["content"][0]["text"]
    assert text.startswith("1 problem with the arguments of worker__add:\n- [M-INP-004] /b: ")


@pytest.mark.alone
def test_the_same_over_http(project: Path) -> None:
    with HttpServer(stub(project, sys.executable)) as server:
        begun = time.monotonic()
        server.post(call(1, "worker__add", {"a": 1, "b": 1}))
        begun = time.monotonic()
        assert _facts(server.post(call(2, "worker__dies")).json["result"])["child"] == "worker"
        assert time.monotonic() - begun < DEAD
        assert _facts(server.post(call(3, "worker__rest", {"seconds": 60})).json["result"])["code"] == "M-RUN-001"
        result = server.post(call(4, "worker__add", {"a": 1, "b": 2})).json["result"]
        assert result["structuredContent"] == {"result": 3}


def test_log_and_events_name_child_and_outcome(project: Path, tmp_path: Path) -> None:
    events = tmp_path / "events.jsonl"
    words = [*stub(project, sys.executable), "--events", os.fspath(events), "--log-format", "json"]
    with StdioServer(words) as server:
        server.initialize()
        server.call("worker__add", {"a": 1, "b": 1})
        server.call("worker__dies")
    told = [json.loads(line) for line in events.read_text(encoding="utf-8").splitlines()]
    assert [(each["original"], each["server"], each["status"]) for each in told] == [
        ("add", "worker", "success"),
        ("dies", "worker", "error"),
    ]
    assert told[1]["error"] == "M-RUN-004"
    lines = [json.loads(line) for line in server.stderr.splitlines()]
    assert {line["msg"] for line in lines} >= {"call", "child started", "child failed"}
