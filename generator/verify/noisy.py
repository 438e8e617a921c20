"""Copied into a copy of a server's package: a tool that writes to standard output in every way there is.

Only the standard library is used: this runs under the server's interpreter.
"""

from __future__ import annotations

import os
import subprocess
import sys

NOISE = "mcpgen verify: this must not be on standard output"


def prints() -> None:
    """Print, write to the descriptor, and let a child write."""
    print(NOISE)  # noqa: T201 - what it is for
    sys.stdout.write(f"{NOISE}\n")
    sys.stdout.flush()
    os.write(1, f"{NOISE}\n".encode())
    subprocess.run([sys.executable, "-I", "-S", "-c", f"print({NOISE!r})"], check=False, timeout=10)  # noqa: S603 - our own words
