"""What each name of a module or class body is bound to, found without running it.

The last binding of a name wins, as at run time. Bodies under `TYPE_CHECKING` count for types only; version and
platform tests are decided for the target; a `try` whose imports cannot be found gives way to its handlers. Where a test
cannot be decided both branches are read, and a name they both bind is marked `undecided`.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from .branches import BranchReader, Target

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

BindingKind = Literal["function", "class", "value", "alias", "import"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What an import statement names: an absolute module, and the name taken from it (None: the module)."""

    module: str
    name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """One binding of a name; `value` and `annotation` are an assignment's, `typing_only` is not there at run time."""

    name: str
    kind: BindingKind
    node: ast.stmt
    value: ast.expr | None = None
    annotation: ast.expr | None = None
    imported: Imported | None = None
    typing_only: bool = False
    undecided: bool = False

    @property
    def declared_only(self) -> bool:
        """Whether this is `name: type` without a value, which binds nothing: `date.

        Date` in a class means the outer one.
        """
        return self.annotation is not None and self.value is None


@dataclass(slots=True, kw_only=True)
class Index:
    """The names of one module or class body.

    `names` is what types see, `runtime` what exists after a run, `history` every binding in order (overloads), `stars`
    the modules of star imports in order, `exports` the parts of `__all__` (a name, or ("module", dotted)) or None;
    `computed_exports` says that some part cannot be read.
    """

    names: dict[str, Binding] = field(default_factory=dict)
    runtime: dict[str, Binding] = field(default_factory=dict)
    history: dict[str, list[Binding]] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)
    exports: list[str | tuple[str, str]] | None = None
    computed_exports: bool = False
    imported_modules: set[str] = field(default_factory=set)


def absolute_module(name: str | None, level: int, *, module: str, is_package: bool) -> str | None:
    """Return the absolute name of a relative import's module; None when it climbs above the top."""
    if not level:
        return name or ""
    parts = module.split(".")
    keep = len(parts) - level + (1 if is_package else 0)
    if keep < 0 or (keep == 0 and not name):
        return None
    return ".".join([*parts[:keep], *([name] if name else [])])


def build_index(
    body: Iterable[ast.stmt], *, module: str, is_package: bool, target: Target, importable: Callable[[str], bool]
) -> Index:
    """Index the statements of a module or class body; `importable` tells whether a module can be found."""
    return _Builder(module, is_package=is_package, target=target, importable=importable).build(body)


