"""What the decorators of a function mean: a marker, "not a tool", a cache, a deprecation, or a change nobody can read.

Decorators are known by the name they resolve to. One that is defined in source that can be found is read
(`wrappers.py`): when it hands the wrapped function's signature on, it is transparent. What remains keeps the written
signature and is reported (MG113).
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from ...diagnostics.model import Diagnostic
from ...diagnostics.rules import rule
from .resolve import Defined, Known, Resolution, Resolver
from .wrappers import keeps_signature, supplied_parameters

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .program import Module

OfferKind = Literal["resource", "prompt", "completer", "view"]

MARKER = "mcpgen.tool"
"""The decorator that says more about a tool."""

OFFER_MARKERS: Mapping[str, OfferKind] = {
    "mcpgen.resource": "resource",
    "mcpgen.prompt": "prompt",
    "mcpgen.completer": "completer",
    "mcpgen.ui_resource": "view",
}
"""The decorators that make a function something else than a tool, and what."""

NOT_TOOLS = frozenset(
    {
        "contextlib.contextmanager",
        "contextlib.asynccontextmanager",
        "builtins.property",
        "functools.cached_property",
        "abc.abstractproperty",
        "enum.property",
        "types.DynamicClassAttribute",
        "click.command",
        "click.group",
        "click.decorators.command",
        "click.decorators.group",
        "pytest.fixture",
        "pytest_asyncio.fixture",
        "_pytest.fixtures.fixture",
    }
)
"""Decorators whose result is nothing a client could call."""

OVERLOADS = frozenset({"typing.overload"})
CACHES = frozenset({"functools.cache", "functools.lru_cache", "async_lru.alru_cache", "cachetools.cached"})
DEPRECATIONS = frozenset({"warnings.deprecated", "typing.deprecated", "_py_warnings.deprecated"})

TRANSPARENT = frozenset(
    {
        "builtins.staticmethod",
        "builtins.classmethod",
        "abc.abstractmethod",
        "atexit.register",
        "asyncio.coroutine",
        "types.coroutine",
        "typing.final",
        "typing.no_type_check",
        "typing.override",
        "tenacity.retry",
        "backoff.on_exception",
        "backoff.on_predicate",
        "numba.jit",
        "numba.njit",
        "pydantic.validate_call",
        "torch.no_grad",
        "torch.inference_mode",
    }
)
"""Decorators that hand the signature on, by what their documentation says."""


@dataclass(slots=True)
class Decorations:
    """What was found on one function; `excluded` says why it is no tool, `marker` is the `@tool` expression.

    `offers` are the expressions that make it a resource, a prompt, a completer or a view. `dispatches` says that its
    first argument chooses the implementation, and so has to go by position; `supplied` is how many leading arguments a
    decorator gives itself.
    """

    marker: ast.expr | None = None
    excluded: str | None = None
    offers: list[tuple[OfferKind, ast.expr]] = field(default_factory=list)
    overload: bool = False
    dispatches: bool = False
    deprecated: str | None = None
    supplied: int = 0
    diagnostics: list[Diagnostic] = field(default_factory=list)


def symbol(found: Resolution | None) -> str:
    """Return the full name of what a name resolves to; empty when it resolves to nothing nameable."""
    if isinstance(found, Defined):
        return f"{found.module.name}.{found.qualname}"
    if isinstance(found, Known):
        return found.name
    return found.name if found is not None else ""


def read_decorators(
    node: ast.FunctionDef | ast.AsyncFunctionDef,
    module: Module,
    resolver: Resolver,
    owners: tuple[ast.ClassDef, ...] = (),
) -> Decorations:
    """Return what a function's decorators mean."""
    found = Decorations()
    for decorator in node.decorator_list:
        called = isinstance(decorator, ast.Call)
        target = decorator.func if isinstance(decorator, ast.Call) else decorator
        resolution = resolver.expression(target, module, owners)
        _take(found, decorator, symbol(resolution), resolution, node.name, module, resolver, called=called)
    return found


def _take(
    found: Decorations,
    decorator: ast.expr,
    name: str,
    resolution: Resolution | None,
    unit: str,
    module: Module,
    resolver: Resolver,
    *,
    called: bool,
) -> None:
    """Take one decorator."""
    if name == MARKER or name in OFFER_MARKERS:
        _take_marker(found, decorator, name)
    elif name in OVERLOADS:
        found.overload = True
    elif name in NOT_TOOLS or _is_accessor(decorator):
        found.excluded = f"it is decorated with {name or 'a property accessor'}"
    elif name in DEPRECATIONS:
        found.deprecated = _first_text(decorator) or "This tool is deprecated."
    elif name in CACHES:
        message = f"results of the cached function `{unit}` are shared between calls; its arguments must be hashable"
        found.diagnostics.append(_finding("cached-tool", message, decorator, unit, module))
    elif name in {"functools.singledispatch", "functools.singledispatchmethod"}:
        found.dispatches = True
        message = f"the single-dispatch function `{unit}` is read by the signature of its first definition"
        found.diagnostics.append(_finding("unknown-decorator", message, decorator, unit, module))
    elif supplied := supplied_parameters(resolution, called=called):
        found.supplied += supplied
    elif name not in TRANSPARENT and not keeps_signature(resolution, resolver, called=called):
        written = ast.unparse(decorator)[:60]
        message = f"`@{written}` may change the signature of `{unit}`; the written one is used"
        found.diagnostics.append(_finding("unknown-decorator", message, decorator, unit, module))


def _take_marker(found: Decorations, decorator: ast.expr, name: str) -> None:
    """Take one of our own decorators."""
    if name == MARKER:
        found.marker = decorator
    else:
        found.offers.append((OFFER_MARKERS[name], decorator))


def _finding(name: str, message: str, node: ast.expr, unit: str, module: Module) -> Diagnostic:
    return Diagnostic(rule=rule(name), message=message, span=module.span(node), unit=unit)


def _is_accessor(decorator: ast.expr) -> bool:
    """Whether this is `@name.setter` or its like."""
    return isinstance(decorator, ast.Attribute) and decorator.attr in {"setter", "getter", "deleter"}


def _first_text(decorator: ast.expr) -> str | None:
    """Return the first argument of a call when it is a string."""
    if isinstance(decorator, ast.Call) and decorator.args and isinstance(decorator.args[0], ast.Constant):
        value = decorator.args[0].value
        return value if isinstance(value, str) and value.strip() else None
    return None
