"""What user code took from the process comes back; what it replaced by something that works stays."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.command import ROOT

START = """
import builtins, os, sys
from generator.runtime.server import restoring
from generator.runtime.server.aftermath import look_after_process
"""


def ran(program: str) -> list[str]:
    """Run a program in an interpreter of its own, which it may ruin; return what it wrote on descriptor 2."""
    done = subprocess.run(
        [sys.executable, "-c", START + program],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stderr.decode().splitlines()


@pytest.mark.parametrize("name", ["print", "len", "BaseException", "OSError", "getattr", "setattr", "__import__"])
def test_a_deleted_builtin_comes_back_after_the_call(name):
    assert (
        ran(f"kept = builtins.{name}\ndel builtins.{name}\nlook_after_process()\nassert builtins.{name} is kept") == []
    )


@pytest.mark.parametrize("name", ["len", "isinstance", "__import__"])
def test_a_builtin_that_cannot_be_called_any_more_comes_back(name):
    program = f"kept = builtins.{name}\nbuiltins.{name} = None\nrestoring.restore()\nassert builtins.{name} is kept"
    assert ran(program) == []


def test_a_builtin_that_was_replaced_by_another_function_stays():
    program = (
        "builtins.print = lambda text: os.write(2, text.encode())\nbuiltins.extra = 1\n"
        "restoring.restore()\nprint('mine')\nassert builtins.extra == 1\nassert not restoring.is_damaged()"
    )
    assert ran(program) == ["mine"]


@pytest.mark.parametrize(
    "harm",
    [
        "sys.stdout.close()",
        "sys.stdout = None",
        "sys.stdout = object()",
        "del sys.stdout",
        "sys.__stdout__.close()",
        "sys.stdout = type('Angry', (), {'__getattr__': lambda self, name: 1 / 0})()",
    ],
)
def test_a_stream_that_takes_nothing_is_opened_again(harm):
    program = f"os.dup2(2, 1)\n{harm}\nassert restoring.is_damaged()\nrestoring.restore()\nprint('again')"
    assert ran(program) == ["again"]


def test_a_stream_of_the_users_that_works_stays():
    program = "import io\nmine = sys.stdout = io.StringIO()\nrestoring.restore()\nassert sys.stdout is mine"
    assert ran(program) == []


def test_closed_descriptors_are_led_somewhere_harmless():
    program = (
        "for each in (0, 1): os.close(each)\nrestoring.restore()\nassert os.read(0, 1) == b''\n"
        "os.write(1, b'through 1\\n')\nwith open(os.devnull) as other: assert other.fileno() > 2"
    )
    assert ran(program) == ["through 1"]


def test_a_closed_standard_error_is_led_to_nowhere():
    assert ran("os.close(2)\nrestoring.restore()\nos.write(2, b'lost')\nassert not restoring.is_damaged()") == []


def test_nothing_is_touched_when_nothing_is_missing():
    program = "kept = sys.stdout, sys.stderr\nrestoring.restore()\nassert (sys.stdout, sys.stderr) == kept"
    assert ran(program) == []
