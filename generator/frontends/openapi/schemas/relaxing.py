"""What an answer looks like, said so that real answers pass (decision 31).

Services answer null where they promise a text, leave members out, add new ones and new values. A client that checks
answers would throw the data away for that. So everything may be null, nothing is required or closed, and of values only
the type stays. Objects of a union become one object with the members of all when the schema is cut (`bounding`).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from .follow import DeadReference
from .keywords import Malformed, is_json, types
from .raw import Raw
from .wording import MAX_ANSWER_DESCRIPTION, folded

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ....diagnostics.model import Diagnostic
    from ..model import Dialect
    from ..place import Place
    from .context import Context

MAX_NESTING = 24
"""Schemas inside one another without a reference between them."""

MAX_VALUES = 6
"""Enumerated values that are shown as examples."""

MAX_VALUES_BYTES = 100
"""Bytes of those values."""

REFUSED = "refused-reference"
"""The rule of references that lead outside the folder or to a host."""

Schema = Any
"""A schema as plain JSON values: a mapping or a boolean."""


class Relaxation:
    """Converts one schema of an answer; `refs` are the definitions it refers to.

    `problems` are references for which the operation is left out: a refused one, which the description should not have,
    and one that leaves nothing of the answer. Where others are, any value is accepted.
    """

    __slots__ = ("_context", "_dialect", "problems", "refs")

    def __init__(self, context: Context, dialect: Dialect, home: Place) -> None:  # noqa: ARG002 (as for arguments)
        self._context = context
        self._dialect = dialect
        self.refs: dict[str, int] = {}
        self.problems: list[Diagnostic] = []

    def schema(self, raw: Raw, depth: int = 0) -> Schema:
        """Convert a schema; references become references to `#/$defs/NAME`."""
        value, place = raw
        self._context.room.take()
        if not isinstance(value, dict) or depth > MAX_NESTING:
            return {}
        reference = value.get("$ref")
        if not isinstance(reference, str):
            return self._content(raw, depth)
        try:
            target = self._context.references.settle(reference, place, self._dialect)
        except DeadReference as problem:
            self._note(problem.diagnostic, depth)
            return {}
        if not isinstance(target.value, dict):
            return {}
        name = self._context.names.name(target, self._dialect)
        self.refs[name] = min(depth, self.refs.get(name, depth))
        description = folded(value.get("description"), MAX_ANSWER_DESCRIPTION)
        referring = {"$ref": f"#/$defs/{name}"}
        return {**referring, "description": description} if description else referring

    def _content(self, raw: Raw, depth: int) -> dict[str, Any]:
        """Convert a schema that is no reference."""
        value, place = raw
        if not isinstance(value, dict):
            return {}
        out = self._own(value, place, depth)
        for keyword, relaxed in (("allOf", "allOf"), ("oneOf", "anyOf"), ("anyOf", "anyOf")):
            branches = value.get(keyword)
            if isinstance(branches, list | tuple) and branches:
                raws = [Raw(item, place.at(keyword, index)) for index, item in enumerate(branches)]
                inner = [self.schema(item, depth + 1) for item in raws]
                if relaxed == "allOf":
                    inner = [schema for schema in inner if schema != {}]
                if inner and (relaxed == "allOf" or all(inner)):
                    out.setdefault(relaxed, inner)
        return out

    def _note(self, diagnostic: Diagnostic, depth: int) -> None:
        if depth == 0 or diagnostic.rule.name == REFUSED:
            self.problems.append(diagnostic)
        else:
            self._context.findings.doubt(diagnostic)

    def _own(self, value: Mapping[str, Any], place: Place, depth: int) -> dict[str, Any]:
        out: dict[str, Any] = {}
        named = self._types(value, place)
        if named:
            out["type"] = named
        description = folded(value.get("description"), MAX_ANSWER_DESCRIPTION)
        if description:
            out["description"] = description
        shown = _values(value)
        if shown:
            out["examples"] = shown
        properties = value.get("properties")
        if isinstance(properties, dict) and properties:
            kept = {
                str(name): self.schema(Raw(item, place.at("properties", name)), depth + 1)
                for name, item in properties.items()
                if not (isinstance(item, dict) and item.get("writeOnly") is True)
            }
            if kept:
                out["properties"] = kept
        for keyword in ("items", "additionalProperties"):
            inner = value.get(keyword)
            if isinstance(inner, dict):
                converted = self.schema(Raw(inner, place.at(keyword)), depth + 1)
                if converted != {}:
                    out[keyword] = converted
        return out

    def _types(self, value: Mapping[str, Any], place: Place) -> list[str]:
        """Return the types with null, an empty list when any value is possible."""
        named: list[str] = []
        if "type" in value:
            try:
                named = [] if value["type"] == "any" else types(value["type"])
            except Malformed as problem:
                self._context.findings.add("malformed-keyword", f"`type` {problem}; it is ignored", place.at("type"))
        elif isinstance(value.get("properties"), dict):
            named = ["object"]
        elif "items" in value:
            named = ["array"]
        if named and "null" not in named:
            named = [*named, "null"]
        return named


def _values(value: Mapping[str, Any]) -> list[Any]:
    """Return the enumerated values worth showing as examples: few, short and plain."""
    listed = value.get("enum")
    if not isinstance(listed, list | tuple) or len(listed) > MAX_VALUES:
        return []
    plain = [item for item in listed if isinstance(item, str | int) and is_json(item)]
    return plain if len(json.dumps(plain)) <= MAX_VALUES_BYTES else []
