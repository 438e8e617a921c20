"""Which installed packages a tool needs when it runs: the imports its body reaches (requirements 4.5).

A server lists its tools without them; this only tells people what the first call will load. Names used in the body, the
decorators and the defaults are followed through the module's own functions and classes; those in annotations are not.
"""

from __future__ import annotations

import ast
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .subjects import Subject

MAX_DEFINITIONS = 500
"""Definitions of one module that are followed for one tool; the marker is only information."""

_ANNOTATIONS = {
    ast.arg: "annotation",
    ast.AnnAssign: "annotation",
    ast.FunctionDef: "returns",
    ast.AsyncFunctionDef: "returns",
}
"""Where annotations stand; a table of exact classes because this runs for every node."""


class ImportReach:
    """Follows names to imports; what one definition uses is looked at once."""

    __slots__ = ("_ignored", "_used")

    def __init__(self, local: frozenset[str]) -> None:
        self._ignored = local | sys.stdlib_module_names | {"mcpgen", ""}
        self._used: dict[int, tuple[ast.AST, frozenset[str], frozenset[str]]] = {}

    def of(self, subject: Subject) -> tuple[str, ...]:
        """Return the top-level names of what a subject imports from outside, sorted."""
        module = subject.module
        found: set[str] = set()
        seen: set[str] = set()
        pending: list[ast.AST] = [subject.node]
        while pending and len(seen) < MAX_DEFINITIONS:
            names, imported = self._uses(pending.pop())
            found |= imported
            for name in names - seen:
                seen.add(name)
                binding = module.index.names.get(name)
                if binding is None or binding.typing_only:
                    continue
                if binding.imported is not None:
                    found.add(binding.imported.module.partition(".")[0])
                else:
                    pending.append(binding.node)
        return tuple(sorted(found - self._ignored - {module.name.partition(".")[0]}))

    def _uses(self, node: ast.AST) -> tuple[frozenset[str], frozenset[str]]:
        """Return the names a definition reads, and the top-level modules its import statements name."""
        kept = self._used.get(id(node))
        if kept is None:
            kept = (node, *_walk(node))
            self._used[id(node)] = kept  # with the node, so that its id stays its own
        return kept[1], kept[2]


def _walk(root: ast.AST) -> tuple[frozenset[str], frozenset[str]]:
    names: set[str] = set()
    imported: set[str] = set()
    pending = [root]
    while pending:
        node = pending.pop()
        kind = type(node)
        if kind is ast.Name:
            names.add(node.id)  # type: ignore[attr-defined] # the exact class is known
            continue
        if kind is ast.Import:
            imported.update(alias.name.partition(".")[0] for alias in node.names)  # type: ignore[attr-defined] # as above
            continue
        if kind is ast.ImportFrom:
            if not node.level and node.module:  # type: ignore[attr-defined] # as above
                imported.add(node.module.partition(".")[0])  # type: ignore[attr-defined] # as above
            continue
        skipped = _ANNOTATIONS.get(kind)
        for field in node._fields:
            if field == skipped:
                continue
            value = getattr(node, field, None)
            if isinstance(value, list):
                pending.extend(each for each in value if isinstance(each, ast.AST))
            elif isinstance(value, ast.AST):
                pending.append(value)
    return frozenset(names), frozenset(imported)
