"""A tiny process that ends what a gateway's children leave behind, and the children of a gateway that was killed.

Run as a program of its own (`python -I -S guardian.py VARIABLE`), it reads lines from standard input: `+MARK` before a
child is started, whose environment has the mark as that variable; `=MARK N` when it runs, in the process group N;
`?MARK` when it is going to be ended, `-MARK` when it has ended. When the input ends the gateway is gone, whatever the
reason: its children see the end of their own input then, are asked to end a moment later, and killed after another.
What they started, and put into a session of its own, is known by the mark, which the system shows (Linux), or by its
parents, as long as those live.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from time import monotonic

MERCY_SECONDS = 0.8
"""How long processes may take to end by themselves, and again after they were asked to: in all well below 5 s."""

SOON_SECONDS = 0.1
"""How long after a child's end it is looked what it left behind: often many end together."""

STEP_SECONDS = 0.05

READ_BYTES = 64 * 1024

MAX_ROUNDS = 5
"""How often it is looked for processes that were started while others were killed."""


PROC = "/proc"

LONGEST_ENVIRONMENT = 1 << 20
"""Bytes of a process's environment that are looked at."""


class Ward:
    """A child: `group` is 0 when it does not run, `known` are processes it started, `due` when to look for others."""

    __slots__ = ("asked", "due", "group", "known", "mark")

    def __init__(self, mark: bytes) -> None:
        self.mark = mark
        self.group = 0
        self.known: set[tuple[int, int]] = set()
        self.due = 0.0
        self.asked = False

    def look(self) -> None:
        """Take note of what it has started by now."""
        if self.group:
            self.known |= _descendants(self.group)


class Guardian:
    """The children that are guarded, by their marks."""

    def __init__(self, variable: bytes) -> None:
        self._variable = variable
        self._wards: dict[bytes, Ward] = {}

    def take(self, line: bytes) -> None:
        """Do what a line says."""
        mark, _, number = line[1:].partition(b" ")
        if line.startswith(b"+"):
            self._wards[mark] = Ward(mark)
        ward = self._wards.get(mark)
        if ward is None:
            return
        if line.startswith(b"="):
            ward.group = int(number)
        elif line.startswith(b"?"):
            ward.look()
        elif line.startswith(b"-"):
            ward.group, ward.due = 0, monotonic() + SOON_SECONDS  # its number may be another's from now on

    def pause(self) -> int | None:
        """Return the milliseconds until something is due, None for ever."""
        due = min((ward.due for ward in self._wards.values() if ward.due), default=0.0)
        return max(int((due - monotonic()) * 1000) + 1, 0) if due else None

    def sweep(self) -> None:
        """End what children left behind that have ended, in two steps."""
        now = monotonic()
        due = [ward for ward in self._wards.values() if ward.due and ward.due <= now]
        if not due:
            return
        left = _marked(self._variable, {ward.mark for ward in due})
        for ward in due:
            found = left.get(ward.mark, set()) | _alive(ward.known)
            _signal_all(found, signal.SIGKILL if ward.asked else signal.SIGTERM)
            ward.known, ward.due = found, now + MERCY_SECONDS
            if ward.asked or not found:
                del self._wards[ward.mark]
            ward.asked = True

    def end_all(self) -> None:
        """End everything, because the gateway is gone."""
        found = self._found()
        for number in (signal.SIGTERM, signal.SIGKILL):
            until = monotonic() + MERCY_SECONDS
            while (found or self._groups(0)) and monotonic() < until:
                select.select([], [], [], STEP_SECONDS)
                found = _alive(found)
            found |= self._found()
            self._groups(number)
            _signal_all(found, number)
        for _ in range(MAX_ROUNDS):
            found = self._found()
            if not found:
                break
            _signal_all(found, signal.SIGKILL)
            select.select([], [], [], STEP_SECONDS)

    def _found(self) -> set[tuple[int, int]]:
        """Return all processes that are known by their marks or by their parents."""
        found: set[tuple[int, int]] = set()
        for ward in self._wards.values():
            ward.look()
            found |= _alive(ward.known)
        return found.union(*_marked(self._variable, set(self._wards)).values())

    def _groups(self, number: int) -> bool:
        """Send a signal to all groups, forgetting those that have ended; False when nobody is left in any."""
        for ward in self._wards.values():
            try:
                if ward.group:
                    os.killpg(ward.group, number)
            except ProcessLookupError:
                ward.group = 0
            except OSError:
                pass  # somebody else's by now, or not to be signalled
        return any(ward.group for ward in self._wards.values())


def main() -> None:
    """Read until the gateway is gone, then end what it left behind."""
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(ignored, signal.SIG_IGN)
    guardian = Guardian(os.fsencode(sys.argv[1]))
    ready = select.poll()
    ready.register(0, select.POLLIN)
    rest = b""
    while True:
        if ready.poll(guardian.pause()):
            piece = os.read(0, READ_BYTES)
            if not piece:
                break
            *lines, rest = (rest + piece).split(b"\n")
            for line in lines:
                guardian.take(line)
        guardian.sweep()
    guardian.end_all()


# -- processes as Linux shows them: their number, and when it began, because numbers are given out again


def _marked(variable: bytes, marks: set[bytes]) -> dict[bytes, set[tuple[int, int]]]:
    """Return the processes whose variable is one of these marks, by the mark; this one is none of them."""
    found: dict[bytes, set[tuple[int, int]]] = {}
    begin = b"\0" + variable + b"="
    for number in _numbers() if marks else ():
        _, name, rest = (b"\0" + _read(number, "environ")).partition(begin)
        mark = rest.partition(b"\0")[0]
        if name and mark in marks:
            began = _stat(number)[1]
            if began:
                found.setdefault(mark, set()).add((number, began))
    return found


def _descendants(root: int) -> set[tuple[int, int]]:
    """Return all that a process started, and all that those did."""
    children: dict[int, list[tuple[int, int]]] = {}
    for number in _numbers():
        parent, began = _stat(number)
        if began:
            children.setdefault(parent, []).append((number, began))
    found: set[tuple[int, int]] = set()
    open_ones = [root]
    while open_ones:
        for each in children.get(open_ones.pop(), ()):
            if each not in found:
                found.add(each)
                open_ones.append(each[0])
    return found


def _alive(found: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return those of some processes that have not ended."""
    return {each for each in found if _stat(each[0])[1] == each[1]}


def _signal_all(found: set[tuple[int, int]], number: int) -> None:
    """Send a signal to processes, each only as long as it is the one that was found."""
    for process in _alive(found):
        try:
            os.kill(process[0], number)
        except OSError:
            pass  # it has just ended, or is not to be signalled


def _numbers() -> list[int]:
    try:
        names = os.listdir(PROC)
    except OSError:
        return []
    return [int(name) for name in names if name.isdigit() and int(name) != os.getpid()]


def _stat(number: int) -> tuple[int, int]:
    """Return a process's parent and when it began; 0 and 0 for one that has ended, though nobody waited for it yet."""
    fields = _read(number, "stat").rpartition(b") ")[2].split()
    if len(fields) < 20 or fields[0] in (b"Z", b"X"):
        return 0, 0
    return int(fields[1]), int(fields[19])


def _read(number: int, name: str) -> bytes:
    try:
        descriptor = os.open(f"{PROC}/{number}/{name}", os.O_RDONLY)
    except OSError:
        return b""
    try:
        return os.read(descriptor, LONGEST_ENVIRONMENT)
    except OSError:
        return b""
    finally:
        os.close(descriptor)


if __name__ == "__main__":
    main()
