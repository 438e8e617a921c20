"""What is raised when a document or a reference cannot be read, and how what it names is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...diagnostics.plain import plain
from .limits import SHOWN_CHARACTERS

if TYPE_CHECKING:
    from ...diagnostics.model import Diagnostic


class LoadProblem(Exception):
    """A description cannot be read at all; `diagnostics` say why."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__(diagnostics[0].message if diagnostics else "")
        self.diagnostics = diagnostics


class ReferenceProblem(Exception):
    """A reference is refused or leads nowhere; `diagnostic` says why and where."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


class TextProblem(Exception):
    """What is wrong with a text before it is a document: the rule's name, the message, and where if that is known.

    `offset` counts characters of `text`, when that is given, else of the text that was passed in.
    """

    def __init__(
        self, rule: str, message: str, offset: int | None = None, hint: str | None = None, text: str | None = None
    ) -> None:
        super().__init__(message)
        self.rule = rule
        self.message = message
        self.offset = offset
        self.hint = hint
        self.text = text


def cut(text: str) -> str:
    """Return text from a document as a message repeats it: short, in one line, without control characters."""
    if len(text) > SHOWN_CHARACTERS:
        text = text[:SHOWN_CHARACTERS] + "…"
    return plain(text)
