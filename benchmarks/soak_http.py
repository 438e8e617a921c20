"""Call one emitted server very often over HTTP, on many connections at once, and watch its memory.

    python benchmarks/soak_http.py [CALLS] [--check]

Every connection sends its next request when the last one is answered. Pings, calls that run on the server's own
thread, refused calls and asynchronous ones take turns, in both eras. Memory is read once the first ten thousand are
answered and again at the end; with --check a growth of 5 MB fails, and an answer that is missing, comes twice or is
another request's always does. A hundred thousand calls take about ten seconds.
"""

from __future__ import annotations

import argparse
import json
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from soak import FIRST, GROWTH, build, memory

CALLS = 100_000
CONNECTIONS = 64
PATIENCE = 30.0
"""Seconds the slowest answer may take."""

MODERN = "2026-07-28"
META = {"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {}}
KINDS: tuple[tuple[str, dict[str, object]], ...] = (
    ("ping", {}),
    ("tools/call", {"name": "echo", "arguments": {"x": "a"}}),
    ("tools/call", {"name": "echo", "arguments": {"y": 1}}),
    ("tools/call", {"name": "echo", "arguments": {"x": [1, {"b": None}]}, "_meta": META}),
    ("tools/call", {"name": "echo2", "arguments": {}}),
    ("tools/call", {"name": "aecho", "arguments": {"x": 1}}),
    ("tools/list", {"_meta": META}),
)


def main() -> int:
    """Build, call, measure; returns an exit code."""
    parser = argparse.ArgumentParser(description="Call one server very often over HTTP and watch its memory.")
    parser.add_argument("calls", nargs="?", type=int, default=CALLS)
    parser.add_argument("--check", action="store_true", help="fail when memory grows")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-I", "-S", str(build(Path(folder)) / "server.py"), "--http", "--port", "0"]
        with subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE) as server:
            try:
                port = announced(server)
                calls = max(options.calls, 2 * FIRST)
                begun = time.monotonic()
                answered(port, range(FIRST))
                before = memory(server.pid)
                answered(port, range(FIRST, calls))
                after = memory(server.pid)
                seconds = time.monotonic() - begun
            finally:
                server.send_signal(signal.SIGTERM)
    growth = after - before
    print(f"{calls} calls on {CONNECTIONS} connections in {seconds:.1f} s, {calls / seconds:,.0f} a second")
    print(f"memory {before} kB after {FIRST}, {after} kB at the end: {growth:+} kB (at most {GROWTH})")
    return 1 if options.check and growth > GROWTH else 0


def announced(server: subprocess.Popen[bytes]) -> int:
    """Return the port that the server says it has, and read on so that its log never blocks it."""
    assert server.stderr is not None
    line = server.stderr.readline()
    port = int(line.rpartition(b":")[2].partition(b"/")[0])
    subprocess.Popen(["cat"], stdin=server.stderr, stdout=subprocess.DEVNULL)  # ends with the server's last word
    return port


class Link:
    """One connection with one request on its way."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self.number = -1
        self._buffer = b""

    def ask(self, number: int) -> None:
        """Send a request."""
        method, params = KINDS[number % len(KINDS)]
        body = json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode()
        head = [
            f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
        ]
        if "_meta" in params:
            head += [f"MCP-Protocol-Version: {MODERN}", f"Mcp-Method: {method}"]
            head += [f"Mcp-Name: {params['name']}"] if "name" in params else []
        self.number = number
        self.socket.sendall("\r\n".join([*head, "", ""]).encode() + body)

    def hear(self) -> dict[str, object] | None:
        """Take what came; return the answer once it is whole."""
        data = self.socket.recv(1 << 16)
        if not data:
            raise SystemExit("the server closed a connection")
        self._buffer += data
        head, found, rest = self._buffer.partition(b"\r\n\r\n")
        if not found:
            return None
        length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
        if len(rest) < length:
            return None
        if len(rest) > length:
            raise SystemExit("more came than was asked for")
        self._buffer = b""
        answer: dict[str, object] = json.loads(rest)
        return answer


def answered(port: int, numbers: range) -> None:
    """Send these requests, each once, and see that each is answered once and on its own connection."""
    waiting = iter(numbers)
    left = len(numbers)
    with selectors.DefaultSelector() as selector:
        for _, number in zip(range(CONNECTIONS), waiting, strict=False):
            link = Link(port)
            selector.register(link.socket, selectors.EVENT_READ, link)
            link.ask(number)
        while left:
            ready = selector.select(PATIENCE)
            if not ready:
                raise SystemExit(f"{left} requests were not answered")
            for key, _ in ready:
                link = key.data
                answer = link.hear()
                if answer is None:
                    continue
                if answer["id"] != link.number:
                    raise SystemExit("an answer is another request's")
                left -= 1
                following = next(waiting, None)
                if following is not None:
                    link.ask(following)
        for key in list(selector.get_map().values()):
            key.data.socket.close()


if __name__ == "__main__":
    raise SystemExit(main())
