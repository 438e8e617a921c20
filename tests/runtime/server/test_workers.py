"""Threads for synchronous calls: how many there are, and which of them count."""

from __future__ import annotations

import threading

import pytest

from generator.runtime.server.workers import Workers
from generator.runtime.wire import limits

SECONDS = 20


class Job:
    """A call as the pool sees one: it waits parked or not, until `go_on` is set."""

    def __init__(self, pool=None):
        self.pool = pool
        self.began, self.go_on, self.done = threading.Event(), threading.Event(), threading.Event()

    def run(self):
        if self.pool is not None:
            self.pool.park(self)
        self.began.set()
        assert self.go_on.wait(SECONDS)
        if self.pool is not None:
            self.pool.unpark(self)
        self.done.set()


@pytest.fixture
def pool(monkeypatch):
    monkeypatch.setattr(limits, "MAX_WORKERS", 2)
    monkeypatch.setattr(limits, "MAX_PARKED", 3)
    return Workers(Job.run)


def begun(pool, *jobs):
    for job in jobs:
        assert pool.submit(job)
    return [job for job in jobs if job.began.wait(0.2)]


def end(*jobs):
    for job in jobs:
        job.go_on.set()
    assert all(job.done.wait(SECONDS) for job in jobs)


def test_calls_that_wait_for_answers_hold_no_others_up(pool):
    waiting = [Job(pool) for _ in range(3)]
    assert begun(pool, *waiting) == waiting
    working = [Job(), Job()]
    assert begun(pool, *working) == working
    end(*waiting, *working)


def test_a_call_that_is_queued_runs_as_soon_as_another_waits_for_answers(pool):
    busy = [Job(), Job()]
    assert begun(pool, *busy) == busy
    queued = Job()
    assert begun(pool, queued) == []
    pool.park(busy[0])
    assert queued.began.wait(SECONDS)
    pool.unpark(busy[0])
    end(*busy, queued)


def test_there_is_a_limit_to_threads_that_wait(pool):
    waiting = [Job(pool) for _ in range(6)]
    assert len(begun(pool, *waiting)) == limits.MAX_WORKERS + limits.MAX_PARKED
    end(*waiting)


def test_threads_that_are_too_many_afterwards_end(pool):
    before = threading.active_count()
    waiting = [Job(pool) for _ in range(5)]
    assert begun(pool, *waiting) == waiting
    end(*waiting)
    again = [Job() for _ in range(4)]
    assert len(begun(pool, *again)) == limits.MAX_WORKERS
    end(*again)
    assert threading.active_count() <= before + limits.MAX_WORKERS


def test_a_call_that_was_given_up_while_it_waited_counts_once(pool):
    job = Job(pool)
    assert begun(pool, job) == [job]
    pool.abandon(job)
    working = [Job(), Job(), Job()]
    assert begun(pool, *working) == working[:2]
    end(job, *working)
