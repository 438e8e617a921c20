"""Kinds of values a setting may have: each has its JSON Schema, and says why a value is not of it."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ..ir.names import package_problem, server_problem

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

MAX_SCHEMA_DEPTH = 64
"""Levels of an `input_schema` written in TOML; deeper ones are a mistake or an attack."""

MAX_SHOWN_NUMBER = 10**12
"""Numbers below this are shown in messages."""

_ADDRESS = re.compile(r"https?://[!-\"$->@-~]+", re.ASCII | re.IGNORECASE)
_METHOD = re.compile(r"[A-Za-z][A-Za-z-]*", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of value: its JSON Schema, and the function that says why a value is not of it (None: it is)."""

    schema: Mapping[str, object]
    problem: Callable[[object], str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table with fixed keys; with `named` also keys that the user chose, of those that `named_pattern` finds."""

    fields: Mapping[str, Kind | Table | Named]
    required: tuple[str, ...] = ()
    description: str = ""
    named: Named | None = None
    named_pattern: str = ""

    def field(self, key: str) -> Kind | Table | Named | None:
        """Return the shape of what stands under a key, None for a key that is not known."""
        if key not in self.fields and self.named is not None and re.search(self.named_pattern, key):
            return self.named.item
        return self.fields.get(key)


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A table whose keys are names the user chose; each value is a table of the same shape."""

    item: Table
    description: str = ""


def described(value: object) -> str:
    """Return what a TOML value is, in a few words; never the value itself, unless it is a short number."""
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < MAX_SHOWN_NUMBER:
        return str(value)
    names: tuple[tuple[type, str], ...] = (
        (bool, "a boolean"), (int, "an integer"), (float, "a number"), (str, "a string"), (list, "an array"),
        (dict, "a table"),
    )  # fmt: skip
    return next((name for kind, name in names if isinstance(value, kind)), "a date or time")


def _of(wanted: str, accepts: Callable[[object], bool], schema: Mapping[str, object]) -> Kind:
    def problem(value: object) -> str | None:
        if accepts(value):
            return None
        found = described(value)
        return f"must be {wanted}" if wanted.startswith(found) else f"must be {wanted}, not {found}"

    return Kind(schema=schema, problem=problem)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_text_list(value: object) -> bool:
    return isinstance(value, list) and all(_is_text(item) for item in value)


def _is_integer(value: object, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def choice(*values: str | bool) -> Kind:
    """Return the kind of a value that is one of these."""
    shown = ", ".join(f'"{value}"' if isinstance(value, str) else str(value).lower() for value in values)

    def problem(value: object) -> str | None:
        matches = any(value == allowed and type(value) is type(allowed) for allowed in values)
        return None if matches else f"must be one of {shown}"

    return Kind(schema={"enum": list(values)}, problem=problem)


def choices(*values: str) -> Kind:
    """Return the kind of an array of any of these."""
    shown = ", ".join(f'"{value}"' for value in values)

    def problem(value: object) -> str | None:
        matches = isinstance(value, list) and all(isinstance(item, str) and item in values for item in value)
        return None if matches else f"must be an array of {shown}"

    return Kind(schema={"type": "array", "items": {"enum": list(values)}}, problem=problem)


def is_method(text: str) -> bool:
    """Return whether a text can be an HTTP method, in either case."""
    return _METHOD.fullmatch(text) is not None


def checked_text(check: Callable[[str], str | None], schema: Mapping[str, object]) -> Kind:
    """Return the kind of a string that a check has nothing against."""

    def problem(value: object) -> str | None:
        if not isinstance(value, str):
            return f"must be a string, not {described(value)}"
        reason = check(value)
        return None if reason is None else f"is not acceptable: {reason}"

    return Kind(schema={"type": "string", **schema}, problem=problem)


def pattern_text(pattern: str, wanted: str) -> Kind:
    """Return the kind of a string that is wholly of a pattern; `wanted` says what that is."""
    compiled = re.compile(pattern, re.ASCII)
    anchored = f"^{pattern}$"
    return checked_text(
        lambda text: None if compiled.fullmatch(text) else f"it must be {wanted}", {"pattern": anchored}
    )


def _json_problem(value: object, depth: int = 0) -> str | None:
    """Return why a TOML value has no JSON form: dates, infinities, NaN, too many levels."""
    if depth > MAX_SCHEMA_DEPTH:
        return f"is nested more than {MAX_SCHEMA_DEPTH} levels deep"
    if isinstance(value, dict):
        return next(filter(None, (_json_problem(item, depth + 1) for item in value.values())), None)
    if isinstance(value, list):
        return next(filter(None, (_json_problem(item, depth + 1) for item in value)), None)
    if isinstance(value, bool | str) or _is_number(value):
        return None
    return "contains a value without a JSON form (a date, a time, an infinity or NaN)"


def _schema_problem(value: object) -> str | None:
    return (
        _json_problem(value)
        if isinstance(value, dict)
        else f"must be a table holding a JSON Schema, not {described(value)}"
    )


def frozen(value: Any) -> Any:
    """Return a checked value as settings keep it: an array as a tuple."""
    return tuple(value) if isinstance(value, list) else value


def _values_problem(value: object) -> str | None:
    return _json_problem(value) if isinstance(value, dict) else f"must be a table of values, not {described(value)}"


def address_problem(text: str) -> str | None:
    """Return why a text cannot be the base URL of an API, or None: http(s), a host, no user, query or fragment."""
    if not _ADDRESS.fullmatch(text):
        return "it must be an http or https URL without spaces, a query or a fragment"
    return authority_problem(text)


def authority_problem(url: str, *, instead: str = "") -> str | None:
    """Return why the host of a URL cannot be asked, or None; `instead` says how else a user is told."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return "its host or port is malformed"
    if "@" in parts.netloc:
        return f"it must not hold a user or a password{instead}"
    return None if host else "it has no host"


TEXT = _of("a string that is not empty", _is_text, {"type": "string", "pattern": r"\S"})
PLAIN = _of("a string", lambda value: isinstance(value, str), {"type": "string"})
FLAG = _of("true or false", lambda value: isinstance(value, bool), {"type": "boolean"})
SECONDS = _of("a number above 0", lambda v: _is_number(v) and v > 0, {"type": "number", "exclusiveMinimum": 0})  # type: ignore[operator] # _is_number has narrowed v
RATE = Kind(schema=SECONDS.schema, problem=SECONDS.problem)
COUNT = _of("an integer of at least 1", lambda value: _is_integer(value, 1), {"type": "integer", "minimum": 1})
SIZE = _of("an integer of at least 0", lambda value: _is_integer(value, 0), {"type": "integer", "minimum": 0})
TEXTS = _of(
    "an array of strings that are not empty",
    _is_text_list,
    {"type": "array", "items": {"type": "string", "pattern": r"\S"}},
)
SOME_TEXTS = _of(
    "an array of at least one string; leave the setting out for the default",
    lambda value: _is_text_list(value) and bool(value),
    {"type": "array", "items": {"type": "string", "pattern": r"\S"}, "minItems": 1},
)
SCHEMA = Kind(schema={"type": "object"}, problem=_schema_problem)
SERVER_NAME = checked_text(server_problem, {"pattern": "^[a-z][a-z0-9]*(?:[-_]+[a-z0-9]+)*_*$", "maxLength": 64})
PACKAGE_NAME = checked_text(package_problem, {"pattern": "^[a-z][a-z0-9_]*$", "maxLength": 64})
TOOL_NAME = pattern_text("[A-Za-z0-9_-]{1,64}", "1 to 64 letters, digits, `_` or `-`")
ENVIRONMENT_NAME = pattern_text("[A-Za-z_][A-Za-z0-9_]*", "an environment variable's name: letters, digits and `_`")
_TARGET_TEXT = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*:[^\W\d]\w*(?:\.[^\W\d]\w*)*", re.ASCII)
TARGET = pattern_text(_TARGET_TEXT.pattern, "an import string such as `package.module:function`")
TARGETS = _of(
    "an array of import strings such as `module:function`",
    lambda value: _is_text_list(value) and all(_TARGET_TEXT.fullmatch(item) for item in value),  # type: ignore[attr-defined] # _is_text_list has narrowed value
    {"type": "array", "items": {"type": "string", "pattern": f"^{_TARGET_TEXT.pattern}$"}},
)
VERSION = pattern_text(r"[0-9]+(?:\.[0-9]+)*(?:[-.+]?[A-Za-z0-9]+)*", "a version such as `1.2.0`")
RESOURCE_URI = pattern_text(r"[A-Za-z][A-Za-z0-9+.-]*:[!#-;=?-Z_a-z~]+", "a URI such as `weather://schema`")
VIEW_URI = pattern_text(r"ui://[!-~]+", "the URI of a view such as `ui://weather/forecast`")
WEBSITE = pattern_text(r"https?://[^\s<>\"]+", "an http or https URL")
VALUES = Kind(schema={"type": "object"}, problem=_values_problem)
BASE_URL = checked_text(address_problem, {"pattern": r"^[Hh][Tt][Tt][Pp][Ss]?://[^\s/?#@]+(?:/[^\s?#]*)?$"})
METHODS = _of(
    "an array of HTTP methods",
    lambda value: _is_text_list(value) and all(is_method(item) for item in value),  # type: ignore[attr-defined] # _is_text_list has narrowed value
    {"type": "array", "items": {"type": "string", "pattern": "^[A-Za-z][A-Za-z-]*$"}},
)
