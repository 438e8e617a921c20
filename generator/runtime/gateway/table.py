"""Which servers a gateway has: the rows of its catalog, with what they leave out filled in."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

IDLE_SECONDS = 600.0
"""How long a child without a call is kept: people come back after coffee."""

CHILD_CALLS = 256
"""Calls that one child has at once, unless its row says otherwise; the rest wait their turn."""


class Server:
    """One child, as the catalog has it: times in seconds, `timeout` None when nothing is said of it."""

    __slots__ = ("id", "idle", "max_concurrent", "row", "timeout")

    def __init__(self, server_id: str, row: dict[str, Any]) -> None:
        limits = row.get("limits") or {}
        self.id = server_id
        self.row = row
        self.timeout: float | None = limits.get("timeout")
        self.max_concurrent: int = limits.get("max_concurrent") or CHILD_CALLS
        self.idle: float = limits.get("idle") or IDLE_SECONDS


class Table:
    """The `gateway` member of a catalog."""

    __slots__ = ("max_calls", "servers")

    def __init__(self, data: dict[str, Any]) -> None:
        self.max_calls: int | None = data.get("max_calls")
        self.servers = {server_id: Server(server_id, row) for server_id, row in data["servers"].items()}
