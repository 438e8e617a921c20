"""One running child process: its three pipes, the threads that serve them, and its end.

Theory of operation. One thread reads standard output, one drains standard error, one waits for the process. Whatever
ends first says so: a child may close its output and live on, or end and leave its output open to a process it started.
While an ended child is not reaped yet its number is its own, so that is when its group is killed and the guardian told,
which looks for what left the group.
Closing is a thread of its own: end of input, then SIGTERM, then SIGKILL to the whole group, seconds in all.
"""

from __future__ import annotations

import os
import signal
from _thread import allocate_lock, start_new_thread
from threading import Event

from .guarding import VARIABLE, guard
from .outbox import Outbox
from .overhearing import Overheard
from .spawning import spawn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from subprocess import Popen
    from typing import IO, Any

READ_BYTES = 64 * 1024
"""One read: the size of a Linux pipe, so a burst is taken in one call."""

LAST_WORDS_SECONDS = 0.5
"""How long an ended child's output may still be read, and how long one that closed its output may take to end."""

FAREWELL_SECONDS = (1.0, 0.7, 0.5)
"""How long a child may take to end after its input ended, after SIGTERM, and after SIGKILL."""


class ChildProcess:
    """A child. `take` gets what it writes, until it returns False; `ended` is told once, and how it ended.

    `at_once` is how many bytes of it are read in one piece.
    """

    __slots__ = (
        "_closing",
        "_ended",
        "_lock",
        "_mark",
        "_popen",
        "_read_all",
        "_take",
        "_told",
        "at_once",
        "gone",
        "outbox",
        "overheard",
    )

    def __init__(
        self,
        popen: Popen[bytes],
        take: Callable[[ChildProcess, bytes], bool],
        ended: Callable[[ChildProcess, str], None],
        told: Callable[[str], None] | None,
        mark: str = "",
    ) -> None:
        self._popen = popen
        self._mark = mark
        self._take = take
        self._ended = ended
        self._closing = self._told = False
        self._lock = allocate_lock()
        self._read_all = Event()
        self.at_once = READ_BYTES
        self.gone = Event()
        self.overheard = Overheard(told)
        self.outbox = Outbox(_pipe(popen.stdin))

    def begin(self) -> None:
        """Start the threads."""
        guard.started(self._mark, self._popen.pid)
        start_new_thread(self._await_end, ())
        start_new_thread(self._read, (_pipe(self._popen.stdout),))
        start_new_thread(self.overheard.drain, (_pipe(self._popen.stderr),))

    def close(self) -> None:
        """End the child, on a thread; `gone` is set when it has ended."""
        with self._lock:
            if self._closing:
                return
            self._closing = self._told = True
        start_new_thread(self._say_farewell, ())

    def _read(self, pipe: IO[bytes]) -> None:
        descriptor = pipe.fileno()
        going = True
        while going:
            try:
                chunk = os.read(descriptor, self.at_once)
            except OSError:
                break
            if not chunk:
                break
            going = self._taken(chunk)
        if going:
            self._taken(b"\n")  # a last line may lack its end
        pipe.close()
        self._read_all.set()
        if not self.gone.wait(LAST_WORDS_SECONDS):
            self._tell("it closed its output")

    def _taken(self, chunk: bytes) -> bool:
        """Hand over what was read; a failure over it ends the child, which nobody would hear any more."""
        try:
            return self._take(self, chunk)
        except Exception as error:  # noqa: BLE001 # whatever it is, the calls that wait must be answered
            self._tell(f"what it wrote could not be read ({type(error).__name__})")
            return False

    def _await_end(self) -> None:
        pid = self._popen.pid
        if hasattr(os, "waitid"):
            os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
            self.signal(signal.SIGKILL)  # what it started is not wanted any longer
            guard.end(self._mark)
            code = self._popen.wait()
        else:
            code = self._popen.wait()
            self.signal(signal.SIGKILL)
            guard.end(self._mark)
        self.gone.set()
        self._read_all.wait(LAST_WORDS_SECONDS)
        self.overheard.complete.wait(LAST_WORDS_SECONDS)  # whoever is told may want to say what it said last
        self._tell(_ending(code))
        self.outbox.close()

    def _tell(self, how: str) -> None:
        with self._lock:
            told, self._told = self._told, True
        if not told:
            self._ended(self, how)

    def _say_farewell(self) -> None:
        guard.leaving(self._mark)
        self.outbox.close()
        for seconds, number in zip(FAREWELL_SECONDS, (signal.SIGTERM, signal.SIGKILL, None), strict=True):
            if self.gone.wait(seconds):
                return
            if number is not None:
                self.signal(number)

    def signal(self, number: int) -> None:
        """Send a signal to the child and all it started."""
        try:
            os.killpg(self._popen.pid, number)
        except OSError:
            pass  # nobody is left


def begun(
    row: Mapping[str, Any],
    variables: Mapping[str, str],
    base: str,
    take: Callable[[ChildProcess, bytes], bool],
    ended: Callable[[ChildProcess, str], None],
    told: Callable[[str], None] | None,
) -> ChildProcess:
    """Return a child that was started from its row and is guarded; `begin` starts its threads. Raises Unavailable."""
    mark = guard.begin()
    try:
        popen = spawn(row, variables, base, {VARIABLE: mark} if mark else {})
    except BaseException:
        guard.end(mark)
        raise
    return ChildProcess(popen, take, ended, told, mark)


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise TypeError
    return pipe


def _ending(code: int) -> str:
    if code >= 0:
        return f"it ended with exit status {code}"
    try:
        return f"it was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"it was ended by signal {-code}"
