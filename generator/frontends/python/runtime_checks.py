"""Constraints that a schema cannot say and the running server checks on the converted value.

Bounds on dates and times, bounds of a Decimal (which may come as text), lengths of bytes (which come as base64), bounds
on the keys of a mapping, and whether a time has a zone.
"""

from __future__ import annotations

import datetime as dt
import decimal
import fractions
from typing import TYPE_CHECKING, Any

from .constant_json import to_json
from .contents import arms_of
from .forms import ConstrainedForm, Constraints, Form, ScalarForm, SubclassForm

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_WORDS: Mapping[str, str] = {
    "ge": "must be at least {}",
    "gt": "must be more than {}",
    "le": "must be at most {}",
    "lt": "must be less than {}",
    "multiple_of": "must be a multiple of {}",
    "min_length": "must have at least {} bytes",
    "max_length": "must have at most {} bytes",
}
BOUNDS = frozenset({"ge", "gt", "le", "lt", "multiple_of"})
LENGTHS = frozenset({"min_length", "max_length"})
_BYTES = frozenset({"builtins.bytes", "builtins.bytearray"})
_NUMBERS = frozenset({"builtins.int", "builtins.float", "numbers.Integral", "numbers.Real", "numbers.Number"})
_ZONES: Mapping[str, str] = {"none": "must be without a time zone", "any": "must have a time zone"}
_ATOMS: tuple[tuple[type, str], ...] = (
    (dt.datetime, "datetime"),  # a datetime is a date, too
    (dt.date, "date"),
    (dt.time, "time"),
    (dt.timedelta, "timedelta"),
    (decimal.Decimal, "decimal"),
    (fractions.Fraction, "fraction"),
)


def scalar_kinds(form: Form) -> frozenset[str]:
    """Return the kinds of the scalars among the arms of a form."""
    found: set[str] = set()
    for arm in arms_of(form):
        inner: Form = arm
        while isinstance(inner, ConstrainedForm | SubclassForm):
            inner = inner.form
        if isinstance(inner, ScalarForm):
            found.add(inner.kind)
    return frozenset(found)


def runtime_checks(form: Form, constraints: Constraints, *, as_key: bool = False) -> tuple[dict[str, Any], ...]:
    """Return the bodies of the `check` conversions that constraints on a form need; `as_key` for a mapping's key."""
    return tuple(_checks(scalar_kinds(form), constraints, as_key=as_key))


def _checks(kinds: frozenset[str], constraints: Constraints, *, as_key: bool) -> Iterator[dict[str, Any]]:
    exact = dict(constraints.bounds)
    stated = dict(constraints.keywords)
    for meaning, value in stated.items():
        if meaning in LENGTHS and kinds & _BYTES:
            yield _bound(meaning, value)
        elif meaning in BOUNDS and "decimal.Decimal" in kinds:
            yield _bound(meaning, exact.get(meaning, decimal.Decimal(str(value))))
        elif meaning in BOUNDS and as_key and kinds & _NUMBERS:
            yield _bound(meaning, value)
    for meaning, value in exact.items():
        if meaning == "zone":
            yield {"zone": value, "say": _ZONES.get(value, f"must be in the time zone {value}")}
        elif meaning not in stated:
            yield _bound(meaning, value)
    digits = [stated.get("max_digits"), stated.get("decimal_places")]
    if "decimal.Decimal" in kinds and any(each is not None for each in digits):
        yield {"digits": digits, "say": _digits(*digits)}


def _bound(meaning: str, value: Any) -> dict[str, Any]:
    atom = next((name for kind, name in _ATOMS if isinstance(value, kind)), None)
    limit = to_json(value)
    return {"bound": [meaning, limit, atom], "say": _WORDS[meaning].format(limit)}


def _digits(most: int | None, places: int | None) -> str:
    parts = [
        f"at most {most} digits" if most is not None else "",
        f"at most {places} digits after the point" if places is not None else "",
    ]
    return f"must have {', '.join(part for part in parts if part)}"
