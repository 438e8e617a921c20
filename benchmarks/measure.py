"""Drive servers over stdio and time them, with as little noise of our own as possible.

The rules that make the figures mean something:

- what is compared takes turns, round after round (A B C A B C …), so that a change in the machine's speed meets all;
  a figure is the median over the rounds of the ratio within one round;
- pipes are read and written raw, readiness comes from `select`, the end of a process from a pidfd: nothing polls, and
  `Popen.wait(timeout)` would;
- the same interpreter serves everything, named by its own path: `python3` on PATH may be a version manager's script;
- no PYTHON* variable reaches a process under test;
- rounds before the first counted one write the byte code and warm the disk's cache.

Standard library only. Linux is needed for memory and processor time.
"""

from __future__ import annotations

import json
import os
import select
import signal
import statistics
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

Figure = TypeVar("Figure")

PATIENCE = 60.0
"""Seconds a server may take for one answer, or for its end; far above anything that is measured."""

READ_BYTES = 1 << 20
PROTOCOL = "2025-11-25"


class ServerFailed(Exception):
    """A server under test ended, was silent or answered with an error: nothing can be measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What is started: the label in tables and messages, the words, the folder it is started in."""

    name: str
    words: tuple[str, ...]
    folder: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """A median with its quartiles."""

    low: float
    median: float
    high: float

    @classmethod
    def of(cls, values: Iterable[float]) -> Self:
        """Summarise values."""
        ordered = sorted(values)
        if len(ordered) == 1:
            ordered *= 2
        low, median, high = statistics.quantiles(ordered, n=4, method="inclusive")
        return cls(low=low, median=median, high=high)


def ratios(of: Iterable[float], to: Iterable[float]) -> Spread:
    """Summarise the ratios within the rounds: how many times `to` each of `of` is."""
    return Spread.of(one / other for one, other in zip(of, to, strict=True))


def in_turns(
    commands: Iterable[Command], measure: Callable[[Command], Figure], *, rounds: int, warm_up: int = 1
) -> dict[str, list[Figure]]:
    """Measure each command once a round; return the figures of the counted rounds by the command's name."""
    found: dict[str, list[Figure]] = {}
    for number in range(-warm_up, rounds):
        for command in commands:
            figure = measure(command)
            if number >= 0:
                found.setdefault(command.name, []).append(figure)
    return found


def request(identifier: int | str, method: str, params: Mapping[str, Any] | None = None) -> bytes:
    """Encode a request as one line."""
    message = {"jsonrpc": "2.0", "id": identifier, "method": method}
    return json.dumps(message if params is None else message | {"params": params}).encode() + b"\n"


def call_request(identifier: int | str, tool: str, arguments: Mapping[str, Any]) -> bytes:
    """Encode a tools/call."""
    return request(identifier, "tools/call", {"name": tool, "arguments": arguments})


