"""What a path expression built from `__file__` or a package's resources names, found without running it.

Understood are `pathlib` and `os.path` spellings, `importlib.resources.files`, and constants made from them. A value is
a path that starts at the module's own file or its package; anything computed, and any other text, is None. Inside, such
a path starts with a mark, which joins and parents keep and which an absolute path that replaces it does not have.
"""

# ruff: noqa: PTH118, PTH120, PTH122 - the values are text, as they are in the code that is read
from __future__ import annotations

import ast
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

MAX_STEPS = 64
"""Nesting of one expression that is followed: a path of more joins is not written by hand."""

MAX_TEXT = 4_096
"""Characters of one path: the longest that Linux opens."""

_OWN = "\0"
"""Starts every path that comes from the module itself; no real path has this character."""

_SAME = frozenset({"resolve", "absolute", "expanduser", "as_posix", "__str__", "__fspath__"})
_WRAPPERS = frozenset(
    {
        "importlib.resources.as_file",
        "os.fsdecode",
        "os.fspath",
        "os.path.abspath",
        "os.path.expanduser",
        "os.path.normpath",
        "os.path.realpath",
        "str",
    }
)
_PATHS = frozenset({"pathlib.Path", "pathlib.PurePath", "pathlib.PosixPath", "os.path.join"})
_OF_PACKAGE = frozenset(
    f"importlib.resources.{name}" for name in ("open_text", "open_binary", "read_text", "read_binary", "path")
) | {"pkgutil.get_data"}
"""Calls that name a package and a file in it."""

_FILES = "importlib.resources.files"

