"""Which function a call names, as far as the module's own imports say: `res.files` -> `importlib.resources.files`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .import_statements import Import


def bound_names(imports: tuple[Import, ...]) -> dict[str, str]:
    """Return what each name bound by an absolute import of the module stands for, whatever the scope."""
    bound: dict[str, str] = {}
    for one in imports:
        if one.level:
            continue
        if isinstance(one.node, ast.Import):
            for alias in one.node.names:
                if alias.name == one.module:
                    bound[alias.asname or one.top] = alias.name if alias.asname else one.top
        elif isinstance(one.node, ast.ImportFrom):
            bound.update({alias.asname or alias.name: f"{one.module}.{alias.name}" for alias in one.node.names})
    return bound


def qualified(node: ast.expr, bound: Mapping[str, str]) -> str:
    """Return the full dotted name of a name or attribute chain; empty when it is anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([bound.get(node.id, node.id), *reversed(parts)])