class _Builder:
    __slots__ = (
        "_branches",
        "_constants",
        "_importable",
        "_imports",
        "_index",
        "_is_package",
        "_module",
        "_own_exports",
        "_typing_only",
    )

    def __init__(
        self, module: str, *, is_package: bool, target: Target, importable: Callable[[str], bool]
    ) -> None:  # private
        self._module = module
        self._is_package = is_package
        self._importable = importable
        self._imports: dict[str, str] = {}
        self._constants: dict[str, ast.expr] = {}
        self._own_exports: list[str | tuple[str, str]] = []
        self._branches = BranchReader(target, self._imports, self._constants)
        self._index = Index()
        self._typing_only = False

    def build(self, body: Iterable[ast.stmt]) -> Index:
        self._statements(body)
        return self._index

    def _statements(self, body: Iterable[ast.stmt]) -> None:
        for statement in body:
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:  # noqa: C901 # a table of statements
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._bind(Binding(name=node.name, kind="function", node=node))
            case ast.ClassDef():
                self._bind(Binding(name=node.name, kind="class", node=node))
            case ast.Assign():
                self._assign(node)
            case ast.AnnAssign(target=ast.Name(id=name)):
                self._bind(Binding(name=name, kind="value", node=node, value=node.value, annotation=node.annotation))
                if name == "__all__" and node.value is not None:
                    self._set_exports(node.value)
            case ast.AugAssign(target=ast.Name(id="__all__")):
                self._extend_exports(node.value)
            case ast.AugAssign(target=ast.Name(id=name)):
                self._bind(Binding(name=name, kind="value", node=node))  # what it was is no longer what it is
            case ast.Import() | ast.ImportFrom():
                self._import(node)
            case ast.Delete():
                self._delete(node)
            case ast.Expr(value=ast.Call() as call):
                self._exports_call(call)
            case ast.If():
                self._if(node)
            case ast.Try() | ast.TryStar():
                self._try(node)
            case ast.With() | ast.AsyncWith():
                self._statements(node.body)
            case ast.For() | ast.AsyncFor() | ast.While():
                self._statements(node.body)
                self._statements(node.orelse)
            case ast.Match():
                for case in node.cases:
                    self._statements(case.body)
            case _ if type(node).__name__ == "TypeAlias":  # Python 3.11 has no such node
                self._type_alias(node)

    def _type_alias(self, node: ast.stmt) -> None:
        target, value = getattr(node, "name", None), getattr(node, "value", None)
        if isinstance(target, ast.Name) and isinstance(value, ast.expr):
            self._bind(Binding(name=target.id, kind="alias", node=node, value=value))

    def _bind(self, binding: Binding) -> None:
        if self._typing_only:
            binding = replace(binding, typing_only=True)
        self._index.names[binding.name] = binding
        self._index.history.setdefault(binding.name, []).append(binding)
        if not binding.typing_only:
            self._index.runtime[binding.name] = binding
        self._imports.pop(binding.name, None)
        self._constants.pop(binding.name, None)
        if binding.kind == "value" and binding.value is not None:
            self._constants[binding.name] = binding.value
        elif binding.imported is not None:
            inner = binding.imported
            self._imports[binding.name] = f"{inner.module}.{inner.name}" if inner.name else inner.module

    def _assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name):
                self._bind(Binding(name=target.id, kind="value", node=node, value=node.value))
                if target.id == "__all__":
                    self._set_exports(node.value)
            elif isinstance(target, ast.Tuple | ast.List):
                self._unpack(node, target.elts, node.value)

    def _unpack(self, node: ast.Assign, targets: list[ast.expr], value: ast.expr) -> None:
        parts = value.elts if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(targets) else None
        for position, target in enumerate(targets):
            if isinstance(target, ast.Name):
                part = parts[position] if parts else None
                self._bind(Binding(name=target.id, kind="value", node=node, value=part))

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                self._index.imported_modules.add(alias.name)
                module = alias.name if alias.asname else alias.name.partition(".")[0]
                name = alias.asname or module
                self._bind(Binding(name=name, kind="import", node=node, imported=Imported(module=module)))
            return
        module_name = absolute_module(node.module, node.level, module=self._module, is_package=self._is_package)
        if module_name is None:
            return
        self._index.imported_modules.add(module_name)
        for alias in node.names:
            if alias.name == "*":
                self._index.stars.append(module_name)
                continue
            imported = Imported(module=module_name, name=alias.name)
            self._bind(Binding(name=alias.asname or alias.name, kind="import", node=node, imported=imported))

    def _delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name):
                for table in (self._index.names, self._index.runtime, self._index.history):
                    table.pop(target.id, None)

    def _if(self, node: ast.If) -> None:
        if _is_main_test(node.test):
            self._statements(node.orelse)
            return
        if self._branches.is_type_checking(node.test):
            self._statements(node.orelse)
            self._under_type_checking(node.body)
            return
        if _is_negated_type_checking(node.test, self._branches):
            self._statements(node.body)
            self._under_type_checking(node.orelse)
            return
        truth = self._branches.truth(node.test)
        if truth is None:
            self._both(node.body, node.orelse)
        else:
            self._statements(node.body if truth else node.orelse)

    def _under_type_checking(self, body: list[ast.stmt]) -> None:
        before, self._typing_only = self._typing_only, True
        self._statements(body)
        self._typing_only = before

    def _both(self, body: list[ast.stmt], orelse: list[ast.stmt]) -> None:
        before = dict(self._index.names)
        self._statements(body)
        first = {name for name, binding in self._index.names.items() if before.get(name) is not binding}
        middle = dict(self._index.names)
        self._statements(orelse)
        for name in first:
            binding = self._index.names.get(name)
            if binding is not None and middle.get(name) is not binding and binding.kind in {"function", "class"}:
                marked = replace(binding, undecided=True)
                self._index.names[name] = marked
                if not marked.typing_only:
                    self._index.runtime[name] = marked

    def _try(self, node: ast.Try | ast.TryStar) -> None:
        if self._imports_found(node.body):
            bound = set(self._index.names)
            for handler in node.handlers:  # read first: the body's bindings win
                self._handler_only(handler.body, bound)
            self._statements(node.body)
            self._statements(node.orelse)
        else:
            self._statements([part for part in node.body if not isinstance(part, ast.Import | ast.ImportFrom)])
            for handler in node.handlers:
                self._statements(handler.body)
        self._statements(node.finalbody)

    def _handler_only(self, body: list[ast.stmt], bound: set[str]) -> None:
        """Return a handler that does not run still tells of fallback names; keep those that nothing else binds."""
        before = dict(self._index.names)
        self._statements([part for part in body if isinstance(part, ast.FunctionDef | ast.ClassDef)])
        for name in [name for name in self._index.names if name in bound]:
            self._index.names[name] = before[name]

    def _imports_found(self, body: list[ast.stmt]) -> bool:
        for part in body:
            if isinstance(part, ast.Import):
                names = [alias.name for alias in part.names]
            elif isinstance(part, ast.ImportFrom):
                name = absolute_module(part.module, part.level, module=self._module, is_package=self._is_package)
                names = [name] if name else []
            else:
                continue
            if not all(self._importable(name) for name in names):
                return False
        return True

    def _set_exports(self, value: ast.expr) -> None:
        self._own_exports = list(self._index.exports or ())  # what `__all__` means in `__all__ = __all__ + [...]`
        self._index.exports = []
        self._index.computed_exports = False
        self._extend_exports(value)

    def _extend_exports(self, value: ast.expr) -> None:  # noqa: C901 # a table of expressions
        exports = self._index.exports if self._index.exports is not None else []
        self._index.exports = exports
        match value:
            case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
                for item in items:
                    if isinstance(item, ast.Constant) and isinstance(item.value, str):
                        exports.append(item.value)
                    elif isinstance(item, ast.Starred):
                        self._extend_exports(item.value)
            case ast.BinOp(op=ast.Add(), left=left, right=right):
                self._extend_exports(left)
                self._extend_exports(right)
            case ast.Call(args=[inner]):
                self._extend_exports(inner)
            case ast.Attribute(value=owner, attr="__all__"):
                dotted = self._branches.dotted(owner)  # the same module's imports, kept in one place
                if dotted:
                    exports.append(("module", dotted))
            case ast.Name(id="__all__"):
                exports.extend(self._own_exports)
            case ast.Name(id=name) if isinstance(self._constants.get(name), ast.List | ast.Tuple):
                self._extend_exports(self._constants[name])
            case _:
                self._index.computed_exports = True

    def _exports_call(self, call: ast.Call) -> None:
        match call:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="__all__"), attr="extend"), args=[argument]):
                self._extend_exports(argument)
            case ast.Call(func=ast.Attribute(value=ast.Name(id="__all__"), attr="append"), args=[argument]):
                self._extend_exports(ast.List(elts=[argument], ctx=ast.Load()))
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="__all__"), attr="remove"), args=[ast.Constant(value=str(name))]
            ):
                if self._index.exports and name in self._index.exports:
                    self._index.exports.remove(name)


def _is_main_test(test: ast.expr) -> bool:
    match test:
        case ast.Compare(left=ast.Name(id="__name__"), ops=[ast.Eq()], comparators=[ast.Constant(value="__main__")]):
            return True
        case ast.Compare(left=ast.Constant(value="__main__"), ops=[ast.Eq()], comparators=[ast.Name(id="__name__")]):
            return True
    return False


def _is_negated_type_checking(test: ast.expr, branches: BranchReader) -> bool:
    return isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) and branches.is_type_checking(test.operand)
