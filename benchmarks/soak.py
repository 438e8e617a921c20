"""Call one emitted server very often and watch its memory: the long form of the `many` recipe of the attack corpus.

    python benchmarks/soak.py [CALLS] [--check]

Pings, calls that run on the reading thread, refused calls and asynchronous ones take turns, so that every path of the
shell is walked. Memory is read once the first ten thousand are answered and again at the end; with --check a growth of
5 MB or an answer that is missing fails. A million calls take about a minute.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

if TYPE_CHECKING:
    from collections.abc import Iterator

CALLS = 1_000_000
FIRST = 10_000
"""After so many everything that is made once has been made."""

BATCH = 500
"""Requests that are open at once: memory is to show what calls leave behind, not how many wait."""

GROWTH = 5 * 1024
"""Kibibytes a server may grow between the first ten thousand calls and the end."""

MODULE = '''"""What is called."""


def echo(x: object) -> object:
    """Give back."""
    return x


async def aecho(x: object) -> object:
    """Give back, on the loop."""
    return x
'''


def main() -> int:
    """Build, call, measure; returns an exit code."""
    parser = argparse.ArgumentParser(description="Call one server very often and watch its memory.")
    parser.add_argument("calls", nargs="?", type=int, default=CALLS)
    parser.add_argument("--check", action="store_true", help="fail when memory grows")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-I", "-S", str(build(Path(folder)) / "server.py")]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as server:
            seconds, before, after = soak(server, max(options.calls, 2 * FIRST))
    growth = after - before
    print(f"{options.calls} calls in {seconds:.1f} s, {options.calls / seconds:,.0f} a second")
    print(f"memory {before} kB after {FIRST}, {after} kB at the end: {growth:+} kB (at most {GROWTH})")
    return 1 if options.check and growth > GROWTH else 0


def build(folder: Path) -> Path:
    """Build the server with the checkout's own command line."""
    (folder / "echo.py").write_text(MODULE, encoding="utf-8")
    command = [sys.executable, "-c", "import sys; from generator.cli.app import main; main()"]
    words = ["build", str(folder / "echo.py"), "-o", str(folder / "project"), "--quiet"]
    subprocess.run([*command, *words], cwd=ROOT, check=True)
    return folder / "project"


def soak(server: subprocess.Popen[bytes], calls: int) -> tuple[float, int, int]:
    """Send all calls while the answers are counted; returns seconds, and memory before and after."""
    if server.stdin is None or server.stdout is None:
        raise RuntimeError
    begun = time.monotonic()
    answered(server.stdin, server.stdout, range(FIRST))
    before = memory(server.pid)
    answered(server.stdin, server.stdout, range(FIRST, calls))
    after = memory(server.pid)
    seconds = time.monotonic() - begun
    server.stdin.close()
    if server.wait(10) != 0:
        raise SystemExit("the server did not end well")
    return seconds, before, after


def answered(stdin: IO[bytes], stdout: IO[bytes], numbers: range) -> None:
    """Send these requests and see that each is answered once."""
    for start in range(numbers.start, numbers.stop, BATCH):
        batch = range(start, min(start + BATCH, numbers.stop))
        writer = threading.Thread(target=write, args=(stdin, batch))
        writer.start()
        found = sorted(json.loads(stdout.readline())["id"] for _ in batch)
        writer.join()
        if found != list(batch):
            raise SystemExit("a request was not answered, or twice")


def write(stdin: IO[bytes], numbers: range) -> None:
    """Write these requests while the answers are read."""
    stdin.write(b"".join(requests(numbers)))
    stdin.flush()


def requests(numbers: range) -> Iterator[bytes]:
    """Yield one line for each number, of four kinds in turn."""
    kinds = (
        '{"jsonrpc":"2.0","id":%d,"method":"ping"}\n',
        '{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"echo","arguments":{"x":"a"}}}\n',
        '{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"echo","arguments":{"y":1}}}\n',
        '{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"echo","arguments":{"x":[1,{"b":null}]}}}\n',
        '{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"echo2","arguments":{}}}\n',
        '{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"aecho","arguments":{"x":1}}}\n',
    )
    for number in numbers:
        yield (kinds[number % len(kinds)] % number).encode()


def memory(process: int) -> int:
    """Return a process's resident memory in kibibytes (Linux)."""
    for line in Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise RuntimeError


if __name__ == "__main__":
    raise SystemExit(main())
