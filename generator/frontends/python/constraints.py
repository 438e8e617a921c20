"""Metadata of `Annotated`, and descriptors like `Field(...)`, read to `Constraints`.

Keywords are kept by meaning (`ge`, `min_length`, …); `constraint_keywords.py` turns them into JSON Schema keywords.
 What only a run could check becomes a `Check`; what is somebody else's metadata is left alone, as PEP 593 asks.
"""

from __future__ import annotations

import ast
import datetime as dt
import decimal
import fractions
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .constants import Unevaluable, evaluate
from .constraint_keywords import PARAM_OPTIONS
from .ecma_patterns import Untranslatable, to_ecma
from .forms import Check, Constraints
from .reading import Reading, Scope, note
from .resolve import Defined, Known

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_BOUNDS = {"Gt": "gt", "Ge": "ge", "Lt": "lt", "Le": "le", "MultipleOf": "multiple_of"}
_LENGTHS = {"MinLen": "min_length", "MaxLen": "max_length"}
_RENAMED = {"min_items": "min_length", "max_items": "max_length", "regex": "pattern", "allow_inf_nan": "", "strict": ""}
_ASSERTIONS = frozenset(
    [
        "gt",
        "ge",
        "lt",
        "le",
        "multiple_of",
        "min_length",
        "max_length",
        "pattern",
        "unique_items",
        "format",
        "max_digits",
        "decimal_places",
    ]
)
_COUNTS = frozenset({"min_length", "max_length", "max_digits", "decimal_places"})
_VALIDATORS = frozenset(
    ["BeforeValidator", "AfterValidator", "PlainValidator", "WrapValidator", "PlainSerializer", "WrapSerializer"]
)
_PREPARE = {"strip_whitespace": "strip", "to_lower": "lower", "to_upper": "upper"}
_FIELD_LIKE = frozenset(
    {"pydantic.Field", "pydantic.StringConstraints", "msgspec.Meta", "mcpgen.Param", "annotated_types.Interval"}
)

PREDICATES: Mapping[str, tuple[str, bool]] = {
    "LowerCase": ("builtins:str.islower", False),
    "UpperCase": ("builtins:str.isupper", False),
    "IsDigit": ("builtins:str.isdigit", False),
    "IsDigits": ("builtins:str.isdigit", False),
    "IsAscii": ("builtins:str.isascii", False),
    "IsFinite": ("math:isfinite", False),
    "IsNotFinite": ("math:isfinite", True),
    "IsNan": ("math:isnan", False),
    "IsNotNan": ("math:isnan", True),
    "IsInfinite": ("math:isinf", False),
    "IsNotInfinite": ("math:isinf", True),
}
"""annotated_types' ready-made types (`LowerCase[str]`): the predicate each stands for, and whether it must not hold."""


def read_metadata(expression: ast.expr, scope: Scope, reading: Reading) -> Constraints:
    """Return the constraints one piece of metadata states; none for metadata of others."""
    if isinstance(expression, ast.Constant) and isinstance(expression.value, str):
        return Constraints(description=expression.value)
    if not isinstance(expression, ast.Call):
        return Constraints()
    found = reading.resolve(expression.func, scope)
    if not isinstance(found, Known):
        return Constraints()
    module, _, name = found.name.rpartition(".")
    if found.name in _FIELD_LIKE:
        return read_descriptor(expression, scope, reading, found.name)
    if module == "annotated_types":
        return _annotated_types(name, expression, scope, reading)
    if name == "Doc":
        return Constraints(description=_text(_argument(expression, 0, "documentation"), scope, reading))
    if module == "pydantic" and name == "WithJsonSchema":
        schema = _value(_argument(expression, 0, "json_schema"), scope, reading)
        return Constraints(schema=schema) if isinstance(schema, dict) else Constraints()
    if module == "pydantic" and name in _VALIDATORS:
        message = f"pydantic's {name} is not run for the parameters of a function"
        return Constraints(notes=(note("runtime-only-constraint", message, scope.module.span(expression)),))
    return Constraints()


