"""How deeply a source text nests, measured on its tokens before any parser recurses into it.

A first pass counts operator and bracket bytes for each top-level statement in C; only a statement that has more of them
than the limits allow is tokenised. Files nobody crafted never reach the second pass.
"""

from __future__ import annotations

import io
import re
import tokenize
from dataclasses import dataclass

MAXIMUM_DEPTH = 100
"""Brackets inside one another. CPython refuses 200, libcst overflows its stack above 1,000; people write 10."""

MAXIMUM_RUN = 1_000
"""Operators in one expression without a bracket or comma: each is a level of the tree that visitors recurse into."""

_OPERATORS = b"+-*/%@&|^~<>=.([{"
_WORDS = (b"and", b"or", b"not", b"if", b"lambda", b"await", b"in", b"is")
_WORD_OPERATORS = frozenset({"and", "or", "not", "if", "lambda", "await", "in", "is"})
_OPENING = frozenset("([{")
_CLOSING = frozenset(")]}")
_SEPARATORS = frozenset({",", ";", ":", "="})
_STATEMENT = re.compile(rb"\n(?=[^\s#)\]}])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Excess:
    """What is too deep, and the line on which the limit is passed."""

    message: str
    line: int


def excess(text: str) -> Excess | None:
    """Return what nests too deeply in the text, or None."""
    data = text.encode("utf-8", "replace").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if not any(_suspicious(chunk) for chunk in _STATEMENT.split(data)):
        return None
    return _measure(data.decode("utf-8"))


def _suspicious(chunk: bytes) -> bool:
    """Whether a chunk could pass a limit at all: an upper bound that costs a few passes in C."""
    if len(chunk) <= MAXIMUM_DEPTH:
        return False
    opening = chunk.count(b"(") + chunk.count(b"[") + chunk.count(b"{")
    if opening > MAXIMUM_DEPTH and _could_be_deep(chunk):
        return True
    if len(chunk) <= MAXIMUM_RUN:
        return False
    operators = len(chunk) - len(chunk.translate(None, _OPERATORS))
    return operators + sum(chunk.count(word) for word in _WORDS) > MAXIMUM_RUN


def _could_be_deep(chunk: bytes) -> bool:
    """Whether the brackets of a chunk nest beyond the limit when strings are not told apart."""
    depth = 0
    for byte in chunk.translate(None, _NOT_BRACKETS):
        depth += 1 if byte in b"([{" else -1
        if depth > MAXIMUM_DEPTH:
            return True
        depth = max(depth, 0)
    return False


_NOT_BRACKETS = bytes(sorted(set(range(256)) - set(b"()[]{}")))


_COUNTED = frozenset({tokenize.OP, tokenize.NAME, tokenize.NEWLINE})


def _measure(text: str) -> Excess | None:
    """Walk the tokens; None also when they cannot be read, since the parser says better what is wrong."""
    runs = [0]
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type in _COUNTED:
                _count(token.string, runs)
            if len(runs) > MAXIMUM_DEPTH + 1:
                return Excess(message=f"brackets are nested more than {MAXIMUM_DEPTH} deep", line=token.start[0])
            if runs[-1] > MAXIMUM_RUN:
                return Excess(message=f"an expression has more than {MAXIMUM_RUN:,} operators", line=token.start[0])
    except (tokenize.TokenError, SyntaxError):
        return None
    return None


def _count(text: str, runs: list[int]) -> None:
    """Take one token into the stack of operator counts, one count for each open bracket."""
    if text in _OPENING:
        runs[-1] += 1
        runs.append(0)
    elif text in _CLOSING:
        if len(runs) > 1:
            runs.pop()
    elif text in _SEPARATORS or not text.strip():
        runs[-1] = 0
    elif text in _WORD_OPERATORS or not text.isidentifier():
        runs[-1] += 1
