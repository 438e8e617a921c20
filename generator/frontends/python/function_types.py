"""Where a function's types are written: on the function, in the stub beside its module, or on its overloads.

A stub's annotation wins over the source's; defaults and docstrings always come from the source. Overloads count where
the implementation says `Any` or nothing: a parameter is then any of what they say.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .decorators import OVERLOADS, symbol
from .forms import AnyForm, Form, union
from .index import build_index
from .program import Module
from .source import SourceProblem, read_source

if TYPE_CHECKING:
    from .index import Binding, Index
    from .reading import Reading, Scope
    from .subjects import Function, Subject
    from .type_reader import Types

_QUOTED_UNPACK = re.compile(r"\s*(?:\*|(?:\w+\.)*Unpack\[)")
"""The beginning of a quoted `Unpack[...]` or `*T`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """One definition and the scope its annotations are read in."""

    node: Function
    scope: Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionTypes:
    """The definitions whose annotations count, the strongest first, and the overloads."""

    definitions: tuple[Written, ...]
    overloads: tuple[Written, ...] = ()

    def form(self, name: str, reading: Reading) -> Form | None:
        """Return the form of a parameter; None when nothing is written."""
        return self._first([_annotation(each, name) for each in self._all()], reading)

    def returns(self, reading: Reading) -> Form | None:
        """Return the form of the result; None when nothing is written."""
        return self._first([(_returns(each.node), each.scope) for each in self._all()], reading)

    def unpacked(self, name: str, reading: Reading) -> bool:
        """Whether `**name` or `*name` is annotated with `Unpack[...]`, or `*name` with `*T`."""
        for each in self.definitions:
            annotation, scope = _annotation(each, name)
            if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
                return _QUOTED_UNPACK.match(annotation.value) is not None
            if isinstance(annotation, ast.Starred):
                return True
            if isinstance(annotation, ast.Subscript):
                return symbol(reading.resolve(annotation.value, scope)) == "typing.Unpack"
        return False

    def _all(self) -> tuple[Written, ...]:
        return (*self.definitions, *self.overloads)

    def _first(self, written: list[tuple[ast.expr | None, Scope]], reading: Reading) -> Form | None:
        count = len(self.definitions)
        own = next((pair for pair in written[:count] if pair[0] is not None), None)
        form = reading.form(own[0], own[1]) if own is not None and own[0] is not None else None
        if self.overloads and (form is None or isinstance(form, AnyForm)):
            stated = [
                reading.form(annotation, scope) for annotation, scope in written[count:] if annotation is not None
            ]
            return union(tuple(stated)) if stated else form
        return form


def types_of(subject: Subject, types: Types) -> tuple[FunctionTypes, Subject]:
    """Return the types of a subject, and the subject as its source defines it (a stub has no defaults or docstring)."""
    reading = types.reading
    source, stub = _modules(subject, reading)
    written = subject
    if subject.module.source.is_stub and source is not None:
        node = _definition(subject, source, reading)
        if node is not None:
            written = replace(subject, node=node, module=source)
    definitions: list[Written] = []
    overloads: list[Written] = []
    for module in [each for each in (stub, written.module) if each is not None]:
        found = _history(subject, module, reading)
        plain = [each for each in found if not _is_overload(each, module, reading)]
        if module is written.module and not isinstance(written.node, ast.Lambda):
            plain = [written.node]
        definitions += [_written(each, subject, module, types) for each in plain[-1:]]
        if not overloads:
            marked = [each for each in found if _is_overload(each, module, reading)]
            overloads = [_written(each, subject, module, types) for each in marked]
    if not definitions:
        definitions = [_written(written.node, subject, written.module, types)]
    return FunctionTypes(definitions=tuple(definitions), overloads=tuple(overloads)), written


def _modules(subject: Subject, reading: Reading) -> tuple[Module | None, Module | None]:
    """Return the source and the stub of the module in which a subject is defined."""
    module = subject.module
    if not module.source.is_stub:
        return module, reading.program.stub_of(module)
    return _source_beside(module, reading), module


def _source_beside(stub: Module, reading: Reading) -> Module | None:
    """Return the `.py` beside a stub; the program goes on knowing the module by its stub."""
    program, path = reading.program, stub.source.path.with_suffix(".py")
    try:
        source = read_source(path, shown=program.shown(path), module=stub.name)
    except SourceProblem:
        return None
    index = build_index(
        source.tree.body,
        module=stub.name,
        is_package=stub.is_package,
        target=program.target,
        importable=program.importable,
    )
    return Module(source=source, index=index, is_package=stub.is_package)


def _history(subject: Subject, module: Module, reading: Reading) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Return every definition of a subject's function in a module, in order."""
    if isinstance(subject.node, ast.Lambda):
        return []
    index: Index | None = module.index
    for owner in subject.owners:
        binding = index.names.get(owner.name) if index is not None else None
        node = binding.node if binding is not None else None
        index = reading.program.class_index(node, module) if isinstance(node, ast.ClassDef) else None
    bindings: list[Binding] = index.history.get(subject.node.name, []) if index is not None else []
    return [each.node for each in bindings if isinstance(each.node, ast.FunctionDef | ast.AsyncFunctionDef)]


def _definition(subject: Subject, module: Module, reading: Reading) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    found = [each for each in _history(subject, module, reading) if not _is_overload(each, module, reading)]
    return found[-1] if found else None


def _is_overload(node: ast.FunctionDef | ast.AsyncFunctionDef, module: Module, reading: Reading) -> bool:
    return any(symbol(reading.resolver.expression(each, module)) in OVERLOADS for each in node.decorator_list)


def _written(node: Function, subject: Subject, module: Module, types: Types) -> Written:
    return Written(node=node, scope=types.scope(module, node, subject.owners))


def _annotation(written: Written, name: str) -> tuple[ast.expr | None, Scope]:
    arguments = written.node.args
    every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg)
    node = next((each for each in every if each is not None and each.arg == name), None)
    return (node.annotation if node is not None else None), written.scope


def _returns(node: Function) -> ast.expr | None:
    return node.returns if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else None