def read_descriptor(call: ast.Call, scope: Scope, reading: Reading, name: str) -> Constraints:
    """Return the constraints a `Field(...)`-like call states: by keyword, and pydantic's default by position."""
    return _Descriptor(scope, reading, name).read(call)


def _annotated_types(name: str, call: ast.Call, scope: Scope, reading: Reading) -> Constraints:
    if name in _BOUNDS or name in _LENGTHS:
        key = _BOUNDS.get(name) or _LENGTHS[name]
        value = _value(_argument(call, 0, key), scope, reading)
        return _keywords({key: value}, call, scope)
    if name == "Len":
        low = _value(_argument(call, 0, "min_length"), scope, reading)
        high = _value(_argument(call, 1, "max_length"), scope, reading)
        return _keywords({"min_length": low or None, "max_length": high}, call, scope)
    if name == "Predicate":
        return _predicate(_argument(call, 0, "func"), call, scope, reading)
    if name == "doc":
        return Constraints(description=_text(_argument(call, 0, "documentation"), scope, reading))
    return _zone(call, scope, reading) if name == "Timezone" else Constraints()


def _zone(call: ast.Call, scope: Scope, reading: Reading) -> Constraints:
    """`Timezone(None)` wants none, `Timezone(...)` any, `Timezone("UTC")` that one."""
    given = _argument(call, 0, "tz")
    any_zone = isinstance(given, ast.Constant) and given.value is ...
    value = "any" if any_zone else _value(given, scope, reading)
    name = "none" if value is None else str(value) if value is dt.UTC or isinstance(value, str) else None
    if name is None:
        message = "the time zone cannot be read statically; the constraint is left out"
        return Constraints(notes=(note("runtime-only-constraint", message, scope.module.span(call)),))
    message = "the time zone is checked when the tool is called; the schema cannot say it"
    said = note("runtime-only-constraint", message, scope.module.span(call))
    return Constraints(bounds=(("zone", name),), notes=(said,))


def _predicate(function: ast.expr | None, call: ast.Call, scope: Scope, reading: Reading) -> Constraints:
    span = scope.module.span(call)
    negate = isinstance(function, ast.Call) and _called(function, scope, reading) == "annotated_types.Not"
    if isinstance(function, ast.Call) and negate:
        function = _argument(function, 0, "func")
    target = predicate_target(function, scope, reading) if function is not None else None
    if target is None or function is None:
        message = "a predicate that is no named function of a module cannot be checked"
        return Constraints(notes=(note("runtime-only-constraint", message, span),))
    name = ast.unparse(function)
    message = f"`{name}` is checked when the tool is called; the schema cannot say it"
    return Constraints(
        checks=(Check(say=f"must {'not ' if negate else ''}satisfy {name}", target=target, negate=negate),),
        notes=(note("runtime-only-constraint", message, span),),
    )


def _called(call: ast.Call, scope: Scope, reading: Reading) -> str | None:
    found = reading.resolve(call.func, scope)
    return found.name if isinstance(found, Known) else None


def predicate_target(function: ast.expr, scope: Scope, reading: Reading) -> tuple[str, str] | None:
    """Return the module and qualified name of a function, None when it has none."""
    found = reading.resolve(function, scope)
    if isinstance(found, Known):
        module, _, name = found.name.rpartition(".")
        if module.startswith("builtins."):
            return "builtins", f"{module.removeprefix('builtins.')}.{name}"
        return module, name
    if isinstance(found, Defined) and found.binding.kind in {"function", "class", "value"}:
        return found.module.name, found.qualname
    return None


