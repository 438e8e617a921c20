"""Memory that large answers took goes back to the system."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

from generator.runtime.client.memory import LARGE_BYTES, give_back

KIBIBYTES = 1024
TAKEN = 64 * 1024 * 1024


def resident() -> int:
    """Return the bytes of memory this process has now."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmRSS:")[2].split()[0]) * KIBIBYTES


def take_and_free() -> None:
    """Take memory in small pieces, free all but the last, which keeps the allocator from giving back by itself."""
    pieces = [bytes(16 * KIBIBYTES) for _ in range(TAKEN // (16 * KIBIBYTES))]
    kept.append(pieces[-1])


kept: list[bytes] = []


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux tells how much memory a process has")
def test_what_was_freed_is_given_back_after_a_large_answer_only():
    thread = threading.Thread(target=take_and_free)
    thread.start()
    thread.join()
    held = resident()
    give_back(LARGE_BYTES - 1)
    assert resident() > held - TAKEN // 8
    give_back(LARGE_BYTES)
    assert resident() < held - TAKEN // 2
