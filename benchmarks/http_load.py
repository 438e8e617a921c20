"""Drive servers over HTTP: many connections, each of which sends again as soon as its answer is there.

A client in Python must not be what is measured. It reads answers whole (they are small), looks at their size and first
bytes only, and writes bytes that were made before: 6 µs a request, a fifth of what the quickest server takes.
Standard library only; Linux is needed for epoll and processor time.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from measure import PATIENCE, ServerFailed, environment

if TYPE_CHECKING:
    from measure import Command

BODY = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}}'
GOOD = b"HTTP/1.1 200"
PORT = "{port}"
"""Stands for the port in a command's words."""

POLL_SECONDS = 0.001
WARMING = (4, 0.3)
"""Connections and seconds before the first counted request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What one round of load showed: calls a second, the time of the slowest hundredth, processor time a call."""

    per_second: float
    p99_ms: float
    processor_us: float


class Served:
    """A server process on a port of its own; used in a `with` statement, which ends it."""

    def __init__(self, command: Command) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.name = command.name
        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            [word.replace(PORT, str(self.port)) for word in command.words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=command.folder,
            env=environment(),
            start_new_session=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def ready(self) -> float:
        """Wait until connections are taken; return the seconds since just before the process was made."""
        while time.perf_counter() - self.started < PATIENCE:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return time.perf_counter() - self.started
            except OSError:
                if self.process.poll() is not None:
                    raise ServerFailed(f"{self.name}: ended with {self.process.returncode}") from None
                time.sleep(POLL_SECONDS)
        raise ServerFailed(f"{self.name}: not ready after {PATIENCE:.0f} s")

    def processor_seconds(self) -> float:
        """Return the processor time all threads of the process have used so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8")
        user, system = fields.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def load(self, connections: int, seconds: float) -> Load:
        """Keep connections busy for so long; raises ServerFailed for an answer that is no result."""
        request = post(self.port)
        size = self._size(request)
        links: dict[int, socket.socket] = {}
        sent: dict[int, float] = {}
        held: dict[int, bytes] = {}
        times: list[float] = []
        now = time.perf_counter
        with select.epoll() as poller:
            for _ in range(connections):
                link = socket.create_connection(("127.0.0.1", self.port), PATIENCE)
                link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                links[link.fileno()] = link
                poller.register(link.fileno(), select.EPOLLIN)
            used, begun = self.processor_seconds(), now()
            until = begun + seconds
            for number, link in links.items():
                sent[number] = now()
                link.sendall(request)
            left = connections
            while left:
                for number, _ in poller.poll(PATIENCE) or self._silent():
                    answer = links[number].recv(1 << 16)
                    at = now()
                    if len(answer) != size:  # some send the head by itself
                        answer = held[number] = held.get(number, b"") + answer
                        if answer and len(answer) < size:
                            continue
                        del held[number]
                    times.append(at - sent[number])
                    if not answer.startswith(GOOD) or len(answer) != size:
                        raise ServerFailed(f"{self.name}: {answer[:200]!r}")
                    if at < until:
                        sent[number] = at
                        links[number].send(request)
                    else:
                        left -= 1
            took, used = now() - begun, self.processor_seconds() - used
        for link in links.values():
            link.close()
        times.sort()
        count = len(times)
        return Load(
            per_second=count / took, p99_ms=times[count * 99 // 100] * 1000, processor_us=used / count * 1_000_000
        )

    def _size(self, request: bytes) -> int:
        """Return the bytes of an answer; all have as many, the request being the same."""
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as link:
            link.sendall(request)
            answer = link.recv(1 << 16)
            while b"\r\n\r\n" not in answer:
                answer += link.recv(1 << 16)
        head = answer.partition(b"\r\n\r\n")[0]
        return len(head) + 4 + int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])

    def _silent(self) -> list[tuple[int, int]]:
        raise ServerFailed(f"{self.name}: silent for {PATIENCE:.0f} s")


def post(port: int) -> bytes:
    """Return the request that is sent, as small clients send it."""
    head = (
        f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
        f"Accept: application/json, text/event-stream\r\nContent-Length: {len(BODY)}\r\n\r\n"
    )
    return head.encode() + BODY
