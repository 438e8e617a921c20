"""Limits that settings state hold, the others stay; a server that ends does so in time, whatever runs."""

from __future__ import annotations

import os
import signal
import sys
import time

import pytest

from tests.command import built
from tests.http_client import HttpServer, call, initialize, modern, request
from tests.stdio_client import stub

from .http_behaviour import bearer
from .serving import server_words

PING = request(1, "ping")
SERVE = """max_message_bytes = 5000
max_nesting = 8
max_calls = 3
max_threads = 2
max_sessions = 2
session_seconds = 1000
shutdown_seconds = 0.2
"""


@pytest.fixture(scope="module")
def argv(tmp_path_factory):
    return server_words(tmp_path_factory.mktemp("limits"), f"[serve.limits]\n{SERVE}")


@pytest.fixture
def server(argv):
    with HttpServer(argv) as running:
        yield running


@pytest.mark.requirement("R136")
def test_calls_beyond_those_that_may_be_open_are_busy(server):
    wires = [server.wire() for _ in range(3)]
    server.post(call(0, "nap", {"seconds": 0}))
    for number, wire in enumerate(wires):
        wire.send(server.bytes_of(*modern(call(number, "nap", {"seconds": 1.0}))))
    until = time.monotonic() + 1.0
    codes = set()
    while time.monotonic() < until and "M-RUN-002" not in codes:
        result = server.post(call(9, "nap", {"seconds": 0})).json["result"]
        codes.add(result.get("_meta", {}).get("mcpgen/error", {}).get("code"))
    assert "M-RUN-002" in codes
    assert all(wire.answer().json["result"]["content"][0]["text"] == "rested" for wire in wires)
    for wire in wires:
        wire.close()
    assert "isError" not in server.post(call(9, "nap", {"seconds": 0})).json["result"]


def test_messages_are_bounded_in_bytes_and_levels(server):
    assert server.post(request(1, "ping", {"x": "y" * 5000})).status == 413
    assert server.post(request(1, "ping", {"x": "y" * 4000})).status == 200
    deep: object = 1
    for _ in range(8):
        deep = [deep]
    assert server.post(request(1, "ping", {"x": deep})).code == -32700


def test_sessions_are_bounded(server):
    ids = [server.post(initialize()).headers["mcp-session-id"] for _ in range(3)]
    assert [server.post(PING, {"Mcp-Session-Id": each}).status for each in ids] == [404, 200, 200]


@pytest.mark.requirement("R137")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_ends_in_the_time_that_settings_allow_whatever_runs(argv, number):
    with HttpServer(argv) as server:
        wire = server.wire()
        server.post(call(0, "add", {"a": 1, "b": 1}))
        wire.send(server.bytes_of(*modern(call(1, "nap", {"seconds": 600}))))
        server.post(call(0, "add", {"a": 1, "b": 1}))
        status, seconds = server.stop(number)
        assert status == 128 + number
        assert seconds < 8.0
        assert wire.answer().json["result"]["_meta"]["mcpgen/error"]["code"] == "M-RUN-004"
        wire.close()


def test_origins_and_hosts_of_the_settings_are_known(tmp_path):
    serve = 'allow_hosts = ["${NAME}"]\nallow_origins = ["https://app.example"]'
    with HttpServer(server_words(tmp_path, serve), env={**os.environ, "NAME": "weather.example"}) as running:
        assert running.post(PING, {"Host": "weather.example"}).status == 200
        assert running.post(PING, {"Host": "other.example"}).status == 421
        allowed = running.post(PING, {"Origin": "https://app.example"})
        assert allowed.headers["access-control-allow-origin"] == "https://app.example"
        assert running.post(PING, {"Origin": "https://other.example"}).status == 403


def test_words_of_the_command_line_replace_lists_of_the_settings(tmp_path):
    argv = server_words(tmp_path, 'tokens = ["${ONE}"]\nallow_hosts = ["weather.example"]')
    with HttpServer(
        argv, "--token-env", "TWO", "--allow-host", "w.example", env={**os.environ, "TWO": "two"}
    ) as running:
        assert running.post(PING, {**bearer("two"), "Host": "w.example"}).status == 200
        assert running.post(PING, {**bearer("two"), "Host": "weather.example"}).status == 421


IN_TURN = """'''Count.'''

import time

from mcpgen import tool

running = 0


@tool(max_concurrent=1)
def alone(seconds: float) -> int:
    '''Say how many run.'''
    global running
    running += 1
    time.sleep(seconds)
    running -= 1
    return running + 1


def together(seconds: float) -> int:
    '''Say how many run.'''
    global running
    running += 1
    time.sleep(seconds)
    running -= 1
    return running + 1
"""


@pytest.mark.requirement("R187")
@pytest.mark.parametrize(("tool", "alone"), [("alone", True), ("together", False)])
def test_tools_run_at_once_unless_they_ask_to_run_alone(tmp_path, tool, alone):
    with HttpServer(stub(built(tmp_path, "counts", IN_TURN), sys.executable)) as server:
        server.post(call(0, tool, {"seconds": 0.01}))
        wires = [server.wire() for _ in range(4)]
        for number, wire in enumerate(wires):
            wire.send(server.bytes_of(*modern(call(number, tool, {"seconds": 0.2}))))
        counts = [wire.answer().json["result"]["structuredContent"]["result"] for wire in wires]
        for wire in wires:
            wire.close()
    assert (counts == [1, 1, 1, 1]) is alone
