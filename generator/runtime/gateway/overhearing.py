"""What a child writes to standard error: always drained, its last lines kept, clean of what terminals would obey.

Nothing of it is shown unasked. What a child says now and then is read many lines at a time; the more it says, the
sooner it is read again, so that one that logs very much is not held up. Of a flood only the end of each piece is looked
at.
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

LONGEST_REST, SHORTEST_REST = 0.05, 0.001
"""Seconds between two reads: of a child that says little, and of one that fills its pipe meanwhile (60 MB a second)."""

WANTED_BYTES = 16 * 1024
"""What one read should find: a quarter of a pipe, so that the child has room until the next one."""

MOST_TOLD = 1_000
"""Lines of one piece that are told to whoever wants to hear: as many as a person may look at."""


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
        rest = LONGEST_REST
        while True:
            try:
                piece = os.read(descriptor, READ_BYTES)
            except OSError:
                break
            if not piece:
                break
            self.feed(piece)
            rest = min(max(rest * WANTED_BYTES / len(piece), SHORTEST_REST), LONGEST_REST)
            sleep(rest)
        self.feed(b"\n")
        self.complete.set()
        pipe.close()

    def feed(self, piece: bytes) -> None:
        """Take what was written."""
        most = KEPT_LINES if self._told is None else MOST_TOLD
        *lines, rest = piece.rsplit(b"\n", most)  # from the end: a flood of short lines is not taken apart
        if lines:
            lines[0] = self._rest + lines[0]
            self._rest = rest[: 4 * KEPT_CHARACTERS]
        else:
            self._rest = (self._rest + rest)[: 4 * KEPT_CHARACTERS]
        for line in lines:
            self._keep(cleaned(line[line.rfind(b"\n") + 1 :]))  # the first has those before it in it

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
