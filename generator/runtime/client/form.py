"""`application/x-www-form-urlencoded`: bodies, and query strings that are described as one.

Without an encoding object an array is a repeated key and an object is JSON text (OAS 3.0.4 §4.7.14.4, 3.1.1 §4.8.15.1).
With style, explode or allowReserved a field is serialised like a query parameter; with a JSON content type the whole
field is JSON text. A space is `%20`, which every reader of forms takes for a space.
"""

from __future__ import annotations

from urllib.parse import quote

from . import media, styles, url
from .values import ArgumentProblem, items_of, json_text, text_of, utf8

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    Encoding = Mapping[str, Any]

STYLING = ("style", "explode", "reserved")
"""Keys of an encoding object that make a field be serialised by a style."""


def form_bytes(value: Any, encodings: Mapping[str, Encoding]) -> bytes:
    """Encode a form; a string is taken for a finished one. Raises ArgumentProblem for any other root than an object."""
    if isinstance(value, str):
        return utf8(value)
    if not isinstance(value, dict):
        raise ArgumentProblem((), "a form must be an object")
    return form_text(value, encodings).encode("ascii")


def form_text(value: Mapping[str, Any], encodings: Mapping[str, Encoding]) -> str:
    """Return the form of an object's members as ASCII text."""
    pairs = []
    for name, member in value.items():
        try:
            pairs += _pairs(name, member, encodings.get(name) or {})
        except ArgumentProblem as problem:
            raise problem.below(name) from None
    return "&".join(pairs)


def is_styled(encoding: Encoding) -> bool:
    """Say whether a field is serialised by a style rather than by its content type."""
    return any(key in encoding for key in STYLING)


def styled_pairs(name: str, value: Any, style: str, *, explode: bool, reserved: bool) -> list[str]:
    """Return the `name=value` pairs of a query parameter, or of a form's field that has a style."""
    dividing = url.delimiters(value, "query", style, explode=explode)
    encode = url.encoder(reserved=reserved, safe=url.RESERVED_IN_QUERY, delimiters=dividing)
    return styles.query_pairs(name, value, style, explode=explode, encode=encode, encode_name=url.encode)


def _pairs(name: str, value: Any, encoding: Encoding) -> list[str]:
    if value is None:
        return [f"{url.encode(name)}="]
    if isinstance(value, bytes):
        return [f"{url.encode(name)}={quote(value, safe='')}"]
    if is_styled(encoding):
        value = styles.nested(value, encoding)
        style = encoding.get("style", "form")
        explode = bool(encoding.get("explode", style in ("form", "deepObject")))
        return styled_pairs(name, value, style, explode=explode, reserved=bool(encoding.get("reserved")))
    if media.is_json(str(encoding.get("content_type", "")).partition(",")[0]):
        return [f"{url.encode(name)}={url.encode(json_text(value))}"]
    texts = items_of(value) if isinstance(value, list) else [text_of(value)]
    return [f"{url.encode(name)}={url.encode(text)}" for text in texts]
