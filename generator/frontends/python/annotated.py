"""`Annotated[T, ...]`: each piece of metadata is read to constraints and laid over the form of `T`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from .constraints import read_metadata
from .forms import Constraints, Form, constrained, merge
from .reading import Reading, Scope
from .resolve import Defined

if TYPE_CHECKING:
    from collections.abc import Iterator

_MAX_ALIASES = 10  # names of names of metadata


def annotated_form(arguments: list[ast.expr], _: ast.expr, scope: Scope, reading: Reading) -> Form:
    """Return the form of `Annotated` with these arguments."""
    form = reading.form(arguments[0], scope.deeper())
    constraints = Constraints()
    for metadata in arguments[1:]:
        for value, where in expand(metadata, scope, reading):
            constraints = merge(constraints, read_metadata(value, where, reading))
    return constrained(form, constraints)


def expand(metadata: ast.expr, scope: Scope, reading: Reading) -> Iterator[tuple[ast.expr, Scope]]:
    """Return the metadata expressions a piece of metadata stands for: the value of a constant, the parts of `*NAME`."""
    if isinstance(metadata, ast.Starred):
        for value, where in expand(metadata.value, scope, reading):
            parts = value.elts if isinstance(value, ast.Tuple | ast.List) else [value]
            for part in parts:
                yield from expand(part, where, reading)
        return
    for _ in range(_MAX_ALIASES):
        if not isinstance(metadata, ast.Name | ast.Attribute):
            break
        found = reading.resolve(metadata, scope)
        if not isinstance(found, Defined) or found.binding.kind != "value" or found.binding.value is None:
            break
        metadata, scope = found.binding.value, Scope(module=found.module, owners=found.owners)
    yield metadata, scope
