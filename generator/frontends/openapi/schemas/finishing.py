"""Put the keywords of one schema together: the type, null, and values that agree with them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from .doubts import DOUBTED, is_doubted
from .fitting import MISFIT, accepts, crossed, enumeration, fitted
from .follow import ANNOTATIONS
from .keywords import is_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .findings import Findings
    from .node import Node

ADVERTISED_FORMATS = frozenset({"date", "date-time", "uuid", "email", "ipv4", "ipv6"})
"""Formats that servers check. Others are often meant more loosely than their name says, so they are not promised."""

MAX_EXAMPLE = 80
"""Bytes of an example; longer ones cost more than they help."""

_NULL = {"type": "null"}
_IN_PLACE = frozenset({"$ref", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"})


def finish(node: Node, findings: Findings) -> dict[str, Any]:
    """Return the schema a node becomes."""
    _exclusive(node)
    _drop_crossed(node, findings)
    _types(node)
    _enumeration(node, findings)
    _format(node, findings)
    _members(node)
    _unions(node)
    _default(node, findings)
    _example(node)
    if node.types:
        named = node.types[0] if len(node.types) == 1 else node.types
        return {"type": named, **node.out}
    return node.out


def only_annotations(schema: Mapping[str, Any]) -> bool:
    """Tell whether a converted schema asserts nothing."""
    return ANNOTATIONS.issuperset(schema)


def _exclusive(node: Node) -> None:
    for keyword in node.exclusive:
        bound = "minimum" if keyword == "exclusiveMinimum" else "maximum"
        if bound in node.out:
            node.out[keyword] = node.out.pop(bound)


def _drop_crossed(node: Node, findings: Findings) -> None:
    found = crossed(node.out)
    for keyword in found:
        del node.out[keyword]
    if found:
        what = "a lower bound is above its upper bound; both are ignored"
        findings.add("contradictory-schema", what, node.place.at(found[0]))


def _types(node: Node) -> None:
    """Say the type where it is only implied, and null where it is allowed."""
    out = node.out
    if not node.types and not node.said_type and node.inner is None:
        if "properties" in out or node.hidden:
            node.types = ["object"]
        elif "items" in out and not node.unions:
            node.types = ["array"]
    if not node.nullable or "null" in node.types:
        return
    if node.types:
        node.types = [*node.types, "null"]
    elif "$ref" not in out:
        for branches in node.unions.values():
            if _NULL not in branches:
                branches.append(dict(_NULL))
        if "enum" in out and None not in out["enum"]:
            out["enum"] = [*out["enum"], None]


def _enumeration(node: Node, findings: Findings) -> None:
    out = node.out
    if "enum" in out:
        if node.types and "array" in node.types and not any(isinstance(item, list | tuple) for item in out["enum"]):
            _move_to_items(node)
            return
        kept, lost = enumeration(out.pop("enum"), node.types)
        if "null" in node.types and node.nullable and kept and None not in kept:
            kept.append(None)
        if lost:
            what = "some values of `enum` do not have the type beside it; they are left out"
            findings.add("contradictory-schema", what, node.place.at("enum"))
        # Null alone is left of an enumeration whose values did not fit: that would refuse every other value.
        if kept and (kept != [None] or node.types in ([], ["null"])):
            out["enum"] = kept
    if "const" in out:
        fit = fitted(out["const"], node.types)
        if fit is MISFIT:
            del out["const"]
            what = "`const` does not have the type beside it; it is ignored"
            findings.add("contradictory-schema", what, node.place.at("const"))
        else:
            out["const"] = fit


def _move_to_items(node: Node) -> None:
    """Take an enumeration that is written beside an array as one of its items, which is what is meant."""
    values = node.out.pop("enum")
    items = node.out.get("items", {})
    if isinstance(items, dict) and "$ref" not in items and "enum" not in items:
        named = items.get("type", ())
        kept, _ = enumeration(values, (named,) if isinstance(named, str) else named)
        if kept:
            node.out["items"] = {**items, "enum": kept}


def _format(node: Node, findings: Findings) -> None:
    named = node.out.pop("format", None)
    if named is None or (node.types and "string" not in node.types):
        return
    if named in ADVERTISED_FORMATS:
        if is_doubted(named, node.examples, node.value.get("description")):
            findings.add("contradictory-schema", DOUBTED, node.place.at("format"))
        else:
            node.out["format"] = named
    elif named == "byte":
        node.out.setdefault("contentEncoding", "base64")


def _members(node: Node) -> None:
    out = node.out
    if "required" in out:
        needed = [name for name in out["required"] if name not in node.hidden]
        if needed:
            out["required"] = needed
        else:
            del out["required"]
    if out.get("uniqueItems") is False:
        del out["uniqueItems"]
    alone = _IN_PLACE.isdisjoint(out) and not node.unions and node.inner is None
    if "unevaluatedProperties" in out and "additionalProperties" not in out and alone:
        # With nothing else about the same value the two mean the same, and every client knows this one.
        out["additionalProperties"] = out.pop("unevaluatedProperties")


def _unions(node: Node) -> None:
    for keyword, branches in node.unions.items():
        # In `anyOf` one branch that accepts everything makes the others idle.
        if not branches or (keyword == "anyOf" and any(branch == {} for branch in branches)):
            continue
        if len(branches) == 1:
            single = branches[0]
            if isinstance(single, dict) and only_annotations(node.out) and not node.types:
                node.out = {**single, **node.out}
                continue
            node.out.setdefault("allOf", []).append(single)
        else:
            node.out[keyword] = branches


def _default(node: Node, findings: Findings) -> None:
    """Keep a default that the schema accepts; null only says that there is none."""
    if "default" not in node.out:
        return
    value = node.out.pop("default")
    around = {**node.inner, **node.out} if isinstance(node.inner, dict) else node.out
    types = node.types or around.get("type", [])
    types = [types] if isinstance(types, str) else types
    fit = fitted(value, types)
    if fit is not MISFIT and accepts({**around, "type": types}, fit):
        node.out["default"] = fit
    elif value is not None:
        what = "a default is refused by its own schema; it is ignored"
        findings.add("contradictory-schema", what, node.place.at("default"))


def _example(node: Node) -> None:
    if not node.examples or "enum" in node.out or "const" in node.out or "boolean" in node.types:
        return
    example = node.examples[0]
    if example is None or not is_json(example):
        return
    if len(json.dumps(example, separators=(",", ":"))) <= MAX_EXAMPLE:
        node.out["examples"] = [example]
