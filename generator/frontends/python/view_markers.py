"""The marker that a function would have which the settings make a view."""

from __future__ import annotations

import ast

from .decorators import OFFER_MARKERS

MARKER = next(name.rpartition(".")[2] for name, kind in OFFER_MARKERS.items() if kind == "view")


def marker_of(uri: str, node: ast.AST) -> ast.expr:
    """Return `@ui_resource(uri)` as an expression that stands where the function is defined."""
    made = ast.Call(func=ast.Name(id=MARKER, ctx=ast.Load()), args=[ast.Constant(value=uri)], keywords=[])
    for each in ast.walk(made):
        ast.copy_location(each, node)
    return made
