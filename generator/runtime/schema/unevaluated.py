"""Compile `unevaluatedItems` and `unevaluatedProperties` (JSON Schema 2020-12, 11).

Nothing is tracked while a value is checked. Where one of the keywords occurs, the schema beside it is walked a second
time with the value, to gather which members or items it has evaluated; arms that do not accept the value gather
nothing. `None` stands for "all of them".
"""

from __future__ import annotations

from .compiler import Node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from .compiler import Site
    from .kinds import Check

    Gather = Callable[[Node, Any], set[Any] | None]


def properties_test(schema: dict[str, Any], site: Site) -> Check:
    """Compile `unevaluatedProperties` for values known to be objects."""
    check = site.check(schema["unevaluatedProperties"])
    beside = sibling(schema, "unevaluatedProperties", site)
    return lambda value: all(check(value[name]) for name in left_names(beside, value))  # type: ignore[index] # an object


def items_test(schema: dict[str, Any], site: Site) -> Check:
    """Compile `unevaluatedItems` for values known to be arrays."""
    check = site.check(schema["unevaluatedItems"])
    beside = sibling(schema, "unevaluatedItems", site)
    return lambda value: all(check(value[index]) for index in left_indices(beside, value))  # type: ignore[index] # an array


def sibling(schema: dict[str, Any], keyword: str, site: Site) -> Node:
    """Return a node for the schema beside a keyword; it is walked, never asked."""
    return Node({name: value for name, value in schema.items() if name != keyword}, site)


def left_names(beside: Node, value: Any) -> list[str]:
    """Return the members that the schema beside the keyword has not evaluated."""
    seen = evaluated_names(beside, value)
    return [] if seen is None else [name for name in value if name not in seen]


def left_indices(beside: Node, value: Any) -> list[int]:
    """Return the indices of the items that the schema beside the keyword has not evaluated."""
    seen = evaluated_indices(beside, value)
    return [] if seen is None else [index for index in range(len(value)) if index not in seen]


def evaluated_names(node: Node, value: Any) -> set[Any] | None:
    """Return the members of an object that a schema which accepts it has evaluated."""
    schema = node.schema
    if not isinstance(schema, dict):
        return set()
    if "additionalProperties" in schema or "unevaluatedProperties" in schema:
        return None
    names = {name for name in schema.get("properties", ()) if name in value}
    for pattern in schema.get("patternProperties", ()):
        search = node.site.search(pattern)
        names.update(name for name in value if search is None or search(name) is not None)
    return _gather(names, node, value, evaluated_names)


def evaluated_indices(node: Node, value: Any) -> set[Any] | None:
    """Return the indices of the items of an array that a schema which accepts it has evaluated."""
    schema = node.schema
    if not isinstance(schema, dict):
        return set()
    if "items" in schema or "unevaluatedItems" in schema:
        return None
    indices = set(range(len(schema.get("prefixItems", ()))))
    if "contains" in schema:
        accepts = node.site.node(schema["contains"]).accepts
        indices.update(index for index, item in enumerate(value) if accepts(item))
    return _gather(indices, node, value, evaluated_indices)


def _gather(seen: set[Any], node: Node, value: Any, gather: Gather) -> set[Any] | None:
    for inner in in_place(node, value):
        more = gather(inner, value)
        if more is None:
            return None
        seen |= more
    return seen


def in_place(node: Node, value: Any) -> Iterator[Node]:
    """Yield the schemas that a node applies to the same value and that accept it."""
    schema, site = node.schema, node.site
    yield from site.targets(schema)
    for arm in schema.get("allOf", ()):
        yield site.node(arm)
    for arm in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        inner = site.node(arm)
        if inner.accepts(value):
            yield inner
    if "if" in schema:
        test = site.node(schema["if"])
        holds = test.accepts(value)
        if holds:
            yield test
        branch = "then" if holds else "else"
        if branch in schema:
            yield site.node(schema[branch])
    dependents = schema.get("dependentSchemas", {}) if type(value) is dict else {}
    yield from (site.node(dependent) for name, dependent in dependents.items() if name in value)
