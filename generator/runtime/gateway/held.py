"""Calls of legacy children that wait for their caller to come back: a child asks mid-call, the caller is modern.

The child's call stays open, the caller's ends with an input-required result whose sealed state holds a handle. The
retry finds the call by it, if the principal is the same and the round is the last one; each state serves once. What
nobody comes back for is given up after its time, which is short where others are held up by it. A call that is held
lives in this process only: another replica does not know the handle.
"""

from __future__ import annotations

from _thread import allocate_lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Holdable(Protocol):
        """A call that can be held."""

        def expire(self) -> None:
            """Give up: nobody came back in time."""


HELD_SECONDS = 120.0
"""How long a call is held for a person who fills in a form; a child has one place less meanwhile."""

CONTESTED_SECONDS = 15.0
"""How long a call is held where a question to somebody else could not be asked because of it."""

MAX_HELD = 256
"""Calls that are held at once, of all callers."""

MAX_HELD_EACH = 32
"""Calls that are held at once for one principal, so that one cannot take all places."""

SHARE = 2
"""One of so many places of a child may be held: the others are for calls that wait for nobody."""

HANDLE_BYTES = 18
"""Random bytes of a handle; the seal is what keeps others out."""


class Entry:
    """One call that is held."""

    __slots__ = ("child", "expires", "passage", "principal", "round")

    def __init__(self, passage: Holdable, principal: str, child: str, expires: float) -> None:
        self.passage = passage
        self.child = child
        self.principal = principal
        self.expires = expires
        self.round = 0


class Held:
    """The calls that are held. The clock is an argument; safe for any number of threads."""

    __slots__ = ("_entries", "_lock")

    def __init__(self) -> None:
        self._entries: dict[str, Entry] = {}
        self._lock = allocate_lock()

    def keep(
        self,
        handle: str,
        passage: Holdable,
        principal: str,
        now: float,
        child: str = "",
        places: int = MAX_HELD * SHARE,
    ) -> tuple[str, int] | None:
        """Hold a call for its next round; "" as handle makes one. None: too many are held already.

        `places` are the calls that its child may have at once.
        """
        with self._lock:
            entry = self._entries.get(handle)
            if entry is None:
                of_this = sum(1 for each in self._entries.values() if each.principal == principal)
                if len(self._entries) >= MAX_HELD or (principal and of_this >= MAX_HELD_EACH):
                    return None
                if sum(1 for each in self._entries.values() if each.child == child) >= max(places // SHARE, 1):
                    return None
                from secrets import token_urlsafe

                handle = token_urlsafe(HANDLE_BYTES)
                entry = self._entries[handle] = Entry(passage, principal, child, 0.0)
            entry.round += 1
            entry.expires = now + HELD_SECONDS
            return handle, entry.round

    def take(self, handle: str, number: int, principal: str) -> Holdable | None:
        """Return the call that waits for this round, which nobody else can take any more; None when there is none."""
        with self._lock:
            entry = self._entries.get(handle)
            if entry is None or entry.round != number or entry.principal != principal:
                return None
            entry.round += 1
            return entry.passage

    def drop(self, handle: str) -> None:
        """Hold a call no longer, because it ended."""
        with self._lock:
            self._entries.pop(handle, None)

    def contest(self, child: str, now: float) -> None:
        """Give up what waits in a child for long already, because others cannot be asked meanwhile."""
        latest = now + HELD_SECONDS - CONTESTED_SECONDS
        with self._lock:
            over = [handle for handle, each in self._entries.items() if each.child == child and each.expires <= latest]
            passages = [self._entries.pop(handle).passage for handle in over]
        for passage in passages:
            passage.expire()

    def sweep(self, now: float) -> float | None:
        """Give up what nobody came back for; return when to look again, None when nothing is held."""
        with self._lock:
            over = [handle for handle, entry in self._entries.items() if entry.expires <= now]
            passages = [self._entries.pop(handle).passage for handle in over]
            following = min((entry.expires for entry in self._entries.values()), default=None)
        for passage in passages:
            passage.expire()
        return following

    def __len__(self) -> int:
        return len(self._entries)
