"""No child and nothing that a child started outlives a gateway that was killed."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

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

KILLED = """
import sys, time
sys.path.insert(0, sys.argv[1])
from generator.runtime.gateway.links import Ground, make_link
link = make_link("it", {"command": [sys.executable, "-c", WORDS]}, Ground("/", client={}))
link.start(lambda: None, lambda *end: None)
while not link.stderr_tail():
    time.sleep(0.02)
print(link.stderr_tail(), flush=True)
time.sleep(3600)
"""
SLEEPS = "import time; time.sleep(3600)"
GONE_SECONDS = 5.0

needs_proc = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="only Linux shows whose a process is")


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
        assert [*own_guard._groups.values()] == [group]
        guardian = own_guard._process
        assert guardian.poll() is None
    assert own_guard._groups == {}
    own_guard.close()
    assert guardian.returncode == 0
    assert guardian.pid not in zombies()


def test_a_guardian_that_died_is_replaced_and_told_of_all_children(own_guard):
    sleeper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"], start_new_session=True)
    with sleeper:
        own_guard.started(own_guard.begin(), sleeper.pid)
        first = own_guard._process
        first.kill()
        first.wait(SECONDS)
        own_guard.begin()
        assert own_guard._process is not first
        own_guard.close()
        assert sleeper.wait(SECONDS) == -signal.SIGTERM
    assert first.pid not in zombies()


def test_a_guardian_leaves_alone_what_has_ended(own_guard):
    sleeper = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True)
    with sleeper:
        mark = own_guard.begin()
        own_guard.started(mark, sleeper.pid)
        own_guard.end(mark)
        own_guard.close()
        assert sleeper.poll() is None


def test_without_an_interpreter_children_run_unguarded(own_guard, monkeypatch):
    monkeypatch.setattr(guarding.sys, "executable", "/no/such/python")
    mark = own_guard.begin()
    own_guard.started(mark, os.getpid())
    own_guard.end(mark)
    assert own_guard._process is None


@needs_proc
def test_a_child_that_was_started_but_not_told_of_ends_with_the_gateway(own_guard):
    """The gateway is killed between the two."""
    env = {**os.environ, guarding.VARIABLE: own_guard.begin()}
    with subprocess.Popen([sys.executable, "-c", SLEEPS], start_new_session=True, env=env) as sleeper:
        own_guard.close()
        assert sleeper.wait(SECONDS) == -signal.SIGTERM


LEAVES = r"""
import os, subprocess, sys
kind = KIND
words = [sys.executable, "-c", "import os, sys, time; print(os.getpid(), flush=True); time.sleep(3600)"]
env = dict(os.environ)
if kind == "unmarked":
    env.pop("MCPGEN_CHILD")
if kind == "daemon":
    words[2] = "import os\nif os.fork(): os._exit(0)\nos.setsid()\nif os.fork(): os._exit(0)\n" + words[2]
if kind == "stubborn":
    words[2] = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + words[2]
left = subprocess.Popen(words, start_new_session=True, env=env, stdout=subprocess.PIPE)
number = int(left.stdout.readline())
"""
"""What a child does that leaves a process behind in a session of its own."""

ANSWERS_WITH_IT = """
elif method == "tools/call" and message["params"]["name"] == "die":
    os._exit(9)
elif method == "tools/call":
    answer(message, {"number": number})
"""


def _leaving(kind):
    """Return the row of a child that leaves such a process behind.

    One that has no mark is known by its parent, as long as that lives: so it does not end with its input.
    """
    row = speaking(ANSWERS_WITH_IT)
    stays = "\ntime.sleep(3600)\n" if kind == "unmarked" else ""
    row["command"][-1] = LEAVES.replace("KIND", repr(kind)) + row["command"][-1] + stays
    return row


def _ends(number):
    until = time.monotonic() + GONE_SECONDS
    while time.monotonic() < until:
        try:
            os.kill(number, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


@needs_proc
@pytest.mark.requirement("R111")
@pytest.mark.parametrize("kind", ["plain", "daemon", "stubborn", "unmarked"])
def test_what_a_child_put_into_a_session_of_its_own_ends_with_it(own_guard, kind):
    with connected(_leaving(kind)) as child:
        number = child.call("t").result["number"]
        os.kill(number, 0)
    assert _ends(number)
    assert own_guard._process.poll() is None, "the guardian is there for others"


@needs_proc
def test_what_a_child_that_died_left_behind_ends_too(own_guard):
    with connected(_leaving("daemon")) as child:
        number = child.call("t").result["number"]
        child.call("die").end()
        assert _ends(number)


@needs_proc
def test_what_is_started_without_the_mark_and_without_its_parents_lives_on(own_guard):
    """The limit: nothing says any more whose it is."""
    row = speaking(ANSWERS_WITH_IT)
    words = LEAVES.replace("KIND", "'daemon'").replace("env = dict(os.environ)", "env = {}")
    row["command"][-1] = words + row["command"][-1]
    with connected(row) as child:
        number = child.call("t").result["number"]
    own_guard.close()
    os.kill(number, signal.SIGKILL)
    assert _ends(number)


@needs_proc
@pytest.mark.requirement("R111")
@pytest.mark.parametrize("kind", ["plain", "daemon", "stubborn", "unmarked"])
def test_it_does_not_outlive_a_gateway_that_was_killed(kind):
    words = _leaving(kind)["command"][-1].replace(
        "import json", "print(number, file=sys.stderr, flush=True)\nimport json"
    )
    program = f"WORDS = {words!r}\n{KILLED}"
    with subprocess.Popen([sys.executable, "-c", program, str(ROOT)], stdout=subprocess.PIPE, text=True) as gateway:
        number = int(gateway.stdout.readline())
        gateway.kill()
        gateway.wait(SECONDS)
        assert _ends(number)


def test_the_guardian_needs_nothing_but_the_interpreter():
    path = ROOT / "generator" / "runtime" / "gateway" / "guardian.py"
    words = [sys.executable, "-I", "-S", "-X", "importtime", str(path), "MCPGEN_CHILD"]
    done = subprocess.run(words, input="", capture_output=True, text=True, timeout=SECONDS, check=True, env={})
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert not loaded & set(textwrap.dedent("subprocess threading typing re json logging pathlib").split())
