"""Whether values of a type can be items of a set: what Python can never hash is refused when the server is built."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from .classes import class_decorator
from .fields import flag, outer
from .forms import (
    ArrayForm,
    ConstrainedForm,
    DictForm,
    Form,
    NamedForm,
    RecordDefinition,
    SubclassForm,
    TupleForm,
    UnionForm,
)

if TYPE_CHECKING:
    from .classes import ClassEntry, Lineage
    from .reading import Reading


def unhashable(form: Form, reading: Reading) -> str | None:
    """Return what makes every value of a form unhashable, None when there may be values that are not."""
    match form:
        case ArrayForm(kind="list" | "set" | "deque" as kind):
            return f"a {kind}"
        case ArrayForm(kind="tuple", item=item):
            return unhashable(item, reading)
        case TupleForm(prefix=prefix, suffix=suffix):
            return next((found for part in (*prefix, *suffix) if (found := unhashable(part, reading))), None)
        case DictForm():
            return "a dict"
        case ConstrainedForm(form=inner):
            return unhashable(inner, reading)
        case UnionForm(arms=arms):
            reasons = [unhashable(arm, reading) for arm in arms]
            return reasons[0] if all(reasons) else None
        case NamedForm(key=key):
            definition = reading.definition(key)
            unusable = isinstance(definition, RecordDefinition) and not definition.hashable
            return f"`{key.qualname}`" if unusable else None
        case SubclassForm():
            return None  # the class may have a hash of its own
    return None


def record_is_hashable(line: Lineage, reading: Reading, *, frozen: bool = False) -> bool:
    """Whether a class made by a dataclass-like decorator has a hash; `frozen` says what the decorator means bare."""
    for entry in line.entries:
        own = {each.name for each in entry.node.body if isinstance(each, ast.FunctionDef)}
        if "__hash__" in own:
            return True
        decorator = class_decorator(entry, reading)
        if decorator is None:
            if "__eq__" in own:
                return False
            continue
        given = {name: _given(decorator[1], name, entry, reading) for name in ("eq", "frozen", "unsafe_hash", "hash")}
        if given["unsafe_hash"] or given["hash"]:
            return True
        if given["eq"] is not False:
            return given["frozen"] if given["frozen"] is not None else frozen
    return True


def _given(decorator: ast.expr, name: str, entry: ClassEntry, reading: Reading) -> bool | None:
    """Return a flag of a decorator, None when it is not stated."""
    if not isinstance(decorator, ast.Call) or not any(one.arg == name for one in decorator.keywords):
        return None
    return flag(decorator, name, outer(entry), reading, default=False)
