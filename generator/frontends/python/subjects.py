"""Everything in a module a client could call, each as one `Subject`: a function, and on request what is bound to one.

A subject says which definition is read (`node` in `module`), how it is reached at run time (`target`), and what is
already bound: the instance of a method, the arguments of a `functools.partial`.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from .decorators import symbol
from .resolve import Defined, Resolver
from .spans import name_span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ...diagnostics.model import Span
    from .index import Binding
    from .program import Module, Program

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Kind = Literal["function", "reexport", "alias", "partial", "lambda", "method", "instance"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One callable. `unit` is its name in the module the user named: `forecast`, `calc.add`."""

    unit: str
    kind: Kind
    target: tuple[str, str]
    node: Function = field(compare=False)
    module: Module = field(compare=False)
    binding: Binding | None = field(default=None, compare=False)
    owners: tuple[ast.ClassDef, ...] = field(default=(), compare=False)
    bound_first: bool = False
    given: int = 0
    keywords: Mapping[str, ast.expr] = field(default_factory=dict, compare=False)
    needs_instance: bool = False

    @property
    def span(self) -> Span:
        """The place of the name in the definition."""
        if isinstance(self.node, ast.Lambda):
            return self.module.span(self.node)
        return name_span(self.node, self.module.source)

    @property
    def opt_in(self) -> bool:
        """Whether it is a tool only when it is named."""
        return self.kind not in ("function", "reexport")


