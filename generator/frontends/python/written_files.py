"""Which files beside itself a module writes: an emitted package holds a copy, and the copy is what its server writes.

A place is followed from the call that writes it to the path it is made from: through joins (`DATA / name` writes below
`DATA`), through names to what their own scope assigns, and through attributes by their name alone.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .write_calls import uses_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .path_expressions import Paths

    Scope = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

MAX_STEPS = 64
"""Names and joins between a call and the path it writes."""

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@dataclass(slots=True, kw_only=True)
class Writes:
    """What a module writes and tests for: `written` path expressions, and expressions that are no reading of a file.

    `words` are names that are written and that the module does not bind to a path itself: attributes, imported names.
    """

    paths: Paths
    written: list[tuple[ast.expr, str, bool]] = field(default_factory=list)
    unread: set[int] = field(default_factory=set)
    words: set[str] = field(default_factory=set)
    _assigned: dict[tuple[int, str], list[ast.expr]] = field(default_factory=dict)

    def look(self, tree: ast.Module) -> None:
        """Go through a module."""
        calls = list(_calls(tree))
        for scopes, node in _walked(tree):
            for target, value in _assignments(node):
                if isinstance(target, ast.Name):
                    self._assigned.setdefault((id(scopes[-1]), target.id), []).append(value)
                elif isinstance(target, ast.Attribute):
                    self._assigned.setdefault((0, target.attr), []).append(value)
        for scopes, call in calls:
            for use in uses_of(call, self.paths.qualify):
                if use.writes:
                    self._follow(use.place, scopes, folder=use.folder, reads=use.reads)
                elif self.paths.value(use.place) is not None:
                    self.unread.add(id(use.place))

    def named(self, words: frozenset[str], tree: ast.Module) -> None:
        """Follow the names that other modules, or attributes, write: what classes and the module itself bind."""
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef):
                for statement in node.body:
                    for target, value in _assignments(statement):
                        if isinstance(target, ast.Name) and target.id in words:
                            self._follow(value, (tree,), folder=False, reads=True)

    def _follow(self, place: ast.expr, scopes: tuple[Scope, ...], *, folder: bool, reads: bool) -> None:
        """Record the path that a place is, or the one it is below."""
        pending = [(place, scopes, reads)]
        for _ in range(MAX_STEPS):
            if not pending:
                return
            node, around, reads = pending.pop()
            owner = _owner(node, around, self._assigned) if isinstance(node, ast.Name) else None
            value = self.paths.value(node) if not isinstance(node, ast.Name) or owner is not None else None
            if value is not None:
                self.written.append((node, value, folder))
                if not reads:
                    self.unread.add(id(node))
            elif isinstance(node, ast.Name):
                self._name(node, owner, around, pending)
            elif isinstance(node, ast.Attribute) and node.attr != "parent":
                self.words.add(node.attr)
                # Who else reads what an attribute holds is not looked for.
                pending += [(each, around, True) for each in self._assigned.get((0, node.attr), [])]
            else:
                pending += [(each, around, reads) for each in _beginnings(node)]

    def _name(
        self,
        node: ast.Name,
        owner: Scope | None,
        around: tuple[Scope, ...],
        pending: list[tuple[ast.expr, tuple[Scope, ...], bool]],
    ) -> None:
        if owner is not None:
            below = around[: around.index(owner) + 1]
            pending += [(each, below, True) for each in self._assigned[id(owner), node.id]]
        elif not any(node.id in _parameters(scope) for scope in around):
            self.words.add(node.id)


def _owner(node: ast.Name, scopes: tuple[Scope, ...], assigned: dict[tuple[int, str], list[ast.expr]]) -> Scope | None:
    """Return the innermost scope that assigns a name; None when a parameter has it, or nothing does."""
    for scope in reversed(scopes):
        if node.id in _parameters(scope):
            return None
        if (id(scope), node.id) in assigned:
            return scope
    return None


def _parameters(scope: Scope) -> set[str]:
    if isinstance(scope, ast.Module):
        return set()
    arguments = scope.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    return {one.arg for one in every if one is not None}


def _beginnings(node: ast.expr) -> Iterator[ast.expr]:
    """Yield what a path is made from: the folder it is below, the text it is given as."""
    match node:
        case ast.BinOp(left=left, op=ast.Div() | ast.Add()):
            yield left
        case ast.Attribute(value=value, attr="parent"):
            yield value
        case ast.JoinedStr(values=[ast.FormattedValue(value=value), *_]):
            yield value
        case ast.JoinedStr(values=[ast.Constant(value=str(text)), ast.FormattedValue(value=value), *_]):
            if text.startswith("sqlite"):  # the address of a database: `sqlite:///{path}`
                yield value
        case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in _JOINS:
            yield value
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[first, *_]) if name in _WRAPPERS:
            yield first


_JOINS = frozenset({"absolute", "expanduser", "joinpath", "resolve", "with_name", "with_stem", "with_suffix"})
_WRAPPERS = frozenset({"Path", "abspath", "fspath", "join", "realpath", "str"})


def _walked(tree: ast.Module) -> Iterator[tuple[tuple[Scope, ...], ast.AST]]:
    """Yield every node with the scopes around it, the innermost last; a class body counts to the scope around it."""
    pending: list[tuple[tuple[Scope, ...], ast.AST]] = [((tree,), tree)]
    while pending:
        scopes, node = pending.pop()
        yield scopes, node
        inner = (*scopes, node) if isinstance(node, _FUNCTIONS) else scopes
        pending += [(inner, child) for child in ast.iter_child_nodes(node)]


def _calls(tree: ast.Module) -> Iterator[tuple[tuple[Scope, ...], ast.Call]]:
    """Yield every call, in the order of the text, with the scopes around it."""
    found = [(scopes, node) for scopes, node in _walked(tree) if isinstance(node, ast.Call)]
    yield from sorted(found, key=lambda each: (each[1].lineno, each[1].col_offset))


def _assignments(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    if isinstance(node, ast.Assign):
        yield from ((target, node.value) for target in node.targets)
    elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value is not None:
        yield node.target, node.value
