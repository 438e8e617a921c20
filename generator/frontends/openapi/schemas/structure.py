"""Read the keywords of arguments that have a reader of their own: types, texts, and those that hold schemas.

Each reader gets the conversion, the node it fills, the keyword, and what is written; it raises Malformed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from .keywords import PLAIN, Malformed, flag, number, types
from .raw import Raw
from .unions import Discriminator, exclusive
from .wording import folded, repeats

if TYPE_CHECKING:
    from .conversion import Conversion
    from .node import Node

_BOOLEAN = frozenset({"additionalProperties", "items", "unevaluatedItems", "unevaluatedProperties"})
"""Keywords beside which clients know true and false; elsewhere they expect an object."""

_IN_PLACE = frozenset({"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"})
_SAYING_MUCH = frozenset({"if", "not"})
"""Keywords that mean something with a schema that accepts everything."""

Reader = Callable[["Conversion", "Node", str, object], None]


def _type(conversion: Conversion, node: Node, keyword: str, content: object) -> None:  # noqa: ARG001 (a Reader)
    node.said_type = True
    if content != "any":
        node.types = types(content)


def _null(conversion: Conversion, node: Node, keyword: str, content: object) -> None:  # noqa: ARG001 (a Reader)
    node.nullable = flag(content)


def _exclusive(conversion: Conversion, node: Node, keyword: str, content: object) -> None:  # noqa: ARG001 (a Reader)
    """Read an exclusive bound: true beside the bound until 3.0, a number since."""
    if not isinstance(content, bool):
        node.out[keyword] = number(content)
    elif content:
        node.exclusive.append(keyword)


def _words(conversion: Conversion, node: Node, keyword: str, content: object) -> None:  # noqa: ARG001 (a Reader)
    text = folded(content)
    if text and not (keyword == "title" and repeats(text, node.called)):
        node.out[keyword] = text


def _deprecated(conversion: Conversion, node: Node, keyword: str, content: object) -> None:  # noqa: ARG001 (a Reader)
    if content is True:
        node.out[keyword] = True


def _example(conversion: Conversion, node: Node, keyword: str, content: object) -> None:  # noqa: ARG001 (a Reader)
    if keyword == "example":
        node.examples.insert(0, content)
    elif isinstance(content, list | tuple):
        node.examples.extend(content[:1])


def _one(conversion: Conversion, node: Node, keyword: str, content: object) -> None:
    """Read a keyword that holds one schema; `items` holds a list of them until draft-07."""
    if keyword == "items" and isinstance(content, list | tuple):
        node.out["prefixItems"] = _schemas(conversion, node, keyword, content)
    else:
        _put(conversion, node, keyword, Raw(content, node.place.at(keyword)))


def _additional_items(conversion: Conversion, node: Node, keyword: str, content: object) -> None:
    """Read draft-07's schema for the items after those in a list; beside a single schema it means nothing."""
    if isinstance(node.value.get("items"), list | tuple):
        _put(conversion, node, "items", Raw(content, node.place.at(keyword)))


def _put(conversion: Conversion, node: Node, keyword: str, raw: Raw) -> None:
    if isinstance(raw.value, bool) and keyword in _BOOLEAN:
        if not raw.value:
            node.out[keyword] = False
        return
    converted = conversion.schema(raw, node.depth + 1, here=node.here and keyword in _IN_PLACE)
    if converted != {} or keyword in _SAYING_MUCH:
        node.out[keyword] = converted


def _list(conversion: Conversion, node: Node, keyword: str, content: object) -> None:
    node.out[keyword] = _schemas(conversion, node, keyword, content)


def _schemas(conversion: Conversion, node: Node, keyword: str, content: object) -> list[Any]:
    if not isinstance(content, list | tuple) or not content:
        raise Malformed("must be a list of schemas")
    here = node.here and keyword in _IN_PLACE
    raws = [Raw(item, node.place.at(keyword, index)) for index, item in enumerate(content)]
    return [conversion.schema(raw, node.depth + 1, here=here) for raw in raws]


def _union(conversion: Conversion, node: Node, keyword: str, content: object) -> None:
    if not isinstance(content, list | tuple) or not content:
        raise Malformed("must be a list of schemas")
    references, dialect = conversion.references, conversion.dialect
    told = Discriminator(node.value.get("discriminator"), node.place, references, dialect)
    raws = [Raw(branch, node.place.at(keyword, index)) for index, branch in enumerate(content)]
    constraints = [told.constraint(*raw) for raw in raws]
    if keyword == "oneOf" and "anyOf" not in node.value and None in constraints:
        keyword = "oneOf" if exclusive(raws, references, dialect) else "anyOf"
    branches: list[Any] = []
    for raw, constraint in zip(raws, constraints, strict=True):
        if node.here and conversion.closes_cycle(raw):
            continue
        converted = conversion.schema(raw, node.depth + 1, here=node.here)
        if constraint:
            beside = converted.get("properties", {})
            converted = {**converted, "properties": {**beside, told.property: constraint}}
        # A union of equal schemas, `oneOf` above all, is one of them.
        if converted not in branches:
            branches.append(converted)
    node.unions[keyword] = branches


def _map(conversion: Conversion, node: Node, keyword: str, content: object) -> None:
    if not isinstance(content, dict):
        raise Malformed("must be an object of schemas")
    here = node.here and keyword in _IN_PLACE
    place = node.place.at(keyword)
    converted = {
        str(name): conversion.schema(Raw(item, place.at(name)), node.depth + 1, here=here)
        for name, item in content.items()
    }
    if converted:
        node.out[keyword] = converted


def _properties(conversion: Conversion, node: Node, keyword: str, content: object) -> None:
    if not isinstance(content, dict):
        raise Malformed("must be an object of schemas")
    place = node.place.at(keyword)
    converted: dict[str, Any] = {}
    for name, item in content.items():
        raw = Raw(item, place.at(name))
        if conversion.hides(raw):
            node.hidden.add(str(name))
        else:
            converted[str(name)] = conversion.schema(raw, node.depth + 1, str(name), here=False)
    if converted:
        node.out[keyword] = converted


def _dependencies(conversion: Conversion, node: Node, keyword: str, content: object) -> None:  # noqa: ARG001 (a Reader)
    """Read the draft-07 keyword that later became two."""
    if not isinstance(content, dict):
        raise Malformed("must be an object")
    lists = {name: item for name, item in content.items() if isinstance(item, list | tuple)}
    if lists:
        node.out["dependentRequired"] = PLAIN["dependentRequired"](lists)
    _map(conversion, node, "dependentSchemas", {name: item for name, item in content.items() if name not in lists})


SPECIAL: Mapping[str, Reader] = {
    "type": _type,
    "nullable": _null,
    "x-nullable": _null,
    "exclusiveMinimum": _exclusive,
    "exclusiveMaximum": _exclusive,
    "title": _words,
    "description": _words,
    "deprecated": _deprecated,
    "example": _example,
    "examples": _example,
    "items": _one,
    "additionalItems": _additional_items,
    "additionalProperties": _one,
    "contains": _one,
    "propertyNames": _one,
    "not": _one,
    "if": _one,
    "then": _one,
    "else": _one,
    "unevaluatedItems": _one,
    "unevaluatedProperties": _one,
    "contentSchema": _one,
    "prefixItems": _list,
    "allOf": _list,
    "anyOf": _union,
    "oneOf": _union,
    "properties": _properties,
    "patternProperties": _map,
    "dependentSchemas": _map,
    "dependencies": _dependencies,
}
"""The readers by keyword; those of keywords that hold plain values are in `keywords.PLAIN`."""
