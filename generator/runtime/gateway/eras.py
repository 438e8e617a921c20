"""Which era each command or origin was found to speak, for as long as the gateway runs."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

MAX_KNOWN = 1000
"""More children than any table has."""


class Eras:
    """Remembers eras; safe for any number of threads."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[tuple[str, ...], str] = {}

    def known(self, row: Mapping[str, Any]) -> str:
        """Return the era of a row of the table: as found here, else as found when the table was made, else ""."""
        told = row.get("era", "")
        return self._known.get(_key(row), told if told in ("modern", "legacy") else "")

    def learn(self, row: Mapping[str, Any], era: str) -> None:
        """Remember what a child speaks; "" forgets it."""
        key = _key(row)
        if era and len(self._known) < MAX_KNOWN:
            self._known[key] = era
        else:
            self._known.pop(key, None)


def _key(row: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(row["command"]) if "command" in row else (row["url"],)
