"""Read OpenAPI 3.x request bodies and `content`, with the encoding of form and multipart properties."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from ..limits import ENCODING_PARTS
from ..load_problem import ReferenceProblem
from ..model import Body, Encoding, MediaType, Parameter, SchemaNode
from .examples import read_examples
from .findings import Unreadable
from .header_names import is_token
from .values import flag, optional_text, shown, text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..place import Place
    from .sources import Reading

MEDIA_TYPE = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+/[!#$%&'*+.^_`|~0-9A-Za-z-]+[ \t]*(;[ -~]*)?")
"""A media type or range, perhaps with parameters: nothing that could end a header line."""

EVERY_ITEM = "*"
"""The key under which 3.2's `itemEncoding` is kept; `prefixEncoding` is kept by position."""


def read_body(reading: Reading, written: object, where: Place) -> Body | None:
    """Return a request body, None where there is none; raises Unreadable."""
    if written is None:
        return None
    value, place = reading.mapping(written, where, "requestBody")
    read = partial(_body, reading, value, place)
    return read() if place is where else reading.shared.part("requestBody", value, place, read)


def _body(reading: Reading, value: Mapping[str, object], place: Place) -> Body:
    return Body(
        required=flag(value.get("required")),
        description=text(value.get("description")),
        content=read_content(reading, value.get("content"), place.at("content")),
        place=place,
    )


def read_content(reading: Reading, written: object, where: Place) -> tuple[MediaType, ...]:
    """Return the media types of a `content`; a key that is no media type is left out."""
    content, place = reading.optional_mapping(written, where, "content")
    found = []
    for key, value in content.items():
        if str(key).startswith("x-"):
            continue
        if usable_media_type(reading, str(key), place.at(key)):
            found.append(_media_type(reading, str(key), value, place.at(key)))
    return tuple(found)


def usable_media_type(reading: Reading, key: str, place: Place) -> bool:
    """Return whether a media type can be sent, and say so when it cannot."""
    if MEDIA_TYPE.fullmatch(key.strip()):
        return True
    reading.findings.warn("ignored-member", "what is no media type is left out", place, detail=f"`{shown(key)}`")
    return False


def _media_type(reading: Reading, key: str, written: object, where: Place) -> MediaType:
    value, place = reading.optional_mapping(written, where, "media type")
    return MediaType(
        type=key.strip(),
        schema=reading.schema(value.get("schema"), place.at("schema")),
        item_schema=reading.schema(value.get("itemSchema"), place.at("itemSchema")),
        encoding=read_encodings(reading, value, place),
        examples=read_examples(reading, value, place),
        place=place,
    )


def read_encodings(reading: Reading, value: Mapping[str, object], place: Place) -> dict[str, Encoding]:
    """Return what a media type says of how its members, or its items by position, are sent."""
    written: dict[str, tuple[object, Place]] = {}
    prefix = value.get("prefixEncoding")
    for index, item in enumerate(prefix if isinstance(prefix, list | tuple) else ()):
        written[str(index)] = item, place.at("prefixEncoding", index)
    if "itemEncoding" in value:
        written[EVERY_ITEM] = value["itemEncoding"], place.at("itemEncoding")
    named = value.get("encoding")
    if isinstance(named, dict):
        reading.room.take(ENCODING_PARTS * len(named))
        written |= {str(key): (named[key], place.at("encoding", key)) for key in named}
    return {key: _encoding(reading, each, where) for key, (each, where) in written.items() if isinstance(each, dict)}


def _encoding(reading: Reading, value: Mapping[str, object], place: Place) -> Encoding:
    explode = value.get("explode")
    content_type = optional_text(value.get("contentType"))
    if content_type and not content_type.isprintable():
        reading.findings.warn("ignored-member", "`contentType` has a control character; it is left out", place)
        content_type = None
    return Encoding(
        content_type=content_type,
        style=optional_text(value.get("style")),
        explode=None if explode is None else flag(explode),
        allow_reserved=flag(value.get("allowReserved")),
        headers=_part_headers(reading, value.get("headers"), place.at("headers")),
        place=place,
    )


def _part_headers(reading: Reading, written: object, where: Place) -> tuple[Parameter, ...]:
    if not isinstance(written, dict):
        return ()
    found = []
    for name, value in written.items():
        if not is_token(name) or name.lower() == "content-type":
            continue
        try:
            header, place = reading.mapping(value, where.at(name), "header")
            schema, content_type = _header_schema(reading, header, place)
        except (Unreadable, ReferenceProblem):
            continue
        found.append(
            Parameter(
                name=name,
                location="header",
                required=flag(header.get("required")),
                description=text(header.get("description")),
                style="simple",
                explode=flag(header.get("explode")),
                schema=schema,
                content_type=content_type,
                examples=read_examples(reading, header, place),
                place=place,
            )
        )
    return tuple(found)


def _header_schema(
    reading: Reading, header: Mapping[str, object], place: Place
) -> tuple[SchemaNode | None, str | None]:
    """Return the schema of a header, and its media type where it is described by `content`."""
    content = header.get("content")
    if "schema" not in header and isinstance(content, dict):
        for media_type, written in content.items():
            media, inside = reading.optional_mapping(written, place.at("content", media_type), "media type")
            return reading.schema(media.get("schema"), inside.at("schema")), str(media_type)
    return reading.schema(header.get("schema"), place.at("schema")), None
