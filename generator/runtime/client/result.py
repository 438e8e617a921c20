"""The parts of a result while it is made: content blocks, notes for the reader, members of `_meta`."""

from __future__ import annotations

from ..server.answer import Finished
from ..server.outcome import META_ERROR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Result:
    """Collects one result. Notes come after the content, each a text of its own in brackets.

    `fault` holds the facts of an answer that cannot be used, which makes the result an error.
    """

    __slots__ = ("content", "fault", "meta", "notes", "structured")

    def __init__(self) -> None:
        self.content: list[dict[str, Any]] = []
        self.notes: list[str] = []
        self.meta: dict[str, Any] = {}
        self.structured: dict[str, Any] | None = None
        self.fault: dict[str, Any] | None = None

    def text(self, text: str) -> None:
        """Add a text."""
        self.content.append({"type": "text", "text": text})

    def note(self, text: str) -> None:
        """Add a note for the reader: a whole sentence."""
        self.notes.append(text)

    def finished(self) -> Finished:
        """Return the result as it is sent; a link comes last, after the notes that speak of it."""
        links = [block for block in self.content if block["type"] == "resource_link"]
        content = [block for block in self.content if block["type"] != "resource_link"]
        content += [{"type": "text", "text": f"[{note}]"} for note in self.notes]
        made = Finished(content=[*content, *links])
        if self.structured is not None:
            made["structuredContent"] = self.structured
        if self.meta:
            made["_meta"] = self.meta
        if self.fault is not None:
            made["isError"] = True
            made["_meta"] = {**self.meta, META_ERROR: self.fault}
        return made
