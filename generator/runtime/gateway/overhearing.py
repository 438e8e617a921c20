"""What a child writes to standard error: always drained, its last lines kept, clean of what terminals would obey.

Nothing of it is shown unasked. A child that writes without end is read slowly, so that it takes no time from others.
"""

from __future__ import annotations

import os
from threading import Event
from time import sleep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO

READ_BYTES = 64 * 1024
"""One read: all that a Linux pipe holds."""

KEPT_LINES = 40
"""Lines that are kept of what was said last: a Python traceback of some depth."""

KEPT_CHARACTERS = 400
"""Characters that are kept of one line."""

REST_SECONDS = 0.05
"""Pause after each read: what a child logs of every call is read many lines at a time, and a flood slowly."""


class Overheard:
    """The last lines of one child; `told` is called with each line where somebody wants to hear.

    `complete` is set when the child can say no more.
    """

    __slots__ = ("_lines", "_rest", "_told", "complete")

    def __init__(self, told: Callable[[str], None] | None) -> None:
        self._told = told
        self._lines: list[str] = []
        self._rest = b""
        self.complete = Event()

    def drain(self, pipe: IO[bytes]) -> None:
        """Read until the end; the thread's whole work."""
        descriptor = pipe.fileno()
        while True:
            try:
                piece = os.read(descriptor, READ_BYTES)
            except OSError:
                break
            if not piece:
                break
            self.feed(piece)
            sleep(REST_SECONDS)
        self.feed(b"\n")
        self.complete.set()
        pipe.close()

    def feed(self, piece: bytes) -> None:
        """Take what was written."""
        *lines, rest = piece.split(b"\n")
        if lines:
            lines[0] = self._rest + lines[0]
            self._rest = rest[: 4 * KEPT_CHARACTERS]
        else:
            self._rest = (self._rest + rest)[: 4 * KEPT_CHARACTERS]
        for line in lines if self._told is not None else lines[-KEPT_LINES:]:
            self._keep(cleaned(line))

    def tail(self) -> str:
        """Return the last lines."""
        return "\n".join(self._lines)

    def _keep(self, line: str) -> None:
        if not line:
            return
        self._lines.append(line)
        del self._lines[:-KEPT_LINES]
        if self._told is not None:
            self._told(line)


def cleaned(line: bytes) -> str:
    """Return a line as text without control and format characters, cut to a sensible length."""
    text = line[: 4 * KEPT_CHARACTERS].decode("utf-8", "replace").replace("\t", " ").rstrip("\r ")[:KEPT_CHARACTERS]
    return text if text.isprintable() else "".join(char for char in text if char.isprintable())
