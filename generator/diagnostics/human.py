"""Diagnostics for people: one block each, readable without colour.

warning[MG104] untyped-parameter: `days` of tool `forecast` has no annotation; any value is accepted
  --> weather.py:4:26
   |
 4 | def forecast(city: str, days=3) -> list[Day]:
   |                         ^^^^
   = hint: Annotate it, for example `days: int = 3`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .brief import shortened
from .collect import counted
from .frame import frame
from .model import Severity
from .plain import plain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .frame import Sources
    from .model import Diagnostic

_COLOURS = {Severity.ERROR: "31;1", Severity.WARNING: "33;1", Severity.NOTE: "36;1"}
_BOLD, _BLUE = "1", "34;1"


def render(
    diagnostics: Iterable[Diagnostic],
    sources: Sources,
    *,
    colour: bool = False,
    every: bool = True,
    closing: str = "",
) -> str:
    """Return blocks with an empty line between, a line that counts them and ends in `closing`; empty for none.

    Unless `every` is to be shown, one line stands for what exceeds a few findings of the same rule.
    """
    found = tuple(diagnostics)
    if not found:
        return ""
    shown, others = (found, []) if every else shortened(found)
    parts = [block(diagnostic, sources, colour=colour) for diagnostic in shown]
    if others:
        parts.append("\n".join(plain(line) for line in others))
    told = [counted(found), *(["--verbose shows all"] if others else []), *([plain(closing)] if closing else [])]
    return "\n\n".join(parts) + f"\n\n{'; '.join(told)}\n"


def block(diagnostic: Diagnostic, sources: Sources, *, colour: bool = False) -> str:
    """Return one diagnostic's block, without a final newline."""
    level, rule = diagnostic.level, diagnostic.rule
    head = _painted(f"{level}[{rule.code}]", _COLOURS[level], colour=colour)
    lines = [f"{head} {rule.name}: {_painted(plain(diagnostic.message), _BOLD, colour=colour)}"]
    indent = ""
    if diagnostic.span is not None:
        lines += [_framed(line, colour=colour) for line in frame(diagnostic.span, sources)]
        indent = " " * len(str(diagnostic.span.line))
    elif diagnostic.pointer is not None:
        lines.append(f"  --> {plain(diagnostic.pointer)}")
    lines += _notes(diagnostic, f" {indent or ' '} = ", colour=colour)
    return "\n".join(lines)


def _notes(diagnostic: Diagnostic, lead: str, *, colour: bool) -> list[str]:
    """Return notes, hint and the setting that skips the unit, continuation lines aligned under the text."""
    lines = []
    labelled = [*(("note", note) for note in diagnostic.notes), ("hint", diagnostic.advice), ("skip", diagnostic.paste)]
    for label, text in labelled:
        if text:
            start = f"{lead}{label}: "
            first, *rest = plain(text, keep="\n").split("\n")
            lines.append(f"{lead}{_painted(label, _BOLD, colour=colour)}: {first}")
            lines += [" " * len(start) + line for line in rest]
    return lines


def _framed(line: str, *, colour: bool) -> str:
    """Paint a frame's gutter and carets."""
    if not colour:
        return line
    head, bar, text = line.partition(" | ")
    if bar and text.strip(" ^") == "":
        text = _painted(text, _COLOURS[Severity.ERROR], colour=True)
    return _painted(head + bar, _BLUE, colour=True) + text if bar else _painted(line, _BLUE, colour=True)


def _painted(text: str, code: str, *, colour: bool) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if colour else text
