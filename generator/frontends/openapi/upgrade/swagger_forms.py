"""Turn Swagger 2.0's `formData` parameters into a form or multipart body."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....runtime.client.media import FORM, essence
from ..limits import MEDIA_TYPE_PARTS
from ..model import Body, Encoding, MediaType, SchemaNode
from .parameters import read_name
from .swagger_parameters import collection_style, nested_delimiters, parameter_schema
from .values import flag, text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..place import Place
    from .sources import Reading

MULTIPART = "multipart/form-data"


def form_body(
    reading: Reading, fields: list[tuple[Mapping[str, object], Place]], consumes: tuple[str, ...], place: Place
) -> Body:
    """Return the body that holds the fields; raises Unreadable when one has no name."""
    properties: dict[str, object] = {}
    encoding: dict[str, Encoding] = {}
    required = []
    has_file = False
    for value, at in fields:
        name = read_name(value, at)
        schema = parameter_schema(reading, value, at)
        properties[name] = _property(value, schema)
        has_file = has_file or value.get("type") == "file"
        if flag(value.get("required")):
            required.append(name)
        if value.get("type") == "array":
            style, explode = collection_style(reading, value, "formData", at)
            nested = nested_delimiters(reading, value, at)
            encoding[name] = Encoding(style=style, explode=explode, nested=nested, place=at)
    whole: dict[str, object] = {"type": "object", "properties": properties}
    if required:
        whole["required"] = required
    node = SchemaNode(value=whole, place=place, dialect=reading.dialect)
    types = _form_types(consumes, has_file=has_file)
    reading.room.take(MEDIA_TYPE_PARTS * len(types))
    return Body(
        required=bool(required),
        content=tuple(MediaType(type=each, schema=node, encoding=encoding, place=place) for each in types),
        place=place,
    )


def _property(value: Mapping[str, object], schema: SchemaNode | None) -> object:
    described = text(value.get("description"))
    if schema is None or not isinstance(schema.value, dict) or not described or "$ref" in schema.value:
        return {} if schema is None else schema.value
    return {**schema.value, "description": described}


def _form_types(consumes: tuple[str, ...], *, has_file: bool) -> tuple[str, ...]:
    """Return the form types the operation consumes; a file can only travel in a multipart body."""
    fitting = (MULTIPART,) if has_file else (MULTIPART, FORM)
    return tuple(each for each in consumes if essence(each) in fitting) or fitting[-1:]
