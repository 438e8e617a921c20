"""Where a value is written: a loaded file and a JSON pointer in it; line and column are computed when asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from ...ir.pointer import escaped

if TYPE_CHECKING:
    from ...diagnostics.model import Span


class File(Protocol):
    """What a place needs of a loaded file: how it is shown, and where in its text a pointer's value stands."""

    @property
    def shown(self) -> str:
        """The path or address as the user wrote it, or relative to the description."""

    def span(self, pointer: tuple[str, ...]) -> Span | None:
        """Return the place of a value, or of the nearest thing around it that can be found."""


class Place:
    """A value of a file; equal to any other place of the same pointer in the same file.

    Reading a large description makes tens of thousands, and asks few of them for their pointer.
    """

    __slots__ = ("_around", "_tokens", "file")

    def __init__(self, file: File, pointer: tuple[str | int, ...] = (), around: Place | None = None) -> None:
        """Name the value of a pointer, which begins at the place around it, else at the file's root."""
        self.file = file
        self._tokens: tuple[Any, ...] = pointer
        self._around = around

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Place) and self.file is other.file and self.pointer == other.pointer

    def __hash__(self) -> int:
        return hash(self.pointer)

    def at(self, *tokens: str | int) -> Place:
        """Return the place of something inside this value."""
        return Place(self.file, tokens, self)

    @property
    def pointer(self) -> tuple[str, ...]:
        """The unescaped reference tokens of RFC 6901, array positions as digits; put together when asked for."""
        if self._around is not None:
            self._tokens = (*self._around.pointer, *map(str, self._tokens))
            self._around = None
        return self._tokens

    @property
    def json_pointer(self) -> str:
        """The pointer as text, with `~0` and `~1`."""
        return "".join("/" + escaped(token) for token in self.pointer)

    @property
    def text(self) -> str:
        """The place as messages name it: `openapi.yaml#/paths/~1pets/get`."""
        return f"{self.file.shown}#{self.json_pointer}"

    @property
    def span(self) -> Span | None:
        """The place in the text, computed now."""
        return self.file.span(self.pointer)
