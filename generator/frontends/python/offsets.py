"""Where an `ast` node stands in its text: `ast` counts lines and UTF-8 bytes, text is cut by characters."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ast

_LINE_END = re.compile(r"\r\n|\r|\n")


class Offsets:
    """Turns places of one text's nodes into indices of its characters."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0, *(found.end() for found in _LINE_END.finditer(text))]

    def of(self, node: ast.stmt | ast.expr) -> tuple[int, int]:
        """Return the indices of a node's first character and of the one after its last."""
        end_line = node.end_lineno if node.end_lineno is not None else node.lineno
        end = node.end_col_offset if node.end_col_offset is not None else node.col_offset
        return self._index(node.lineno, node.col_offset), self._index(end_line, end)

    def _index(self, line: int, column: int) -> int:
        start = self._starts[line - 1]
        stop = self._starts[line] if line < len(self._starts) else len(self._text)
        text = self._text[start:stop]
        return start + (column if text.isascii() else len(text.encode("utf-8")[:column].decode("utf-8", "ignore")))
