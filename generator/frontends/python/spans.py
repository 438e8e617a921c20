"""Where a node stands: `ast` counts columns in UTF-8 bytes from 0, spans in characters from 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...diagnostics.model import Span

if TYPE_CHECKING:
    import ast

    from .source import SourceText


def span_of(node: ast.AST, source: SourceText) -> Span:
    """Return the span of a node that has a position; a node without one is the file's first character."""
    line = getattr(node, "lineno", 1)
    end_line = getattr(node, "end_lineno", None) or line
    start = getattr(node, "col_offset", 0)
    end = getattr(node, "end_col_offset", None)
    column = _characters(source, line, start) + 1
    end_column = _characters(source, end_line, end) + 1 if end is not None else column + 1
    return Span(path=source.shown, line=line, column=column, end_line=end_line, end_column=end_column)


def name_span(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, source: SourceText) -> Span:
    """Return the span of the name in a `def` or `class` line, which `ast` does not keep."""
    whole = span_of(node, source)
    line = _line(source, node.lineno)
    at = line.find(node.name, whole.column - 1)
    if at < 0:  # the name is on another line, or was written in a form that NFKC changed
        return Span(
            path=whole.path, line=whole.line, column=whole.column, end_line=whole.line, end_column=whole.column + 1
        )
    end = at + len(node.name) + 1
    return Span(path=whole.path, line=whole.line, column=at + 1, end_line=whole.line, end_column=end)


def _line(source: SourceText, number: int) -> str:
    return source.lines[number - 1] if 0 < number <= len(source.lines) else ""


def _characters(source: SourceText, number: int, offset: int) -> int:
    """Return how many characters the first `offset` bytes of a line are."""
    line = _line(source, number)
    if line.isascii():
        return offset
    return len(line.encode("utf-8")[:offset].decode("utf-8", "ignore"))
