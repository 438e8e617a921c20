"""Commands whose words are taken as they were typed, because none of them needs more than a callback.

typer gives every option's value, an absent one too, to an adapter of pydantic, and importing that takes longer than
all of typer. Where a value is something else than text (a flag, a word that is missing), typer goes on as ever.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from typer.core import TyperCommand, TyperGroup

from .usage import EmptyWord

if TYPE_CHECKING:
    from collections.abc import Callable


OTHERS_WORDS = "words"
"""The parameter whose words are another program's, where an empty one may mean something."""


class TextCommand(TyperCommand):
    """A command with flags, texts and repeated texts, and no other parameters."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, that of --help among them."""
        return [_as_typed(each) for each in super().get_params(ctx)]

    def get_short_help_str(self, limit: int = 0) -> str:  # noqa: ARG002 # click's signature
        """Return the summary whole, however narrow the terminal is: it is wrapped, not cut."""
        return _summary(self.help)


class TextGroup(TyperGroup):
    """The same for the command that the others are part of."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, that of --help among them."""
        return [_as_typed(each) for each in super().get_params(ctx)]

    def get_short_help_str(self, limit: int = 0) -> str:  # noqa: ARG002 # click's signature
        """Return the summary whole."""
        return _summary(self.help)


def _summary(text: str | None) -> str:
    """Return a text's first paragraph on one line."""
    return " ".join((text or "").strip().partition("\n\n")[0].split())


def _as_typed(parameter: Any) -> Any:
    """Return a parameter that takes its value as it was typed; one that does already is left as it is."""
    if not isinstance(parameter.process_value, partial):
        parameter.process_value = partial(_processed, parameter, parameter.process_value)
    return parameter


def _processed(parameter: Any, process: Callable[[Any, Any], Any], context: Any, value: Any) -> Any:
    """Return what a parameter's value comes to; `process` is typer's way."""
    repeated = parameter.multiple or parameter.nargs != 1
    if parameter.name != OTHERS_WORDS and "" in (value if _is_texts(value) else (value,)):
        message = "it is empty"
        raise EmptyWord(message, ctx=context, param=parameter)
    if value is None and not parameter.required:
        value = () if repeated else None
    elif not (_is_texts(value) if repeated else isinstance(value, str)):
        return process(context, value)
    return value if parameter.callback is None else parameter.callback(context, parameter, value)


def _is_texts(value: Any) -> bool:
    """Tell whether a value is a list of texts with something in it: an empty one may be missing."""
    return isinstance(value, (tuple, list)) and len(value) > 0 and all(isinstance(each, str) for each in value)
