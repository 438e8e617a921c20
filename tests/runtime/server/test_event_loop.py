"""The loop of asynchronous tools: what it does with calls nobody waits for, and how it shows that it is ruined."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from generator.runtime.server.event_loop import STUCK_SECONDS, EventLoop


class FakeTool:
    name = "walk"


class FakeCall:
    """What a loop needs of a call."""

    def __init__(self, *, finished=False):
        self.tool = FakeTool()
        self.finished = finished
        self.on_cancel = None


class Answers:
    """Takes answers from the loop's thread, each within a bound."""

    def __init__(self):
        self._came = threading.Condition()
        self._kept = []

    def __call__(self, call, result):
        with self._came:
            self._kept.append((call, result))
            self._came.notify_all()

    def next(self):
        with self._came:
            assert self._came.wait_for(lambda: self._kept, 20)
            return self._kept.pop(0)


@pytest.fixture
def answers():
    return Answers()


async def done(_):
    return {"content": []}


def test_a_call_is_run_and_answered(answers):
    loop, call = EventLoop(answers), FakeCall()
    loop.submit(call, done)
    assert answers.next() == (call, {"content": []})
    assert loop.usable()


def test_a_call_nobody_waits_for_any_more_is_not_run_and_gives_its_place_back(answers):
    loop, call = EventLoop(answers), FakeCall(finished=True)

    async def never(_):
        raise AssertionError

    loop.submit(call, never)
    assert answers.next() == (call, {})


def test_a_cancelled_call_ends(answers):
    loop, call, begun = EventLoop(answers), FakeCall(), threading.Event()

    async def waits(_):
        begun.set()
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            return {"cancelled": True}

    loop.submit(call, waits)
    assert begun.wait(20)
    call.on_cancel()
    assert answers.next() == (call, {"cancelled": True})
    loop.look()
    assert loop.usable()


def test_a_call_that_is_given_up_just_as_it_begins_is_cancelled(answers):
    class GivenUp(FakeCall):
        looks = iter((False, True))  # nothing to cancel was there when its client gave it up
        finished = property(lambda self: next(self.looks), lambda *_: None)

    loop, call = EventLoop(answers), GivenUp()

    async def waits(_):
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            return {"cancelled": True}

    loop.submit(call, waits)
    assert answers.next() == (call, {"cancelled": True})


def test_a_blocked_loop_is_found_out_in_bounded_time(answers):
    loop, begun, release = EventLoop(answers), threading.Event(), threading.Event()

    async def blocks(_):
        begun.set()
        release.wait(20)
        return {}

    loop.submit(FakeCall(), blocks)
    assert begun.wait(20)
    assert loop.usable()
    started = time.monotonic()
    loop.look()
    assert not loop.usable()
    assert time.monotonic() - started < STUCK_SECONDS + 5
    release.set()
    answers.next()
    loop.submit(FakeCall(), done)
    answers.next()
    assert loop.usable(), "a loop that reacts again is used again"


def test_a_loop_that_user_code_ruined_answers_what_ran_there(answers):
    loop, call = EventLoop(answers), FakeCall()

    async def ruins(_):
        asyncio.get_running_loop().time = None
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        return {}

    loop.submit(call, ruins)
    answered, result = answers.next()
    assert answered is call
    assert result["isError"] is True
    assert loop.broken
    assert not loop.usable()


def test_a_task_that_exits_does_not_end_the_loop(answers):
    loop = EventLoop(answers)

    async def leaves(_):
        async def exits():
            raise SystemExit(3)

        kept.append(asyncio.get_running_loop().create_task(exits()))
        return {}

    kept = []
    loop.submit(FakeCall(), leaves)
    answers.next()
    loop.submit(FakeCall(), done)
    assert answers.next()[1] == {"content": []}
    assert isinstance(kept[0].exception(), SystemExit)
