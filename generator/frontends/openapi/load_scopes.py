"""The bases and anchors a file declares: `$self` of OpenAPI 3.2, `$id` and anchors of JSON Schema 2020-12.

References inside of a schema with `$id` are relative to it. OpenAPI 3.0 and Swagger 2.0 know no `$id`; there a file is
one resource. Most files declare nothing, which one search of the text tells.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urldefrag, urljoin

_DATA = frozenset({"example", "examples", "default", "const", "enum", "value"})
"""Members that hold data, in which nothing is declared."""

_NAMED = frozenset({"properties", "patternProperties", "$defs", "definitions", "schemas", "dependentSchemas"})
"""Members whose members are names, so that one called `default` is a schema."""

Pointer = tuple[str, ...]


class Scopes:
    """What one file declares: `resources` are pointers by address, `anchors` pointers by address and name."""

    __slots__ = ("_bases", "address", "anchors", "resources")

    def __init__(self, root: Any, text: str, location: str, *, honour_ids: bool) -> None:
        own = root.get("$self") if isinstance(root, dict) else None
        self.address = urldefrag(urljoin(location, own)).url if isinstance(own, str) else location
        self.resources: dict[str, Pointer] = {location: (), self.address: ()}
        self.anchors: dict[tuple[str, str], Pointer] = {}
        self._bases: dict[Pointer, str] = {}
        if honour_ids and any(word in text for word in ("$id", "$anchor", "$dynamicAnchor")):
            self._walk(root)

    def base(self, pointer: Pointer) -> tuple[str, Pointer]:
        """Return the address and the root of the resource that a pointer's value belongs to."""
        if self._bases:
            for length in range(len(pointer), -1, -1):
                if (address := self._bases.get(pointer[:length])) is not None:
                    return address, pointer[:length]
        return self.address, ()

    def _walk(self, root: Any) -> None:
        waiting: list[tuple[Any, Pointer, str, bool]] = [(root, (), self.address, False)]
        while waiting:
            value, pointer, address, names = waiting.pop()
            if isinstance(value, dict):
                if not names:
                    address = self._declare(value, pointer, address)
                for key, item in value.items():
                    data = not names and (key in _DATA or key.startswith("x-"))
                    if isinstance(item, (dict, list)) and not data:
                        waiting.append((item, (*pointer, key), address, not names and key in _NAMED))
            elif isinstance(value, list):
                waiting += [
                    (item, (*pointer, str(index)), address, False)
                    for index, item in enumerate(value)
                    if isinstance(item, (dict, list))
                ]

    def _declare(self, value: dict[str, Any], pointer: Pointer, address: str) -> str:
        identifier = value.get("$id")
        if isinstance(identifier, str):
            try:
                joined, fragment = urldefrag(urljoin(address, identifier))
            except ValueError:  # no address: nothing can refer to it
                return address
            if fragment:  # before 2019-09, `$id: "#name"` was an anchor
                self.anchors.setdefault((joined, fragment), pointer)
            if joined != address:
                address = joined
                self._bases[pointer] = address
                self.resources.setdefault(address, pointer)
        for keyword in ("$anchor", "$dynamicAnchor"):
            if isinstance(name := value.get(keyword), str):
                self.anchors.setdefault((address, name), pointer)
        return address
