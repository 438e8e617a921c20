"""Listen to every server that any test talks to, and hold what it says against the official schema.

Two places see all of it: pipes of server processes (`subprocess.Popen`) and connections of our HTTP client
(`tests.http_client.Wire`). `tests/conftest.py` installs the recorder and lets the test fail during which a message
broke its schema. Clients of other people speak to servers themselves; the official ones check what they read.
"""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING, Any, Self

from tests.conversation import Conversation

if TYPE_CHECKING:
    from collections.abc import Iterator

_found: list[str] = []
checked = {"messages": 0}
"""How many messages were looked at in this run."""

is_on = False
"""Whether the recorder was installed: without the official schemas there is nothing to hold messages against."""


def take() -> list[str]:
    """Return what was wrong since the last time."""
    found, _found[:] = _found[:], []
    return found


class Talk:
    """A conversation whose bytes come in pieces; what is found goes to the test that runs."""

    def __init__(self, conversation: Conversation | None = None) -> None:
        self.conversation = conversation or Conversation()
        self._pieces: list[bytes] = []
        self._asked: list[bytes] = []

    def sent(self, data: bytes) -> None:
        """Take what is about to be written to the server."""
        for line in _whole_lines(self._asked, data):
            self.conversation.sent(line)

    def received(self, data: bytes) -> None:
        """Take what was read from the server."""
        for line in _whole_lines(self._pieces, data):
            self.hear(line)

    def hear(self, text: bytes) -> None:
        """Check one JSON text."""
        if not is_on:
            return
        checked["messages"] += 1
        self.conversation.received(text)
        _found.extend(self.conversation.found)
        self.conversation.found.clear()


def _whole_lines(pieces: list[bytes], data: bytes) -> list[bytes]:
    """Collect pieces and return the lines that are whole now."""
    if b"\n" not in data:
        pieces.append(data)
        return []
    *lines, rest = b"".join([*pieces, data]).split(b"\n")
    pieces[:] = [rest]
    return lines


# -- pipes


class _End:
    """One end of a pipe."""

    def __init__(self, pipe: Any, talk: Talk) -> None:
        self._pipe, self._talk = pipe, talk

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pipe, name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pipe.close()


class _Reading(_End):
    """The reading end, which tells what comes out of it."""

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.readline, b"")

    def _told(self, data: bytes) -> bytes:
        if data:
            self._talk.received(data)
        return data

    def read(self, *size: int) -> bytes:
        return self._told(self._pipe.read(*size))

    def read1(self, *size: int) -> bytes:
        return self._told(self._pipe.read1(*size))

    def readline(self, *size: int) -> bytes:
        return self._told(self._pipe.readline(*size))


class _Writing(_End):
    """The writing end, which tells what goes into it."""

    def write(self, data: bytes) -> int:
        self._talk.sent(bytes(data))
        return self._pipe.write(data)


class RecordingPopen(subprocess.Popen):
    """A process; if it is one of our servers over standard streams, what it says is checked."""

    def __init__(self, args: Any, *more: Any, **options: Any) -> None:
        super().__init__(args, *more, **options)
        self._talk: Talk | None = None
        if _is_server(args) and self.stdin is not None and self.stdout is not None and not self.text_mode:
            self._talk = Talk()
            self.stdin = _Writing(self.stdin, self._talk)
            self.stdout = _Reading(self.stdout, self._talk)

    def communicate(self, input: bytes | None = None, timeout: float | None = None) -> tuple[Any, Any]:  # noqa: A002 # its name
        stdout, stderr = super().communicate(input, timeout)
        if self._talk is not None:
            self._talk.sent(input or b"")
            self._talk.received(stdout or b"")
        return stdout, stderr


def _is_server(args: Any) -> bool:
    words = [str(word) for word in args] if isinstance(args, list | tuple) else []
    return "--http" not in words and any(re.search(r"(server\.py|[-_]mcp)$", word) for word in words)


# -- connections

_sessions: dict[str, Conversation] = {}
"""Conversations by the session's id, for streams and answers on other connections."""

_REQUEST = re.compile(rb"(?:^|\n)(POST|GET|DELETE) [^\r\n]*\r\n(.*?)\r\n\r\n", re.DOTALL)


class HttpTalk:
    """What goes over one connection of our HTTP client."""

    def __init__(self) -> None:
        self._talk = Talk()

    def sent(self, data: bytes) -> None:
        """Take a request as it is written; the harness writes each in one piece."""
        for found in _REQUEST.finditer(data):
            headers = dict(_header(line) for line in found[2].split(b"\r\n"))
            session = _sessions.get(headers.get(b"mcp-session-id", b"").decode("latin-1"))
            version = headers.get(b"mcp-protocol-version", b"").decode("latin-1")
            self._talk = Talk(session or Conversation(**({"revision": version} if version in LEGACY else {})))
            length = headers.get(b"content-length", b"")
            end = found.end() + int(length) if length.isdigit() else len(data)
            self._talk.conversation.sent(data[found.end() : end].replace(b"\n", b" "))

    def received(self, headers: dict[str, str], text: bytes) -> None:
        """Take an answer's JSON, or an event's data."""
        self._talk.hear(text.replace(b"\n", b" "))
        session = headers.get("mcp-session-id")
        if session is not None:
            _sessions[session] = self._talk.conversation


LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")


def _header(line: bytes) -> tuple[bytes, bytes]:
    name, _, value = line.partition(b":")
    return name.strip().lower(), value.strip()


def install() -> None:
    """Listen from now on to all servers of this process."""
    global is_on  # noqa: PLW0603 # one recorder for one run
    is_on = True
    subprocess.Popen = RecordingPopen  # type: ignore[misc]
