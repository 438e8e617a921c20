"""The gateway's side of its guardian: started before the first child, told of every child that begins and ends.

A child is marked before it is started, so that not even a gateway that is killed in that moment leaves it behind; and
what it starts has the mark, too, unless it is taken away. Where there are no process groups (Windows) or no interpreter
can be started, children are unguarded: they still see the end of their input.
"""

from __future__ import annotations

import os
import sys
from _thread import allocate_lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from subprocess import Popen

VARIABLE = "MCPGEN_CHILD"
"""The variable of a child's environment that holds its mark. What is to live on has to be started without it."""

MARK_BYTES = 8
"""Random bytes that tell the marks of one gateway from those of others."""


class Guard:
    """Tells a guardian which children to end if this process is killed; safe for any number of threads."""

    __slots__ = ("_begin", "_count", "_groups", "_lock", "_process")

    def __init__(self) -> None:
        self._begin = ""
        self._count = 0
        self._groups: dict[str, int] = {}
        self._process: Popen[bytes] | None = None
        self._lock = allocate_lock()

    def begin(self) -> str:
        """Return the mark of a child that is going to be started, "" where there is no guardian."""
        if os.name != "posix":
            return ""
        with self._lock:
            self._begin = self._begin or os.urandom(MARK_BYTES).hex()
            self._count += 1
            mark = f"{self._begin}-{self._count}"
            self._groups[mark] = 0
            if not self._tell(b"+%b\n" % mark.encode()):
                self._start()
        return mark

    def started(self, mark: str, group: int) -> None:
        """Tell in which process group a child runs."""
        with self._lock:
            if mark in self._groups:
                self._groups[mark] = group
                self._tell(b"=%b %d\n" % (mark.encode(), group))

    def leaving(self, mark: str) -> None:
        """Tell that a child is going to be ended: what it started can be seen only as long as it is there."""
        with self._lock:
            if mark in self._groups:
                self._tell(b"?%b\n" % mark.encode())

    def end(self, mark: str) -> None:
        """Tell that a child has ended; to be called before the number of its group can be another's."""
        with self._lock:
            if self._groups.pop(mark, None) is not None:
                self._tell(b"-%b\n" % mark.encode())

    def close(self) -> None:
        """Let the guardian go, which ends what it still guards. Waits for it."""
        with self._lock:
            process, self._process = self._process, None
            if process is not None and process.stdin is not None:
                process.stdin.close()
        if process is not None:
            process.wait()

    def _tell(self, line: bytes) -> bool:
        """Write lines; False when there is no guardian."""
        if self._process is None or self._process.stdin is None:
            return False
        try:
            os.write(self._process.stdin.fileno(), line)
        except OSError:
            return False
        return True

    def _start(self) -> None:
        """Start a guardian, again if there was one, and tell it of all children."""
        import subprocess

        gone, self._process = self._process, None
        if gone is not None:
            if gone.stdin is not None:
                gone.stdin.close()
            gone.wait()  # it is dead: its input was closed
        program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "guardian.py")
        try:
            self._process = subprocess.Popen(  # noqa: S603 # our own program
                [sys.executable, "-I", "-S", program, VARIABLE],
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                cwd="/",
                env={},
            )
        except OSError:
            return
        told = [(mark.encode(), group) for mark, group in self._groups.items()]
        self._tell(b"".join(b"+%b\n=%b %d\n" % (mark, mark, group) for mark, group in told))


guard = Guard()
"""The one of this process."""
