"""Server-sent events read from bytes (HTML standard, 9.2), bounded. Pure."""

from __future__ import annotations

RETRY_BOUNDS = (0.1, 60.0)
"""Seconds between attempts that a server may ask for."""


class TooLong(Exception):
    """One event is longer than a message may be."""


class Event:
    """One event: its data, and the id that stands for its place in the stream ("" for none)."""

    __slots__ = ("data", "id", "kind")

    def __init__(self, kind: str, data: bytes, identifier: str) -> None:
        self.kind = kind
        self.data = data
        self.id = identifier


class EventReader:
    """Collects chunks and hands out whole events; `last` is the latest id, `retry` what the server asked for."""

    __slots__ = ("_data", "_kind", "_limit", "_line", "_parts", "_return", "_size", "last", "retry")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._parts: list[bytes] = []
        self._size = 0
        self._data: list[bytes] = []
        self._kind = ""
        self._return = False
        self.last = ""
        self.retry: float | None = None

    def feed(self, chunk: bytes) -> list[Event]:
        """Return the events this chunk completes; an event without data is none. Raises TooLong."""
        if self._return and chunk.startswith(b"\n"):  # the other half of a line's end
            chunk = chunk[1:]
        self._return = chunk.endswith(b"\r")
        if b"\r" in chunk:
            chunk = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        *lines, rest = chunk.split(b"\n")
        events = []
        for line in lines:
            if self._parts:
                self._parts.append(line)
                line = b"".join(self._parts)  # noqa: PLW2901 # the same line, whole
                self._parts.clear()
            self._grow(len(line))
            event = self._take(line)
            if event is not None:
                events.append(event)
        if rest:
            self._parts.append(rest)
            if self._size + sum(map(len, self._parts)) > self._limit:
                raise TooLong
        return events

    def _grow(self, count: int) -> None:
        self._size += count
        if self._size > self._limit:
            raise TooLong

    def _take(self, line: bytes) -> Event | None:
        if not line:
            data, kind = self._data, self._kind
            self._data, self._kind, self._size = [], "", 0
            return Event(kind or "message", b"\n".join(data), self.last) if any(data) else None
        field, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if field == b"data":
            self._data.append(value)
            return None
        self._size -= len(line)  # what is not kept is not counted
        if field == b"event":
            self._kind = value[:100].decode("utf-8", "replace")
        elif field == b"id" and b"\0" not in value and len(value) <= 4096:
            self.last = value.decode("utf-8", "replace")
        elif field == b"retry" and value.isdigit() and len(value) < 12:
            least, most = RETRY_BOUNDS
            self.retry = min(max(int(value) / 1000, least), most)
        return None
