"""What stands in a description and means nothing there, or twice: methods nobody knows, ids of two operations."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from ..limits import PROBLEM_PARTS
from .path_items import METHODS
from .values import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..place import Place
    from .path_items import PathItem
    from .sources import Reading

_OTHERS = frozenset(("summary", "description", "servers", "parameters"))
_SINCE_3_2 = frozenset(("query", "additionalOperations"))


def report_strangers(reading: Reading, item: PathItem) -> None:
    """Warn of members of a path item that are no methods: an operation may stand there that nobody will find."""
    for name, (_, place) in item.members.items():
        if name.startswith("x-") or name in _OTHERS:
            continue
        if name in _SINCE_3_2:
            if reading.minor < 2:
                reading.findings.warn("ignored-member", f"`{name}` of a path is known since OpenAPI 3.2 only", place)
        elif name not in METHODS:
            reading.room.take(PROBLEM_PARTS)
            near = get_close_matches(name.lower(), METHODS, n=1)
            meant = f"; did you mean `{near[0]}`?" if near else ""
            reading.findings.warn("ignored-member", f"`{shown(name)}` is no method of a path{meant}", place)


def report_shared_ids(reading: Reading, identities: Mapping[str, Mapping[str, Place]]) -> None:
    """Warn of operationIds that several operations have, whether these can be read or not.

    `identities` has the places of the operations by id and key.
    """
    for identity, places in identities.items():
        if len(places) > 1:
            first, *others = places
            named = ", ".join(f"`{shown(key)}`" for key in others[:3])
            more = f" and {len(others) - 3} more" if len(others) > 3 else ""
            message = f"the operationId `{shown(identity)}` of `{shown(first)}` is also that of {named}{more}"
            reading.findings.warn("duplicate-operation-id", message, places[others[0]].at("operationId"))
