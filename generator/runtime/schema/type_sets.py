"""Tell which JSON types a schema takes, looked up through references and arms: what coercion depends on."""

from __future__ import annotations

from .kinds import SchemaError, kind, types_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .compiler import Node, Site

DEEPEST = 24
"""Schemas on the same value that are looked through; beyond it a schema is taken to accept anything."""


def types_taken(node: Node) -> tuple[str, ...] | None:
    """Return the types a schema itself names, by `type` or by the values it lists; None when it names none."""
    schema = node.schema
    names = types_of(schema)
    if names is None and ("enum" in schema or "const" in schema):
        names = tuple(dict.fromkeys(map(kind, schema.get("enum", [schema.get("const")]))))
    return names


SPELLED = ("enum", "const", "format", "contentEncoding")
"""Keywords by which a string stands for a value of another kind: a date, bytes, one of a few words."""


def takes_text(schema: Any, site: Site | None) -> bool:
    """Say whether a schema or any arm of it accepts text as such: a string that stands for nothing but itself."""
    return takes_string(schema, site, plain=True)


def takes_string(schema: Any, site: Site | None, depth: int = 0, *, plain: bool = False) -> bool:
    """Say whether a schema or any arm of it accepts some string; with `plain`, strings that stand for themselves."""
    if not isinstance(schema, dict):
        return bool(schema)
    if depth > DEEPEST:
        return True
    names = types_of(schema)
    if names is not None and "string" not in names:
        return False
    if plain and any(keyword in schema for keyword in SPELLED):
        return False
    for keyword in ("enum", "const"):
        if keyword in schema:
            values = schema["enum"] if keyword == "enum" else [schema["const"]]
            return any(type(value) is str for value in values)
    below = depth + 1
    targets = _targets(schema, site) if site is not None else []
    if not all(takes_string(node.schema, node.site, below, plain=plain) for node in targets):
        return False
    if not all(takes_string(arm, site, below, plain=plain) for arm in schema.get("allOf", ())):
        return False
    arms = [schema[keyword] for keyword in ("anyOf", "oneOf") if keyword in schema]
    return all(any(takes_string(arm, site, below, plain=plain) for arm in choice) for choice in arms)


def _targets(schema: dict[str, Any], site: Site) -> list[Node]:
    try:
        return site.targets(schema)
    except SchemaError:
        return []
