"""Read Swagger 2.0 parameters: `collectionFormat` becomes a style, the keywords beside it a schema."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import Parameter, SchemaNode
from .examples import read_examples
from .parameters import check_name, is_reserved, read_location, read_name
from .sources import extensions
from .values import flag, shown, text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..place import Place
    from .sources import Reading

LOCATIONS = ("path", "query", "header")
"""Where parameters stand in Swagger 2.0, apart from the body."""

SCHEMA_KEYWORDS = (
    "type", "format", "items", "properties", "additionalProperties", "default", "enum", "pattern", "multipleOf",
    "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength", "minLength",
    "maxItems", "minItems", "uniqueItems", "x-nullable",
)  # fmt: skip
"""What of a parameter describes its value; `properties` is not in the specification, but in use."""

DELIMITED_STYLES: Mapping[str, str] = {"ssv": "spaceDelimited", "tsv": "tabDelimited", "pipes": "pipeDelimited"}


DELIMITERS: Mapping[str, str] = {"csv": ",", "ssv": " ", "tsv": "\t", "pipes": "|"}
"""What stands between the items of an array inside of an array, by its own `collectionFormat`."""

MAX_NESTED = 10
"""Arrays inside of one another whose items are joined; those still deeper are JSON."""


def swagger_parameter(reading: Reading, value: Mapping[str, object], place: Place) -> Parameter | None:
    """Return a parameter, None for a header that is not the caller's to give; raises Unreadable."""
    location = read_location(value, place, LOCATIONS)
    name = read_name(value, place)
    if location == "header" and is_reserved(reading, name, place):
        return None
    check_name(name, location, place)
    style, explode = collection_style(reading, value, location, place)
    return Parameter(
        name=name,
        location=location,
        required=location == "path" or flag(value.get("required")),
        deprecated=flag(value.get("deprecated")) or flag(value.get("x-deprecated")),
        description=text(value.get("description")),
        style=style,
        explode=explode,
        allow_empty_value=flag(value.get("allowEmptyValue")),
        nested=nested_delimiters(reading, value, place),
        schema=parameter_schema(reading, value, place),
        examples=parameter_examples(reading, value, place),
        extensions=extensions(value),
        place=place,
    )


def parameter_schema(reading: Reading, value: Mapping[str, object], place: Place) -> SchemaNode | None:
    """Return a parameter's schema: its keywords, or the `schema` some descriptions give it anyway."""
    if "type" not in value and isinstance(value.get("schema"), dict):
        return reading.schema(value["schema"], place.at("schema"))
    inline = {key: value[key] for key in SCHEMA_KEYWORDS if key in value}
    return SchemaNode(value=inline, place=place, dialect=reading.dialect)


def parameter_examples(reading: Reading, value: Mapping[str, object], place: Place) -> tuple[object, ...]:
    """Return `x-example`, and the `example` some descriptions write without the prefix."""
    own = (value["x-example"],) if value.get("x-example") is not None else ()
    return own + read_examples(reading, value, place)


def collection_style(reading: Reading, value: Mapping[str, object], location: str, place: Place) -> tuple[str, bool]:
    """Return style and explode for `collectionFormat`, which only counts for arrays; csv is the default."""
    joined = "form" if location in ("query", "formData") else "simple"
    if value.get("type") != "array":
        return joined, joined == "form"
    written = value.get("collectionFormat", "csv")
    if written == "multi" and joined == "form":
        return "form", True
    style = DELIMITED_STYLES.get(written) if isinstance(written, str) else None
    if style is None and written != "csv":
        message = f"for a collectionFormat that a {location} parameter cannot have `csv` is used"
        reading.findings.warn(
            "ignored-member", message, place.at("collectionFormat"), detail=f"`{shown(text(written))}`"
        )
    return style or joined, False


def nested_delimiters(reading: Reading, value: Mapping[str, object], place: Place) -> tuple[str, ...]:
    """Return what joins the items of arrays inside of an array, the outermost of those first; csv is the default."""
    found: list[str] = []
    while value.get("type") == "array" and len(found) < MAX_NESTED:
        inner, place = value.get("items"), place.at("items")
        if not isinstance(inner, dict) or inner.get("type") != "array":
            break
        written = inner.get("collectionFormat", "csv")
        delimiter = DELIMITERS.get(written) if isinstance(written, str) else None
        if delimiter is None:
            message = "for a collectionFormat that an array inside of an array cannot have `csv` is used"
            detail = f"`{shown(text(written))}`"
            reading.findings.warn("ignored-member", message, place.at("collectionFormat"), detail=detail)
        found.append(delimiter or ",")
        value = inner
    return tuple(found)
