"""Read OpenAPI 3.x parameters: style and explode are filled in, headers that belong to the client are left out."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

from ....diagnostics.model import Severity
from ..model import Parameter, SchemaNode
from .bodies import read_encodings
from .examples import read_examples
from .findings import Unreadable
from .header_names import CLIENT_OWNED, DESCRIBED_ELSEWHERE, is_encodable, is_token
from .sources import extensions, wrong_type
from .values import flag, shown, text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..model import Encoding, Location
    from ..place import Place
    from .sources import Reading

STYLES: Mapping[str, tuple[str, ...]] = {
    "path": ("simple", "label", "matrix"),
    "query": ("form", "spaceDelimited", "pipeDelimited", "deepObject"),
    "querystring": ("form",),
    "header": ("simple",),
    "cookie": ("form", "cookie"),
}
"""The styles each location allows, its default first (OpenAPI 3.2, section 4.12.3)."""

WHOLE_QUERY = "querystring"
"""How a parameter that is the whole query is named when the description does not say; the name is never sent."""

EXPLODED_STYLES = ("form", "cookie")
"""Styles whose `explode` is true when it is not stated."""

SWAGGER_BODIES = ("body", "formData")
"""Locations of Swagger 2.0 that are no parameters in OpenAPI 3."""

INLINE_KEYWORDS = ("type", "format", "items", "enum", "default", "minimum", "maximum", "pattern")
"""Schema keywords that descriptions converted from Swagger 2.0 leave in the parameter itself."""


def read_parameter(reading: Reading, written: object, where: Place) -> Parameter | None:
    """Return a parameter, None for a header that is not the caller's to give; raises Unreadable."""
    value, place = reading.mapping(written, where, "parameter")
    return reading.shared.part("parameter", value, place, partial(_parameter, reading, value, place))


def _parameter(reading: Reading, value: Mapping[str, object], place: Place) -> Parameter | None:
    location = read_location(value, place, tuple(STYLES))
    name = WHOLE_QUERY if location == "querystring" and value.get("name") is None else read_name(value, place)
    if location == "header" and is_reserved(reading, name, place):
        return None
    check_name(name, location, place)
    style, explode = _serialisation(reading, value, location, place)
    schema, content_type, encoding = _value_schema(reading, value, place)
    return Parameter(
        name=name,
        location=location,
        required=location == "path" or flag(value.get("required")),
        deprecated=flag(value.get("deprecated")),
        description=text(value.get("description")),
        style=style,
        explode=explode,
        allow_reserved=flag(value.get("allowReserved")),
        allow_empty_value=flag(value.get("allowEmptyValue")),
        schema=schema,
        content_type=content_type,
        encoding=encoding,
        examples=read_examples(reading, value, place),
        extensions=extensions(value),
        place=place,
    )


def read_location(value: Mapping[str, object], place: Place, allowed: tuple[str, ...]) -> Location:
    """Return where a parameter stands; raises Unreadable when that is not one of the allowed."""
    found = value.get("in")
    if found is None:
        raise Unreadable("missing-member", "parameter has no `in`", place)
    if not isinstance(found, str):
        raise wrong_type("in", "text", found, place.at("in"))
    if found not in allowed:
        choices = ", ".join(f"`{each}`" for each in allowed)
        message = f"`in` must be one of {choices}, found `{shown(found)}`"
        hint = "Describe the body by `requestBody`, as OpenAPI 3 does." if found in SWAGGER_BODIES else None
        raise Unreadable("wrong-type", message, place.at("in"), hint)
    return cast("Location", found)


def read_name(value: Mapping[str, object], place: Place) -> str:
    """Return a parameter's name; raises Unreadable when there is none."""
    found = value.get("name")
    if found is None:
        raise Unreadable("missing-member", "parameter has no `name`", place)
    if isinstance(found, dict | list | tuple):
        raise wrong_type("name", "text", found, place.at("name"))
    return text(found)


def check_name(name: str, location: str, place: Place) -> None:
    """Raise Unreadable for a name that cannot be sent."""
    sendable = is_token(name) if location in ("header", "cookie") else is_encodable(name)
    if not sendable and location != "querystring":
        raise Unreadable(
            "unsendable-name", f"`{shown(name)}` cannot be the name of a {location} parameter", place.at("name")
        )


def is_reserved(reading: Reading, name: str, place: Place) -> bool:
    """Return whether a header parameter is left out, and say so."""
    lowered = name.strip().lower()
    if lowered in DESCRIBED_ELSEWHERE:
        message = f"header parameter `{shown(name)}` is left out: `content` describes media types"
        reading.findings.warn("reserved-header", message, place, severity=Severity.NOTE)
        return True
    if lowered in CLIENT_OWNED:
        reading.findings.warn("reserved-header", f"header parameter `{shown(name)}` is left out", place)
        return True
    return False


def _serialisation(reading: Reading, value: Mapping[str, object], location: str, place: Place) -> tuple[str, bool]:
    allowed = STYLES[location]
    style = value.get("style")
    if style is None:
        style = allowed[0]
    elif style not in allowed:
        message = f"for a style that a {location} parameter cannot have `{allowed[0]}` is used"
        reading.findings.warn("ignored-member", message, place.at("style"), detail=f"`{shown(text(style))}`")
        style = allowed[0]
    explode = value.get("explode")
    return str(style), style in EXPLODED_STYLES if explode is None else flag(explode)


def _value_schema(
    reading: Reading, value: Mapping[str, object], place: Place
) -> tuple[SchemaNode | None, str | None, Mapping[str, Encoding]]:
    schema = reading.schema(value.get("schema"), place.at("schema"))
    content, at = reading.optional_mapping(value.get("content"), place.at("content"), "content")
    for media_type in content:
        if schema is None:
            media, inside = reading.optional_mapping(content[media_type], at.at(media_type), "media type")
            encodings = read_encodings(reading, media, inside)
            return reading.schema(media.get("schema"), inside.at("schema")), str(media_type), encodings
    if schema is None and "type" in value:
        inline = {key: value[key] for key in INLINE_KEYWORDS if key in value}
        reading.findings.warn("ignored-member", "parameter has its type outside `schema`; it is read anyway", place)
        schema = SchemaNode(value=inline, place=place, dialect=reading.dialect)
    return schema, None, {}
