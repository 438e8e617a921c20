"""Read `servers` with their variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import ApiServer, ServerVariable
from .values import text, texts

if TYPE_CHECKING:
    from ..place import Place
    from .sources import Reading


def read_servers(reading: Reading, written: object, where: Place) -> tuple[ApiServer, ...]:
    """Return the servers in order; one without `url` is left out; raises Unreadable when it is no array of objects."""
    items, place = reading.items(written, where, "servers")
    found = []
    for index, item in enumerate(items):
        value, at = reading.mapping(item, place.at(index), "server")
        if not isinstance(value.get("url"), str):
            reading.findings.warn("ignored-member", "server has no `url` that is text; it is left out", at)
            continue
        found.append(
            ApiServer(
                url=text(value["url"]),
                variables=_variables(reading, value.get("variables")),
                description=text(value.get("description")) or text(value.get("name")),
                place=at,
            )
        )
    return tuple(found)


def _variables(reading: Reading, written: object) -> dict[str, ServerVariable]:
    if not isinstance(written, dict):
        return {}
    found = {}
    for name, value in written.items():
        if not isinstance(value, dict):
            continue
        choices = texts(value.get("enum"))
        reading.room.take(1 + len(choices))
        default = text(value.get("default")) or (choices[0] if choices else "")
        found[str(name)] = ServerVariable(default=default, enum=choices, description=text(value.get("description")))
    return found
