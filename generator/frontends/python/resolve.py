"""Following names: through imports, relative levels, star imports, re-exports and plain aliases to what they stand for.

Every answer is one of: a known symbol that is never opened (`known.py`), a definition in a module that was read, a
module, or `Unknown` with the chain of steps that was tried.
"""

from __future__ import annotations

import ast
import builtins
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .index import Binding, Imported, Index
from .known import STARRED, canonical, is_known_module, standard_exports

if TYPE_CHECKING:
    from .program import Module, Program

_MAX_STEPS = 50  # imports and aliases one name may go through; a longer chain is a cycle or an attack


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A symbol with a fixed meaning, by its canonical name: `builtins.int`, `typing.Optional`, `pydantic.Field`."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Defined:
    """A definition in a module that was read; `owners` are the classes it stands in, outermost first."""

    module: Module
    qualname: str
    binding: Binding
    owners: tuple[ast.ClassDef, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ModuleName:
    """A module."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    """A name that leads nowhere; `chain` tells each step that was taken, `module` is the last one that was asked."""

    name: str
    chain: tuple[str, ...]
    module: str = ""


Resolution = Known | Defined | ModuleName | Unknown


def dotted(expression: ast.expr) -> str | None:
    """`a.b.c` for a chain of attributes on a name, else None."""
    parts: list[str] = []
    while isinstance(expression, ast.Attribute):
        parts.append(expression.attr)
        expression = expression.value
    return ".".join([expression.id, *reversed(parts)]) if isinstance(expression, ast.Name) else None


class Resolver:
    """Resolves names in the modules of a program."""

    __slots__ = ("_program", "_starring")

    def __init__(self, program: Program) -> None:
        self._program = program
        self._starring: set[tuple[str, str]] = set()

    def expression(
        self, expression: ast.expr, module: Module, owners: tuple[ast.ClassDef, ...] = ()
    ) -> Resolution | None:
        """Return what a name or attribute path stands for; None when the expression is anything else."""
        depth, inner = 0, expression
        while isinstance(inner, ast.Attribute):
            depth, inner = depth + 1, inner.value
        if depth > _MAX_STEPS:
            return None
        if isinstance(expression, ast.Name):
            return self.name(expression.id, module, owners)
        if isinstance(expression, ast.Attribute):
            parent = self.expression(expression.value, module, owners)
            return self._member(parent, expression.attr, ()) if parent is not None else None
        return None

    def name(self, name: str, module: Module, owners: tuple[ast.ClassDef, ...] = ()) -> Resolution:
        """Return what a bare name stands for in a module, or in a class body inside it."""
        if owners:
            index = self._program.class_index(owners[-1], module)
            binding = index.names.get(name)
            if binding is not None and binding.kind != "function" and not binding.declared_only:
                return self._bound(binding, module, owners, ())
        found = self._in_module(name, module, ())
        if isinstance(found, Unknown) and hasattr(builtins, name):
            return Known(name=f"builtins.{name}")
        return found

    def path(self, path: str, module: Module) -> Resolution:
        """Return what a dotted path written as text stands for."""
        try:
            parsed = ast.parse(path, mode="eval").body
        except (SyntaxError, ValueError):
            return Unknown(name=path, chain=())
        return self.expression(parsed, module) or Unknown(name=path, chain=())

    def exports(self, module: Module, seen: frozenset[str] = frozenset()) -> tuple[str, ...] | None:
        """Return the names in `__all__`, with those taken over from other modules'; None without one that is known."""
        if module.index.exports is None or module.index.computed_exports:
            return None
        names: list[str] = []
        for part in module.index.exports:
            if isinstance(part, str):
                names.append(part)
            elif part[1] not in seen:
                other = self._program.module(part[1])
                inner = self.exports(other, seen | {module.name}) if other else None
                names.extend(inner or ())
        return tuple(dict.fromkeys(names))

    def _in_module(self, name: str, module: Module, chain: tuple[str, ...]) -> Resolution:
        binding = module.index.names.get(name)
        if binding is not None:
            return self._bound(binding, module, (), chain)
        outermost = not self._starring
        for star in reversed(module.index.stars):
            if (star, name) in self._starring:
                continue  # each module is asked once, whatever circles star imports make
            self._starring.add((star, name))
            found = self._from_star(name, star, (*chain, f"from {star} import *"))
            if found is not None:
                break
        else:
            found = None
        if outermost:
            self._starring.clear()
        if found is not None:
            return found
        return Unknown(name=name, chain=(*chain, f"`{name}` is not defined in {module.name}"), module=module.name)

    def _from_star(self, name: str, star: str, chain: tuple[str, ...]) -> Resolution | None:
        if len(chain) > _MAX_STEPS:
            return None
        if is_known_module(star) and not self._is_starred(star, name):
            return None
        if is_known_module(star):
            symbol = canonical(star, name)
            return Known(name=symbol) if symbol else None
        module = self._program.module(star)
        if module is None:
            return None
        exports = self.exports(module)
        if (exports is not None and name not in exports) or (exports is None and name.startswith("_")):
            return None
        found = self._in_module(name, module, chain)
        return None if isinstance(found, Unknown) else found

    def _is_starred(self, module_name: str, name: str) -> bool:
        """Whether a star import of a known module brings a name: what it exports, never a builtin's name."""
        names = standard_exports(module_name)
        if names is None:
            module = self._program.module(module_name)
            if module is None:
                return name in STARRED.get(module_name, ())
            names = self.exports(module) or tuple(module.index.names)
        return name in names

    def _bound(
        self, binding: Binding, module: Module, owners: tuple[ast.ClassDef, ...], chain: tuple[str, ...]
    ) -> Resolution:
        if len(chain) > _MAX_STEPS:
            return Unknown(name=binding.name, chain=chain[:3])
        if binding.imported is not None:
            return self._imported(binding.imported, chain)
        qualname = ".".join([*(owner.name for owner in owners), binding.name])
        here = Defined(module=module, qualname=qualname, binding=binding, owners=owners)
        if binding.kind == "value" and isinstance(binding.value, ast.Name | ast.Attribute):
            step = f"{module.name}.{binding.name} = {dotted(binding.value)}"
            if step in chain:
                return Unknown(name=binding.name, chain=chain)
            found = self._alias(binding.value, module, owners, (*chain, step))
            if isinstance(found, Known | Defined | ModuleName):
                return found
        return here

    def _alias(
        self, value: ast.expr, module: Module, owners: tuple[ast.ClassDef, ...], chain: tuple[str, ...]
    ) -> Resolution | None:
        if isinstance(value, ast.Attribute):
            parent = self._alias(value.value, module, owners, chain)
            return self._member(parent, value.attr, chain) if parent is not None else None
        if not isinstance(value, ast.Name):
            return None
        found = self._in_module(value.id, module, chain)
        if isinstance(found, Unknown) and hasattr(builtins, value.id):
            return Known(name=f"builtins.{value.id}")
        return found

    def _imported(self, imported: Imported, chain: tuple[str, ...]) -> Resolution:
        if imported.name is None:
            return ModuleName(name=imported.module)
        step = f"from {imported.module} import {imported.name}"
        if step in chain:
            return Unknown(name=imported.name, chain=(*chain, "the import leads back to itself"))
        return self._module_member(imported.module, imported.name, (*chain, step))

    def _module_member(self, module_name: str, name: str, chain: tuple[str, ...]) -> Resolution:
        if is_known_module(module_name):
            symbol = canonical(module_name, name)
            if symbol is not None:
                return Known(name=symbol)
        full = f"{module_name}.{name}"
        module = self._program.module(module_name)
        if module is not None:
            found = self._in_module(name, module, chain)
            if not isinstance(found, Unknown):
                return found
            if self._is_submodule(full):
                return ModuleName(name=full)
            return found
        if self._is_submodule(full):
            return ModuleName(name=full)
        return Unknown(name=full, chain=(*chain, self._why(module_name)), module=module_name)

    def _is_submodule(self, name: str) -> bool:
        return is_known_module(name) or self._program.importable(name)

    def _why(self, module_name: str) -> str:
        problem = self._program.problems.get(module_name)
        if problem is not None:
            return f"module {module_name} cannot be read: {problem.message}"
        location = self._program.locator.find(module_name)
        if location is None:
            return f"module {module_name} was not found"
        return f"module {module_name} has no Python source and no stub"

    def _member(self, parent: Resolution, name: str, chain: tuple[str, ...]) -> Resolution:
        match parent:
            case Known(name=owner):
                return Known(name=canonical(owner, name) or f"{owner}.{name}")
            case ModuleName(name=module_name):
                return self._module_member(module_name, name, chain)
            case Defined(binding=Binding(node=ast.ClassDef() as node)):
                return self._class_member(parent, node, name, chain)
            case Defined():
                return Unknown(name=f"{parent.qualname}.{name}", chain=chain)
        return Unknown(name=f"{parent.name}.{name}", chain=parent.chain, module=parent.module)

    def _class_member(self, parent: Defined, node: ast.ClassDef, name: str, chain: tuple[str, ...]) -> Resolution:
        index: Index = self._program.class_index(node, parent.module)
        owners = (*parent.owners, node)
        binding = index.names.get(name)
        if binding is not None:
            return self._bound(binding, parent.module, owners, chain)
        for base in node.bases:
            found = self.expression(
                base.value if isinstance(base, ast.Subscript) else base, parent.module, parent.owners
            )
            if isinstance(found, Defined) and found.binding.node is not node and len(chain) < _MAX_STEPS:
                inherited = self._member(found, name, (*chain, f"base {found.qualname}"))
                if not isinstance(inherited, Unknown):
                    return inherited
        step = f"class {parent.qualname} of {parent.module.name} has no `{name}`"
        return Unknown(name=f"{parent.qualname}.{name}", chain=(*chain, step))