INITIALIZE = request(
    "hello",
    "initialize",
    {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": {"name": "benchmark", "version": "1"}},
)
INITIALIZED = b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n'


class Server:
    """A server process and the client's ends of its pipes; used in a `with` statement, which ends it."""

    def __init__(self, command: Command) -> None:
        self.command = command
        self._buffer = b""
        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            command.words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=command.folder,
            env=environment(),
            bufsize=0,
            start_new_session=True,
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._stdin, self._stdout = self.process.stdin, self.process.stdout

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.returncode is None:
            self.close()

    def since_start(self) -> float:
        """Return the seconds since just before the process was made."""
        return time.perf_counter() - self.started

    def send(self, data: bytes) -> None:
        """Write all of the data; raises ServerFailed."""
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(self._stdin.fileno(), view) :]
        except OSError as error:
            raise ServerFailed(f"{self.command.name}: {error.strerror}") from None

    def chunk(self) -> bytes:
        """Return what the server wrote, at least one byte; raises ServerFailed."""
        if not select.select([self._stdout], [], [], PATIENCE)[0]:
            raise ServerFailed(f"{self.command.name}: silent for {PATIENCE:.0f} s")
        data = os.read(self._stdout.fileno(), READ_BYTES)
        if not data:
            raise ServerFailed(f"{self.command.name}: ended")
        return data

    def line(self) -> bytes:
        """Return the next line."""
        while b"\n" not in self._buffer:
            parts = [self._buffer, self.chunk()]
            while b"\n" not in parts[-1]:
                parts.append(self.chunk())
            self._buffer = b"".join(parts)
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    def shake_hands(self) -> None:
        """Initialize, as the first exchange of a legacy client."""
        self.send(INITIALIZE)
        result(self.line(), "hello")
        self.send(INITIALIZED)

    def call(self, tool: str, arguments: Mapping[str, Any]) -> float:
        """Call a tool once and return the seconds until its answer; raises ServerFailed when it is an error."""
        line = call_request("one", tool, arguments)
        begun = time.perf_counter()
        self.send(line)
        answer = self.line()
        seconds = time.perf_counter() - begun
        if result(answer, "one").get("isError"):
            raise ServerFailed(f"{self.command.name}: {tool} failed: {answer[:200]!r}")
        return seconds

    def calls(self, tool: str, arguments: Mapping[str, Any], *, count: int, window: int) -> float:
        """Make `count` calls with `window` of them unanswered at any time; return the seconds it took.

        Only line ends are counted, so that the client costs next to nothing. The answers to a window must fit a pipe.
        """
        lines = [call_request(number, tool, arguments) for number in range(count)]
        begun = time.perf_counter()
        self.send(b"".join(lines[:window]))
        sent, answered = min(window, count), 0
        while answered < count:
            new = self.chunk().count(b"\n")
            answered += new
            if new and sent < count:
                self.send(b"".join(lines[sent : sent + new]))
                sent = min(sent + new, count)
        return time.perf_counter() - begun

    def single_calls(self, tool: str, arguments: Mapping[str, Any], *, count: int) -> float:
        """Make `count` calls one after the other; return the median of the seconds until each one's answer."""
        times = []
        for number in range(count):
            line = call_request(number, tool, arguments)
            begun = time.perf_counter()
            self.send(line)
            self.line()
            times.append(time.perf_counter() - begun)
        return statistics.median(times)

    def peak_kib(self) -> int:
        """Return the most memory the process ever had resident, in KiB."""
        rows = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8").splitlines()
        return next(int(row.split()[1]) for row in rows if row.startswith("VmHWM"))

    def processor_seconds(self) -> float:
        """Return the processor time all threads of the process have used so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8")
        user, system = fields.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def close(self) -> float:
        """Close the server's input and return the seconds until it ended; one that does not end is killed."""
        handle = os.pidfd_open(self.process.pid)
        begun = time.perf_counter()
        self._stdin.close()
        ended = select.select([handle], [], [], PATIENCE)[0]
        seconds = time.perf_counter() - begun
        os.close(handle)
        if not ended:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self._stdout.close()
        return seconds


def result(line: bytes, identifier: str) -> dict[str, Any]:
    """Return the result one line carries; raises ServerFailed for anything else."""
    message = json.loads(line)
    if message.get("id") != identifier or type(message.get("result")) is not dict:
        raise ServerFailed(f"not the answer to {identifier}: {line[:200]!r}")
    found: dict[str, Any] = message["result"]
    return found


def run_time(command: Command) -> float:
    """Run a command that reads and writes nothing of interest; return the seconds it took."""
    nothing = subprocess.DEVNULL
    begun = time.perf_counter()
    process = subprocess.Popen(
        command.words, stdin=nothing, stdout=nothing, stderr=nothing, cwd=command.folder, env=environment()
    )
    handle = os.pidfd_open(process.pid)
    ended = select.select([handle], [], [], PATIENCE)[0]
    seconds = time.perf_counter() - begun
    os.close(handle)
    if not ended:
        process.kill()
    if process.wait():
        raise ServerFailed(f"{command.name}: exit code {process.returncode}")
    return seconds


def environment() -> dict[str, str]:
    """Return our environment without what changes how a Python starts."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
