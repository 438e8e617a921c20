"""What a running server said when it was asked for everything it has, as it came."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A server's lists by kind, with what it said of itself; `cut` names the lists that go on beyond what was read.

    `ttl_ms` is the shortest time that a list may be kept, `private` whether one depends on who asks.
    """

    era: Literal["modern", "legacy"]
    server: Mapping[str, Any] = field(default_factory=dict)
    instructions: str = ""
    capabilities: Mapping[str, Any] = field(default_factory=dict)
    lists: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    cut: tuple[str, ...] = ()
    ttl_ms: int | None = None
    private: bool = False
