"""Look at a running server from outside: its memory, its end."""

from __future__ import annotations

import re
import subprocess
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

SECONDS = 30
"""For one step of a conversation."""

PIPES = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}


@contextmanager
def running(argv: list[str], **options: object) -> Iterator[subprocess.Popen[bytes]]:
    """Start a server with pipes; it is gone afterwards, whatever the test does."""
    process = subprocess.Popen(argv, **{**PIPES, **options})
    try:
        yield process
    finally:
        process.kill()
        process.wait(SECONDS)
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                with suppress(BrokenPipeError):  # what could not be sent any more
                    stream.close()


def send(process: subprocess.Popen[bytes], data: bytes) -> None:
    """Write and flush."""
    process.stdin.write(data)
    process.stdin.flush()


def memory(process: subprocess.Popen[bytes], what: str = "VmRSS") -> int:
    """Return kibibytes of memory: VmRSS now, VmHWM at most so far."""
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
    return int(re.search(rf"^{what}:\s+(\d+) kB", status, re.MULTILINE)[1])


def seconds_until_end(process: subprocess.Popen[bytes]) -> float:
    """Wait for the end and return how long it took."""
    begun = time.monotonic()
    process.wait(SECONDS)
    return time.monotonic() - begun
