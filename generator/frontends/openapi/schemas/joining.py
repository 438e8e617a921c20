"""Join relaxed schemas of an answer: what holds together, and what is one or the other.

A member that one branch of a union describes and another does not mention is taken as described: strictly it could be
anything in the other, but services do not use one name for two things without saying so.
"""

from __future__ import annotations

from typing import Any


def together(schemas: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what is known of a value that all schemas describe; where they disagree nothing is."""
    whole: dict[str, Any] = {}
    for schema in schemas:
        for keyword, item in schema.items():
            if keyword == "properties" and "properties" in whole:
                whole["properties"] = _members(whole["properties"], item)
            elif keyword in ("type", "anyOf", "items", "additionalProperties") and whole.get(keyword, item) != item:
                whole[keyword] = _common(whole[keyword], item) if keyword == "type" else None
            else:
                whole.setdefault(keyword, item)
    return {keyword: item for keyword, item in whole.items() if item not in (None, [])}


def _common(first: list[str] | None, second: list[str]) -> list[str]:
    """Return the types both name; nothing is said when there is none but null."""
    both = [name for name in first or () if name in second]
    return both if both != ["null"] else []


def _members(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    """Return the members of both; one that they describe differently keeps what they agree on."""
    merged = dict(first)
    for name, schema in second.items():
        known = merged.get(name)
        merged[name] = schema if known is None or known == schema else _agreed(known, schema)
    return merged


def _agreed(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    """Return a schema for values that may be either: their type where it is the same, and nothing else."""
    if "type" in first and first["type"] == second.get("type"):
        return {"type": first["type"]}
    return {}


def either(branches: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a schema for a value that one of the branches describes."""
    scalars: dict[str, None] = {}
    objects: dict[str, Any] | None = None
    rest: list[dict[str, Any]] = []
    for branch in branches:
        named = branch.get("type")
        if named is None:
            if "anyOf" not in branch:
                return {}  # a branch that says no type: it may be anything
            rest.extend(inner for inner in branch["anyOf"] if inner not in rest)
        elif "object" in named and len(named) <= 2:
            objects = branch if objects is None else _one_object(objects, branch)
        elif "items" in branch or "properties" in branch:
            if branch not in rest:
                rest.append(branch)
        else:
            scalars.update(dict.fromkeys(named))
    found = [
        *([objects] if objects else []),
        *rest,
        *([{"type": list(scalars)}] if scalars and set(scalars) != {"null"} else []),
    ]
    if not found:
        return {}
    return found[0] if len(found) == 1 else {"anyOf": found}


def _one_object(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    merged: dict[str, Any] = {"type": ["object", "null"]}
    properties = _members(first.get("properties", {}), second.get("properties", {}))
    if properties:
        merged["properties"] = properties
    return merged
