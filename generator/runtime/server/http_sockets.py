"""Sockets that user code may close under the server: kept out of its reach, and recognised where it happened."""

from __future__ import annotations

import select
import selectors
from socket import socket
from stat import S_ISSOCK

from . import system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

try:
    import fcntl
except ImportError:  # elsewhere numbers are no matter
    fcntl = None  # type: ignore[assignment]

LOWEST = 256
"""Tools that close "all" descriptors stop below this number."""


def lifted(given: socket) -> socket:
    """Return the socket under a number out of such tools' reach, if one is free, and never blocking."""
    moved = given
    if fcntl is not None:
        try:
            number = fcntl.fcntl(given.fileno(), fcntl.F_DUPFD_CLOEXEC, LOWEST)
        except OSError:  # over the process's limit
            pass
        else:
            moved = socket(given.family, given.type, given.proto, fileno=number)
            given.close()
    moved.setblocking(False)  # noqa: FBT003 # it takes it by position only
    return moved


def new_selector() -> selectors.BaseSelector:
    """Return a selector under such a number too: under another's, it would wait for what is none of the server's."""
    made: Any = selectors.DefaultSelector()
    inner = getattr(made, "_selector", None)  # no selector takes a number of the caller's
    if fcntl is not None and hasattr(select, "epoll") and type(inner) is select.epoll:
        try:
            number = fcntl.fcntl(inner.fileno(), fcntl.F_DUPFD_CLOEXEC, LOWEST)
        except OSError:  # over the process's limit
            return made  # type: ignore[no-any-return]
        made._selector = select.epoll.fromfd(number)  # noqa: SLF001 # see above
        inner.close()
    return made  # type: ignore[no-any-return]


def is_open(each: socket) -> bool:
    """Say whether a socket's number still is one of a socket."""
    try:
        return S_ISSOCK(system.fstat(each.fileno()).st_mode)
    except OSError:
        return False
