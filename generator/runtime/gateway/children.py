"""All children of one gateway: found by their ids, started when they are needed, ended together."""

from __future__ import annotations

from _thread import allocate_lock
from time import monotonic, sleep

from .alarm import Alarm
from .child import Child
from .links import CLOSED
from .places import Places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .links import Link
    from .table import Table

POLL_SECONDS = 0.005


class Children:
    """The children of a table. `connect` makes the link of one; `collected` are the links that have not sent all yet.

    `settle` writes what was collected on the way back, once a burst of answers is over; `changed` hears that a child
    began or ended. `leaving` are links that were told to close and may not have yet. `on_ready` hears of a child that
    has just started, and lets its calls go; `on_gone` of one that ended.
    """

    def __init__(self, table: Table, connect: Callable[[Child], Link]) -> None:
        self._children = {server_id: Child(server, self) for server_id, server in table.servers.items()}
        self.connect = connect
        self.lock = allocate_lock()
        self.alarm = Alarm()
        self.places = Places(table.max_calls, len(table.servers))
        self.collected: set[Link] = set()
        self.leaving: set[Link] = set()
        self.settle: Callable[[], None] = self.flush
        self.changed: Callable[[], None] = _unheard
        self.on_ready: Callable[[Child, Link, Callable[[], None]], None] = _go
        self.on_gone: Callable[[Child], None] = _nothing
        self.closing = False

    def of(self, server_id: str) -> Child:
        """Return a child by its id; raises KeyError."""
        return self._children[server_id]

    def all(self) -> list[Child]:
        """Return all children, started or not."""
        return [*self._children.values()]

    def pass_places_on(self) -> None:
        """Let those who wait for a place in all have what is free, in turn."""
        while self.places.contested:
            with self.lock:
                child = self.places.next()
            if child is None:
                break
            child.go_on()

    def flush(self) -> None:
        """Write what was collected for children."""
        while self.collected:
            try:
                link = self.collected.pop()
            except KeyError:
                break  # another thread took the last one
            link.flush()

    def close(self) -> None:
        """Begin to end all children; nothing is started any more."""
        with self.lock:
            self.closing = True
            links = [child.link for child in self._children.values() if child.link is not None]
        self.leaving.update(links)
        for link in links:
            link.close()

    def leave(self, link: Link) -> None:
        """End a link; those that have closed since are forgotten, however often children come and go."""
        self.leaving.difference_update([each for each in self.leaving.copy() if each.state == CLOSED])
        self.leaving.add(link)
        link.close()

    def is_closed(self) -> bool:
        """Say whether all children are gone."""
        return all(link.state == CLOSED for link in self.leaving.copy())

    def wait_closed(self, seconds: float) -> bool:
        """Wait until all are gone, no longer than so many seconds; False when some are not."""
        until = monotonic() + seconds
        while not self.is_closed():
            if monotonic() >= until:
                return False
            sleep(POLL_SECONDS)
        return True


def _go(_: Child, __: Link, go: Callable[[], None]) -> None:
    """Let the calls of a child go at once."""
    go()


def _unheard() -> None:
    """Stand for whoever wants to hear of changes."""


def _nothing(_: Child) -> None:
    """Stand for whoever wants to hear of ends."""
