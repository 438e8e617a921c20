"""Templates: the only importer of jinja2.

Templates are dumb: they write checked values (identifiers.py) and nothing else. Three walls hold that: an undefined
name is an error, the finalize hook refuses every value that is not of a class allowed for the template's language, and
nothing is escaped later, because what arrives is final.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

import jinja2

from ..resources import templates
from . import identifiers as checked

if TYPE_CHECKING:
    from collections.abc import Callable

Value = checked.Checked | bool | Sequence["Value"] | Mapping[str, "Value"]
"""What a template gets: checked values, switches, and lists and records of them."""

PYTHON: tuple[type[checked.Checked], ...] = (
    checked.Identifier,
    checked.VersionLiteral,
    checked.CommandName,
    checked.PythonText,
    checked.Annotation,
    checked.BrokenAnnotation,
)
TOML: tuple[type[checked.Checked], ...] = (checked.Identifier, checked.TomlText, checked.TomlKey)
MARKDOWN: tuple[type[checked.Checked], ...] = (
    checked.MarkdownText,
    checked.MarkdownParagraphs,
    checked.MarkdownCode,
    checked.MarkdownBlock,
)


def render(template: str, allowed: tuple[type[checked.Checked], ...], values: Mapping[str, Value]) -> bytes:
    r"""Render one template to UTF-8 bytes with `\n` line ends; raises UncheckedValueError for any other value."""
    return _environment(allowed).get_template(template).render(values).encode("utf-8")


@cache
def _environment(allowed: tuple[type[checked.Checked], ...]) -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FunctionLoader(_source),
        undefined=jinja2.StrictUndefined,
        finalize=_finalizer(allowed),
        autoescape=False,  # noqa: S701 - no HTML is made here, and values are final before they arrive
        keep_trailing_newline=True,
        newline_sequence="\n",
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _source(name: str) -> str:
    return (templates() / name).read_text(encoding="utf-8")


def _finalizer(allowed: tuple[type[checked.Checked], ...]) -> Callable[[object], str]:
    def finalize(value: object) -> str:
        # An undefined name has its own, clearer error.
        if isinstance(value, jinja2.Undefined):
            return str(value)
        if type(value) not in allowed:
            raise checked.UncheckedValueError(f"a template may not write a value of type {type(value).__name__}")
        return value.text  # type: ignore[attr-defined,no-any-return]  # narrowed by the line above

    return finalize
