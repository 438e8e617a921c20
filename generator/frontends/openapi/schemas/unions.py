"""Unions: what the member that tells their types apart must be in each of them, and whether types can overlap."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal

from ..model import SchemaNode
from .facts import Facts
from .follow import DeadReference, References
from .pieces import Search, members, pieces
from .raw import Key, Raw, key_of

if TYPE_CHECKING:
    from ..model import Dialect
    from ..place import Place

_COMPONENT_NAME = re.compile(r"[A-Za-z0-9._-]+")


class Discriminator:
    """A discriminator as written beside `oneOf` or `anyOf`."""

    __slots__ = ("_dialect", "_references", "_taken", "_values", "property")

    def __init__(self, written: object, place: Place, references: References, dialect: Dialect) -> None:
        self._references = references
        self._dialect = dialect
        name = written.get("propertyName") if isinstance(written, dict) else None
        self.property = name if isinstance(name, str) else ""
        self._taken: set[str] = set()
        self._values = self._mapped(written.get("mapping") if isinstance(written, dict) else None, place)

    def _mapped(self, mapping: object, place: Place) -> dict[Key, list[str]]:
        """Return the values that stand for each schema; one that leads nowhere stands for none."""
        found: dict[Key, list[str]] = {}
        if isinstance(mapping, dict):
            for value, reference in mapping.items():
                target = self._mapping_target(reference, place)
                if target is not None:
                    self._taken.add(str(value))
                    found.setdefault(target, []).append(str(value))
        return found

    def _mapping_target(self, reference: object, place: Place) -> Key | None:
        """Follow a mapping's entry: the name of a component, or else a reference (OpenAPI 3.1.1, 4.8.25.4)."""
        if not isinstance(reference, str):
            return None
        forms = [reference]
        if _COMPONENT_NAME.fullmatch(reference):
            forms.insert(0, f"#/components/schemas/{reference}")
        for form in forms:
            try:
                return key_of(self._references.step(form, place).place)
            except DeadReference:
                continue
        return None

    def constraint(self, branch: object, place: Place) -> dict[str, Any] | None:
        """Return what the property must be in a branch: nothing more where it is fixed, None where it is not told.

        Only branches that are references have a name that values could stand for. A mapping adds values: the name of
        a component goes on to stand for it, unless it is mapped to another (OpenAPI 3.1.1, 4.8.25.3).
        """
        if not self.property or not isinstance(branch, dict) or not isinstance(branch.get("$ref"), str):
            return None
        try:
            target = self._references.step(branch["$ref"], place)
            mapped, implicit = self._values.get(key_of(target.place), []), self._implicit(target)
            values = mapped or implicit
            if not values:
                return None
            end = self._references.end(target, self._dialect)
            said = self._said(end, values)
            if said == "open" and mapped and self._said(end, implicit) == "open":
                values = [*mapped, *implicit]
        except DeadReference:
            return None
        if said != "open":
            return {} if said == "fixed" else None
        return {"const": values[0]} if len(values) == 1 else {"enum": values}

    def _implicit(self, target: Raw) -> list[str]:
        pointer = target.place.pointer
        named = pointer[:2] == ("components", "schemas") and len(pointer) == 3
        return [pointer[-1]] if named and pointer[-1] not in self._taken else []

    def _said(self, target: Raw, values: list[str]) -> Literal["open", "fixed", "other"]:
        """Tell what a branch says of the property itself: whether it may still be told, is, or cannot be."""
        found = pieces(Search(self._references, self._dialect, key_of(target.place)), target)
        if found is None:
            return "other"
        for raw in members(found).get(self.property, ()):
            value = self._references.end(raw, self._dialect).value
            if not isinstance(value, dict) or value.get("type", "string") != "string":
                return "other"
            listed = value.get("enum")
            if "const" in value or (isinstance(listed, list | tuple) and len(listed) == 1):
                return "fixed"
            if value.get("readOnly") is True or (listed is not None and not _all_in(values, listed)):
                return "other"
        return "open"


def _all_in(values: list[str], listed: object) -> bool:
    return isinstance(listed, list | tuple) and all(value in listed for value in values)


def exclusive(raws: list[Raw], references: References, dialect: Dialect) -> bool:
    """Tell whether no value can be in two branches, because each is of another kind.

    Descriptions say `oneOf` where they mean "one of these": taken literally, a value that fits two branches (open
    objects, as a rule) is refused, and so are calls that the service accepts.
    """
    kinds = [_kind(raw, references, dialect) for raw in raws]
    return "any" not in kinds and len(set(kinds)) == len(kinds)


def _kind(raw: Raw, references: References, dialect: Dialect) -> str:
    value = raw.value
    if isinstance(value, dict) and value.get("type") == "null":
        return "null"
    node = SchemaNode(value=value, place=raw.place, dialect=dialect)
    kind = Facts(node, references).kind
    return {"integer": "number", "binary": "string"}.get(kind, kind)
