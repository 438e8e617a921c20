"""What is said of tests that leave threads behind, and what is not."""

import sys
import threading
from time import monotonic

from generator.runtime.gateway.alarm import Alarm
from generator.runtime.gateway.crew import Crew
from generator.runtime.server import logs
from tests import leftovers


def test_a_clock_that_still_has_something_to_do_is_found_until_it_ends():
    before, clock, begun = leftovers.running(), Alarm(), threading.Event()
    clock.at(monotonic() + 1000, print)
    clock.at(0.0, begun.set)
    assert begun.wait(leftovers.SECONDS)
    assert leftovers.since(before, 0.0) == ["gateway/alarm.py: _run"]
    clock.at(0.0, sys.exit)
    assert leftovers.since(before) == []


def test_a_thread_that_works_is_found_and_one_that_waits_for_work_is_not():
    before, crew = leftovers.running(), Crew(1)
    begun, release = threading.Event(), threading.Event()
    busy = Alarm()  # its function stands for any work of the runtime
    busy.at(0.0, lambda: (begun.set(), release.wait(leftovers.SECONDS), sys.exit()))
    assert begun.wait(leftovers.SECONDS)
    crew.do(lambda: None)
    assert leftovers.since(before, 0.0) == ["gateway/alarm.py: _run"]
    release.set()
    assert leftovers.since(before) == []


def test_a_thread_of_the_test_itself_is_nobody_elses_business():
    before, release = leftovers.running(), threading.Event()
    thread = threading.Thread(target=release.wait)
    thread.start()
    assert leftovers.since(before, 0.0) == []
    release.set()
    thread.join()


def test_a_line_that_waits_for_the_next_one_is_dropped():
    logs.write("a line of this test", hold=True)
    assert logs._held
    leftovers.drop_lines()
    assert not logs._held
