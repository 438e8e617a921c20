"""The given bad children, one at a time, at the level of a link: how they end, what they cost, what they leave."""

import sys
import time

import pytest

from tests.command import ROOT
from tests.runtime.gateway.linking import SECONDS, connected
from tests.runtime.gateway.looking import none_left, resident, zombies

BAD = ROOT / "tests" / "cases" / "attacks" / "gateway"

ENDS = {
    "closes_stdout": "child_disconnected",
    "dies_on_start": "child_disconnected",
    "double_answer": "child_transport_error",
    "garbage": "child_parse_error",
    "grandchild": "child_timeout",
    "huge_line": "child_parse_error",
    "ignores_term": "child_timeout",
    "silent": "child_timeout",
    "slow_init": "child_timeout",
    "stderr_flood": "child_timeout",
    "stdout_flood": "child_timeout",
    "wrong_id": "child_parse_error",
}
"""Children that never become ready, and what is said of them."""

READY = ("dies_mid_call", "endless_pages", "list_changed_storm", "server_request", "shadow_tool")

START_SECONDS = 1.5

MAX_GROWTH = 64 * 1024 * 1024
"""Bytes that a child may make this process grow by: a few times the largest message."""


def row(name):
    return {"command": [sys.executable, str(BAD / f"child_{name}.py")], "limits": {"start_timeout": START_SECONDS}}


def test_every_given_child_is_tried():
    assert sorted([*ENDS, *READY]) == sorted(path.stem.removeprefix("child_") for path in BAD.glob("child_*.py"))


@pytest.mark.alone
@pytest.mark.requirement("R111", "R117")
@pytest.mark.parametrize("name", ENDS)
def test_a_child_that_never_becomes_ready_ends_in_time_within_its_memory(name):
    before = resident()
    begun = time.monotonic()
    with connected(row(name)) as child:
        reason, detail = child.end()
        assert reason == ENDS[name], detail
        assert time.monotonic() - begun < START_SECONDS + 3
        group = child.link._process._popen.pid
        leaving = time.monotonic()
        assert child.link.join(SECONDS)
        assert time.monotonic() - leaving < 4
    assert none_left(group, 1)
    assert group not in zombies()
    assert resident() - before < MAX_GROWTH


@pytest.mark.parametrize("name", READY)
def test_a_child_that_becomes_ready_is_listed_and_ended(name):
    with connected(row(name)) as child:
        assert child.link.state == "ready"
        assert child.link.peer.era == "legacy"
        assert "tools" in child.ask("tools/list").result
        group = child.link._process._popen.pid
    assert none_left(group, 1)
    assert group not in zombies()


@pytest.mark.alone
def test_a_child_that_dies_in_a_call_loses_it_within_a_second():
    with connected(row("dies_mid_call")) as child:
        begun = time.monotonic()
        assert child.call("t").end() == ("lost", "child_disconnected", "it ended with exit status 9")
        assert time.monotonic() - begun < 1


@pytest.mark.requirement("R113")
def test_a_request_with_the_id_of_an_errand_is_no_answer():
    with connected(row("server_request")) as child:
        for _ in range(3):
            assert child.ask("tools/list").result == {"tools": []}


def test_a_storm_of_changes_stops_no_answer():
    with connected(row("list_changed_storm")) as child:
        for _ in range(5):
            assert child.ask("tools/list").result == {"tools": []}
        heard = list(child.notifications)
    assert set(map(str, heard)) == {"('notifications/tools/list_changed', {})"}


def test_a_flooding_child_is_read_slowly():
    with connected({**row("stdout_flood"), "limits": {"start_timeout": 4}}) as child:
        child.end()
        assert 0 < len(child.notifications) < 60_000
