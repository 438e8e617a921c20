"""The gateway's side of its guardian: started with the first child, told of every child that begins and ends.

Where there are no process groups (Windows) or no interpreter can be started, children are unguarded: they still see
the end of their input.
"""

from __future__ import annotations

import os
import sys
from _thread import allocate_lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from subprocess import Popen


class Guard:
    """Tells a guardian which process groups to end if this process is killed; safe for any number of threads."""

    __slots__ = ("_groups", "_lock", "_process")

    def __init__(self) -> None:
        self._groups: set[int] = set()
        self._process: Popen[bytes] | None = None
        self._lock = allocate_lock()

    def add(self, group: int) -> None:
        """Have a group ended when this process is gone."""
        with self._lock:
            self._groups.add(group)
            if not self._tell(b"+%d\n" % group):
                self._start()

    def remove(self, group: int) -> None:
        """Leave a group alone from now on; to be called before its number can be another's."""
        with self._lock:
            self._groups.discard(group)
            self._tell(b"-%d\n" % group)

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
        """Start a guardian, again if there was one, and tell it of all groups."""
        import subprocess

        if os.name != "posix":
            return
        gone, self._process = self._process, None
        if gone is not None:
            if gone.stdin is not None:
                gone.stdin.close()
            gone.wait()  # it is dead: its input was closed
        program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "guardian.py")
        try:
            self._process = subprocess.Popen(  # noqa: S603 # our own program
                [sys.executable, "-I", "-S", program],
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
        self._tell(b"".join(b"+%d\n" % group for group in sorted(self._groups)))


guard = Guard()
"""The one of this process."""
