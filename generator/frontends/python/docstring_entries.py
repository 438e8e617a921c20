"""The entries of a docstring's sections: Google's `name (type): text`, NumPy's `name : type` with a block below."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A name (of a parameter without stars, of an exception) and what is said about it."""

    name: str
    text: str


_ONE = r"`{0,2}(?:\\?\*){0,2}[^\W\d][\w.]*`{0,2}"
_NAMES = rf"{_ONE}(?:\s*,\s*{_ONE})*"
_NESTED = r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
_GOOGLE = re.compile(rf"^({_NAMES})\s*(?:{_NESTED})?\s*:(?:\s+(.*))?$")
_NUMPY = re.compile(rf"^({_NAMES})\s*(?::.*)?$")
_TYPE = r"(?:None|[^\W\d][\w.]*(?:\[[^\]]*(?:\[[^\]]*\][^\]]*)*\])?)"
_TYPED = re.compile(
    rf"^(?:{_TYPE}(?:\s*\|\s*{_TYPE})*|(?:list|tuple|set|dict|sequence|iterable)s? of \S+):(?:\s+(.*))?$",
    re.DOTALL | re.IGNORECASE,
)
_BARE_TYPE = re.compile(rf"^(?:[^\W\d]\w*\s*:\s*)?{_TYPE}(?:(?:\s*\|\s*|\s+or\s+|,\s*){_TYPE})*(?:,\s*optional)?$")
_LIST_ITEM = re.compile(r"^(?:[-*+•]\s|\d+[.)]\s|>>>|\.\.\s|\|)")
_FENCE = re.compile(r"^\s*(?:```|~~~)")


def flow(lines: Sequence[str]) -> str:
    """Return a block as text: wrapped lines joined with a space; paragraphs, list items and fenced code kept apart."""
    paragraphs: list[str] = []
    current = ""
    fenced = False
    for line in textwrap.dedent("\n".join(lines)).split("\n"):
        stripped = line.strip()
        if _FENCE.match(line):
            fenced = not fenced
            current += ("\n" if current else "") + line.rstrip()
        elif fenced:
            current += "\n" + line.rstrip()
        elif not stripped:
            paragraphs.append(current)
            current = ""
        elif current and (_LIST_ITEM.match(stripped) or current.endswith(("```", "~~~"))):
            current += "\n" + stripped
        else:
            current += (" " if current else "") + stripped
    return "\n\n".join(text for text in [*paragraphs, current] if text)


def google_entries(block: Sequence[str]) -> tuple[Entry, ...]:
    """Read `name (type): text` entries; deeper lines, and lines that open no entry, continue the one above."""
    return _entries(block, _GOOGLE, inline=True)


def numpy_entries(block: Sequence[str]) -> tuple[Entry, ...]:
    """Read `name : type` lines, each followed by an indented description."""
    return _entries(block, _NUMPY, inline=False)


def _entries(block: Sequence[str], opening: re.Pattern[str], *, inline: bool) -> tuple[Entry, ...]:
    lines = textwrap.dedent("\n".join(block)).split("\n")
    found: list[tuple[str, list[str]]] = []
    for line in lines:
        match = None if line[:1].isspace() else opening.match(line)
        if match:
            first = match[2] if inline and match[2] else ""
            found.append((match[1], [first]))
        elif found:
            found[-1][1].append(line)
    entries: list[Entry] = []
    for names, text in found:
        said = _join(text[0], text[1:])
        entries.extend(Entry(name=plain_name(name), text=said) for name in names.split(","))
    return tuple(entries)


def _join(first: str, rest: Sequence[str]) -> str:
    """Return an entry's text: what stands on its own line, then the indented lines."""
    below = textwrap.dedent("\n".join(rest)).split("\n") if rest else []
    return flow([first.strip(), *below] if first.strip() else below)


def plain_name(name: str) -> str:
    """Return a name without backticks, stars and the backslash that Sphinx puts before them."""
    return name.strip().strip("`").lstrip("\\*").strip()


def google_result(block: Sequence[str]) -> str:
    """Return what a `Returns:` section says, without a leading type."""
    text = flow(block)
    typed = _TYPED.match(text)
    return (typed[1] or "") if typed else text


def numpy_result(block: Sequence[str]) -> str:
    """Return what an underlined `Returns` section says: the descriptions below its type lines."""
    lines = textwrap.dedent("\n".join(block)).split("\n")
    if not any(line[:1].isspace() and line.strip() for line in lines):
        text = flow(lines)
        return "" if _BARE_TYPE.match(text) else text
    found: list[tuple[str, list[str]]] = []
    for line in lines:
        if line.strip() and not line[:1].isspace():
            found.append((line, []))
        elif found:
            found[-1][1].append(line)
    parts = [(head, flow(text)) for head, text in found]
    if len(parts) == 1:
        return parts[0][1]
    return "\n".join(f"{head.partition(':')[0].strip()}: {text}" if text else head for head, text in parts)
