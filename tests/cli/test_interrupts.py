"""Ctrl-C where it gets lost: dropped by Python, or between a look at signals and a wait."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from tests.cli import interrupting
from tests.command import ROOT

SECONDS = 20.0

BEGIN = """
import os, signal, sys, threading, time
from concurrent.futures import Future
from generator import interrupts

def lose():
    class Dropping:
        def __del__(self):
            signal.raise_signal(signal.SIGINT)
    Dropping()
"""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="SIGINT is for POSIX")


def run(body: str) -> subprocess.CompletedProcess:
    words = [sys.executable, "-c", BEGIN + body]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(words, capture_output=True, text=True, timeout=SECONDS, env=env, check=False)


def test_python_itself_loses_an_interrupt_there() -> None:
    done = run("lose()\nprint('went on')")
    assert (done.returncode, done.stdout) == (0, "went on\n")


def test_one_that_was_dropped_ends_a_wait_at_once() -> None:
    body = """
    interrupts.tell()
    lose()
    begun = time.monotonic()
    try:
        interrupts.patiently([Future()])
    except KeyboardInterrupt:
        print(time.monotonic() - begun < 1)
    """
    assert run("if True:" + body).stdout == "True\n"


def test_one_that_comes_during_a_wait_ends_it_and_cancels_what_is_left() -> None:
    body = """
    interrupts.tell()
    left = Future()
    threading.Timer(0.3, signal.raise_signal, (signal.SIGINT,)).start()
    try:
        interrupts.patiently([left])
    except KeyboardInterrupt:
        print(left.cancelled())
    """
    assert run("if True:" + body).stdout == "True\n"


def test_one_that_was_dropped_is_not_lost_when_another_program_takes_over() -> None:
    body = """
    interrupts.tell()
    lose()
    try:
        interrupts.give_way()
    except KeyboardInterrupt:
        print("noticed")
    os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(60)"])
    """
    done = run("if True:" + body.replace('print("noticed")', 'print("noticed"); sys.exit(130)'))
    assert (done.returncode, done.stdout) == (130, "noticed\n")


def test_what_comes_after_that_ends_the_process() -> None:
    done = run("interrupts.tell()\ninterrupts.give_way()\nlose()\nprint('went on')")
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


def test_before_anything_is_begun_the_process_ends_even_where_exceptions_are_dropped() -> None:
    done = run("interrupts.leave_at_once()\nlose()\nprint('went on')")
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.parametrize("call", ["leave_at_once", "tell", "give_way"])
def test_an_interrupt_that_is_ignored_stays_so(call: str) -> None:
    body = f"signal.signal(signal.SIGINT, signal.SIG_IGN)\ninterrupts.{call}()\nlose()\nprint('went on')"
    done = run(body)
    assert (done.returncode, done.stdout) == (0, "went on\n")


def test_the_results_come_in_their_order_and_the_first_failure_is_raised() -> None:
    body = """
    first, second = Future(), Future()
    second.set_result(2)
    threading.Timer(0.2, first.set_result, (1,)).start()
    print(interrupts.patiently([first, second]))
    failed, never = Future(), Future()
    failed.set_exception(ZeroDivisionError())
    try:
        interrupts.patiently([never, failed])
    except ZeroDivisionError:
        print(never.cancelled())
    """
    assert run("if True:" + body).stdout == "[1, 2]\nTrue\n"


@pytest.mark.parametrize("program", [interrupting.HUNG, interrupting.ANSWERING], ids=["hung", "answering"])
@pytest.mark.parametrize("delay", [0.05, 0.25, 0.5, 0.9])
def test_ctrl_c_ends_it_at_any_moment(tmp_path, delay, program) -> None:
    """A sample: `python -m tests.cli.interrupting` tries as many moments as one likes."""
    env = interrupting.environment(tmp_path, program=program)
    begun = time.monotonic()
    status, said, seconds = interrupting.interrupted(tmp_path, env, delay)
    assert status in interrupting.ENDED, said
    assert seconds < interrupting.SECONDS, time.monotonic() - begun
    assert not interrupting.left(tmp_path)