class _Descriptor:
    """Reads the keywords of one call."""

    __slots__ = ("_name", "_reading", "_scope")

    def __init__(self, scope: Scope, reading: Reading, name: str) -> None:
        self._scope = scope
        self._reading = reading
        self._name = name

    def read(self, call: ast.Call) -> Constraints:
        result = Constraints()
        assertions: dict[str, Any] = {}
        for keyword in call.keywords:
            if keyword.arg is None:
                continue
            if self._name == "mcpgen.Param" and keyword.arg not in PARAM_OPTIONS:
                said = note(
                    "marker-argument", f"`Param` has no option `{keyword.arg[:60]}`", self._scope.module.span(keyword)
                )
                result = replace(result, notes=(*result.notes, said))
                continue
            name = _RENAMED.get(keyword.arg, keyword.arg)
            if name in _ASSERTIONS:
                assertions[name] = _value(keyword.value, self._scope, self._reading)
            elif name in _PREPARE:
                if _value(keyword.value, self._scope, self._reading) is True:
                    result = replace(result, prepare=(*result.prepare, _PREPARE[name]))
            elif name in _SETTERS:
                result = _SETTERS[name](result, keyword.value, self._scope, self._reading)
        if call.args and self._name == "pydantic.Field":
            result = _default(result, call.args[0], self._scope, self._reading)
        stated = _keywords(assertions, call, self._scope, translated=self._name != "mcpgen.Param")
        return replace(result, keywords=stated.keywords, bounds=stated.bounds, notes=result.notes + stated.notes)


def _keywords(values: Mapping[str, Any], call: ast.Call, scope: Scope, *, translated: bool = True) -> Constraints:
    """Constraints of these assertions, without what cannot be stated: None, infinities, values that are not known."""
    stated: dict[str, Any] = {}
    bounds: list[tuple[str, Any]] = []
    notes = []
    for key, value in values.items():
        if value is None or (isinstance(value, float) and math.isinf(value)):
            continue
        if value is _UNKNOWN or (isinstance(value, float) and math.isnan(value)):
            message = f"the value of `{key}` cannot be read statically; the constraint is left out"
            notes.append(note("runtime-only-constraint", message, scope.module.span(call)))
            continue
        problem = _unusable(key, value)
        if problem is not None:
            notes.append(note("inapplicable-constraint", f"{problem}; it is left out", scope.module.span(call)))
            continue
        number = _as_number(value)
        if key in _BOUNDS.values() and not isinstance(value, int | float):
            bounds.append((key, value))
            if not isinstance(value, decimal.Decimal):
                message = f"`{key}` is checked when the tool is called; the schema cannot say it"
                notes.append(note("runtime-only-constraint", message, scope.module.span(call)))
                continue
        if key == "pattern" and isinstance(number, str) and translated:
            try:
                number = to_ecma(number)
            except Untranslatable as problem:
                message = f"the pattern is left out, JSON Schema cannot say it: {problem}"
                notes.append(note("untranslatable-pattern", message, scope.module.span(call)))
                continue
        stated[key] = number
    return Constraints(keywords=tuple(stated.items()), bounds=tuple(bounds), notes=tuple(notes))


_COMPARABLE = (int, float, decimal.Decimal, fractions.Fraction, dt.date, dt.time, dt.timedelta)


def _unusable(key: str, value: Any) -> str | None:
    """Return why an assertion cannot hold for anything, None when it can."""
    is_number = isinstance(value, int | float | decimal.Decimal) and not isinstance(value, bool)
    if key == "multiple_of" and not (is_number and value > 0):
        return "`multiple_of` is not a positive number"
    if key in _BOUNDS.values() and (isinstance(value, bool) or not isinstance(value, _COMPARABLE)):
        return f"`{key}` is a {type(value).__name__}, with which nothing is compared"
    if key in _COUNTS and not (isinstance(value, int) and is_number and value >= 0):
        return f"`{key}` is not a count"
    if key in {"pattern", "format"} and not isinstance(value, str):
        return f"`{key}` is not a text"
    return None


def _as_number(value: Any) -> Any:
    """Return a Decimal as the JSON number it is, any other value unchanged."""
    if isinstance(value, decimal.Decimal):
        return int(value) if value == int(value) else float(value)
    return value


