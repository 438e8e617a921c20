"""How single members of a form or multipart body are sent, as the runtime reads it, with the headers of their parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .arguments import ARGUMENT_NAME, Argument
from .parameters import argument_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .model import Encoding
    from .schemas import Assembly


@dataclass(frozen=True, slots=True, kw_only=True)
class PartHeader:
    """A header of a part: the member it belongs to, its name, and the argument that gives its value."""

    member: str
    name: str
    argument: Argument


def encodings_of(encodings: Mapping[str, Encoding]) -> dict[str, Any]:
    """Return what is stated of each member's encoding; members of which nothing is stated are absent."""
    found = {name: _encoding(each) for name, each in encodings.items()}
    return {name: each for name, each in found.items() if each}


def part_headers(encodings: Mapping[str, Encoding], assembly: Assembly, limit: int) -> tuple[PartHeader, ...]:
    """Return the headers that parts of a multipart body have; raises SchemaProblem.

    Where several want one name, the later is told apart by its part's.
    """
    return tuple(
        PartHeader(member=member, name=header.name, argument=_argument(member, argument_of(header, assembly, limit)))
        for member, encoding in encodings.items()
        for header in encoding.headers
    )


def _argument(member: str, argument: Argument) -> Argument:
    return Argument(
        wire=argument.wire,
        location=member if ARGUMENT_NAME.fullmatch(member) else "body",
        schema=argument.schema,
        # A part that is not sent has no headers, so none of them can be asked for always.
        required=False,
        place=argument.place,
    )


def _encoding(encoding: Encoding) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if encoding.content_type is not None:
        found["content_type"] = encoding.content_type
    if encoding.style is not None:
        found["style"] = encoding.style
    if encoding.explode is not None:
        found["explode"] = encoding.explode
    if encoding.allow_reserved:
        found["reserved"] = True
    return found
