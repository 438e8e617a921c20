"""Wrong usage as a diagnostic like any other: a code, what is wrong, where the words stand, and what to do."""

from __future__ import annotations

import sys
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import typer

from . import exits

if TYPE_CHECKING:
    from .options import Format

WRONG_USAGE: type[Exception] = typer.BadParameter.__mro__[1]
"""What typer raises for words that it cannot take; it has no name for it itself."""

NO_WORDS = "NoArgsIsHelpError"
"""The one that asks for the help in place of a message."""

PREFIX = "Invalid value: "
"""What typer puts before a message that is about no single word."""


class EmptyWord(typer.BadParameter):
    """A word that is there and has nothing in it."""

    hint = "Give it a value or leave it out; where a variable of the shell stands there, it is not set."


def tell(error: Any) -> int:
    """Print what is wrong with the words; returns the exit code."""
    if type(error).__name__ == NO_WORDS:
        error.show()
        return exits.INPUT
    from ..diagnostics.model import Diagnostic
    from ..diagnostics.rules import rule
    from .console import Console

    context = error.ctx
    program = context.command_path if context is not None else "mcpgen"
    usage = (" ".join(context.get_usage().split()),) if context is not None else ()
    text = str(error.format_message()).removeprefix(PREFIX).removesuffix(".")
    hint = getattr(error, "hint", None) or f"See `{program} --help`."
    told = Diagnostic(
        rule=rule("wrong-usage"), message=f"{text[:1].lower()}{text[1:]}", notes=usage, hint=hint, unit=program
    )
    Console(_form(sys.argv[1:])).report([told])
    return exits.INPUT


def _form(words: list[str]) -> Format:
    """Return the form that the words ask for, as far as they can be read."""
    from .options import Format

    after = dict(pairwise(words))
    asked = [after.get("--format"), *(word.partition("=")[2] for word in words if word.startswith("--format="))]
    return next((each for each in Format if each in asked), Format.HUMAN)
