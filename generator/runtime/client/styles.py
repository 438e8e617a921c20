"""Parameter styles: how arrays, objects and plain values stand in a path, a query, a header and a cookie.

The tables are those of OAS 3.0.4 §4.7.12, 3.1.1 §4.8.12 and 3.2 §4.12, which follow RFC 6570. Items are encoded before
they are joined, so that a delimiter inside an item stays apart from one between items. Null is RFC 6570's "undefined":
it is left out, and so is an array or object without members. Arrays and objects inside arrays, which no style but
deepObject defines, stand as compact JSON, save where Swagger 2 says how the inner ones are joined (`nested`).
"""

from __future__ import annotations

from urllib.parse import unquote

from .values import items_of, members_of, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    Encode = Callable[[str], str]

DELIMITERS = {"spaceDelimited": "%20", "pipeDelimited": "%7C", "tabDelimited": "%09"}
"""Delimiters as they stand in a URL, where none is lawful unencoded. Swagger 2 has them in paths and headers too."""


def nested(value: Any, described: Mapping[str, Any]) -> Any:
    """Return a value whose arrays inside of arrays are texts, each level joined by its delimiter (Swagger 2, items)."""
    delimiters = described.get("nested")
    if not delimiters or not isinstance(value, list):
        return value
    return [_joined(item, delimiters) for item in value]


def _joined(value: Any, delimiters: Sequence[str]) -> Any:
    if not delimiters or not isinstance(value, list):
        return value
    return delimiters[0].join(items_of([_joined(item, delimiters[1:]) for item in value]))


def path_text(name: str, value: Any, style: str, *, explode: bool, encode: Encode) -> str:
    """Return a path parameter's text in style simple, label, matrix or a delimited one; "" when nothing is sent."""
    if isinstance(value, (list, dict)):
        pieces = _pieces(value, explode=explode, encode=encode)
        if not pieces:
            return ""
    else:
        pieces = [encode(text_of(value))]
    if style == "label":
        return "." + (".".join(pieces) if explode else ",".join(pieces))
    if style == "matrix":
        return _matrix(encode(name), value, pieces, explode=explode)
    return DELIMITERS.get(style, ",").join(pieces)


def query_pairs(name: str, value: Any, style: str, *, explode: bool, encode: Encode, encode_name: Encode) -> list[str]:
    """Return a parameter's `name=value` pairs in style form, deepObject or one of the delimited ones."""
    key = encode_name(name)
    if not isinstance(value, (list, dict)):
        return [f"{key}={encode(text_of(value))}"]
    if style == "deepObject":
        return [f"{encode_name(path)}={encode(text)}" for path, text in deep_pairs(name, value)]
    if not explode:
        pieces = _pieces(value, explode=False, encode=encode)
        return [f"{key}={DELIMITERS.get(style, ',').join(pieces)}"] if pieces else []
    if isinstance(value, list):
        return [f"{key}={encode(item)}" for item in items_of(value)]
    return [f"{encode_name(member)}={encode(text)}" for member, text in members_of(value)]


def deep_pairs(name: str, value: Any) -> list[tuple[str, str]]:
    """Return names and texts of style deepObject: `name[member][0][member]`, at any depth.

    The specification defines one level of members. Below it arrays have indexes, which is the form that keeps an array
    of objects together and that servers with nested forms read.
    """
    if value is None:
        return []
    if isinstance(value, dict):
        return [pair for member, inner in value.items() for pair in deep_pairs(f"{name}[{member}]", inner)]
    if isinstance(value, list):
        return [pair for index, inner in enumerate(value) for pair in deep_pairs(f"{name}[{index}]", inner)]
    return [(name, text_of(value))]


def header_text(value: Any, style: str = "simple", *, explode: bool) -> str:
    """Return a header's value, which is not percent-encoded except for delimiters inside items.

    OAS 3.1.1 §4.8.12.3: percent-encoding is for URLs; only the delimiter itself must be kept apart.
    """
    if not isinstance(value, (list, dict)):
        return text_of(value)
    encoded = DELIMITERS.get(style, "%2C")
    delimiter = unquote(encoded)
    return delimiter.join(_pieces(value, explode=explode, encode=lambda text: text.replace(delimiter, encoded)))


def cookie_pairs(name: str, value: Any, style: str, *, explode: bool, encode: Encode) -> list[str]:
    """Return a cookie parameter's `name=value` pairs.

    Style cookie gives each item a pair of its own (OAS 3.2 §4.12.2.2). Style form would join exploded items with `&`,
    which no server reads as several cookies: arrays are joined with commas, and members become cookies.
    """
    key = encode(name)
    if isinstance(value, dict) and explode:
        return [f"{encode(member)}={encode(text)}" for member, text in members_of(value)]
    if isinstance(value, list) and explode and style == "cookie":
        return [f"{key}={encode(item)}" for item in items_of(value)]
    if isinstance(value, (list, dict)):
        pieces = _pieces(value, explode=False, encode=encode)
        return [f"{key}={','.join(pieces)}"] if pieces else []
    return [f"{key}={encode(text_of(value))}"]


def _pieces(value: list[Any] | dict[str, Any], *, explode: bool, encode: Encode) -> list[str]:
    """Return the encoded pieces that a delimiter goes between."""
    if isinstance(value, list):
        return [encode(item) for item in items_of(value)]
    if explode:
        return [f"{encode(member)}={encode(text)}" for member, text in members_of(value)]
    return [encode(piece) for pair in members_of(value) for piece in pair]


def _matrix(name: str, value: Any, pieces: list[str], *, explode: bool) -> str:
    if explode and isinstance(value, dict):
        return "".join(f";{piece}" for piece in pieces)
    if explode and isinstance(value, list):
        return "".join(f";{name}={piece}" if piece else f";{name}" for piece in pieces)
    joined = ",".join(pieces)
    return f";{name}={joined}" if joined else f";{name}"
