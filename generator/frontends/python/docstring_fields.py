"""Sphinx (`:param name: text`) and epydoc (`@param name: text`) fields of a docstring."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .docstring_entries import flow, plain_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

KINDS: Mapping[str, str] = {
    **dict.fromkeys(("param", "parameter", "arg", "argument", "key", "keyword", "kwarg", "kwparam"), "parameters"),
    **dict.fromkeys(("return", "returns"), "returns"),
    **dict.fromkeys(("yield", "yields"), "yields"),
    **dict.fromkeys(("raise", "raises", "except", "exception", "throws"), "raises"),
    **dict.fromkeys(("var", "ivar", "cvar", "attr"), "attributes"),
    **dict.fromkeys(("example", "examples"), "examples"),
    **dict.fromkeys(("type", "rtype", "vartype", "meta", "rvalue", "ytype", "kwtype"), "ignored"),
    **dict.fromkeys(("see", "seealso", "note", "author", "version", "since", "todo", "sort", "group"), "ignored"),
    "deprecated": "deprecated",
}
"""Field names and what they hold."""

_FIELD = re.compile(r"^(?::(\w+)(?:[ \t]+((?:[^:\n]|:(?!\s|$))+?))?|@(\w+)(?:[ \t]+([^:\n]+?))?):(?:[ \t]+(.*))?$")
_EPYDOC_ONLY = frozenset({"see", "seealso", "note", "author", "version", "since", "todo", "sort", "group"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One field: what it holds, the name it is about, its text, and the position of the line after it."""

    kind: str
    name: str
    text: str
    end: int


def field_at(lines: Sequence[str], position: int) -> Field | None:
    """Return the field that opens at this line, or None."""
    found = _FIELD.match(lines[position])
    if found is None:
        return None
    word = (found[1] or found[3]).lower()
    if word not in KINDS or (found[1] and word in _EPYDOC_ONLY):
        return None
    end = position + 1
    while end < len(lines) and not _ends(lines, end):
        end += 1
    argument = (found[2] or found[4] or "").strip()
    kind = KINDS[word]
    name = argument if kind == "raises" else plain_name(argument.split(" ")[-1])
    return Field(
        kind=kind, name=name, text=flow([(found[5] or "").strip(), *_dedented(lines[position + 1 : end])]), end=end
    )


def _ends(lines: Sequence[str], position: int) -> bool:
    """Whether a line ends the field above: another field, or text at the margin after a blank line."""
    line = lines[position]
    if not line.strip():
        following = next((each for each in lines[position + 1 :] if each.strip()), "")
        return not following[:1].isspace()
    return not line[:1].isspace() and (line.startswith((":", "@", "..", "```")) or _opens_section(lines, position))


def _opens_section(lines: Sequence[str], position: int) -> bool:
    """Whether a line at the margin is a heading of another style."""
    if position + 1 < len(lines) and re.match(r"^[-=]{3,}\s*$", lines[position + 1]):
        return True
    return bool(re.match(r"^[A-Z]\w*(?: \w+)?:\s*$", lines[position]))


def _dedented(lines: Sequence[str]) -> list[str]:
    """Return continuation lines without their indentation: authors indent them as they like."""
    smallest = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return [line[smallest:] for line in lines]
