"""When the call of a tool becomes a task: at once, or where the function says so."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

METHOD = "start_task"


def starts(node: ast.AST, contexts: Iterable[str]) -> Literal["call", "later"]:
    """Return `later` if the function calls `start_task` of one of its contexts, which are given by parameter."""
    names = frozenset(contexts)
    for each in ast.walk(node) if names else ():
        if isinstance(each, ast.Attribute) and each.attr == METHOD:
            owner = each.value
            if isinstance(owner, ast.Name) and owner.id in names:
                return "later"
    return "call"
