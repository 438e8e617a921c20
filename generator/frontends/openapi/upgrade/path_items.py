"""Read path items: references are followed layer by layer, members beside a `$ref` win over those it leads to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..load_problem import ReferenceProblem
from .findings import Unreadable
from .sources import extensions, wrong_type

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..place import Place
    from .sources import Reading

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
"""The methods a path item has members for; `query` since OpenAPI 3.2."""

MAX_LAYERS = 100
"""References of path items that follow each other; more are a mistake or an attack."""


@dataclass(slots=True)
class PathItem:
    """Members with their places; `parameters` are the lists of all layers, the nearest first."""

    members: dict[str, tuple[object, Place]] = field(default_factory=dict)
    parameters: list[tuple[object, Place]] = field(default_factory=list)
    extensions: dict[str, object] = field(default_factory=dict)

    def get(self, name: str) -> object:
        """Return a member's value, None where there is none."""
        return self.members[name][0] if name in self.members else None


def read_path_item(reading: Reading, written: object, where: Place) -> PathItem:
    """Merge the layers of a path item; raises Unreadable or ReferenceProblem."""
    item = PathItem()
    value, place = written, where
    seen: set[tuple[str, tuple[str, ...]]] = set()
    while value is not None:
        if not isinstance(value, dict):
            raise wrong_type("path item", "an object", value, place)
        key = place.file.shown, place.pointer
        if key in seen or len(seen) >= MAX_LAYERS:
            raise Unreadable("path-item-cycle", "path item's `$ref`s never end", place.at("$ref"))
        seen.add(key)
        reading.room.take(len(value))
        _add_layer(item, value, place)
        if value.get("$ref") is None:
            break
        reference = value["$ref"]
        if not isinstance(reference, str):
            raise wrong_type("$ref", "text", reference, place.at("$ref"))
        value, place = reading.documents.resolve(reference, place)
    return item


def _add_layer(item: PathItem, value: Mapping[str, object], place: Place) -> None:
    for name in value:
        if name == "parameters":
            item.parameters.append((value[name], place.at(name)))
        elif name != "$ref":
            item.members.setdefault(str(name), (value[name], place.at(name)))
    item.extensions = {**extensions(value), **item.extensions}


def operations_of(reading: Reading, item: PathItem) -> list[tuple[str, object, Place]]:
    """Return method, value and place of each operation, in the order of the document."""
    found = []
    for name, (value, place) in item.members.items():
        if name == "additionalOperations":
            found += _additional(reading, value, place)
        elif name in METHODS and (name != "query" or reading.minor >= 2):
            found.append((name.upper(), value, place))
    return found


def _additional(reading: Reading, written: object, where: Place) -> list[tuple[str, object, Place]]:
    if reading.minor < 2:
        return []
    try:
        value, place = reading.optional_mapping(written, where, "additionalOperations")
    except (Unreadable, ReferenceProblem) as problem:
        reading.findings.error(problem)
        return []
    return [(str(method), value[method], place.at(method)) for method in value if not str(method).startswith("x-")]
