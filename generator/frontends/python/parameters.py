"""The parameters of a function as Python sees them: kinds, annotations, defaults, in the order of the signature."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator

    from .subjects import Subject

Kind = Literal["positional", "normal", "star", "keyword", "star_star"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One parameter; `default` is its expression, `bound` says that a partial gave the default."""

    name: str
    kind: Kind
    node: ast.arg
    annotation: ast.expr | None
    default: ast.expr | None = None
    bound: bool = False

    @property
    def required(self) -> bool:
        """Whether a call must give it."""
        return self.default is None and self.kind not in ("star", "star_star")


def parameters_of(subject: Subject) -> tuple[Parameter, ...]:
    """Return what is left to give: without the bound instance and the arguments of a partial."""
    found = list(declared_parameters(subject.node.args))
    if subject.bound_first and found and found[0].kind in ("positional", "normal"):
        del found[0]
    for _ in range(subject.given):
        if found and found[0].kind in ("positional", "normal"):
            del found[0]
    if not subject.keywords:
        return tuple(found)
    return tuple(_after_keywords(found, subject))


def first_by_position(parameters: tuple[Parameter, ...]) -> tuple[Parameter, ...]:
    """Return the parameters with the first one positional-only, as `functools.singledispatch` makes it."""
    if not parameters or parameters[0].kind != "normal":
        return parameters
    return (replace(parameters[0], kind="positional"), *parameters[1:])


def _after_keywords(found: list[Parameter], subject: Subject) -> Iterator[Parameter]:
    """Yield the parameters of a partial with keyword arguments: those, and all after them, go by keyword."""
    by_keyword = False
    for one in found:
        given = subject.keywords.get(one.name) if one.kind in ("normal", "keyword") else None
        by_keyword = by_keyword or (given is not None and one.kind == "normal")
        if by_keyword and one.kind == "star":
            continue
        kind: Kind = "keyword" if by_keyword and one.kind == "normal" else one.kind
        default = given if given is not None else one.default
        yield Parameter(
            name=one.name,
            kind=kind,
            node=one.node,
            annotation=one.annotation,
            default=default,
            bound=given is not None,
        )


def declared_parameters(arguments: ast.arguments) -> tuple[Parameter, ...]:
    """Return every parameter of a `def` or `lambda`."""
    return tuple(_all(arguments))


def _all(arguments: ast.arguments) -> Iterator[Parameter]:
    by_position = [(each, "positional") for each in arguments.posonlyargs] + [
        (each, "normal") for each in arguments.args
    ]
    missing = len(by_position) - len(arguments.defaults)
    for position, (node, kind) in enumerate(by_position):
        default = arguments.defaults[position - missing] if position >= missing else None
        yield _parameter(node, "positional" if kind == "positional" else "normal", default)
    if arguments.vararg is not None:
        yield _parameter(arguments.vararg, "star", None)
    for node, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield _parameter(node, "keyword", default)
    if arguments.kwarg is not None:
        yield _parameter(arguments.kwarg, "star_star", None)


def _parameter(node: ast.arg, kind: Kind, default: ast.expr | None) -> Parameter:
    return Parameter(name=node.arg, kind=kind, node=node, annotation=node.annotation, default=default)
