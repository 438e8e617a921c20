"""The JSON form of a known value: the same form the running server gives to results of that type."""

from __future__ import annotations

import base64
import datetime as dt
import decimal
import fractions
import ipaddress
import math
import pathlib
import sys
import uuid
from collections.abc import Mapping
from typing import Any

from .constant_calls import RecordValue, Unevaluable
from .forms import MemberValue

LARGEST = int(sys.float_info.max)
"""The largest integer a schema states: parsers that read numbers as doubles refuse the whole document for a larger."""

_TEXT = (
    decimal.Decimal,
    fractions.Fraction,
    uuid.UUID,
    pathlib.PurePath,
    ipaddress.IPv4Address,
    ipaddress.IPv6Address,
    ipaddress.IPv4Network,
    ipaddress.IPv6Network,
)


def to_json(value: Any) -> Any:
    """Return the value as JSON; raise Unevaluable for NaN, infinities and values without a JSON form."""
    if value is None or isinstance(value, bool | int | float | str):
        return _as_is(value)
    if isinstance(value, MemberValue):
        return value.json
    if isinstance(value, RecordValue):
        return dict(value.fields)
    if isinstance(value, Mapping):
        return {_key(key): to_json(item) for key, item in value.items()}
    if isinstance(value, set | frozenset):
        return _sorted([to_json(item) for item in value])
    if isinstance(value, list | tuple) or type(value).__name__ == "deque":
        return [to_json(item) for item in value]
    return _scalar(value)


def _as_is(value: Any) -> Any:
    """Return a value that JSON has itself, unless there are clients that would refuse the whole schema for it."""
    if isinstance(value, int) and abs(value) > LARGEST:
        raise Unevaluable("a number that many clients cannot read")
    if isinstance(value, float) and not math.isfinite(value):
        raise Unevaluable("not a JSON number")
    if isinstance(value, str) and any("\ud800" <= character <= "\udfff" for character in value):
        raise Unevaluable("a text that is not Unicode")
    return value


def _scalar(value: Any) -> Any:
    if isinstance(value, bytes | bytearray):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, dt.datetime | dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, dt.timedelta):
        return duration(value)
    if isinstance(value, complex):
        return str(value).strip("()")
    if isinstance(value, _TEXT):
        return str(value)
    raise Unevaluable(type(value).__name__)


def duration(value: dt.timedelta) -> str:
    """Return an ISO 8601 duration: days and a time part, a sign in front of the whole."""
    sign = "-" if value < dt.timedelta(0) else ""
    value = abs(value)
    minutes, seconds = divmod(value.seconds, 60)
    hours, minutes = divmod(minutes, 60)
    fraction = f".{value.microseconds:06d}".rstrip("0") if value.microseconds else ""
    time = "".join((f"{hours}H" if hours else "", f"{minutes}M" if minutes else ""))
    if seconds or fraction:
        time += f"{seconds}{fraction}S"
    days = f"{value.days}D" if value.days else ""
    if not days and not time:
        return "PT0S"
    return f"{sign}P{days}" + (f"T{time}" if time else "")


def _key(key: Any) -> str:
    if isinstance(key, bool) or key is None:
        raise Unevaluable("a key that is no text")
    if isinstance(key, str):
        return key
    inner = to_json(key)
    if isinstance(inner, str | int):
        return str(inner)
    raise Unevaluable("a key that is no text")


def _sorted(items: list[Any]) -> list[Any]:
    try:
        return sorted(items)
    except TypeError:
        raise Unevaluable("a set that cannot be sorted") from None
