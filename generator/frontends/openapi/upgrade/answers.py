"""Read OpenAPI 3.x responses, with their links."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from ..load_problem import ReferenceProblem
from ..model import Link, Response
from .bodies import read_content
from .findings import Unreadable
from .values import optional_text, shown, text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..place import Place
    from .sources import Reading

STATUS = re.compile(r"[1-5](?:\d\d|XX)")


def read_responses(reading: Reading, written: object, where: Place) -> tuple[Response, ...]:
    """Return the answers of an operation; raises Unreadable when one has another type than it must."""
    found = []
    for status, value, place in statuses(reading, written, where):
        response, at = reading.optional_mapping(value, place, "response")
        read = partial(_response, reading, status, response, at)
        found.append(read() if at is place else reading.shared.part(status, response, at, read))
    return tuple(found)


def _response(reading: Reading, status: str, response: Mapping[str, object], at: Place) -> Response:
    return Response(
        status=status,
        description=text(response.get("description")) or text(response.get("summary")),
        content=read_content(reading, response.get("content"), at.at("content")),
        links=_links(reading, response.get("links"), at.at("links")),
        place=at,
    )


def statuses(reading: Reading, written: object, where: Place) -> Iterator[tuple[str, object, Place]]:
    """Yield each status of a `responses` object in the form `200`, `2XX` or `default`, its value and place."""
    value, place = reading.optional_mapping(written, where, "responses")
    for key in value:
        status = str(key).strip()
        normal = "default" if status.lower() == "default" else status.upper()
        if normal == "default" or STATUS.fullmatch(normal):
            yield normal, value[key], place.at(key)
        elif not status.startswith("x-"):
            message = "answer whose key is no status is left out"
            reading.findings.warn("ignored-member", message, place.at(key), detail=f"`{shown(status)}`")


def _links(reading: Reading, written: object, where: Place) -> tuple[Link, ...]:
    found = []
    for name, value, place in _tolerated(reading, written, where):
        parameters = value.get("parameters")
        found.append(
            Link(
                name=name,
                operation_id=optional_text(value.get("operationId")),
                operation_ref=optional_text(value.get("operationRef")),
                description=text(value.get("description")),
                parameters=parameters if isinstance(parameters, dict) else {},
                place=place,
            )
        )
    return tuple(found)


def _tolerated(reading: Reading, written: object, where: Place) -> Iterator[tuple[str, Mapping[str, object], Place]]:
    """Yield the members of a map of objects, skipping what cannot be read."""
    try:
        value, place = reading.optional_mapping(written, where, "map")
    except (Unreadable, ReferenceProblem):
        return
    for key in value:
        if str(key).startswith("x-") and not isinstance(value[key], dict):
            continue
        try:
            member, at = reading.mapping(value[key], place.at(key), "member")
        except (Unreadable, ReferenceProblem):
            continue
        yield str(key), member, at
