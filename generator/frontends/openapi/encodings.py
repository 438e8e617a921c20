"""The headers of the parts of a multipart body, as arguments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .arguments import ARGUMENT_NAME, Argument
from .parameters import argument_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .model import Encoding, Parameter
    from .schemas import Assembly


@dataclass(frozen=True, slots=True, kw_only=True)
class PartHeader:
    """A header of a part: the member it belongs to, and the argument that gives its value.

    `header` says its name, and how the value is written.
    """

    member: str
    header: Parameter
    argument: Argument

    def entry(self, name: str) -> Any:
        """Return how the runtime makes the header of the argument called `name`: that alone where no more is said."""
        said: dict[str, Any] = {"explode": True} if self.header.explode else {}
        if self.header.content_type is not None:
            said["content"] = self.header.content_type
        return {"argument": name, **said} if said else name


def part_headers(encodings: Mapping[str, Encoding], assembly: Assembly, limit: int) -> tuple[PartHeader, ...]:
    """Return the headers that parts of a multipart body have; raises SchemaProblem.

    Where several want one name, the later is told apart by its part's.
    """
    return tuple(
        PartHeader(member=member, header=header, argument=_argument(member, argument_of(header, assembly, limit)))
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
