"""The process's three standard streams, made safe for user code before any of it is imported.

The protocol moves to private descriptors; descriptor 1 then leads to stderr and descriptor 0 to the null device.
Whatever a tool, its libraries or its child processes print or read, they cannot touch the protocol. The
private descriptors are not inherited by programs, and a forked copy of this process closes them at once.
"""

from __future__ import annotations

import sys

from ..wire import limits
from . import system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO


ASIDE = (1000, 1001, 1002, 1003, 240, 241, 242, 243)
"""Numbers for private descriptors: below the usual limits of 1024 and 256, and within what `select` can watch."""


LEAST_MESSAGE_BYTES = 4096
"""A lower bound on messages would refuse a plain handshake."""


def take() -> tuple[int, int]:
    """Return private (input, output) descriptors; raises OSError when there is no standard output to serve on."""
    for descriptor in (0, 2):
        ensure_open(descriptor)
    source, sink = set_aside(0), set_aside(1)
    null = system.open(system.DEVNULL, system.O_RDONLY)
    system.dup2(null, 0)
    system.close(null)
    settle()
    system.dup2(2, 1)
    if sys.stdout is not None and sys.stdout.seekable():
        sys.stdout = reopen(1)  # it was a file, and the old stream would ask a pipe for its position
    if system.register_at_fork is not None:
        system.register_at_fork(after_in_child=lambda: _close_both(source, sink))
    return source, sink


def set_apart() -> None:
    """Lead the standard streams away from whoever started a server that does not serve on them.

    Its input is the null device, and what is printed goes to standard error, as on stdio.
    """
    for descriptor in (0, 1, 2):
        ensure_open(descriptor)
    null = system.open(system.DEVNULL, system.O_RDONLY)
    system.dup2(null, 0)
    system.close(null)
    settle()
    system.dup2(2, 1)
    if sys.stdout is not None and sys.stdout.seekable():
        sys.stdout = reopen(1)


def message_limit() -> int:
    """Return the bound on one line: what the environment says, if that is a sensible number, or the default."""
    said = system.environ.get(b"MCPGEN_MAX_MESSAGE_BYTES", b"")
    limit = int(said) if said.isdigit() and len(said) < 12 else 0
    return limit if limit >= LEAST_MESSAGE_BYTES else limits.MAX_MESSAGE_BYTES


def settle() -> None:
    """Make `print` write at once; before descriptor 1 moves, because a buffered file asks for its position."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(line_buffering=True, errors="backslashreplace")


def reopen(descriptor: int) -> TextIO:
    """Return a fresh text stream on a standard descriptor."""
    return open(
        descriptor, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False
    )  # lives as long as the process


def ensure_open(descriptor: int) -> bool:
    """Lead a closed descriptor to the null device; True when that was needed. Raises OSError when none is free."""
    try:
        system.fstat(descriptor)
    except OSError:
        null = system.open(system.DEVNULL, system.O_RDWR)
        if null != descriptor:
            system.dup2(null, descriptor)
            system.close(null)
        return True
    return False


def move_aside(descriptor: int) -> int:
    """Move a descriptor as `set_aside` does and return its new number, the old one where none is free."""
    try:
        moved = set_aside(descriptor)
    except OSError:
        return descriptor
    system.close(descriptor)
    return moved


def set_aside(descriptor: int) -> int:
    """Duplicate a descriptor to a high number, where tools that close "all" descriptors (3 to 255) do not reach.

    Falls back to the next free number where the limit is lower.
    """
    for place in ASIDE:
        try:
            system.fstat(place)
        except OSError:  # free
            try:
                return system.dup2(descriptor, place, inheritable=False)
            except OSError:  # over the process's limit
                continue
    return system.dup(descriptor)


def _close_both(source: int, sink: int) -> None:
    for descriptor in (source, sink):
        try:
            system.close(descriptor)
        except OSError:
            pass
