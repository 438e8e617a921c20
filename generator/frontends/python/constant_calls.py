"""Calls whose result is known: constructors of values, containers, enumerations, and records with known arguments."""

from __future__ import annotations

import ast
import collections
import datetime as dt
import decimal
import fractions
import ipaddress
import math
import pathlib
import re
import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .forms import MISSING, DefinitionKey, MemberValue, NamedForm, RecordDefinition
from .reading import Reading, Scope
from .resolve import Defined, Known

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Unevaluable(Exception):  # an answer, not an error: the value is not known statically
    """The value of an expression cannot be known without running it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordValue:
    """A record made with known arguments: its JSON form by wire name."""

    key: DefinitionKey
    fields: Mapping[str, Any] = field(hash=False)


CONSTANTS: Mapping[str, Any] = {
    "math.pi": math.pi,
    "math.e": math.e,
    "math.tau": math.tau,
    "math.inf": math.inf,
    "math.nan": math.nan,
    "datetime.timezone.utc": dt.UTC,
    "datetime.UTC": dt.UTC,
    "datetime.date.min": dt.date.min,
    "datetime.date.max": dt.date.max,
    "datetime.datetime.min": dt.datetime.min,  # noqa: DTZ901 # the user wrote it without a time zone
    "datetime.datetime.max": dt.datetime.max,  # noqa: DTZ901 # the same
}
"""Attributes of known modules with a fixed value."""

_CALLS: Mapping[str, Callable[..., Any]] = {
    "builtins.int": int,
    "builtins.float": float,
    "builtins.str": str,
    "builtins.bool": bool,
    "builtins.bytes": bytes,
    "builtins.bytearray": bytearray,
    "builtins.complex": complex,
    "builtins.list": list,
    "builtins.tuple": tuple,
    "builtins.set": set,
    "builtins.frozenset": frozenset,
    "builtins.dict": dict,
    "builtins.len": len,
    "builtins.abs": abs,
    "builtins.round": round,
    "builtins.min": min,
    "builtins.max": max,
    "builtins.sorted": sorted,
    "collections.OrderedDict": collections.OrderedDict,
    "collections.deque": collections.deque,
    "collections.Counter": collections.Counter,
    "datetime.datetime": dt.datetime,
    "datetime.date": dt.date,
    "datetime.time": dt.time,
    "datetime.timedelta": dt.timedelta,
    "datetime.timezone": dt.timezone,
    "datetime.datetime.fromisoformat": dt.datetime.fromisoformat,
    "datetime.date.fromisoformat": dt.date.fromisoformat,
    "datetime.time.fromisoformat": dt.time.fromisoformat,
    "decimal.Decimal": decimal.Decimal,
    "fractions.Fraction": fractions.Fraction,
    "uuid.UUID": uuid.UUID,
    "pathlib.Path": pathlib.PurePosixPath,
    "pathlib.PosixPath": pathlib.PurePosixPath,
    "pathlib.PurePath": pathlib.PurePosixPath,
    "pathlib.PurePosixPath": pathlib.PurePosixPath,
    "pathlib.PureWindowsPath": pathlib.PureWindowsPath,
    "ipaddress.ip_address": ipaddress.ip_address,
    "ipaddress.ip_network": ipaddress.ip_network,
    "ipaddress.ip_interface": ipaddress.ip_interface,
    **{f"ipaddress.{kind.__name__}": kind for kind in (ipaddress.IPv4Address, ipaddress.IPv6Address)},
    **{f"ipaddress.{kind.__name__}": kind for kind in (ipaddress.IPv4Network, ipaddress.IPv6Network)},
    **{f"ipaddress.{kind.__name__}": kind for kind in (ipaddress.IPv4Interface, ipaddress.IPv6Interface)},
    "re.compile": lambda pattern: re.compile(pattern) and pattern,
    "zoneinfo.ZoneInfo": str,
    **{f"pydantic.{name}": str for name in ("AnyUrl", "HttpUrl", "AnyHttpUrl", "FileUrl")},
}
"""Constructors that only make a value from values; paths take the form they have on POSIX."""

_SIZED = (bytes, bytearray, list, tuple)
_MAX_SIZE = 100_000  # items of `bytes(n)`-like calls


def call_value(call: ast.Call, inner: Callable[[ast.expr], Any], scope: Scope, reading: Reading) -> Any:
    """Return the value of a call; raise Unevaluable unless the callable is known to only make a value."""
    found = reading.resolve(call.func, scope)
    if isinstance(found, Known) and found.name in _CALLS:
        arguments, keywords = _arguments(call, inner)
        function = _CALLS[found.name]
        if function in _SIZED and arguments and isinstance(arguments[0], int) and arguments[0] > _MAX_SIZE:
            raise Unevaluable("a large value")
        if any(isinstance(part, MemberValue | RecordValue) for part in arguments) and function not in {
            list,
            tuple,
            set,
            frozenset,
        }:
            raise Unevaluable("an object as an argument")
        return function(*arguments, **keywords)
    if isinstance(found, Defined):
        return _defined(found, call, inner, reading)
    raise Unevaluable("a call")


def _arguments(call: ast.Call, inner: Callable[[ast.expr], Any]) -> tuple[list[Any], dict[str, Any]]:
    if any(isinstance(part, ast.Starred) for part in call.args) or any(part.arg is None for part in call.keywords):
        raise Unevaluable("spread arguments")
    return [inner(part) for part in call.args], {part.arg: inner(part.value) for part in call.keywords if part.arg}


def _defined(found: Defined, call: ast.Call, inner: Callable[[ast.expr], Any], reading: Reading) -> Any:
    from .classes import class_form
    from .enums import enum_of

    if isinstance(found.binding.value, ast.Call) and len(call.args) == 1:
        made = reading.resolve(found.binding.value.func, Scope(module=found.module))
        if isinstance(made, Known) and made.name == "typing.NewType":
            return inner(call.args[0])
    if found.binding.kind != "class":
        raise Unevaluable(found.qualname)
    definition = enum_of(found, reading)
    arguments, keywords = _arguments(call, inner)
    if definition is not None:
        for name, json in definition.members:
            if len(arguments) == 1 and type(json) is type(arguments[0]) and json == arguments[0]:
                return MemberValue(key=definition.key, name=name, json=json)
        raise Unevaluable("no such member")
    form = class_form(found, None, call, Scope(module=found.module), reading)
    if isinstance(form, NamedForm):
        record = reading.definition(form.key)
        if isinstance(record, RecordDefinition):
            return _record(record, arguments, keywords)
    raise Unevaluable(found.qualname)


def _record(record: RecordDefinition, arguments: list[Any], keywords: dict[str, Any]) -> RecordValue:
    """Return a record's JSON form, with the defaults that are known; raise Unevaluable when the call would fail."""
    from .constant_json import to_json

    fields = [each for each in record.fields if each.in_input]
    positional = [each for each in fields if not each.keyword_only]
    if record.root is not None or len(arguments) > len(positional):
        raise Unevaluable("the arguments do not fit")
    given = {each.name: value for each, value in zip(positional, arguments, strict=False)}
    known = {each.name: each.name for each in fields} | {each.wire: each.name for each in fields}
    for name, value in keywords.items():
        if name not in known:
            raise Unevaluable("the arguments do not fit")
        given[known[name]] = value
    values: dict[str, Any] = {}
    for each in fields:
        if each.name in given:
            values[each.wire] = to_json(given[each.name])
        elif each.required and record.kind != "typeddict":
            raise Unevaluable("an argument is missing")
        elif each.default is not MISSING:
            values[each.wire] = each.default
    return RecordValue(key=record.key, fields=values)
