"""Where a value is written: a loaded file and a JSON pointer in it; line and column are computed when asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from ...diagnostics.model import Span


class File(Protocol):
    """What a place needs of a loaded file: how it is shown, and where in its text a pointer's value stands."""

    @property
    def shown(self) -> str:
        """The path or address as the user wrote it, or relative to the description."""

    def span(self, pointer: tuple[str, ...]) -> Span | None:
        """Return the place of a value, or of the nearest thing around it that can be found."""


class Place(NamedTuple):
    """A value of a file; `pointer` holds the unescaped reference tokens of RFC 6901, array positions as digits.

    A tuple, because that is made quickest: reading a large description makes tens of thousands.
    """

    file: File
    pointer: tuple[str, ...] = ()

    def at(self, *tokens: str | int) -> Place:
        """Return the place of something inside this value."""
        return Place(self.file, (*self.pointer, *map(str, tokens)))

    @property
    def json_pointer(self) -> str:
        """The pointer as text, with `~0` and `~1`."""
        return "".join("/" + token.replace("~", "~0").replace("/", "~1") for token in self.pointer)

    @property
    def text(self) -> str:
        """The place as messages name it: `openapi.yaml#/paths/~1pets/get`."""
        return f"{self.file.shown}#{self.json_pointer}"

    @property
    def span(self) -> Span | None:
        """The place in the text, computed now."""
        return self.file.span(self.pointer)
