"""The HTML of a view's function, as far as it is known without a run: what it returns literally, files it names."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ...views.files import SUFFIXES, read_view
from ...views.lint import ViewText
from .constants import Unevaluable, evaluate
from .reading import Scope

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .reading import Reading
    from .subjects import Subject


def texts_of(subject: Subject, reading: Reading) -> Iterator[ViewText]:
    """Yield the texts; a file that is only named may be a part of the page, and is not judged as a document."""
    node = subject.node
    if isinstance(node, ast.Lambda):
        return
    scope = Scope(module=subject.module, owners=subject.owners)
    returns = [each.value for each in ast.walk(node) if isinstance(each, ast.Return) and each.value is not None]
    for value in returns:
        try:
            found = evaluate(value, scope, reading)
        except Unevaluable:
            continue
        text = found.decode("utf-8", "replace") if isinstance(found, bytes) else found
        if isinstance(text, str):
            literal = _literal(value, subject)
            yield ViewText(text=text, path=subject.module.source.shown, first_line=getattr(literal, "lineno", 1))
    source = subject.module.source
    folder, slash, _ = source.shown.rpartition("/")
    for name in dict.fromkeys(_named(node, subject)):
        file = read_view(name, source.path.parent)
        if file.problem is None:
            yield ViewText(text=file.text, path=f"{folder}{slash}{file.path}", whole=False)


def _literal(value: ast.expr, subject: Subject) -> ast.AST:
    """Return where a returned text is written: there, or where the name is bound."""
    binding = subject.module.index.names.get(value.id) if isinstance(value, ast.Name) else None
    return binding.value if binding is not None and binding.value is not None else value


def _named(node: ast.AST, subject: Subject) -> Iterator[str]:
    """Yield the names of HTML files in a function, and in what the module's names that it uses are bound to."""
    for each in ast.walk(node):
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and _is_file_name(each.value):
            yield each.value
        elif isinstance(each, ast.Name):
            binding = subject.module.index.names.get(each.id)
            inner = binding.value if binding is not None else None
            for one in ast.walk(inner) if isinstance(inner, ast.AST) else ():
                if isinstance(one, ast.Constant) and isinstance(one.value, str) and _is_file_name(one.value):
                    yield one.value


def _is_file_name(text: str) -> bool:
    return text.lower().endswith(SUFFIXES) and len(text) < 200 and "\n" not in text and "<" not in text
