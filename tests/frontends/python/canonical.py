"""Schemas as the golden probes are compared.

References that are not recursive are inlined, `required` is sorted, titles and empty `items` are dropped.
"""

from __future__ import annotations

import copy
from typing import Any

PREFIX = "#/$defs/"


def canonical(schema: Any) -> Any:
    """The canonical form of a complete schema (one that carries its `$defs`)."""
    if not isinstance(schema, dict):
        return schema
    root = copy.deepcopy(schema)
    definitions = root.pop("$defs", {})
    recursive = {name for name in definitions if name in _reachable(definitions[name], definitions)}
    result = _walk(root, definitions, recursive)
    kept = {name: _walk(definitions[name], definitions, recursive) for name in _used(result, definitions, recursive)}
    if kept:
        result["$defs"] = kept
    return result


def _reachable(schema: Any, definitions: dict[str, Any]) -> set[str]:
    seen: set[str] = set()
    pending = [schema]
    while pending:
        for name in _references(pending.pop()):
            if name not in seen and name in definitions:
                seen.add(name)
                pending.append(definitions[name])
    return seen


def _references(node: Any) -> list[str]:
    if isinstance(node, dict):
        own = [node["$ref"].removeprefix(PREFIX)] if isinstance(node.get("$ref"), str) else []
        return own + [name for value in node.values() for name in _references(value)]
    if isinstance(node, list):
        return [name for value in node for name in _references(value)]
    return []


def _used(result: Any, definitions: dict[str, Any], recursive: set[str]) -> list[str]:
    names: set[str] = set()
    pending = [result]
    while pending:
        for name in _references(pending.pop()):
            if name in recursive and name not in names:
                names.add(name)
                pending.append(_walk(definitions[name], definitions, recursive))
    return sorted(names)


def _walk(node: Any, definitions: dict[str, Any], recursive: set[str]) -> Any:
    if isinstance(node, list):
        return [_walk(value, definitions, recursive) for value in node]
    if not isinstance(node, dict):
        return node
    reference = node.get("$ref")
    if isinstance(reference, str) and (name := reference.removeprefix(PREFIX)) in definitions and name not in recursive:
        beside = {key: value for key, value in node.items() if key != "$ref"}
        return _walk({**definitions[name], **beside}, definitions, recursive)
    result: dict[str, Any] = {}
    for key, value in node.items():
        if key == "properties" and isinstance(value, dict):
            result[key] = {name: _walk(schema, definitions, recursive) for name, schema in value.items()}
        elif key in {"default", "enum", "const", "examples"}:
            result[key] = value
        elif key == "required":
            result[key] = sorted(value)
        elif (key == "title" and isinstance(value, str)) or (key == "items" and value == {}):
            continue
        else:
            result[key] = _walk(value, definitions, recursive)
    if result.get("required") == []:
        del result["required"]
    return result
