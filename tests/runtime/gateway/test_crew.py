"""Threads that are started when they are needed."""

import threading

import pytest

from generator.runtime.gateway import crew
from generator.runtime.gateway.crew import Crew
from tests.runtime.gateway.linking import SECONDS


def test_jobs_that_wait_for_one_another_run_at_once():
    team, barrier = Crew(8), threading.Barrier(9)
    for _ in range(20):
        for _ in range(8):
            team.do(lambda: barrier.wait(SECONDS))
        barrier.wait(SECONDS)


def test_no_more_threads_run_than_there_may_be_and_nothing_is_left_out():
    team, lock, done = Crew(3), threading.Lock(), threading.Semaphore(0)
    now, most = [0], [0]

    def job():
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        with lock:
            now[0] -= 1
        done.release()

    for _ in range(500):
        team.do(job)
    assert all(done.acquire(timeout=SECONDS) for _ in range(500))
    assert most[0] <= 3
    assert team._threads <= 3


def test_idle_threads_go_and_come_again(monkeypatch):
    monkeypatch.setattr(crew, "IDLE_SECONDS", 0.01)
    team, done = Crew(4), threading.Semaphore(0)
    for _ in range(200):
        team.do(done.release)
        assert done.acquire(timeout=SECONDS)
        if team._threads == 0:
            break
    for _ in range(1000):
        if team._threads == 0:
            break
        threading.Event().wait(0.01)
    assert (team._threads, team._free, team._late) == (0, 0, 0)
    team.do(done.release)
    assert done.acquire(timeout=SECONDS)


def test_a_system_without_threads_is_said_once_none_is_there(monkeypatch):
    team, held, begun = Crew(4), threading.Event(), threading.Event()
    done = threading.Semaphore(0)
    team.do(lambda: (begun.set(), held.wait(SECONDS)))
    assert begun.wait(SECONDS)

    def refuse(*_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(crew, "start_new_thread", refuse)
    team.do(done.release)
    held.set()
    assert done.acquire(timeout=SECONDS)
    with pytest.raises(RuntimeError):
        Crew(4).do(done.release)
