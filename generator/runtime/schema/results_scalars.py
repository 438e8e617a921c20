"""Handlers for values that become one JSON scalar."""

from __future__ import annotations

from .durations import format_duration
from .exception_text import type_name
from .results_problem import ResultProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .results_walk import Walk


def null(_value: Any, _walk: Walk) -> None:
    """Give null: NaT and NA stand for "no value"."""


def flag(value: Any, walk: Walk) -> Any:
    """Give a flag's bits."""
    return walk.convert(int(value.value))


def enum_member(value: Any, walk: Walk) -> Any:
    """Give a member's value, or its name when not all values of the enumeration are JSON scalars."""
    if all(map(_is_scalar, (member.value for member in type(value).__members__.values()))):
        return walk.convert(value.value)
    return walk.convert(value.name)


def plain_text(value: Any, walk: Walk) -> Any:
    """Give the characters of a subclass of str."""
    return walk.convert(str.__str__(value))


def plain_integer(value: Any, walk: Walk) -> Any:
    """Give the digits of a subclass of int."""
    return walk.convert(int.__int__(value))


def plain_number(value: Any, walk: Walk) -> Any:
    """Give the number of a subclass of float."""
    return walk.convert(float.__float__(value))


def as_text(value: Any, walk: Walk) -> Any:
    """Give str(value), for classes whose text is their wire form."""
    return walk.convert(str(value))


def decimal(value: Any, walk: Walk) -> Any:
    """Give a Decimal's digits as a string, so that none is lost."""
    if not value.is_finite():
        raise ResultProblem("not-json-number", "the Decimal is not a finite number")
    return walk.convert(str(value))


def complex_number(value: Any, walk: Walk) -> Any:
    """Give `1+2j`, without Python's parentheses."""
    return walk.convert(str(complex(value)).strip("()"))


def isoformat(value: Any, walk: Walk) -> Any:
    """Give the ISO 8601 text of a date, a time or both."""
    return walk.convert(value.isoformat())


def timedelta(value: Any, _walk: Walk) -> str:
    """Give an ISO 8601 duration."""
    return format_duration(value)


def binary(value: Any, _walk: Walk) -> str:
    """Give base64 with padding (RFC 4648 §4)."""
    from binascii import b2a_base64

    return b2a_base64(bytes(value), newline=False).decode("ascii")


def path(value: Any, walk: Walk) -> Any:
    """Give a path's text, separators as they are."""
    from os import fspath

    found = fspath(value)
    if isinstance(found, bytes):
        found = found.decode()
    return walk.convert(found)


def pattern(value: Any, walk: Walk) -> Any:
    """Give the source of a regular expression."""
    source = value.pattern
    return walk.convert(source.decode() if isinstance(source, bytes) else source)


def _is_scalar(value: Any) -> bool:
    if isinstance(value, float):
        return value - value == 0
    return value is None or isinstance(value, (str, int))


def unknown(value: Any) -> ResultProblem:
    """Return the problem of a value that has no JSON form; it names the class, never the value or its address."""
    return ResultProblem("not-serialisable", f"{type_name(type(value))} has no JSON form")
