"""Keep what one call prints, for tools that ask for it: the prints come back as further text blocks.

`sys.stdout` and `sys.stderr` are replaced once by proxies that look for a buffer in the current context. A context
variable is separate for each thread and each asyncio task, so calls that run at once do not mix. Output of child
processes and of threads a tool starts is not captured; it goes to the server's standard error like that of any other
tool.
"""

from __future__ import annotations

import sys
from _contextvars import ContextVar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_CHARACTERS = 64 * 1024
"""Kept of each stream: prints are notes beside the result, not the result."""

_current: ContextVar[Capture | None] = ContextVar("mcpgen_capture", default=None)


class Capture:
    """What one call printed so far, by stream."""

    __slots__ = ("_parts", "_sizes")

    def __init__(self) -> None:
        self._parts: dict[str, list[str]] = {"stdout": [], "stderr": []}
        self._sizes = {"stdout": 0, "stderr": 0}

    def write(self, stream: str, text: str) -> None:
        """Keep a piece of text as long as there is room."""
        room = MAX_CHARACTERS - self._sizes[stream]
        self._sizes[stream] += len(text)
        if room > 0:
            self._parts[stream].append(text[:room])

    def blocks(self) -> list[dict[str, Any]]:
        """Return a text block for each stream that has text, trimmed; `_meta` says which stream it was."""
        blocks = []
        for stream, parts in self._parts.items():
            text = "".join(parts).rstrip()
            left_out = self._sizes[stream] - MAX_CHARACTERS
            if left_out > 0:
                text += f"\n[{left_out} more characters were printed]"
            if text:
                blocks.append({"type": "text", "text": text, "_meta": {"mcpgen/stream": stream}})
        return blocks


class _Proxy:
    """Stands for `sys.stdout` or `sys.stderr`; everything but writing is the original's."""

    def __init__(self, stream: str, original: Any) -> None:
        self._stream = stream
        self._original = original

    def write(self, text: str) -> int:
        capture = _current.get()
        if capture is None:
            if self._original is not None:  # None: a tool took the stream away
                self._original.write(text)
            return len(text)
        capture.write(self._stream, text)
        return len(text)

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._original, name)


def begin() -> Capture:
    """Start keeping what the current thread or task prints."""
    for stream in ("stdout", "stderr"):
        original = getattr(sys, stream)
        if not isinstance(original, _Proxy):  # at first, and again when a tool put something else there
            setattr(sys, stream, _Proxy(stream, original))
    capture = Capture()
    _current.set(capture)
    return capture


def end() -> None:
    """Stop keeping."""
    _current.set(None)
