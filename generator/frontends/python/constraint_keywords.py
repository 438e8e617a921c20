"""Laying constraints over a schema: which JSON Schema keyword each becomes on which type."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .forms import Constraints

_NUMBERS = {"integer", "number"}
_BY_TYPE: Mapping[str, Mapping[str, str]] = {
    "ge": dict.fromkeys(_NUMBERS, "minimum"),
    "gt": dict.fromkeys(_NUMBERS, "exclusiveMinimum"),
    "le": dict.fromkeys(_NUMBERS, "maximum"),
    "lt": dict.fromkeys(_NUMBERS, "exclusiveMaximum"),
    "multiple_of": dict.fromkeys(_NUMBERS, "multipleOf"),
    "min_length": {"string": "minLength", "array": "minItems", "object": "minProperties"},
    "max_length": {"string": "maxLength", "array": "maxItems", "object": "maxProperties"},
    "pattern": {"string": "pattern"},
    "unique_items": {"array": "uniqueItems"},
    "format": {"string": "format"},
}
"""Meaning -> JSON type -> keyword. What has no row (decimal places) is not said in the schema."""


def types_of(meaning: str) -> frozenset[str]:
    """Return the JSON types an assertion is about; none for one that a schema does not say."""
    return frozenset(_BY_TYPE.get(meaning, ()))


def lay_over(
    schema: dict[str, Any], constraints: Constraints, resolve: Callable[[Mapping[str, Any]], Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the schema with constraints on the parts they fit and texts at its root; `resolve` follows a `$ref`."""
    if constraints.schema is not None:
        schema = copy.deepcopy(dict(constraints.schema))
    else:
        schema = _asserted(schema, constraints.keywords, resolve)
    if constraints.title is not None:
        schema["title"] = constraints.title
    if constraints.description is not None:
        schema["description"] = constraints.description
    if constraints.examples is not None:
        schema["examples"] = list(constraints.examples)
    if constraints.deprecated:
        schema["deprecated"] = True
    schema.update(copy.deepcopy(dict(constraints.extra)))
    return schema


def _asserted(
    schema: dict[str, Any],
    keywords: tuple[tuple[str, Any], ...],
    resolve: Callable[[Mapping[str, Any]], Mapping[str, Any]],
) -> dict[str, Any]:
    if not keywords:
        return schema
    if "anyOf" in schema:
        return {**schema, "anyOf": [_asserted(dict(arm), keywords, resolve) for arm in schema["anyOf"]]}
    kind = resolve(schema).get("type")
    added = dict(schema)
    for meaning, value in keywords:
        keyword = _keyword(meaning, kind)
        if keyword is not None:
            as_base64 = schema.get("contentEncoding") == "base64" and keyword in {"minLength", "maxLength"}
            _tighten(added, keyword, -(-value // 3) * 4 if as_base64 else value)
    return added


def _keyword(meaning: str, kind: Any) -> str | None:
    by_type = _BY_TYPE.get(meaning, {})
    if kind is None:  # any value: only meanings with one keyword can be said
        words = set(by_type.values())
        return words.pop() if len(words) == 1 else None
    return by_type.get(kind)


def _tighten(schema: dict[str, Any], keyword: str, value: Any) -> None:
    """Add a keyword; one that the type has itself (a pattern, a format) is kept beside the new one."""
    if keyword in {"minItems", "minLength", "minProperties"} and value == 0 and keyword not in schema:
        return
    if keyword in schema and schema[keyword] != value and keyword in {"pattern", "multipleOf", "format"}:
        schema.setdefault("allOf", []).append({keyword: value})
        return
    if keyword == "minItems" and "prefixItems" in schema:
        value = max(value, schema.get("minItems", 0))
    schema[keyword] = value


PARAM_OPTIONS = frozenset(
    {
        "description",
        "title",
        "examples",
        "ge",
        "gt",
        "le",
        "lt",
        "multiple_of",
        "min_length",
        "max_length",
        "pattern",
        "format",
        "unique_items",
        "header",
        "deprecated",
        "schema",
    }
)
"""What our own `Param` takes; any other word fails when the module is imported."""
