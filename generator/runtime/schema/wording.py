"""Say a problem in words: what is wrong, and what a right value would be."""

from __future__ import annotations

from ..wire.secret_signs import is_marked_secret
from .arrays import contains_bounds
from .kinds import kind, types_of
from .problems import printable, shown
from .strings import NO_LIMIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from .problems import Problem

MOST_LISTED = 12
"""Values or names a message lists before it says how many more there are."""
LONGEST_LISTED = 60
"""Characters of one listed value."""

MISSING, UNKNOWN, MISTYPED, BROKEN = "M-INP-004", "M-INP-005", "M-INP-006", "M-INP-007"

REASONS = {
    MISSING: "missing_required_argument",
    UNKNOWN: "unexpected_argument",
    MISTYPED: "type_mismatch",
    BROKEN: "constraint_violation",
}
"""Error codes and their reasons, as readers of the source systems know them (R023 to R026)."""


def code_of(problem: Problem) -> str:
    """Return the error code of a problem."""
    keyword = problem.keyword
    if keyword == "required":
        return MISSING
    if keyword in ("additionalProperties", "unevaluatedProperties") and problem.constraint is False:
        return UNKNOWN
    if keyword == "type" or (keyword in ("anyOf", "oneOf") and problem.names and isinstance(problem.constraint, list)):
        return MISTYPED
    return BROKEN


def constraint_of(problem: Problem) -> dict[str, Any]:
    """Return the broken keyword with what it asks for, as an object."""
    if problem.keyword in ("contains", "oneOf") and isinstance(problem.constraint, dict):
        return problem.constraint
    if problem.keyword in ("conversion", "schema", "depth", "false"):
        return {}
    return {problem.keyword: problem.constraint}


def message_of(problem: Problem) -> str:
    """Say what is wrong, without a full stop."""
    teller = MESSAGES.get(problem.keyword)
    if teller is not None:
        return teller(problem)
    return f"{_got(problem)} does not fit `{problem.keyword}`"


def _got(problem: Problem) -> str:
    """Describe the value, by its type alone if the schema says it is secret."""
    return kind(problem.value) if is_marked_secret(problem.schema) else shown(problem.value)


def _subject(problem: Problem) -> str:
    return "argument" if len(problem.path) == 1 else "member"


def _expected(problem: Problem) -> str:
    names = problem.names or types_of({"type": problem.constraint}) or ()
    return f"expected {either(names)}, got {_got(problem)}"


def either(names: Iterable[str]) -> str:
    """Join names with commas and `or`."""
    found = list(names)
    return found[0] if len(found) == 1 else f"{', '.join(found[:-1])} or {found[-1]}"


def literal(value: Any) -> str:
    """Write a schema's own JSON value for a sentence."""
    kind_of = kind(value)
    if kind_of == "string":
        text = f'"{printable(value)}"'
    elif kind_of in ("null", "boolean"):
        text = {None: "null", True: "true", False: "false"}[value]
    elif kind_of in ("array", "object"):
        from ..wire.jsonrpc import text as write

        text = write(value)
    else:
        text = str(value)
    return text if len(text) <= LONGEST_LISTED * 3 else text[: LONGEST_LISTED * 3 - 3] + "..."


def listed(values: Iterable[Any]) -> str:
    """Write a list of a schema's values, the first dozen."""
    found = list(values)
    text = ", ".join(map(literal, found[:MOST_LISTED]))
    return text if len(found) <= MOST_LISTED else f"{text} and {len(found) - MOST_LISTED} more"


def _compared(words: str) -> Callable[[Problem], str]:
    return lambda problem: f"{_got(problem)} is {words} {problem.constraint}"


def _sized(words: str, unit: str, wanted: str) -> Callable[[Problem], str]:
    def tell(problem: Problem) -> str:
        count = len(problem.value)
        verb = "is" if problem.constraint == 1 else "are"
        return f"has {plural(count, unit)}, {words} {problem.constraint} {verb} {wanted}"

    return tell


def plural(count: int, unit: str) -> str:
    """Write a count with its unit."""
    if unit == "property":
        return f"{count} {'property' if count == 1 else 'properties'}"
    return f"{count} {unit}{'' if count == 1 else 's'}"


def _contains(problem: Problem) -> str:
    low, high = contains_bounds(problem.constraint)
    most = "" if high == NO_LIMIT else f" and at most {high}"
    return f"needs at least {low}{most} {'item' if low == 1 else 'items'} of the kind that `contains` describes"


MESSAGES: dict[str, Callable[[Problem], str]] = {
    "type": _expected,
    "required": lambda problem: f"required {_subject(problem)} is missing",
    "additionalProperties": lambda problem: f"unknown {_subject(problem)}",
    "unevaluatedProperties": lambda problem: f"unknown {_subject(problem)}",
    "anyOf": lambda problem: _expected(problem) if problem.names else f"{_got(problem)} fits none of the alternatives",
    "oneOf": lambda problem: (
        f"{_got(problem)} fits {problem.names[0]} of the alternatives, exactly one is allowed"
        if isinstance(problem.constraint, dict)
        else MESSAGES["anyOf"](problem)
    ),
    "enum": lambda problem: f"{_got(problem)} is not one of the allowed values",
    "const": lambda problem: f"{_got(problem)} is not the one allowed value",
    "minimum": _compared("less than the minimum"),
    "maximum": _compared("more than the maximum"),
    "exclusiveMinimum": _compared("not more than"),
    "exclusiveMaximum": _compared("not less than"),
    "multipleOf": _compared("not a multiple of"),
    "minLength": _sized("at least", "character", "needed"),
    "maxLength": _sized("at most", "character", "allowed"),
    "minItems": _sized("at least", "item", "needed"),
    "maxItems": _sized("at most", "item", "allowed"),
    "minProperties": _sized("at least", "property", "needed"),
    "maxProperties": _sized("at most", "property", "allowed"),
    "pattern": lambda problem: f"{_got(problem)} does not match the pattern {literal(problem.constraint)}",
    "format": lambda problem: f"{_got(problem)} is not a valid {problem.constraint}",
    "contentEncoding": lambda problem: f"{_got(problem)} is not valid {problem.constraint}",
    "contentMediaType": lambda problem: f"{_got(problem)} is not valid {problem.constraint}",
    "uniqueItems": lambda problem: f"{_got(problem)} has items that are equal",
    "items": lambda problem: f"{_got(problem)} has too many items",
    "unevaluatedItems": lambda _: "this item is one too many",
    "contains": _contains,
    "not": lambda problem: f"{_got(problem)} is a value that is not allowed",
    "propertyNames": lambda _: "the name of this member is not allowed",
    "dependentRequired": lambda problem: (
        f'{_subject(problem)} is missing; it is needed because "{printable(problem.names[0])}" is given'
    ),
    "false": lambda _: "no value is allowed here",
    "depth": lambda _: "the value is nested too deeply",
    "schema": lambda problem: f"{_got(problem)} does not fit the schema",
    "conversion": lambda problem: str(problem.constraint).rstrip("."),
}
"""How the problem of each keyword is told."""
