"""When the watch finds a call slow, and how soon it looks again, on a clock of the test's own."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from generator.runtime.server import watch as module
from generator.runtime.server.watch import CALM_SECONDS, CALM_TICK, LINGER_TICKS, SLOW_SECONDS, TICK, Watch

NOW = 0.0


@pytest.fixture
def handed():
    return []


@pytest.fixture
def role():
    return SimpleNamespace(running=None)


@pytest.fixture
def watch(role, handed):
    return Watch(
        set(), role, hand_over=handed.append, overdue=handed.append, client_gone=lambda: False, end=lambda: None
    )


def running(since: float) -> Any:
    return SimpleNamespace(started=NOW - since)


def test_a_call_is_handed_over_once_it_has_run_long_enough(watch, role, handed):
    for since in (0, SLOW_SECONDS / 2, SLOW_SECONDS * 0.99):
        role.running = running(since)
        watch._look_at_role(NOW)
    assert handed == []
    role.running = running(SLOW_SECONDS)
    assert watch._look_at_role(NOW) == 0
    assert handed == [role.running]


def test_a_call_that_may_be_slow_is_looked_at_again_when_it_would_be(watch, role):
    role.running = running(SLOW_SECONDS * 0.75)
    assert watch._look_at_role(NOW) == pytest.approx(SLOW_SECONDS * 0.25)
    role.running = running(0.00001)
    assert watch._look_at_role(NOW) == 0  # as usual


def test_it_looks_more_often_for_a_while_after_a_slow_call(watch, role):
    role.running = running(0)
    assert watch._pause(0, NOW) == CALM_TICK
    role.running = running(SLOW_SECONDS)
    watch._look_at_role(NOW)
    assert watch._pause(0, NOW + CALM_SECONDS * 0.99) == TICK
    assert watch._pause(0, NOW + CALM_SECONDS) == CALM_TICK


def test_it_sleeps_when_nothing_runs(watch, role):
    assert watch._pause(LINGER_TICKS - 1, NOW) == CALM_TICK
    assert watch._pause(LINGER_TICKS, NOW) == module.PARENT_SECONDS
    watch._open.add("call")
    assert watch._pause(LINGER_TICKS, NOW) == module.DEADLINE_SECONDS
    role.running = running(0)
    assert watch._pause(LINGER_TICKS, NOW) == CALM_TICK


def test_it_looks_again_soon_when_no_thread_can_be_started(watch, role):
    def no_thread(_: Any) -> None:
        raise RuntimeError("can't start new thread")

    watch._hand_over = no_thread
    role.running = running(1)
    assert watch._look_at_role(NOW) == TICK


def test_nobody_waits_longer_than_a_few_milliseconds():
    assert CALM_TICK + module.SUSPECT_SECONDS < 0.01
    assert TICK + module.SUSPECT_SECONDS < 0.005
