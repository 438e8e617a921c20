"""Functions that look as if they never return (R003): by their name, or by a loop without a way out."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from .wrappers import own_statements

if TYPE_CHECKING:
    from .subjects import Subject

NAMES = frozenset(
    {"main", "serve", "serve_forever", "run_forever", "run_server", "start_server", "run_app", "mainloop", "main_loop"}
)
"""What people call the function that runs a program."""


def serves(subject: Subject) -> str | None:
    """Return why a function seems never to return, or None."""
    node = subject.node
    if isinstance(node, ast.Lambda):
        return None
    if node.name.lower() in NAMES:
        return f"its name is `{node.name}`"
    for statement in own_statements(node):
        if isinstance(statement, ast.While) and _always(statement.test) and not _leaves(statement):
            return f"it has an endless loop in line {statement.lineno}"
    return None


def _always(test: ast.expr) -> bool:
    return isinstance(test, ast.Constant) and bool(test.value)


def _leaves(loop: ast.While) -> bool:
    """Whether anything in a loop may end it; nested functions count too, which errs on the quiet side."""
    ends = (ast.Return, ast.Break, ast.Raise, ast.Yield, ast.YieldFrom)
    return any(isinstance(node, ends) or _exits(node) for node in ast.walk(loop))


def _exits(node: ast.AST) -> bool:
    """Whether this is a call that ends the program."""
    if not isinstance(node, ast.Call):
        return False
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return name in {"exit", "_exit", "abort", "fail"}
