"""From a host to its addresses, within the deadline: the system's resolver knows none, so it runs on a thread aside."""

from __future__ import annotations

import socket
from _queue import Empty, SimpleQueue
from _thread import start_new_thread

from .address import literal
from .stopping import Turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Endpoint = tuple[int, tuple[Any, ...]]
    """An address family and what `connect` takes for it."""

MAX_ADDRESSES = 16
"""Addresses of one host that are looked at; connecting tries them one after the other."""


class Unresolved(Exception):
    """The host has no address; `temporary` says that the resolver itself failed."""

    def __init__(self, *, temporary: bool) -> None:
        super().__init__()
        self.temporary = temporary


def resolve(host: str, port: int, turn: Turn) -> list[Endpoint]:
    """Return the addresses of a host, in the system's order. Raises Unresolved, and TimeoutError by the turn."""
    address = literal(host)
    if address is not None:
        if address.version == 4:
            return [(socket.AF_INET, (host, port))]
        return [(socket.AF_INET6, (host, port, 0, 0))]
    answers: SimpleQueue[list[Endpoint] | Unresolved | None] = SimpleQueue()

    def wake() -> None:
        answers.put(None)

    turn.watch.on_stop(wake)
    try:
        start_new_thread(_look_up, (host, port, answers))
        found = answers.get(timeout=turn.left())
    except (Empty, RuntimeError):
        raise TimeoutError from None  # also when the system has no thread left: the same advice holds
    finally:
        turn.watch.forget(wake)
    if found is None:
        raise TimeoutError
    if isinstance(found, Unresolved):
        raise found
    return found


def _look_up(host: str, port: int, answers: SimpleQueue[list[Endpoint] | Unresolved | None]) -> None:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        endpoints = [(int(family), address) for family, _, _, _, address in found]
        answers.put(endpoints[:MAX_ADDRESSES] or Unresolved(temporary=False))
    except socket.gaierror as error:
        answers.put(Unresolved(temporary=error.errno == socket.EAI_AGAIN))
    except Exception:  # noqa: BLE001 # whatever the resolver thinks of such a name, somebody waits for an answer
        answers.put(Unresolved(temporary=False))
