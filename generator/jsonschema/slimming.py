"""Which definitions a schema keeps: repeated or recursive parts stay `$defs`, the rest is inlined (decision 15).

Clients that drop `$defs` or stumble over `$ref` are common, and so are budgets that a record repeated five times would
blow; so a part is written in place when it is used once or is small, and stays shared when it is used often and is
large, or when it contains itself. Inlining never changes what a schema accepts: a `$ref` with a keyword beside it that
asserts something stays a `$ref`, since `additionalProperties` or `unevaluatedProperties` would see other properties
after a merge.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from ..ir.pointer import unescaped
from .subschemas import ANNOTATIONS, Schema, rewrite, walk

PREFIX = "#/$defs/"

SMALL_BYTES = 120
"""Compact JSON up to this size is inlined however often it is used: about four references' worth of text."""

_ANCHORED = frozenset({"$anchor", "$dynamicAnchor", "$dynamicRef", "$id", "$recursiveRef"})


def slim(schema: Schema) -> Schema:
    """Return an equivalent schema whose root is no `$ref` and whose `$defs` are only the shared and recursive parts.

    A schema with identifiers or anchors of its own, or with references to anything but its `$defs`, comes back
    unchanged: moving its parts could change what the references mean.
    """
    if not isinstance(schema, Mapping) or not _movable(schema):
        return schema
    root = {keyword: value for keyword, value in schema.items() if keyword != "$defs"}
    definitions, references = _needed(root, schema.get("$defs", {}))
    uses = Counter(_references(root))
    for each in references.values():
        uses.update(each)
    edges = {name: list(dict.fromkeys(each)) for name, each in references.items()}
    order = _innermost_first(edges)
    kept = _recursive(edges, order)
    settled: dict[str, Schema] = {}
    for name in order:
        settled[name] = _inline(definitions[name], settled, kept)
        if uses[name] > 1 and size(settled[name]) > SMALL_BYTES:
            kept.add(name)
    root = _hoisted(_inline(root, settled, kept), settled)
    needed, _ = _needed(root, settled)
    return {**root, "$defs": needed} if needed else root


def target(reference: str) -> str:
    """Return the name a `#/$defs/NAME` reference names (RFC 6901 escapes undone)."""
    return unescaped(reference.removeprefix(PREFIX))


def size(schema: Schema) -> int:
    """Return the bytes of a schema's compact JSON."""
    return len(json.dumps(schema, separators=(",", ":")))


def _movable(schema: Mapping[str, Any]) -> bool:
    for part in walk(schema):
        if not _ANCHORED.isdisjoint(part) or (part is not schema and "$defs" in part):
            return False
        reference = part.get("$ref")
        if reference is not None and not _known(reference, schema):
            return False
    return True


def _known(reference: object, schema: Mapping[str, Any]) -> bool:
    # A percent sign or a further slash would be a pointer of another kind; such references are not ours to move.
    return (
        isinstance(reference, str)
        and reference.startswith(PREFIX)
        and "/" not in reference.removeprefix(PREFIX)
        and "%" not in reference
        and target(reference) in schema.get("$defs", {})
    )


def _references(schema: Schema) -> list[str]:
    return [target(part["$ref"]) for part in walk(schema) if "$ref" in part]


def _recursive(edges: Mapping[str, list[str]], order: list[str]) -> set[str]:
    """Return the definitions that contain themselves, directly or through others: the rings of a graph (Kosaraju).

    `order` has each definition after those it refers to.
    """
    users: dict[str, list[str]] = {name: [] for name in edges}
    for name, inner in edges.items():
        for each in inner:
            users[each].append(name)
    recursive: set[str] = set()
    seen: set[str] = set()
    for start in reversed(order):
        ring = _reached(users, [start], seen)
        if len(ring) > 1 or start in edges[start]:
            recursive |= ring
    return recursive


def _reached(edges: Mapping[str, list[str]], start: list[str], seen: set[str]) -> set[str]:
    """Return what can be reached without what was `seen`, and add it to that."""
    reached: set[str] = set()
    waiting = list(start)
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            reached.add(name)
            waiting.extend(edges[name])
    return reached


def _innermost_first(edges: Mapping[str, list[str]]) -> list[str]:
    """Return the names so that a definition comes after those it refers to (within a cycle: in declared order)."""
    order: dict[str, None] = {}
    seen: set[str] = set()
    # A stack of our own: chains of definitions may be longer than Python's recursion limit.
    waiting = [(name, False) for name in reversed(list(edges))]
    while waiting:
        name, done = waiting.pop()
        if done:
            order[name] = None
        elif name not in seen:
            seen.add(name)
            waiting.append((name, True))
            waiting.extend((inner, False) for inner in reversed(edges[name]))
    return list(order)


def _needed(root: Schema, definitions: Mapping[str, Schema]) -> tuple[dict[str, Schema], dict[str, list[str]]]:
    """Return the definitions the root refers to, directly or through others, in their order, and what each names."""
    found: dict[str, list[str]] = {}
    waiting = _references(root)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = _references(definitions[name])
            waiting.extend(found[name])
    kept = {name: schema for name, schema in definitions.items() if name in found}
    return kept, {name: found[name] for name in kept}


def _inline(schema: Schema, settled: Mapping[str, Schema], kept: set[str]) -> Schema:
    def change(part: Mapping[str, Any]) -> Schema:
        if "$ref" not in part:
            return part
        name, beside = target(part["$ref"]), {key: value for key, value in part.items() if key != "$ref"}
        inner = settled.get(name)
        if name in kept or inner is None or not ANNOTATIONS.issuperset(beside):
            return part
        if not isinstance(inner, Mapping):
            return part if beside else inner
        return {**inner, **beside}

    return rewrite(schema, change)


def _hoisted(root: Schema, settled: Mapping[str, Schema]) -> Schema:
    """Return the root with a `$ref` at its top replaced by what it names: clients read `type` there."""
    seen: set[str] = set()
    while isinstance(root, Mapping) and "$ref" in root:
        name = target(root["$ref"])
        beside = {key: value for key, value in root.items() if key != "$ref"}
        inner = settled[name]
        if name in seen or not isinstance(inner, Mapping) or not ANNOTATIONS.issuperset(beside):
            break
        seen.add(name)
        root = {**inner, **beside}
    return root
