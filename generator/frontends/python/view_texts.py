"""The HTML of a view's function, as far as it is known without a run: what it returns literally, and parts of it.

A text that is returned is the page. Texts that the function only uses (literals, the module's constants, files it
names) may be parts of one: they are searched for secrets and addresses, and not judged as documents.
"""

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

MAX_TEXTS = 100
"""Texts that are looked at for one view; a function that uses more is a program, not a page."""

MAX_NAME = 200
"""Characters of a file's name; a longer text is none."""


def texts_of(subject: Subject, reading: Reading) -> Iterator[ViewText]:
    """Yield the texts of a function, the pages first; each place once."""
    if isinstance(subject.node, ast.Lambda):
        return
    shown = subject.module.source.shown
    places: set[int] = set()
    used = list(_own(subject.node))
    for node in used:
        if isinstance(node, ast.Return) and node.value is not None:
            text, literal = _known(node.value, subject, reading), _literal(node.value, subject)
            if text is not None:
                places.add(id(literal))
                yield ViewText(text=text, path=shown, first_line=getattr(literal, "lineno", 1))
    parts = [part for node in used for part in _parts(node, subject)][:MAX_TEXTS]
    for part in parts:
        text = part.value if isinstance(part.value, str) else ""
        if "<" in text and id(part) not in places:
            places.add(id(part))
            yield ViewText(text=text, path=shown, first_line=part.lineno, whole=False)
    yield from _files([part.value for part in parts if isinstance(part.value, str)], subject)


def _known(value: ast.expr, subject: Subject, reading: Reading) -> str | None:
    """Return the text an expression stands for, None when only a run could tell."""
    try:
        found = evaluate(value, Scope(module=subject.module, owners=subject.owners), reading)
    except (Unevaluable, RecursionError):
        return None
    text = found.decode("utf-8", "replace") if isinstance(found, bytes) else found
    return text if isinstance(text, str) else None


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and what is in it, except for functions and classes defined there."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            yield from _own(child)


def _literal(value: ast.expr, subject: Subject) -> ast.AST:
    """Return where a returned text is written: there, or where the name is bound."""
    binding = subject.module.index.names.get(value.id) if isinstance(value, ast.Name) else None
    return binding.value if binding is not None and binding.value is not None else value


def _parts(node: ast.AST, subject: Subject) -> Iterator[ast.Constant]:
    """Yield the constant that a node is, or those that the module binds the name to that it is."""
    if isinstance(node, ast.Constant):
        yield node
    elif isinstance(node, ast.Name):
        binding = subject.module.index.names.get(node.id)
        value = binding.value if binding is not None else None
        if isinstance(value, ast.expr):
            yield from (each for each in _own(value) if isinstance(each, ast.Constant))


def _files(names: list[str], subject: Subject) -> Iterator[ViewText]:
    source = subject.module.source
    folder, slash, _ = source.shown.rpartition("/")
    for name in dict.fromkeys(names):
        if name.lower().endswith(SUFFIXES) and len(name) < MAX_NAME and "\n" not in name and "<" not in name:
            file = read_view(name, source.path.parent)
            if file.problem is None:
                yield ViewText(text=file.text, path=f"{folder}{slash}{file.path}", whole=False)
