"""A small MCP client over a child's standard streams, for tests: bounded in time, strict about what the server writes.

    with StdioServer([sys.executable, "server.py"], cwd=project) as server:
        server.initialize()
        result = server.call("forecast", {"city": "Oslo"})

Every line on the server's standard output has to be one JSON-RPC message; anything else is a `ProtocolProblem`, as is
an answer to nothing or a second answer. What the server writes on standard error is kept in `stderr`.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import threading
import time
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

LATEST = "2025-11-25"
"""The newest revision that has a handshake."""

MODERN = "2026-07-28"
"""The revision without one: every request carries its own `_meta`."""

SECONDS = 30.0
"""Longest wait for one answer; a loaded machine needs a few seconds to start a server that imports something heavy."""

MAX_STDERR = 1 << 20
"""Bytes of standard error that are kept; a server that writes more is still read, so that it does not block."""

_CLOSED = object()


class ProtocolProblem(AssertionError):
    """The server broke the protocol, went away or was too slow; the message has the end of its standard error."""


class CallFailed(AssertionError):
    """A request was answered by a JSON-RPC error, kept in `error`."""

    def __init__(self, error: dict) -> None:
        super().__init__(json.dumps(error))
        self.error = error


class StdioServer:
    """A running server and the conversation with it; use it as a context manager."""

    def __init__(
        self,
        argv: list[str | os.PathLike[str]],
        *,
        cwd: str | os.PathLike[str] | None = None,
        env: dict[str, str] | None = None,
        timeout: float = SECONDS,
    ) -> None:
        self.timeout = timeout
        self.notifications: list[dict] = []
        self.requests: list[dict] = []
        self.era = "legacy"
        self._answers: dict[object, dict] = {}
        self._asked: set[object] = set()
        self._next = 0
        self._lines: queue.Queue[object] = queue.Queue()
        self._stderr = bytearray()
        self._process = subprocess.Popen(
            [os.fspath(word) for word in argv],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env=env,
            start_new_session=True,
        )
        self._readers = [
            threading.Thread(target=self._read_stdout, daemon=True),
            threading.Thread(target=self._read_stderr, daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        status = self.close()
        if kind is None and status != 0:
            raise ProtocolProblem(f"the server ended with {status}{self._tail()}")

    @property
    def pid(self) -> int:
        """The server's process."""
        return self._process.pid

    @property
    def stderr(self) -> str:
        """What the server wrote on standard error so far."""
        return bytes(self._stderr).decode("utf-8", "replace")

    def initialize(self, version: str = LATEST, *, capabilities: dict | None = None) -> dict:
        """Shake hands as a client of a handshake revision and return the server's answer."""
        client = {"name": "mcpgen-tests", "version": "1"}
        params = {"protocolVersion": version, "capabilities": capabilities or {}, "clientInfo": client}
        result = self.request("initialize", params)
        self.notify("notifications/initialized")
        return result

    def discover(self, version: str = MODERN) -> dict:
        """Begin as a client without a handshake: every later request carries `_meta`; return the server's answer."""
        self.era = version
        return self.request("server/discover", {})

    def call(self, tool: str, arguments: dict | None = None, *, timeout: float | None = None) -> dict:
        """Call a tool and return its result."""
        return self.request("tools/call", {"name": tool, "arguments": arguments or {}}, timeout=timeout)

    def tools(self) -> list[dict]:
        """Return all tools, page by page."""
        found: list[dict] = []
        cursor: dict = {}
        for _ in range(1_000):
            page = self.request("tools/list", cursor)
            found += page["tools"]
            if "nextCursor" not in page:
                return found
            cursor = {"cursor": page["nextCursor"]}
        raise ProtocolProblem("tools/list has no last page")

    def request(self, method: str, params: dict | None = None, *, timeout: float | None = None) -> dict:
        """Send a request and return its result; raises CallFailed for an error answer."""
        return self.wait_for(self.send(method, params), timeout=timeout)

    def send(self, method: str, params: dict | None = None) -> int:
        """Send a request without waiting and return its id."""
        self._next += 1
        sent = dict(params or {})
        if self.era != "legacy":
            about = {"name": "mcpgen-tests", "version": "1"}
            own = {
                "io.modelcontextprotocol/protocolVersion": self.era,
                "io.modelcontextprotocol/clientInfo": about,
                "io.modelcontextprotocol/clientCapabilities": {},
            }
            sent["_meta"] = {**own, **sent.get("_meta", {})}
        self._asked.add(self._next)
        message = {"jsonrpc": "2.0", "id": self._next, "method": method}
        self._write(message if params is None and not sent else {**message, "params": sent})
        return self._next

    def notify(self, method: str, params: dict | None = None) -> None:
        """Send a notification."""
        message = {"jsonrpc": "2.0", "method": method}
        self._write(message if params is None else {**message, "params": params})

    def wait_for(self, identity: int, *, timeout: float | None = None) -> dict:
        """Wait for the answer to a request that was sent; raises CallFailed or ProtocolProblem."""
        until = time.monotonic() + (self.timeout if timeout is None else timeout)
        while identity not in self._answers:
            self._take(until - time.monotonic(), f"an answer to request {identity}")
        answer = self._answers.pop(identity)
        if "error" in answer:
            raise CallFailed(answer["error"])
        return answer["result"]

    def close(self) -> int:
        """Close the server's input, wait for its end, and return its exit status; the rest of its output is checked."""
        if self._process.stdin is not None and not self._process.stdin.closed:
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.close()
        try:
            status = self._process.wait(self.timeout)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(self.timeout)
            raise ProtocolProblem(f"the server did not end when its input did{self._tail()}") from None
        finally:
            for reader in self._readers:
                reader.join(self.timeout)
        while not self._lines.empty():
            self._accept(self._lines.get_nowait())
        return status

    def _write(self, message: dict) -> None:
        data = json.dumps(message).encode("utf-8") + b"\n"
        try:
            self._process.stdin.write(data)
            self._process.stdin.flush()
        except (BrokenPipeError, ValueError):
            raise ProtocolProblem(f"the server reads no more{self._tail()}") from None

    def _take(self, seconds: float, what: str) -> None:
        """Take one line of output, at most that late."""
        try:
            line = self._lines.get(timeout=max(seconds, 0.001))
        except queue.Empty:
            raise ProtocolProblem(f"no line came while waiting for {what}{self._tail()}") from None
        if line is _CLOSED:
            self._lines.put(_CLOSED)
            raise ProtocolProblem(f"the server closed its output while waiting for {what}{self._tail()}")
        self._accept(line)

    def _accept(self, line: object) -> None:
        """Check one line and put its message where it belongs."""
        if not isinstance(line, bytes):
            return
        try:
            message = json.loads(line.decode("utf-8"))
        except ValueError:
            raise ProtocolProblem(f"not a JSON-RPC line: {line[:200]!r}{self._tail()}") from None
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0" or not line.endswith(b"\n"):
            raise ProtocolProblem(f"not a JSON-RPC message: {line[:200]!r}")
        if "method" in message:
            (self.requests if "id" in message else self.notifications).append(message)
            return
        if ("result" in message) == ("error" in message) or message.get("id") not in self._asked:
            raise ProtocolProblem(f"not an answer to anything asked: {line[:200]!r}")
        self._asked.discard(message["id"])
        self._answers[message["id"]] = message

    def _read_stdout(self) -> None:
        with self._process.stdout:
            for line in self._process.stdout:
                self._lines.put(line)
        self._lines.put(_CLOSED)

    def _read_stderr(self) -> None:
        with self._process.stderr:
            for piece in iter(lambda: self._process.stderr.read1(65_536), b""):
                if len(self._stderr) < MAX_STDERR:
                    self._stderr += piece

    def _tail(self) -> str:
        return f"; standard error ends:\n{self.stderr[-2_000:]}" if self._stderr else "; standard error is empty"


def stub(project: Path, python: str | os.PathLike[str], *options: str) -> list[str]:
    """Return the words that start an emitted project by its stub."""
    return [os.fspath(python), *(options or ("-I", "-S")), os.fspath(project / "server.py")]
