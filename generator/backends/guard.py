"""The last look at Python that we templated: it parses, and it imports nothing but what we meant it to."""

from __future__ import annotations

import ast

from .identifiers import UncheckedValueError

STANDARD_LIBRARY = frozenset({"__future__", "collections", "sys", "typing"})
"""What templated files import besides the package's own modules."""


def check(path: str, source: bytes, package: str) -> None:
    """Check one templated file; raises UncheckedValueError when it is not what we meant, a fault of ours."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError) as error:
        raise UncheckedValueError(f"{path}: the templated file does not parse: {error}") from None
    for node in ast.walk(tree):
        for module in _modules(node):
            if module.partition(".")[0] not in STANDARD_LIBRARY | {package}:
                raise UncheckedValueError(f"{path}: unexpected import of {module[:60]}")


def _modules(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        # A relative import stays inside the package.
        return [] if node.level else [node.module or ""]
    return []
