"""Places that calls hold - a thread, a lane, a loop - are given back however the call ends."""

from __future__ import annotations

import sys

import pytest

from tests.stdio_client import StdioServer, stub

MODULE = '''"""Take places."""

import asyncio
import time


def nap(seconds: float) -> str:
    """Sleep."""
    time.sleep(seconds)
    return "rested"


def alone(seconds: float) -> str:
    """Sleep, one call at a time."""
    time.sleep(seconds)
    return "alone"


async def walk(seconds: float) -> str:
    """Wait, one call at a time."""
    await asyncio.sleep(seconds)
    return "there"


async def block(seconds: float) -> str:
    """Sleep on the loop."""
    time.sleep(seconds)
    return "rested"
'''
SETTINGS = "".join(f"[tools.{name}]\nmax_concurrent = 1\n" for name in ("alone", "walk"))
WORKERS = 32


@pytest.fixture(scope="module")
def argv(served):
    return stub(served("slots", MODULE, SETTINGS), sys.executable)


def text(result):
    return result["content"][0]["text"]


def test_a_call_cancelled_while_it_waits_for_a_thread_gives_its_lane_back(argv):
    with StdioServer(argv) as server:
        naps = [server.send("tools/call", {"name": "nap", "arguments": {"seconds": 0.4}}) for _ in range(WORKERS)]
        waiting = server.send("tools/call", {"name": "alone", "arguments": {"seconds": 0}})
        server.notify("notifications/cancelled", {"requestId": waiting})
        for number in naps:
            assert text(server.wait_for(number)) == "rested"
        assert text(server.call("alone", {"seconds": 0})) == "alone"


def test_a_call_cancelled_before_the_loop_takes_it_gives_its_lane_back(argv):
    with StdioServer(argv) as server:
        assert text(server.call("walk", {"seconds": 0})) == "there"
        blocking = server.send("tools/call", {"name": "block", "arguments": {"seconds": 0.3}})
        waiting = server.send("tools/call", {"name": "walk", "arguments": {"seconds": 0}})
        server.notify("notifications/cancelled", {"requestId": waiting})
        assert text(server.wait_for(blocking)) == "rested"
        assert text(server.call("walk", {"seconds": 0})) == "there"


def test_a_call_cancelled_while_it_waits_for_its_lane_lets_the_next_one_through(argv):
    with StdioServer(argv) as server:
        first = server.send("tools/call", {"name": "walk", "arguments": {"seconds": 0.2}})
        second = server.send("tools/call", {"name": "walk", "arguments": {"seconds": 0}})
        third = server.send("tools/call", {"name": "walk", "arguments": {"seconds": 0}})
        server.notify("notifications/cancelled", {"requestId": second})
        assert text(server.wait_for(first)) == "there"
        assert text(server.wait_for(third)) == "there"
        assert second in server._asked


def test_running_calls_that_are_cancelled_make_room_for_others(argv):
    with StdioServer(argv) as server:
        for _ in range(2):
            naps = [
                server.send("tools/call", {"name": "nap", "arguments": {"seconds": 30}}) for _ in range(WORKERS - 2)
            ]
            assert server.request("ping") == {}
            for number in naps:
                server.notify("notifications/cancelled", {"requestId": number})
        assert text(server.call("nap", {"seconds": 0}, timeout=10)) == "rested"


def test_calls_beyond_all_threads_left_behind_are_refused_with_a_code(argv):
    with StdioServer(argv) as server:
        for _ in range(4):
            naps = [server.send("tools/call", {"name": "nap", "arguments": {"seconds": 30}}) for _ in range(WORKERS)]
            assert server.request("ping") == {}
            for number in naps:
                server.notify("notifications/cancelled", {"requestId": number})
        refused = server.call("nap", {"seconds": 0}, timeout=10)
        assert refused["isError"] is True
        assert text(refused).startswith("[M-RUN-002] nap was not run: the server is busy")
        assert text(server.call("walk", {"seconds": 0})) == "there"
