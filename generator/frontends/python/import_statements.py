"""The imports of one module, with what decides whether they run: type checking, optional branches, Python's version.

Only statements are walked, with a stack of its own, so a chain of a thousand `elif` costs no recursion.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

OLDEST_PYTHON = (3, 11)
"""The oldest Python an emitted package runs on: a branch that needs an older one never runs."""

_IMPORT_FAILURES = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "BaseException"})


_SYSTEM_TEST = re.compile(r"\b(?:sys\.(?:platform|version_info|implementation)|os\.name|platform\.\w+\()")
"""A test of the system or of Python's version, as `ast.unparse` writes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Import:
    """One imported module: `import module` has no `names`, `from module import names` does; `level` counts the dots.

    `typing_only` stands under `if TYPE_CHECKING`; `optional` in a `try` that survives an ImportError, or in its
    handler.
    """

    module: str
    level: int = 0
    names: tuple[str, ...] = ()
    typing_only: bool = False
    optional: bool = False
    conditional: bool = False
    node: ast.stmt

    @property
    def top(self) -> str:
        """The first part of the module's name; empty for a relative import."""
        return "" if self.level else self.module.partition(".")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Where:
    typing_only: bool = False
    optional: bool = False
    conditional: bool = False
    in_function: bool = False


def imports_of(tree: ast.Module) -> tuple[Import, ...]:
    """Return every import of the module in source order, those inside functions and branches too."""
    return tuple(_walk(tree))


def _walk(tree: ast.Module) -> Iterator[Import]:
    pending: list[tuple[ast.AST, _Where]] = [(statement, _Where()) for statement in reversed(tree.body)]
    while pending:
        node, where = pending.pop()
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(
                    module=alias.name,
                    typing_only=where.typing_only,
                    optional=where.optional,
                    conditional=where.conditional,
                    node=node,
                )
        elif isinstance(node, ast.ImportFrom):
            names = tuple(alias.name for alias in node.names)
            yield Import(
                module=node.module or "",
                level=node.level,
                names=names,
                typing_only=where.typing_only,
                optional=where.optional,
                conditional=where.conditional,
                node=node,
            )
        else:
            pending.extend(reversed(list(_inside(node, where))))


def _inside(node: ast.AST, where: _Where) -> Iterator[tuple[ast.AST, _Where]]:
    """Yield the statements directly inside a compound statement, each with its circumstances."""
    if isinstance(node, ast.If):
        yield from _branches(node, where)
        return
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        where = replace(where, in_function=True)
    handlers = node.handlers if isinstance(node, ast.Try | ast.TryStar) else []
    # A function that answers a failed import by an error of its own has a feature that needs an extra.
    survives = any(_catches_import_error(one) and (where.in_function or not _raises(one)) for one in handlers)
    guarded = replace(where, optional=True) if survives else where
    for field, value in ast.iter_fields(node):
        # A `finally` block and the `else` of a loop run whatever was imported.
        inner = guarded if field in {"body", "handlers"} or (field == "orelse" and survives) else where
        if field == "body" and _suppresses_import_error(node):
            inner = replace(where, optional=True)
        for child in value if isinstance(value, list) else ():
            if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
                yield child, inner


def _branches(node: ast.If, where: _Where) -> Iterator[tuple[ast.AST, _Where]]:
    """Yield the branches that can run, marking those that only a type checker reads."""
    known = _version_test(node.test)
    if known is None and _SYSTEM_TEST.search(ast.unparse(node.test)):
        where = replace(where, conditional=True)
    typing = _type_checking_test(node.test)
    if known is not False:
        inner = replace(where, typing_only=True) if typing is True else where
        yield from ((child, inner) for child in node.body)
    if known is not True:
        inner = replace(where, typing_only=True) if typing is False else where
        yield from ((child, inner) for child in node.orelse)


def _type_checking_test(test: ast.expr) -> bool | None:
    """Return True for `TYPE_CHECKING`, False for `not TYPE_CHECKING`, None for any other test."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = _type_checking_test(test.operand)
        return None if inner is None else not inner
    name = test.id if isinstance(test, ast.Name) else test.attr if isinstance(test, ast.Attribute) else ""
    return True if name == "TYPE_CHECKING" else None


def _version_test(test: ast.expr) -> bool | None:
    """Return what `sys.version_info >= (3, N)` is on every Python that can run the package, None when it varies."""
    if not (isinstance(test, ast.Compare) and len(test.ops) == 1 and ast.unparse(test.left) == "sys.version_info"):
        return None
    parts = test.comparators[0].elts if isinstance(test.comparators[0], ast.Tuple) else []
    version = tuple(part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, int))
    if not version or len(version) != len(parts) or version > OLDEST_PYTHON:
        return None
    if isinstance(test.ops[0], ast.GtE):
        return True
    return False if isinstance(test.ops[0], ast.Lt) else None


def _catches_import_error(handler: ast.ExceptHandler) -> bool:
    """Return whether a handler catches a failed import."""
    if handler.type is None:
        return True
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(_last_name(one) in _IMPORT_FAILURES for one in caught)


def _raises(handler: ast.ExceptHandler) -> bool:
    """Return whether all that a handler does is to raise."""
    return len(handler.body) == 1 and isinstance(handler.body[0], ast.Raise)


def _suppresses_import_error(node: ast.AST) -> bool:
    """Return whether this is `with contextlib.suppress(ImportError)`."""
    if not isinstance(node, ast.With):
        return False
    calls = [item.context_expr for item in node.items if isinstance(item.context_expr, ast.Call)]
    return any(
        _last_name(call.func) == "suppress" and any(_last_name(one) in _IMPORT_FAILURES for one in call.args)
        for call in calls
    )


def _last_name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
