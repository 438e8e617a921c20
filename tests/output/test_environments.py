"""`--check` on another machine: what a lock records of its environment is no drift, but may explain one."""

import dataclasses

import pytest

from generator.output import lock
from generator.output.check import check
from generator.output.write import write

THERE = {"python": "3.13", "platform": "linux", "httpx": "0.27"}
HERE = {"python": "3.11", "platform": "win32", "numpy": "2.0"}
LOCK = lock.Lock(generator="1", runtime="2", server="a-mcp", environment=THERE)
MINE = dataclasses.replace(LOCK, environment=HERE)
TREE = {"a.txt": b"a\n", "b.txt": b"b\n"}


@pytest.fixture
def out(tmp_path):
    write(TREE, tmp_path, LOCK)
    return tmp_path


def test_another_environment_alone_is_no_drift(out):
    checked = check(TREE, out, MINE)
    assert (checked.difference, checked.diagnostics) == ("", ())


def test_another_environment_is_told_with_the_first_file_that_differs(out):
    checked = check({"a.txt": b"new\n", "b.txt": b"new\n"}, out, MINE)
    first, second = checked.diagnostics
    assert (first.message, second.notes) == ("`a.txt` is not what a build writes now", ())
    (note,) = first.notes
    assert "httpx 0.27 -> none, numpy none -> 2.0, platform linux -> win32, python 3.13 -> 3.11" in note
    assert "--python" in first.hint
    assert "environment" not in checked.difference


def test_the_same_environment_is_not_spoken_of(out):
    (found,) = check(TREE | {"a.txt": b"new\n"}, out, LOCK).diagnostics
    assert (found.notes, "--python" in found.hint) == ((), False)


def test_many_differences_are_counted(out):
    many = dataclasses.replace(LOCK, environment={f"package{number}": "1" for number in range(9)} | THERE)
    (found,) = check(TREE | {"a.txt": b"new\n"}, out, many).diagnostics
    assert found.notes[0].endswith(" and 4 more")


def test_any_other_change_of_the_lock_is_drift(out):
    checked = check(TREE, out, dataclasses.replace(MINE, names={"m:f": "f"}))
    assert [each.message for each in checked.diagnostics] == ["`mcpgen.lock` is not what a build writes now"]
