"""Measure what worker processes cost and bring: calls a second over HTTP, without them and with one, two and more.

    python benchmarks/workers.py [--calls N] [--workers N ...]

One tool does nothing, another computes for about two milliseconds with the interpreter's lock held. 64 connections
each send the next call when the last is answered; all servers are called in turns, in one run, and each figure is the
median of its rounds. The client takes a processor of its own, so a machine with two shows little of what workers bring.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import re
import selectors
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
CONNECTIONS = 64
ROUNDS = 5
PATIENCE = 30.0
"""Seconds the slowest answer may take."""

MODULE = '''"""Do nothing, or much."""


def add(a: int, b: int) -> int:
    """Add."""
    return a + b


def compute(rounds: int) -> int:
    """Compute."""
    found = 0
    for number in range(rounds):
        found = (found * 31 + number) % 1_000_003
    return found
'''
TOOLS = {"add": ({"a": 1, "b": 2}, 4), "compute": ({"rounds": 30_000}, 1)}
"""Arguments, and how many times as many calls are made."""


def main() -> int:
    """Build, call, print."""
    parser = argparse.ArgumentParser(description="Compare calls over HTTP without and with worker processes.")
    parser.add_argument("--calls", type=int, default=1_000)
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 2])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        project = build(Path(folder))
        own = [sys.executable, "-I", "-S", str(project / "server.py"), "--http", "--port", "0"]
        commands = {"one process": own}
        commands |= {f"--workers {count}": [*own, "--workers", str(count)] for count in options.workers}
        if importlib.util.find_spec("uvicorn"):
            commands["uvicorn"] = [
                sys.executable, "-m", "uvicorn", "--app-dir", str(project), "load_mcp.asgi:app", "--port", "0",
                "--no-access-log",
            ]  # fmt: skip
        for tool, (arguments, times) in TOOLS.items():
            found = compared(commands, tool, arguments, options.calls * times)
            base = found["one process"]
            for name, speed in found.items():
                print(f"{tool:8} {name:12} {speed:8,.0f} calls a second   {speed / base:5.2f} times one process")
    return 0


def build(folder: Path) -> Path:
    """Build the server with this checkout's command; return its project."""
    (folder / "load.py").write_text(MODULE, encoding="utf-8")
    command = [sys.executable, "-c", "from generator.cli.app import main; main()"]
    environment = {**os.environ, "PYTHONPATH": str(HERE.parent)}
    words = [*command, "build", "load.py", "-o", "project", "--quiet"]
    subprocess.run(words, cwd=folder, env=environment, check=True)
    return folder / "project"


def compared(commands: dict[str, list[str]], tool: str, arguments: dict[str, int], calls: int) -> dict[str, float]:
    """Return the median speed of each server, all of them called in turns."""
    speeds: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(ROUNDS):
        for name, words in commands.items():
            with subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE) as server:
                try:
                    port = announced(server)
                    called(port, tool, arguments, 2 * CONNECTIONS)
                    begun = time.monotonic()
                    called(port, tool, arguments, calls)
                    speeds[name].append(calls / (time.monotonic() - begun))
                finally:
                    server.send_signal(signal.SIGTERM)
    return {name: statistics.median(found) for name, found in speeds.items()}


def announced(server: subprocess.Popen[bytes]) -> int:
    """Return the port that the server says it has, and read on so that its log never blocks it."""
    assert server.stderr is not None
    for line in server.stderr:
        found = re.search(rb"http://[^/\s]*:(\d+)", line)
        if found:
            subprocess.Popen(["cat"], stdin=server.stderr, stdout=subprocess.DEVNULL)
            return int(found[1])
    raise SystemExit("the server did not say where it is")


def called(port: int, tool: str, arguments: dict[str, int], count: int) -> None:
    """Make so many calls over all connections and see that each is answered well."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    body = json.dumps(message).encode()
    head = f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    data = head.encode() + b"\r\n" + body
    asked, left = min(CONNECTIONS, count), count
    with selectors.DefaultSelector() as selector:
        for _ in range(asked):
            link = socket.create_connection(("127.0.0.1", port), PATIENCE)
            selector.register(link, selectors.EVENT_READ)
            link.sendall(data)
        while left:
            ready = selector.select(PATIENCE)
            if not ready:
                raise SystemExit(f"{left} calls were not answered")
            for key, _ in ready:
                link = key.fileobj  # type: ignore[assignment]
                answer = link.recv(1 << 16)
                if b'"structuredContent"' not in answer:
                    if answer.startswith(b"HTTP/1.1 200") and b"{" not in answer:
                        continue  # the head came alone
                    raise SystemExit(f"a call failed: {answer[:300]!r}")
                left -= 1
                if asked < count:
                    asked += 1
                    link.sendall(data)
        for key in list(selector.get_map().values()):
            key.fileobj.close()  # type: ignore[union-attr]


if __name__ == "__main__":
    raise SystemExit(main())
