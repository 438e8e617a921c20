"""Imports by a name that is text: they cannot be followed, so what they load is not copied (MG130)."""

from __future__ import annotations

import ast
import sys
from typing import TYPE_CHECKING

from ...diagnostics.model import Diagnostic
from ...diagnostics.rules import rule
from .call_names import bound_names, qualified
from .spans import span_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .import_statements import Import
    from .source import SourceText

_IMPORTERS = frozenset(
    {
        "__import__",
        "builtins.__import__",
        "importlib.__import__",
        "importlib.import_module",
        "importlib.util.find_spec",
        "importlib.util.spec_from_file_location",
        "pkgutil.resolve_name",
        "runpy.run_module",
        "runpy.run_path",
    }
)


def dynamic_imports(source: SourceText, imports: tuple[Import, ...]) -> tuple[Diagnostic, ...]:
    """Return a diagnostic for each call that imports by a computed or quoted name not in the standard library."""
    if not any(word in source.text for word in ("__import__", "importlib", "pkgutil", "runpy")):
        return ()
    return tuple(_found(source, bound_names(imports)))


def _found(source: SourceText, bound: dict[str, str]) -> Iterator[Diagnostic]:
    for node in ast.walk(source.tree):
        if not isinstance(node, ast.Call) or qualified(node.func, bound) not in _IMPORTERS:
            continue
        name = _literal(node)
        if name is not None and name.partition(".")[0] in sys.stdlib_module_names:
            continue
        what = f"`{name[:60]}`" if name is not None else "a computed name"
        yield Diagnostic(
            rule=rule("dynamic-import"),
            message=f"a module is imported by {what}; it is neither copied nor listed as a dependency",
            span=span_of(node, source),
            hint="Use an import statement, name its files in `include`, or build with --link.",
        )


def _literal(call: ast.Call) -> str | None:
    """Return the module's name when it is a literal."""
    values = [*call.args[:1], *(keyword.value for keyword in call.keywords if keyword.arg == "name")]
    first = values[0] if values else None
    return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else None
