"""An emitted server over HTTP, and a client that writes and reads its bytes itself: bounded in time, nothing hidden.

with HttpServer(argv) as server:
    answer = server.post(request(1, "tools/list"))
    with server.wire() as wire:
        wire.send(b"GET /mcp HTTP/1.1\r\n...")
        assert wire.answer().status == 400
"""

from __future__ import annotations

import contextlib
import json
import re
import signal
import socket
import subprocess
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from tests import recording

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

SECONDS = 20.0
"""Longest wait for anything; a loaded machine needs a few to start a server."""

LEGACY, MODERN = "2025-11-25", "2026-07-28"
META = {"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {}}
BOTH = "application/json, text/event-stream"
CLIENT = {"name": "mcpgen-tests", "version": "1"}


def request(number: int | str, method: str, params: dict | None = None) -> dict:
    """Return a request of the era with a handshake."""
    message = {"jsonrpc": "2.0", "id": number, "method": method}
    return message if params is None else {**message, "params": params}


def call(number: int | str, tool: str, arguments: dict | None = None, **more: object) -> dict:
    """Return a call of a tool."""
    return request(number, "tools/call", {"name": tool, "arguments": arguments or {}, **more})


def modern(message: dict, **meta: object) -> tuple[dict, dict]:
    """Return a message as 2026-07-28 has it, and its headers."""
    params = message.get("params", {})
    headers = {"MCP-Protocol-Version": MODERN, "Mcp-Method": message["method"]}
    if "name" in params or "uri" in params:
        headers["Mcp-Name"] = params.get("name", params.get("uri"))
    return {**message, "params": {**params, "_meta": {**META, **meta}}}, headers


def initialize(version: str = LEGACY) -> dict:
    """Return a handshake."""
    return request(0, "initialize", {"protocolVersion": version, "capabilities": {}, "clientInfo": CLIENT})


@dataclass
class Answer:
    """One HTTP answer: `headers` by lower-case name, `pairs` as they came."""

    status: int
    headers: dict[str, str]
    pairs: list[tuple[str, str]]
    body: bytes

    @property
    def json(self) -> dict:
        return json.loads(self.body)

    @property
    def code(self) -> int | None:
        """The JSON-RPC error's code, None for a result."""
        return self.json.get("error", {}).get("code")


@dataclass
class Event:
    """One server-sent event; a comment has no data."""

    id: str | None
    data: str | None
    retry: int | None

    @property
    def json(self) -> dict:
        return json.loads(self.data or "")


class Wire:
    """A connection."""

    def __init__(self, port: int, timeout: float = SECONDS) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout)
        self._buffer = b""
        self._talk = recording.HttpTalk()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._socket.close()

    def send(self, data: bytes) -> None:
        self._talk.sent(data)
        self._socket.sendall(data)

    def end_input(self) -> None:
        """Say that nothing more comes, and go on reading."""
        self._socket.shutdown(socket.SHUT_WR)

    def _more(self) -> bool:
        try:
            data = self._socket.recv(65_536)
        except ConnectionResetError:
            data = b""
        self._buffer += data
        return bool(data)

    def _until(self, mark: bytes) -> bytes:
        while mark not in self._buffer:
            if not self._more():
                raise EOFError(self._buffer)
        found, _, self._buffer = self._buffer.partition(mark)
        return found

    def _exactly(self, size: int) -> bytes:
        while len(self._buffer) < size:
            if not self._more():
                raise EOFError(self._buffer)
        found, self._buffer = self._buffer[:size], self._buffer[size:]
        return found

    def head(self) -> Answer:
        """Read an answer's head alone."""
        status, *lines = self._until(b"\r\n\r\n").decode("latin-1").split("\r\n")
        pairs = [(name, value.strip()) for name, _, value in (line.partition(":") for line in lines)]
        assert status.startswith("HTTP/1.1 "), status
        return Answer(int(status.split()[1]), {name.lower(): value for name, value in pairs}, pairs, b"")

    def answer(self, *, without_body: bool = False) -> Answer:
        """Read a whole answer."""
        answer = self.head()
        if answer.headers.get("transfer-encoding") == "chunked":
            answer.body = b"".join(self._chunks())
        elif not without_body:
            answer.body = self._exactly(int(answer.headers.get("content-length", "0")))
        if b'"jsonrpc"' in answer.body:
            self._talk.received(answer.headers, answer.body)
        return answer

    def _chunks(self) -> Iterator[bytes]:
        while True:
            size = int(self._until(b"\r\n"), 16)
            data = self._exactly(size)
            assert self._exactly(2) == b"\r\n"
            if not size:
                return
            yield data

    def events(self) -> Iterator[Event]:
        """Read the events and comments of a chunked stream to its end."""
        text = ""
        for data in self._chunks():
            text += data.decode("ascii")
            while "\n\n" in text:
                block, _, text = text.partition("\n\n")
                found = event(block)
                if found.data:
                    self._talk.received({}, found.data.encode())
                yield found

    def is_closed(self) -> bool:
        """Wait for the server's end of the connection; False when it sends something instead."""
        return not self._buffer and not self._more()


