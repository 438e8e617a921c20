"""What a child lists now, compared with the table: what changed, what is gone, what is new. Pure.

Where the build cleaned a definition for clients, the table's entry has under `was` how its members came; those count.
What no build would route is not new: what `expose` and `deny` leave out, and what clients refuse.
"""

from __future__ import annotations

from .names import is_chosen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from ..wire.dialects import Dialect

KEYS = {"tools": "name", "prompts": "name", "resources": "uri", "templates": "uriTemplate"}
"""The member of a definition that names it, by kind."""

CHANGED, GONE, NEW = "changed", "gone", "new"

HARMLESS = frozenset(("name", "uri", "uriTemplate", "_meta", "icons", "size"))
"""Members that are the gateway's own, or that may differ from one day to the next: no model acts on them."""


class Difference:
    """One thing that is not as the table says; `members` are those that changed."""

    __slots__ = ("kind", "members", "original", "what")

    def __init__(self, what: str, kind: str, original: str, members: tuple[str, ...] = ()) -> None:
        self.what = what
        self.kind = kind
        self.original = original
        self.members = members

    def __str__(self) -> str:
        how = f" ({', '.join(self.members)})" if self.members else ""
        return f"{self.kind} {self.original[:80]!r} {self.what}{how}"


def differences(
    kind: str,
    entries: Iterable[dict[str, Any]],
    live: Iterable[Any],
    dialect: Dialect,
    child: tuple[str, Mapping[str, Any]] = ("", {}),
) -> Iterator[Difference]:
    """Yield what differs of one kind; `entries` are the table's, of this child, and `child` is its id and its row."""
    found = first_of(kind, live)
    known = set()
    fields = dialect.tool_fields if kind == "tools" else dialect.prompt_fields + dialect.resource_fields
    for entry in entries:
        original = entry["call"]["original"]
        known.add(original)
        definition = found.get(original)
        if definition is None:
            yield Difference(GONE, kind, original)
            continue
        members = _changed({**entry["definition"], **entry.get("was", {})}, definition, fields)
        if members:
            yield Difference(CHANGED, kind, original, members)
    server, row = child
    for original, definition in found.items():
        if original not in known and is_chosen(row, server, original) and _is_fit(kind, definition):
            yield Difference(NEW, kind, original)


def first_of(kind: str, live: Iterable[Any]) -> dict[str, dict[str, Any]]:
    """Return definitions by the child's own names, the first of each (R050); what has no name is left out."""
    key = KEYS[kind]
    found: dict[str, dict[str, Any]] = {}
    for definition in live:
        if type(definition) is dict and type(definition.get(key)) is str and definition[key]:
            found.setdefault(definition[key], definition)
    return found


def _is_fit(kind: str, definition: dict[str, Any]) -> bool:
    """Say whether a build would take a definition: it has told of one that clients refuse, and leaves it out again."""
    from .cleaning import cleaned  # only where something is new

    return cleaned(kind, definition).definition is not None


def _changed(known: dict[str, Any], live: dict[str, Any], fields: tuple[str, ...]) -> tuple[str, ...]:
    """Return the members that differ, of those that the child's revision has."""
    looked_at = [name for name in dict.fromkeys((*known, *live)) if name in fields and name not in HARMLESS]
    return tuple(name for name in looked_at if known.get(name) != live.get(name))
