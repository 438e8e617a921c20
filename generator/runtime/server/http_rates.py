"""How often something may be done: token buckets, one for each token, and one for each token and tool.

A bucket fills by `per_second` up to `burst`; each request takes one out of it. The clock is an argument.
"""

from __future__ import annotations

from .http_limits import MAX_BUCKETS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from .call import Call

EVERY_TOOL = "*"


class Rates:
    """The buckets of one kind, by whatever they belong to."""

    __slots__ = ("_buckets", "_burst", "_per_second")

    def __init__(self, limit: Mapping[str, Any]) -> None:
        self._per_second: float = limit["per_second"]
        self._burst: float = limit.get("burst") or max(1.0, self._per_second)
        self._buckets: dict[Any, tuple[float, float]] = {}

    def wait(self, key: Any, now: float) -> float:
        """Take one out of a bucket and return 0, or return the seconds until there is one. `now` is in seconds."""
        content, since = self._buckets.pop(key, (self._burst, now))
        content = min(self._burst, content + (now - since) * self._per_second)
        seconds = 0.0 if content >= 1.0 else (1.0 - content) / self._per_second
        self._buckets[key] = (content if seconds else content - 1.0, now)
        if len(self._buckets) > MAX_BUCKETS:  # the one that was not used for longest; it is full by now, or nearly
            del self._buckets[next(iter(self._buckets))]
        return seconds


class ToolRates:
    """The buckets of tools, for each token."""

    __slots__ = ("_rates",)

    def __init__(self, limits: Mapping[str, Mapping[str, Any]]) -> None:
        self._rates = {name: Rates(limit) for name, limit in limits.items()}

    def wait(self, call: Call, now: float) -> float:
        """Return 0 if a call may run, or the seconds until it may."""
        name = call.tool.name
        rates = self._rates.get(name) or self._rates.get(EVERY_TOOL)
        principal = call.session.principal if call.session is not None else ""
        return rates.wait((principal, name), now) if rates is not None and call.tool.framing is None else 0.0


def limited(call: Call, seconds: float) -> dict[str, Any]:
    """Build M-RUN-002 for a call of a tool that was called too often."""
    from .outcome import coded

    text = f"{call.tool.name} was not run: it was called too often."
    after = whole_seconds(seconds)
    suggestion = f"Call it again in {after} {'second' if after == 1 else 'seconds'}."
    return coded(call, "M-RUN-002", "rate_limited", text, suggestion, retryable=True, retryAfter=after)


def whole_seconds(seconds: float) -> int:
    """Return how many whole seconds to wait at least."""
    return max(1, int(seconds) + (seconds > int(seconds)))