def event(block: str) -> Event:
    """Read one event."""
    fields = dict(line.split(": ", 1) if ": " in line else (line.rstrip(":"), "") for line in block.split("\n"))
    retry = fields.get("retry")
    return Event(fields.get("id"), fields.get("data"), int(retry) if retry else None)


class HttpServer:
    """A server with `--http` on a port of the system's choice; it ends with the block and must have kept silent."""

    is_ours = True
    """Whether the server is the own one of an emitted package, which keeps standard output silent."""

    def __init__(self, argv: list[str], *options: str, env: dict[str, str] | None = None) -> None:
        words, environment = self._started_by(argv, options, env)
        self.process = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
        )
        self._stderr = bytearray()
        self._said = threading.Event()
        self.port = 0
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        if not self._said.wait(SECONDS) or not self.port:
            self.stop()
            raise AssertionError(f"the server did not say where it is: {self.stderr}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _started_by(
        self, argv: list[str], options: tuple[str, ...], env: dict[str, str] | None
    ) -> tuple[list[str], dict[str, str] | None]:
        """Return the words that start the server, and its environment."""
        return [*argv, "--http", "--port", "0", *options], env

    @property
    def stderr(self) -> str:
        return bytes(self._stderr).decode("utf-8", "replace")

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/mcp"

    def _read(self) -> None:
        for line in self.process.stderr:
            self._stderr += line
            found = re.search(rb"http://[^/\s]*:(\d+)\b", line)
            if found and not self.port:
                self.port = int(found[1])
                self._said.set()
        self._said.set()

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, float]:
        """End the server and return its status and how long that took; its standard output must be empty."""
        begun = time.monotonic()
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(number)
        try:
            status = self.process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(SECONDS)
            raise AssertionError(f"the server did not end: {self.stderr}") from None
        seconds = time.monotonic() - begun
        self._reader.join(SECONDS)
        output = b"" if self.process.stdout.closed else self.process.stdout.read()
        self.process.stdout.close()
        self.process.stderr.close()
        assert output == b"" or not self.is_ours, output
        return status, seconds

    def wire(self, timeout: float = SECONDS) -> Wire:
        """Connect."""
        return Wire(self.port, timeout)

    def head(self, method: str = "POST", path: str = "/mcp", headers: dict[str, str] | None = None) -> bytes:
        """Return a request's head; headers replace the usual ones, None leaves one out."""
        usual = {"Host": f"127.0.0.1:{self.port}"}
        if method == "POST":
            usual |= {"Content-Type": "application/json", "Accept": BOTH}
        lines = [f"{name}: {value}" for name, value in {**usual, **(headers or {})}.items() if value is not None]
        return "\r\n".join([f"{method} {path} HTTP/1.1", *lines, "", ""]).encode("latin-1")

    def bytes_of(self, message: object, headers: dict[str, str] | None = None) -> bytes:
        """Return a POST of a message, or of bytes as they are."""
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        return self.head(headers={"Content-Length": str(len(body)), **(headers or {})}) + body

    def post(self, message: object, headers: dict[str, str] | None = None) -> Answer:
        """Send a message on a connection of its own and return the answer."""
        with self.wire() as wire:
            wire.send(self.bytes_of(message, headers))
            return wire.answer()

    def get(self, path: str, headers: dict[str, str] | None = None, *, method: str = "GET") -> Answer:
        """Send a request without a body."""
        with self.wire() as wire:
            wire.send(self.head(method, path, headers))
            return wire.answer(without_body=method == "HEAD")

    def session(self, version: str = LEGACY) -> dict[str, str]:
        """Shake hands and return the headers of the session."""
        answer = self.post(initialize(version))
        assert answer.status == 200, answer
        headers = {"Mcp-Session-Id": answer.headers["mcp-session-id"], "MCP-Protocol-Version": version}
        assert self.post({"jsonrpc": "2.0", "method": "notifications/initialized"}, headers).status == 202
        return headers
