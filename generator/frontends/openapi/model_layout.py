"""Annotations as `ruff format` lays them out: on one line where they fit, else broken at brackets and unions."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ...ir import python_text
from ...ir.python_text import MAX_LINE

if TYPE_CHECKING:
    from collections.abc import Mapping

INDENT = "    "


TYPING = frozenset({"str", "int", "float", "bool", "list", "dict", "Any", "Literal", "NotRequired"})
"""Names that a type may have beside those of the API's own."""


def literal(text: str) -> str:
    """Return a text as an ASCII Python literal, in double quotes unless single ones need fewer escapes."""
    return python_text.literal(text, "'" if text.count('"') > text.count("'") else '"')


def mentioned(text: str) -> set[str]:
    """Return the names in a quoted type; none in a text that is no type."""
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError):
        return set()
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


class Rendered:
    """Puts texts back for words, and quotes what an eager place cannot name yet (`defined` are the names it can)."""

    __slots__ = ("_defined", "_eager", "_values")

    def __init__(self, values: Mapping[str, str], defined: frozenset[str], *, eager: bool) -> None:
        """Take the texts by word."""
        self._values = values
        self._defined = defined
        self._eager = eager

    def tree(self, value: ast.expr) -> ast.expr:
        """Return the annotation as it is to be written; what made it may have quoted names, which are names here."""
        return self._expression(value)

    def _expression(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return self._name(node.value)
        if isinstance(node, ast.Name):
            return self._name(node.id)
        if isinstance(node, ast.BinOp):
            plain = Rendered(self._values, frozenset(), eager=False)
            whole = ast.BinOp(plain.tree(node.left), node.op, plain.tree(node.right))
            return ast.Constant(flat(whole)) if self._pending(node) else whole
        if isinstance(node, ast.Subscript):
            if isinstance(node.value, ast.Name) and node.value.id == "Literal":
                return ast.Subscript(node.value, self._literals(node.slice), ast.Load())
            return ast.Subscript(node.value, self._expression(node.slice), ast.Load())
        if isinstance(node, ast.Tuple):
            return ast.Tuple([self._expression(each) for each in node.elts], ast.Load())
        return node

    def _name(self, name: str) -> ast.expr:
        late = self._eager and name not in self._defined and name not in TYPING
        return ast.Constant(name) if late else ast.Name(name, ast.Load())

    def _pending(self, node: ast.expr) -> bool:
        """Return whether a union names what is not defined yet: quoted names alone cannot be joined by `|`."""
        names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        names |= {
            each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str)
        }
        names -= set(self._values)
        return self._eager and bool(names - self._defined - TYPING)

    def _literals(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.Tuple):
            return ast.Tuple([self._literals(each) for each in node.elts], ast.Load())
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return ast.Constant(self._values[node.value])
        return node


def flat(node: ast.expr) -> str:
    """Return an annotation on one line."""
    if isinstance(node, ast.Constant):
        return literal(node.value) if isinstance(node.value, str) else repr(node.value)
    if isinstance(node, ast.BinOp):
        return f"{flat(node.left)} | {flat(node.right)}"
    if isinstance(node, ast.Subscript):
        return f"{flat(node.value)}[{flat(node.slice)}]"
    if isinstance(node, ast.Tuple):
        return ", ".join(map(flat, node.elts))
    return ast.unparse(node)


def annotation(before: str, node: ast.expr, depth: int) -> str:
    """Return a statement or entry: what stands before the annotation and the annotation, at an indentation."""
    line = before + flat(node)
    # An entry of a dictionary has a comma behind it.
    room = MAX_LINE - depth * len(INDENT) - (1 if before.startswith('"') else 0)
    if len(line) <= room:
        return line
    if isinstance(node, ast.BinOp):
        return f"{before}(\n{_broken(node, depth + 1)}\n{INDENT * depth})"
    if isinstance(node, ast.Subscript):
        return f"{before}{flat(node.value)}[\n{_inside(node.slice, depth + 1)}\n{INDENT * depth}]"
    return line


def _broken(node: ast.expr, depth: int, before: str = "", after: str = "") -> str:
    """Return the lines of an annotation at an indentation; it is broken where it does not fit."""
    margin = INDENT * depth
    line = f"{margin}{before}{flat(node)}{after}"
    if len(line) <= MAX_LINE:
        return line
    if isinstance(node, ast.BinOp):
        arms = _arms(node)
        lines = [_broken(arm, depth, before if index == 0 else "| ") for index, arm in enumerate(arms)]
        return "\n".join(lines) + after
    if isinstance(node, ast.Subscript):
        inner = _inside(node.slice, depth + 1)
        return f"{margin}{before}{flat(node.value)}[\n{inner}\n{margin}]{after}"
    return line


def _inside(node: ast.expr, depth: int) -> str:
    line = f"{INDENT * depth}{flat(node)}"
    if len(line) <= MAX_LINE or not isinstance(node, ast.Tuple):
        return line if len(line) <= MAX_LINE else _broken(node, depth)
    return "\n".join(_broken(each, depth, after=",") for each in node.elts)


def _arms(node: ast.expr) -> list[ast.expr]:
    return [*_arms(node.left), *_arms(node.right)] if isinstance(node, ast.BinOp) else [node]
