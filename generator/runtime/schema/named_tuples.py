"""Arrays sent for named tuples: `[1, 2]` for `Point(x=1, y=2)` is read by position, as a kind of coercion.

The schema asks for an object by field names; only the conversions know which records are tuples as well, so this walks
them. Arms of unions are left alone: an array may be meant for another arm.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_STEPS = 50
"""Nesting that is followed: recursive records end with their value, this bounds the rest."""


def read_by_position(arguments: dict[str, Any], call: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return the arguments with objects in the place of such arrays, and a note for each; `call` is the catalog's."""
    walk = _Walk((call.get("definitions") or {}).get("conversions") or {})
    specs = call.get("conversions") or {}
    changed = {name: walk.value(item, specs.get(name), f"/{name}", 0) for name, item in arguments.items()}
    return (changed, walk.notes) if walk.notes else (arguments, [])


class _Walk:
    __slots__ = ("_definitions", "notes")

    def __init__(self, definitions: dict[str, Any]) -> None:
        self._definitions = definitions
        self.notes: list[str] = []

    def value(self, value: Any, spec: Any, place: str, depth: int) -> Any:
        """Return the value as its conversion wants it."""
        if type(spec) is not dict or depth > MAX_STEPS or type(value) not in (dict, list):
            return value
        if "ref" in spec:
            return self.value(value, self._definitions.get(spec["ref"]), place, depth + 1)
        if "nullable" in spec:
            return self.value(value, spec["nullable"], place, depth + 1)
        if "record" in spec:
            return self._record(value, spec["record"], place, depth)
        if type(value) is dict:
            return self._object(value, spec, place, depth)
        items = self._items(spec, len(value))
        return [
            self.value(item, of, f"{place}/{index}", depth + 1)
            for index, (item, of) in enumerate(zip(value, items, strict=True))
        ]

    def _record(self, value: Any, record: dict[str, Any], place: str, depth: int) -> Any:
        fields = record["fields"]
        if type(value) is list:
            if not record.get("array") or len(value) > len(fields):
                return value
            self.notes.append(f"{place}: array read by position")
            value = dict(zip(fields, value, strict=False))
        return {
            wire: self.value(item, (fields.get(wire) or {}).get("convert"), f"{place}/{wire}", depth + 1)
            for wire, item in value.items()
        }

    def _object(self, value: dict[str, Any], spec: dict[str, Any], place: str, depth: int) -> dict[str, Any]:
        fields = (spec.get("typed_dict") or {}).get("fields") or {}
        rest = (spec.get("typed_dict") or {}).get("extra") or (spec.get("dict") or {}).get("value")
        return {
            name: self.value(item, fields.get(name, rest), f"{place}/{name}", depth + 1) for name, item in value.items()
        }

    def _items(self, spec: dict[str, Any], count: int) -> list[Any]:
        """Return the conversion of each item of an array."""
        parts = spec.get("tuple")
        if parts is not None:
            prefix = list(parts.get("prefix") or ())[:count]
            return prefix + [parts.get("rest")] * (count - len(prefix))
        kind = next((name for name in ("list", "set", "frozenset", "deque", "iterator") if name in spec), None)
        return [spec[kind] if kind else None] * count
