"""Annotations inside strings: parsed as expressions whose nodes stand where their text stands in the file."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .program import Module

_PLAIN = re.compile(r"^(?P<prefix>[uUrR]?)(?P<quote>'''|\"\"\"|'|\")")
MAX_LENGTH = 20_000
"""Characters in one quoted annotation; nobody writes longer ones, and the parser's memory grows with them."""


def parse_quoted(node: ast.Constant, text: str, module: Module) -> ast.expr | None:
    """Return the expression in a string, with positions in the file; None when it is no expression."""
    if len(text) > MAX_LENGTH:
        return None
    try:
        parsed = ast.parse(f"({text}\n)", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    start = _content_start(node, text, module)
    for part in ast.walk(parsed):
        if not hasattr(part, "lineno"):
            continue
        if start is None:
            ast.copy_location(part, node)
        else:
            _move(part, node.lineno, start)
    return parsed


def _content_start(node: ast.Constant, text: str, module: Module) -> int | None:
    """Return the byte column at which the content starts; None when the text in the file differs from the value."""
    source = module.source
    if not 0 < node.lineno <= len(source.lines):
        return None
    line = source.lines[node.lineno - 1].encode("utf-8")[node.col_offset :].decode("utf-8", "replace")
    opened = _PLAIN.match(line)
    if opened is None:
        return None
    content = line[opened.end() :]
    first = text.split("\n", 1)[0]
    if not content.startswith(first):
        return None  # an escape, or a string written in several pieces
    return node.col_offset + len(opened.group().encode("utf-8"))


def _move(part: ast.AST, line: int, column: int) -> None:
    """Shift a node parsed from `(text)` to where the text stands; the first line also loses the bracket."""
    for name in ("lineno", "end_lineno"):
        offset = name.replace("lineno", "col_offset")
        if getattr(part, name) == 1:
            setattr(part, offset, getattr(part, offset) + column - 1)
        setattr(part, name, getattr(part, name) + line - 1)
