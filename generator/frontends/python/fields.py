"""What all record readers share: annotated fields of a class body, qualifiers, documentation, defaults."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from .constants import Unevaluable, evaluate, json_default
from .docstrings import parse_docstring, raw_docstring
from .form_parts import accepts_none, nullable
from .forms import MISSING, ConstrainedForm, Constraints, Form, RefusedForm, constrained
from .quoted import parse_quoted
from .reading import Reading, Scope, note
from .resolve import Known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .classes import ClassEntry

QUALIFIERS = frozenset(
    {
        "typing.ClassVar",
        "typing.Final",
        "typing.Required",
        "typing.NotRequired",
        "typing.ReadOnly",
        "dataclasses.InitVar",
        "dataclasses.KW_ONLY",
    }
)
_MAX_QUALIFIERS = 6  # nested in one annotation


def annotated_fields(entry: ClassEntry) -> Iterator[tuple[str, ast.AnnAssign]]:
    """Return the annotated assignments of a class body, in order."""
    for statement in entry.node.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            yield statement.target.id, statement


def mangled(name: str, owner: ast.ClassDef) -> str:
    """Return the name that a private name of a class body, `__x`, has outside of it."""
    if not name.startswith("__") or name.endswith("__"):
        return name
    return f"_{owner.name.lstrip('_')}{name}"


def optional_by_default(form: Form, default: ast.expr | None, name: str, scope: Scope) -> Form:
    """Return the form with null accepted when the default is None and the annotation does not say so (rule 1)."""
    is_none = isinstance(default, ast.Constant) and default.value is None
    if not is_none or accepts_none(form) or isinstance(form, RefusedForm):
        return form
    span = scope.module.span(default) if default is not None else None
    message = f"the default of `{name}` is None; null is accepted"
    said = note("implicit-optional", message, span, hint=f"Write `{name}: ... | None = None`.")
    return constrained(nullable(form), Constraints(notes=(said,)))


def qualifiers(annotation: ast.expr, scope: Scope, reading: Reading) -> frozenset[str]:
    """Return the qualifiers an annotation carries (`ClassVar`, `Required` …), also inside `Annotated` and strings."""
    names: set[str] = set()
    node: ast.expr | None = annotation
    for _ in range(_MAX_QUALIFIERS):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node = parse_quoted(node, node.value, scope.module)
        base = node.value if isinstance(node, ast.Subscript) else node
        found = reading.resolve(base, scope) if isinstance(base, ast.expr) else None
        if not isinstance(found, Known) or (found.name not in QUALIFIERS and found.name != "typing.Annotated"):
            break
        names.add(found.name)
        if not isinstance(node, ast.Subscript):
            break
        node = node.slice.elts[0] if isinstance(node.slice, ast.Tuple) and node.slice.elts else node.slice
    return frozenset(names & QUALIFIERS)


def class_description(node: ast.ClassDef) -> str | None:
    """Return the class's docstring without its sections."""
    return parse_docstring(raw_docstring(node)).description or None


def field_texts(node: ast.ClassDef) -> dict[str, str]:
    """Return what is said about fields: `Attributes:` and `Args:` sections, and the string below a field."""
    documentation = parse_docstring(raw_docstring(node))
    texts = {**documentation.parameters, **documentation.attributes}
    for before, after in zip(node.body, node.body[1:], strict=False):
        target: ast.expr | None = before.target if isinstance(before, ast.AnnAssign) else None
        if isinstance(before, ast.Assign) and len(before.targets) == 1:
            target = before.targets[0]
        if isinstance(target, ast.Name) and isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            text = after.value.value
            if isinstance(text, str):
                texts[target.id] = parse_docstring(text).description
    return texts


def stated(form: Form) -> Constraints:
    """Return the constraints at the top of a form; none for a form without."""
    return form.constraints if isinstance(form, ConstrainedForm) else Constraints()


def keyword(call: ast.Call, name: str) -> ast.expr | None:
    """Return the value of a keyword argument in a call."""
    return next((given.value for given in call.keywords if given.arg == name), None)


def flag(call: ast.Call, name: str, scope: Scope, reading: Reading, *, default: bool) -> bool:
    """Return the value of a boolean keyword argument."""
    value = keyword(call, name)
    if value is None:
        return default
    try:
        return bool(evaluate(value, scope, reading))
    except Unevaluable:
        return default


def metadata_description(call: ast.Call, scope: Scope, reading: Reading) -> str | None:
    """Return a description in `metadata={"description": ...}` or `doc=`."""
    for name, key in (("metadata", "description"), ("doc", None)):
        value = keyword(call, name)
        found: Any = json_default(value, scope, reading) if value is not None else MISSING
        text = found.get(key) if isinstance(found, dict) else found
        if isinstance(text, str):
            return text
    return None


def outer(entry: ClassEntry) -> Scope:
    """Return the scope around a class: where its decorators, bases and keywords stand."""
    return Scope(module=entry.found.module, owners=entry.found.owners)
