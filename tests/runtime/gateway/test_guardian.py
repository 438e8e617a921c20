"""No child and nothing that a child started outlives a gateway that was killed."""

import os
import signal
import subprocess
import sys
import textwrap

import pytest

from generator.runtime.gateway import guarding
from generator.runtime.gateway.guarding import Guard
from tests.command import ROOT
from tests.runtime.gateway.linking import SECONDS, connected, speaking
from tests.runtime.gateway.looking import none_left, zombies

GATEWAY = """
import sys
sys.path.insert(0, sys.argv[1])
from threading import Event
from generator.runtime.gateway.links import Ground, make_link
begun, ends = Event(), []
for number, command in enumerate((STUBBORN, STUBBORN, SILENT)):
    link = make_link(str(number), {"command": [sys.executable, "-c", command]}, Ground("/", client={}))
    link.start(begun.set, lambda *end: ends.append(end))
    while link._process is None or len(link.stderr_tail().splitlines()) < 2:
        begun.wait(0.02)
    print(link._process._popen.pid, flush=True)
Event().wait()
"""
STUBBORN = """
import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
subprocess.Popen([sys.executable, "-c", "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
                  "print('there', file=__import__('sys').stderr, flush=True); time.sleep(3600)"])
print("here", file=sys.stderr, flush=True)
time.sleep(3600)
"""
SILENT = """
import sys, time
print("one\\ntwo", file=sys.stderr, flush=True)
time.sleep(3600)
"""


@pytest.fixture
def own_guard(monkeypatch):
    """A guard of the test's own in place of the process's."""
    made = Guard()
    monkeypatch.setattr("generator.runtime.gateway.process.guard", made)
    yield made
    made.close()


@pytest.mark.requirement("R111")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_nothing_outlives_a_gateway_that_was_killed(number):
    program = f"STUBBORN = {STUBBORN!r}\nSILENT = {SILENT!r}\n{GATEWAY}"
    gateway = subprocess.Popen([sys.executable, "-c", program, str(ROOT)], stdout=subprocess.PIPE, text=True)
    with gateway:
        groups = [int(gateway.stdout.readline()) for _ in range(3)]
        gateway.send_signal(number)
        gateway.wait(SECONDS)
        for group in groups:
            assert none_left(group, 5), "an orphan outlives its gateway"


def test_a_child_is_guarded_from_its_beginning_to_its_end(own_guard):
    with connected(speaking("")) as child:
        group = child.link._process._popen.pid
        assert own_guard._groups == {group}
        guardian = own_guard._process
        assert guardian.poll() is None
    assert own_guard._groups == set()
    own_guard.close()
    assert guardian.returncode == 0
    assert guardian.pid not in zombies()


def test_a_guardian_that_died_is_replaced_and_told_of_all_children(own_guard):
    sleeper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"], start_new_session=True)
    with sleeper:
        own_guard.add(sleeper.pid)
        first = own_guard._process
        first.kill()
        first.wait(SECONDS)
        own_guard.add(2**22 + 1)  # no process has such a number
        assert own_guard._process is not first
        own_guard.close()
        assert sleeper.wait(SECONDS) == -signal.SIGTERM
    assert first.pid not in zombies()


def test_a_guardian_leaves_alone_what_has_ended(own_guard):
    sleeper = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True)
    with sleeper:
        own_guard.add(sleeper.pid)
        own_guard.remove(sleeper.pid)
        own_guard.close()
        assert sleeper.poll() is None


def test_without_an_interpreter_children_run_unguarded(own_guard, monkeypatch):
    monkeypatch.setattr(guarding.sys, "executable", "/no/such/python")
    own_guard.add(os.getpid())
    own_guard.remove(os.getpid())
    assert own_guard._process is None


def test_the_guardian_needs_nothing_but_the_interpreter():
    path = ROOT / "generator" / "runtime" / "gateway" / "guardian.py"
    words = [sys.executable, "-I", "-S", "-X", "importtime", str(path)]
    done = subprocess.run(words, input="", capture_output=True, text=True, timeout=SECONDS, check=True, env={})
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert not loaded & set(textwrap.dedent("subprocess threading typing re json logging pathlib").split())