class Subjects:
    """Finds the subjects of one module."""

    __slots__ = ("_followed", "_module", "_program", "_resolver")

    def __init__(self, module: Module, program: Program, resolver: Resolver) -> None:
        self._module = module
        self._program = program
        self._resolver = resolver
        self._followed: set[str] = set()

    def names(self) -> list[str]:
        """Return every name that is bound in the module after a run, in the order of the source."""
        index = self._module.index
        bound = [name for name in index.runtime if not index.runtime[name].typing_only]
        exported = self._resolver.exports(self._module) or ()
        return list(dict.fromkeys([*bound, *exported]))

    def find(self, unit: str) -> Subject | None:
        """Return the subject of this name (`forecast`, `calc.add`), or None when it is nothing that can be called."""
        if unit in self._followed:
            return None  # a name that was assigned to itself, by a detour
        self._followed.add(unit)
        try:
            return self._find(unit)
        finally:
            self._followed.discard(unit)

    def _find(self, unit: str) -> Subject | None:
        name, _, rest = unit.partition(".")
        if rest:
            return next((each for each in self.members(name) if each.unit == unit), None)
        binding = self._module.index.runtime.get(name)
        if binding is None:
            return self._imported(name)
        if isinstance(binding.node, ast.FunctionDef | ast.AsyncFunctionDef) and binding.kind == "function":
            return self._own(name, binding.node, binding)
        if binding.kind == "import":
            return self._imported(name)
        return self._value(name, binding) if binding.kind == "value" and binding.value is not None else None

    def members(self, name: str) -> Iterator[Subject]:
        """Yield the public methods of a class, or of a module-level instance of one, of this name."""
        binding = self._module.index.runtime.get(name)
        if binding is None:
            return
        instance = binding.kind == "value"
        found = self._class_of(binding.value) if instance else self._resolver.name(name, self._module)
        if not isinstance(found, Defined) or not isinstance(found.binding.node, ast.ClassDef):
            return
        for method in self._methods(found):
            subject = self._method(f"{name}.{method}", method, found, instance=instance)
            if subject is not None:
                yield subject

    def _own(self, name: str, node: ast.FunctionDef | ast.AsyncFunctionDef, binding: Binding) -> Subject:
        return Subject(
            unit=name,
            kind="function",
            target=(self._module.name, name),
            node=node,
            module=self._module,
            binding=binding,
        )

    def _imported(self, name: str) -> Subject | None:
        """Return a function that was imported under this name."""
        found = self._resolver.name(name, self._module)
        if not isinstance(found, Defined) or found.owners:
            return None
        node = found.binding.node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            return None
        target = (found.module.name, found.qualname)
        return Subject(unit=name, kind="reexport", target=target, node=node, module=found.module, binding=found.binding)

    def _value(self, name: str, binding: Binding) -> Subject | None:
        """Return what an assignment binds: a lambda, a partial, another function, an instance that can be called."""
        value = binding.value
        target = (self._module.name, name)
        if isinstance(value, ast.Lambda):
            return Subject(unit=name, kind="lambda", target=target, node=value, module=self._module, binding=binding)
        if isinstance(value, ast.Call):
            if symbol(self._resolver.expression(value.func, self._module)) == "functools.partial":
                return self._partial(name, value)
            return self._callable_instance(name, binding)
        if isinstance(value, ast.Name) and value.id != name:
            return self._renamed(self.find(value.id), name, "alias")
        if isinstance(value, ast.Attribute):
            return self._attribute(name, value)
        return None

    def _renamed(self, subject: Subject | None, name: str, kind: Kind) -> Subject | None:
        if subject is None:
            return None
        return replace(subject, unit=name, kind=kind, target=(self._module.name, name), binding=None)

    def _attribute(self, name: str, value: ast.Attribute) -> Subject | None:
        """Return a bound method, a class or static method, or a function of another module under a name of its own."""
        if isinstance(value.value, ast.Name):
            member = self.find(f"{value.value.id}.{value.attr}")
            if member is not None and not member.needs_instance:
                return self._renamed(member, name, "alias")
        found = self._resolver.expression(value, self._module)
        if isinstance(found, Defined) and not found.owners:
            node = found.binding.node
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                target = (self._module.name, name)
                return Subject(unit=name, kind="alias", target=target, node=node, module=found.module)
        return None

    def _partial(self, name: str, call: ast.Call) -> Subject | None:
        """Return what `functools.partial(function, ...)` leaves of a function of this module or an imported one."""
        if not call.args or any(isinstance(each, ast.Starred) for each in call.args):
            return None
        if any(keyword.arg is None for keyword in call.keywords):
            return None
        function = call.args[0]
        inner = self.find(function.id) if isinstance(function, ast.Name) else None
        if isinstance(function, ast.Attribute):
            inner = self._attribute(name, function)
        if inner is None:
            return None
        keywords = {**inner.keywords, **{str(keyword.arg): keyword.value for keyword in call.keywords}}
        bound = replace(inner, given=inner.given + len(call.args) - 1, keywords=keywords)
        return self._renamed(bound, name, "partial")

    def _callable_instance(self, name: str, binding: Binding) -> Subject | None:
        found = self._class_of(binding.value)
        if not isinstance(found, Defined):
            return None
        subject = self._method(name, "__call__", found, instance=True)
        return replace(subject, kind="instance", target=(self._module.name, name)) if subject is not None else None

    def _class_of(self, value: ast.expr | None) -> Defined | None:
        """Return the class a module-level call makes an instance of, also through another name."""
        for _ in range(10):
            if not isinstance(value, ast.Name):
                break
            binding = self._module.index.runtime.get(value.id)
            value = binding.value if binding is not None else None
        if not isinstance(value, ast.Call):
            return None
        found = self._resolver.expression(value.func, self._module)
        if isinstance(found, Defined) and isinstance(found.binding.node, ast.ClassDef):
            return found
        return None

    def _methods(self, found: Defined) -> list[str]:
        """Return the names of a class's public methods, inherited ones first."""
        names: dict[str, None] = {}
        pending = [found]
        for _ in range(50):
            if not pending:
                break
            current = pending.pop()
            node = current.binding.node
            if not isinstance(node, ast.ClassDef):
                continue
            index = self._program.class_index(node, current.module)
            names.update(dict.fromkeys(each for each, bound in index.names.items() if bound.kind == "function"))
            bases = (self._resolver.expression(base, current.module, current.owners) for base in node.bases)
            pending.extend(base for base in bases if isinstance(base, Defined))
        return [name for name in names if not name.startswith("_")]

    def _method(self, unit: str, name: str, owner: Defined, *, instance: bool) -> Subject | None:
        """Return one method of a class; None for a property, an inherited one without source, or no function."""
        node, module, owners = self._look_up(name, owner)
        if node is None:
            return None
        marks = {symbol(self._resolver.expression(_plain(each), module, owners)) for each in node.decorator_list}
        if marks & {"builtins.property", "functools.cached_property"}:
            return None
        static, of_class = "builtins.staticmethod" in marks, "builtins.classmethod" in marks
        return Subject(
            unit=unit,
            kind="method",
            target=(self._module.name, unit),
            node=node,
            module=module,
            owners=owners,
            bound_first=not static,
            needs_instance=not instance and not static and not of_class,
        )

    def _look_up(
        self, name: str, owner: Defined
    ) -> tuple[ast.FunctionDef | ast.AsyncFunctionDef | None, Module, tuple[ast.ClassDef, ...]]:
        """Return a method's definition in a class or the nearest of its bases."""
        pending = [owner]
        for _ in range(50):
            if not pending:
                break
            current = pending.pop(0)
            node = current.binding.node
            if not isinstance(node, ast.ClassDef):
                continue
            binding = self._program.class_index(node, current.module).names.get(name)
            if binding is not None:
                inner = binding.node
                function = inner if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef) else None
                return function, current.module, (*current.owners, node)
            bases = (self._resolver.expression(base, current.module, current.owners) for base in node.bases)
            pending.extend(base for base in bases if isinstance(base, Defined))
        return None, owner.module, ()


def _plain(decorator: ast.expr) -> ast.expr:
    return decorator.func if isinstance(decorator, ast.Call) else decorator