PACKAGE_CALLS = _OF_PACKAGE | {_FILES}
"""Calls whose first argument is a package, as a module or by its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paths:
    """Evaluates expressions of one module.

    `qualify` gives a call's full dotted name, `constants` what the module's names are assigned, and `package_folder`
    the folder of a local package by its name (None for the module's own package).
    """

    file: Path
    qualify: Callable[[ast.expr], str]
    constants: Mapping[str, tuple[ast.expr, ...]]
    package_folder: Callable[[str | None], Path | None]
    _steps: list[int] = field(default_factory=lambda: [0])
    _known: dict[str, str | None] = field(default_factory=dict)

    def value(self, node: ast.expr) -> str | None:
        """Return the absolute path an expression stands for, or None when it is not one or is computed."""
        found = self._text(node)
        return found.removeprefix(_OWN) if found is not None and found.startswith(_OWN) else None

    def _text(self, node: ast.expr | None) -> str | None:
        """Return the text of a path or a constant string."""
        if node is None or self._steps[0] >= MAX_STEPS:
            return None
        self._steps[0] += 1
        try:
            text = self._read(node)
        finally:
            self._steps[0] -= 1
        return text if text is None or len(text) <= MAX_TEXT else None

    def _read(self, node: ast.expr) -> str | None:
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, str) and _OWN not in node.value else None
        if isinstance(node, ast.Name):
            return _OWN + os.fspath(self.file) if node.id == "__file__" else self._constant(node.id)
        if isinstance(node, ast.BinOp):
            return self._joined(node)
        if isinstance(node, ast.JoinedStr):
            return self._formatted(node)
        if isinstance(node, ast.Attribute):
            return self._parent(node.value) if node.attr == "parent" else None
        if isinstance(node, ast.Subscript):
            return self._numbered_parent(node)
        return self._call(node) if isinstance(node, ast.Call) else None

    def _constant(self, name: str) -> str | None:
        """Return the text of a name whose assignments all agree."""
        if name not in self._known:
            self._known[name] = None  # a name that is made from itself has no value
            texts = {self._text(value) for value in self.constants.get(name, ())[:MAX_STEPS]}
            self._known[name] = texts.pop() if len(texts) == 1 else None
        return self._known[name]

    def _joined(self, node: ast.BinOp) -> str | None:
        left, right = self._text(node.left), self._text(node.right)
        if left is None or right is None:
            return None
        if isinstance(node.op, ast.Div):
            return os.path.join(left, right)
        return left + right if isinstance(node.op, ast.Add) else None

    def _formatted(self, node: ast.JoinedStr) -> str | None:
        parts = [
            self._text(part.value if isinstance(part, ast.FormattedValue) else part)
            for part in node.values
            if not isinstance(part, ast.FormattedValue) or (part.format_spec is None and part.conversion == -1)
        ]
        known = [part for part in parts if part is not None]
        return "".join(known) if len(known) == len(node.values) else None

    def _parent(self, node: ast.expr) -> str | None:
        base = self._text(node)
        return os.path.dirname(base) if base is not None else None

    def _numbered_parent(self, node: ast.Subscript) -> str | None:
        """Read `path.parents[N]`."""
        outer, index = node.value, node.slice
        if not (isinstance(outer, ast.Attribute) and outer.attr == "parents"):
            return None
        base = self._text(outer.value)
        if base is None or not isinstance(index, ast.Constant) or type(index.value) is not int or index.value < 0:
            return None
        for _ in range(min(index.value + 1, MAX_STEPS)):
            base = os.path.dirname(base)
        return base

    def _call(self, node: ast.Call) -> str | None:
        name = self.qualify(node.func)
        first = node.args[0] if node.args else None
        if name == _FILES:
            return self._package(first)
        if name in _OF_PACKAGE and len(node.args) > 1:
            folder, parts = self._package(first), [self._text(part) for part in node.args[1:2]]
            return _join(folder, parts)
        if name == "os.path.dirname" and first is not None:
            return self._parent(first)
        if name in _WRAPPERS and len(node.args) == 1:
            return self._text(first)
        if name in _PATHS and node.args:
            return _join(self._text(first), [self._text(part) for part in node.args[1:]])
        return self._method(node)

    def _method(self, node: ast.Call) -> str | None:
        """Read `path.joinpath("a")`, `path.with_name("b")` and their like."""
        if not isinstance(node.func, ast.Attribute):
            return None
        base = self._text(node.func.value)
        if base is None or not base.startswith(_OWN):
            return None
        arguments = [self._text(part) for part in node.args]
        if node.func.attr in _SAME:
            return base
        if node.func.attr == "joinpath":
            return _join(base, arguments)
        if len(arguments) != 1 or arguments[0] is None:
            return None
        folder, last = os.path.split(base)
        stem, suffix = os.path.splitext(last)
        renamed = {"with_name": arguments[0], "with_suffix": stem + arguments[0], "with_stem": arguments[0] + suffix}
        return os.path.join(folder, renamed[node.func.attr]) if node.func.attr in renamed else None

    def _package(self, anchor: ast.expr | None) -> str | None:
        """Return the folder of the package an anchor names: `__package__`, `__name__`, a literal, or nothing."""
        if (
            anchor is None
            or (isinstance(anchor, ast.Name) and anchor.id in {"__package__", "__name__"})
            or self.qualify(anchor) in {"__spec__.parent", "__spec__.name"}
        ):
            folder = self.package_folder(None)
        else:
            name = self._text(anchor)
            folder = self.package_folder(name) if name else None
        return _OWN + os.fspath(folder) if folder is not None else None


def _join(base: str | None, parts: list[str | None]) -> str | None:
    known = [part for part in parts if part is not None]
    return os.path.join(base, *known) if base is not None and len(known) == len(parts) else None


def may_name_files(text: str) -> bool:
    """Return whether a text has a word that every such path needs: a quick test for the many modules without."""
    return any(word in text for word in ("__file__", "resources", "pkgutil"))


def constants_of(tree: ast.Module) -> dict[str, tuple[ast.expr, ...]]:
    """Return every name the module assigns, in any scope, with all that it is assigned."""
    found: dict[str, tuple[ast.expr, ...]] = {}
    for node in ast.walk(tree):
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AnnAssign | ast.NamedExpr):
            targets = [node.target]
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr) else None
        for target in targets:
            if isinstance(target, ast.Name) and value is not None:
                found[target.id] = (*found.get(target.id, ()), value)
    return found
