"""Calls that a client may send twice: `_meta["mcpgen/idempotencyKey"]` makes the second one the first (R136).

A client that does not know whether its call arrived sends it again with the same key. The tool runs once: while it
does, the second call is told to wait; afterwards it gets what the first came to, marked as such. Keys belong to one
tool and whoever asks. What never ran, was cancelled, or lost its process is not kept, and may run with the same key.
"""

from __future__ import annotations

from _thread import allocate_lock
from hashlib import sha256

from ..wire import jsonrpc
from .call import REPEAT_KEY
from .call_outcomes import never_ran
from .outcome import META_ERROR, busy, coded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .call import Call
    from .catalog import Catalog

REPEATED = "mcpgen/repeated"
"""The key under `_meta` of a result that an earlier call came to."""

MAX_KEPT = 1000
"""Results that are kept; the oldest goes first."""

MAX_KEPT_BYTES = 16 * 1024 * 1024
"""Bytes of them, likewise."""

KEPT_SECONDS = 3600.0
"""How long a result is kept: clients that try again do so within minutes."""

LOST = frozenset(("M-RUN-004",))
"""Errors after which nobody knows what the tool did; the client has to look."""


class Repeat:
    """One key: the digest of its arguments, and the result once there is one. `now` is when it was first sent."""

    __slots__ = ("digest", "key", "now", "repeats", "result", "size")

    def __init__(self, key: tuple[str, str, str], digest: bytes, now: float, repeats: Repeats) -> None:
        self.key = key
        self.digest = digest
        self.now = now
        self.repeats = repeats
        self.result: dict[str, Any] | None = None
        self.size = 0

    def end(self, result: dict[str, Any] | None) -> None:
        """Keep what the call came to, or forget the key; None as result says that it was cancelled."""
        try:
            self.repeats.settle(self, result)
        except Exception:  # noqa: BLE001 # a result that is no JSON
            self.repeats.settle(self, None)


class Repeats:
    """The keys of one catalog's calls, oldest first."""

    __slots__ = ("_bytes", "_known", "_lock")

    def __init__(self) -> None:
        self._known: dict[tuple[str, str, str], Repeat] = {}
        self._bytes = 0
        self._lock = allocate_lock()

    def begin(self, call: Call) -> dict[str, Any] | None:
        """Note the key of a call that runs now, or return the result that it gets instead of running."""
        principal = call.session.principal if call.session is not None else ""
        key = (principal, call.tool.name, str(call.meta[REPEAT_KEY]))
        digest = sha256(jsonrpc.encode(call.arguments)).digest()
        with self._lock:
            known = self._known.get(key)
            if known is not None and call.started - known.now > KEPT_SECONDS and known.result is not None:
                self._forget(known)
                known = None
            if known is None:
                call.repeat = self._known[key] = Repeat(key, digest, call.started, self)
                self._make_room()
                return None
        if known.digest != digest:
            return _reused(call)
        if known.result is None:
            return busy(call)
        return {**known.result, "_meta": {**(known.result.get("_meta") or {}), REPEATED: True}}

    def settle(self, repeat: Repeat, result: dict[str, Any] | None) -> None:
        """Keep a result or forget its key."""
        kept = result is not None and result.get("resultType", "complete") == "complete" and not _is_open(result)
        text = jsonrpc.ascii_text(result) if kept else ""
        size = len(text)
        if kept:  # as it is sent now: the tool may go on to change what it returned
            result = jsonrpc.scan(text, 0)[0]
        with self._lock:
            if self._known.get(repeat.key) is not repeat or repeat.result is not None:
                return
            if not kept or size > MAX_KEPT_BYTES:
                self._forget(repeat)
                return
            repeat.result, repeat.size = result, size
            self._bytes += size
            self._make_room()

    def _make_room(self) -> None:
        """Forget the oldest results, never a key whose call runs."""
        for repeat in [*self._known.values()]:
            if len(self._known) <= MAX_KEPT and self._bytes <= MAX_KEPT_BYTES:
                break
            if repeat.result is not None:
                self._forget(repeat)

    def _forget(self, repeat: Repeat) -> None:
        del self._known[repeat.key]
        self._bytes -= repeat.size


_all: dict[Catalog, Repeats] = {}


def repeats_of(catalog: Catalog) -> Repeats:
    """Return the keys of a catalog's calls: one object for each catalog."""
    found = _all.get(catalog)
    return found if found is not None else _all.setdefault(catalog, Repeats())


def _is_open(result: dict[str, Any]) -> bool:
    """Say whether the tool may still be run for the same key: it never ran, or nobody knows."""
    error = ((result.get("_meta") or {}).get(META_ERROR) or {}).get("code")
    return bool(result.get("isError")) and (never_ran(error) or error in LOST)


def _reused(call: Call) -> dict[str, Any]:
    text = f"{call.tool.name} was not run: its idempotency key came with other arguments before."
    return coded(call, "M-INP-007", "idempotency_key_reused", text, "Send another key for another call.")
