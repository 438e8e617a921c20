"""One writer at a time: a lock on a file beside the registry, which ends with the process that holds it."""

from __future__ import annotations

import os
import time

from .problems import failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

WAIT_SECONDS = 30.0
"""How long a writer waits for others; each needs some milliseconds."""

POLL_SECONDS = 0.01


class Lock:
    """A context in which no other process changes the file; raises RegistryError when it does not come free."""

    __slots__ = ("_descriptor", "_path", "_wait")

    def __init__(self, path: str, wait: float = WAIT_SECONDS) -> None:
        self._path = f"{path}.lock"
        self._wait = wait
        self._descriptor = -1

    def __enter__(self) -> None:
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
        self._descriptor = os.open(self._path, flags, 0o600)
        try:
            self._take()
        except BaseException:
            os.close(self._descriptor)
            raise

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._descriptor)  # which frees the lock; the file stays: removing it would let two hold it

    def _take(self) -> None:
        until = time.monotonic() + self._wait
        while not _taken(self._descriptor):
            if time.monotonic() >= until:
                raise failure(
                    "unwritable-registry",
                    f"another process holds `{self._path}` for more than {self._wait:g} s",
                    "End that process, or try again.",
                )
            time.sleep(POLL_SECONDS)


def _taken(descriptor: int) -> bool:
    try:
        import fcntl
    except ImportError:
        return _taken_on_windows(descriptor)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _taken_on_windows(descriptor: int) -> bool:
    from importlib import import_module

    system = import_module("msvcrt")
    try:
        system.locking(descriptor, system.LK_NBLCK, 1)
    except OSError:
        return False
    return True
