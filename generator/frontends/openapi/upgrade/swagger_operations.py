"""Read what an operation of Swagger 2.0 says in its own way: parameters, bodies, answers, schemes of the URL."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..limits import MEDIA_TYPE_PARTS
from ..model import ApiServer, Body, MediaType, Response
from .answers import statuses
from .bodies import usable_media_type
from .parameters import read_location
from .swagger_forms import form_body
from .swagger_parameters import LOCATIONS, swagger_parameter
from .swagger_servers import swagger_servers
from .values import flag, optional_text, shown, text, texts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..model import Parameter
    from ..place import Place
    from .sources import Reading

DEFAULT_MEDIA_TYPE = "application/json"
"""What is sent and expected when neither the document nor the operation says it."""

FILE_MEDIA_TYPE = "application/octet-stream"


@dataclass(frozen=True, slots=True, kw_only=True)
class SwaggerDefaults:
    """What the document says for every operation; `root` is the document, for host and base path."""

    root: Mapping[str, object]
    place: Place
    consumes: tuple[str, ...] = ()
    produces: tuple[str, ...] = ()


def swagger_servers_of(defaults: SwaggerDefaults, value: Mapping[str, object], place: Place) -> tuple[ApiServer, ...]:
    """Return the operation's servers when it has URL schemes of its own."""
    own = texts(value.get("schemes"))
    if not own or own == texts(defaults.root.get("schemes")) or not text(defaults.root.get("host")):
        return ()
    return swagger_servers(defaults.root, own, place.at("schemes"))


def swagger_parts(
    reading: Reading,
    defaults: SwaggerDefaults,
    value: Mapping[str, object],
    place: Place,
    gathered: list[tuple[Mapping[str, object], Place]],
) -> tuple[list[Parameter], Body | None, tuple[Response, ...]]:
    """Return parameters, body and answers of an operation; raises Unreadable."""
    consumes = media_types(reading, value, "consumes", place) or defaults.consumes
    produces = media_types(reading, value, "produces", place) or defaults.produces
    parameters: list[Parameter] = []
    bodies: list[tuple[Mapping[str, object], Place]] = []
    fields: list[tuple[Mapping[str, object], Place]] = []
    for each, at in gathered:
        location = read_location(each, at, LOCATIONS) if each.get("in") not in ("body", "formData") else each["in"]
        if location == "body":
            bodies.append((each, at))
        elif location == "formData":
            fields.append((each, at))
        else:
            parameter = swagger_parameter(reading, each, at)
            parameters += [] if parameter is None else [parameter]
    body = _body(reading, bodies, consumes)
    if body is None and fields:
        body = form_body(reading, fields, consumes, place.at("parameters"))
    elif fields or len(bodies) > 1:
        reading.findings.warn("ignored-member", "operation has several bodies; the first is used", place)
    return parameters, body, _responses(reading, value, place, produces)


def media_types(reading: Reading, value: Mapping[str, object], name: str, place: Place) -> tuple[str, ...]:
    """Return `consumes` or `produces`, without what is no media type."""
    found = texts(value.get(name))
    return tuple(dict.fromkeys(each.strip() for each in found if usable_media_type(reading, each, place.at(name))))


def _body(reading: Reading, bodies: list[tuple[Mapping[str, object], Place]], consumes: tuple[str, ...]) -> Body | None:
    if not bodies:
        return None
    value, place = bodies[0]
    schema = reading.schema(value.get("schema"), place.at("schema"))
    types = consumes or (DEFAULT_MEDIA_TYPE,)
    reading.room.take(MEDIA_TYPE_PARTS * len(types))
    return Body(
        required=flag(value.get("required")),
        description=text(value.get("description")),
        content=tuple(MediaType(type=each, schema=schema, place=place) for each in types),
        name=optional_text(value.get("name")),
        place=place,
    )


def _responses(
    reading: Reading, value: Mapping[str, object], place: Place, produces: tuple[str, ...]
) -> tuple[Response, ...]:
    found = []
    for status, written, where in statuses(reading, value.get("responses"), place.at("responses")):
        response, at = reading.optional_mapping(written, where, "response")
        found.append(
            Response(
                status=status,
                description=text(response.get("description")),
                content=_content(reading, response, at, produces),
                place=at,
            )
        )
    return tuple(found)


def _content(
    reading: Reading, response: Mapping[str, object], place: Place, produces: tuple[str, ...]
) -> tuple[MediaType, ...]:
    schema = reading.schema(response.get("schema"), place.at("schema"))
    if schema is None:
        return ()
    written = response.get("examples")
    examples = written if isinstance(written, dict) else {}
    is_file = isinstance(schema.value, dict) and schema.value.get("type") == "file"
    named = tuple(each for each in examples if "/" in each and each == shown(each))
    types = produces or named or ((FILE_MEDIA_TYPE,) if is_file else (DEFAULT_MEDIA_TYPE,))
    reading.room.take(MEDIA_TYPE_PARTS * len(types))
    return tuple(
        MediaType(type=each, schema=schema, examples=(examples[each],) if each in examples else (), place=place)
        for each in types
    )