def _default(result: Constraints, value: ast.expr, scope: Scope, reading: Reading) -> Constraints:
    """Pydantic's default: `...` means there is none."""
    if isinstance(value, ast.Constant) and value.value is ...:
        return result
    from .constants import json_default

    return replace(result, has_default=True, default=json_default(value, scope, reading))


def _set_text(name: str) -> Callable[[Constraints, ast.expr, Scope, Reading], Constraints]:
    def setter(result: Constraints, value: ast.expr, scope: Scope, reading: Reading) -> Constraints:
        text = _text(value, scope, reading)
        changes: dict[str, Any] = {name: text} if text is not None else {}
        return replace(result, **changes)

    return setter


def _set_validation_alias(result: Constraints, value: ast.expr, scope: Scope, reading: Reading) -> Constraints:
    """`AliasChoices("a", "b")` takes any of its names; the first is the one that is advertised."""
    if isinstance(value, ast.Call) and _called(value, scope, reading) == "pydantic.AliasChoices":
        names = [text for part in value.args if (text := _text(part, scope, reading)) is not None]
        return replace(result, validation_alias=names[0]) if names else result
    text = _text(value, scope, reading)
    return replace(result, validation_alias=text) if text is not None else result


def _set_examples(result: Constraints, value: ast.expr, scope: Scope, reading: Reading) -> Constraints:
    from .constants import json_default
    from .forms import MISSING

    examples = json_default(value, scope, reading)
    return (
        replace(result, examples=tuple(examples)) if examples is not MISSING and isinstance(examples, list) else result
    )


def _set_extra(result: Constraints, value: ast.expr, scope: Scope, reading: Reading) -> Constraints:
    extra = _value(value, scope, reading)
    return replace(result, extra=(*result.extra, *extra.items())) if isinstance(extra, dict) else result


def _set_header(result: Constraints, value: ast.expr, scope: Scope, reading: Reading) -> Constraints:
    header = _text(value, scope, reading)
    return replace(result, extra=(*result.extra, ("x-mcp-header", header))) if header else result


def _set_deprecated(result: Constraints, value: ast.expr, scope: Scope, reading: Reading) -> Constraints:
    stated = _value(value, scope, reading)
    return replace(result, deprecated=True) if stated not in (None, False) else result


def _set_exclude(result: Constraints, value: ast.expr, scope: Scope, reading: Reading) -> Constraints:
    return replace(result, exclude=_value(value, scope, reading) is True)


def _set_factory(result: Constraints, _: ast.expr, __: Scope, ___: Reading) -> Constraints:
    return replace(result, has_default=True)


_SETTERS: Mapping[str, Callable[[Constraints, ast.expr, Scope, Reading], Constraints]] = {
    **{name: _set_text(name) for name in ("title", "description", "alias", "serialization_alias")},
    "validation_alias": _set_validation_alias,
    "examples": _set_examples,
    "json_schema_extra": _set_extra,
    "extra_json_schema": _set_extra,
    "schema": _set_extra,
    "header": _set_header,
    "deprecated": _set_deprecated,
    "exclude": _set_exclude,
    "default": _default,
    "default_factory": _set_factory,
}

_UNKNOWN = object()


def _argument(call: ast.Call, position: int, keyword: str) -> ast.expr | None:
    for given in call.keywords:
        if given.arg == keyword:
            return given.value
    return call.args[position] if position < len(call.args) else None


def _value(expression: ast.expr | None, scope: Scope, reading: Reading) -> Any:
    """Return the value of an argument, None when it is absent, `_UNKNOWN` when it cannot be read."""
    if expression is None:
        return None
    try:
        return evaluate(expression, scope, reading)
    except Unevaluable:
        return _UNKNOWN


def _text(expression: ast.expr | None, scope: Scope, reading: Reading) -> str | None:
    value = _value(expression, scope, reading)
    return value if isinstance(value, str) else None
