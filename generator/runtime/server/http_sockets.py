"""Sockets that user code may close under the server: kept out of its reach, and recognised where it happened."""

from __future__ import annotations

import select
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

READ, WRITE = 1, 2
"""What a socket is waited for, and what happened there; as in `selectors`."""

JUST_INPUT = 1
"""EPOLLIN and nothing else."""

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


class Waits:
    """The sockets that are waited for, and who is told what happens there: `READ`, `WRITE` or both.

    It is `selectors.DefaultSelector` with less between the system and who waits: on Linux, the loop over what happened
    is a tenth of what a quick call costs. Raises OSError when no descriptor is left.
    """

    __slots__ = ("_asked", "_epoll", "_others", "_who")

    def __init__(self) -> None:
        self._who: dict[int, Any] = {}
        self._asked: dict[int, int] = {}
        self._epoll: Any = None
        self._others: Any = None
        if not hasattr(select, "epoll"):
            from selectors import DefaultSelector

            self._others = DefaultSelector()
            return
        self._epoll = made = select.epoll()
        if fcntl is not None:  # out of tools' reach: under another's number it would wait for what is not the server's
            try:
                number = fcntl.fcntl(made.fileno(), fcntl.F_DUPFD_CLOEXEC, LOWEST)
            except OSError:  # over the process's limit
                return
            self._epoll = select.epoll.fromfd(number)
            made.close()

    def add(self, each: socket, events: int, who: Any) -> None:
        """Wait for a socket, which was not waited for."""
        if self._others is not None:
            self._others.register(each, events, who)
        else:
            bits = (select.EPOLLIN if events & READ else 0) | (select.EPOLLOUT if events & WRITE else 0)
            self._epoll.register(each.fileno(), bits)
        self._who[each.fileno()] = who
        self._asked[each.fileno()] = events

    def remove(self, each: socket) -> None:
        """Wait no more for a socket, if it was waited for."""
        if self._who.pop(each.fileno(), None) is None:
            return
        try:
            (self._epoll or self._others).unregister(each.fileno())
        except (OSError, KeyError, ValueError):
            pass  # user code closed it

    def has(self, each: socket) -> bool:
        """Say whether a socket is waited for."""
        return each.fileno() in self._who

    def ready(self, seconds: float) -> list[tuple[Any, int]]:
        """Return who is told what, the first last; waits so long at most. Raises OSError when it was closed."""
        if self._others is not None:
            return [(key.data, mask) for key, mask in reversed(self._others.select(seconds))]
        found = self._epoll.poll(seconds, len(self._who) or 1)
        found.reverse()
        who = self._who
        return [
            (who[number], READ if bits == JUST_INPUT else self._events(number, bits))
            for number, bits in found
            if number in who
        ]

    def _events(self, number: int, bits: int) -> int:
        """Return what bits of epoll mean; whoever waits finds out about an error by reading or writing."""
        events = (READ if bits & ~select.EPOLLOUT else 0) | (WRITE if bits & ~select.EPOLLIN else 0)
        return events & self._asked[number]


def is_open(each: socket) -> bool:
    """Say whether a socket's number still is one of a socket."""
    try:
        return S_ISSOCK(system.fstat(each.fileno()).st_mode)
    except OSError:
        return False
