"""The table of settings: every key `[tool.mcpgen]` may hold, the kind of its value, and how both are checked.

One table serves three readers: the check below, `schemas/config.schema.json` (a test keeps the two equal) and the
documentation. A setting that is not in the table is refused: a misspelt key must never be silently without effect.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .ir.names import package_problem, server_problem

MAX_SCHEMA_DEPTH = 64
"""Levels of an `input_schema` written in TOML; deeper ones are a mistake or an attack."""

MAX_SHOWN_NUMBER = 10**12
"""Numbers below this are shown in messages."""

Path = tuple[str | int, ...]
Report = Callable[[Path, str, "str | None"], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of value: its JSON Schema, and the function that says why a value is not of it (None: it is)."""

    schema: Mapping[str, object]
    problem: Callable[[object], str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table with fixed keys."""

    fields: Mapping[str, Kind | Table | Named]
    required: tuple[str, ...] = ()
    description: str = ""


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


def _choice(*values: str | bool) -> Kind:
    shown = ", ".join(f'"{value}"' if isinstance(value, str) else str(value).lower() for value in values)

    def problem(value: object) -> str | None:
        matches = any(value == allowed and type(value) is type(allowed) for allowed in values)
        return None if matches else f"must be one of {shown}"

    return Kind(schema={"enum": list(values)}, problem=problem)


def _choices(*values: str) -> Kind:
    shown = ", ".join(f'"{value}"' for value in values)

    def problem(value: object) -> str | None:
        matches = isinstance(value, list) and all(isinstance(item, str) and item in values for item in value)
        return None if matches else f"must be an array of {shown}"

    return Kind(schema={"type": "array", "items": {"enum": list(values)}}, problem=problem)


def _checked_text(check: Callable[[str], str | None], schema: Mapping[str, object]) -> Kind:
    def problem(value: object) -> str | None:
        if not isinstance(value, str):
            return f"must be a string, not {described(value)}"
        reason = check(value)
        return None if reason is None else f"is not acceptable: {reason}"

    return Kind(schema={"type": "string", **schema}, problem=problem)


def _pattern(pattern: str, wanted: str) -> Kind:
    compiled = re.compile(pattern, re.ASCII)
    anchored = f"^{pattern}$"
    return _checked_text(
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


TEXT = _of("a string that is not empty", _is_text, {"type": "string", "pattern": r"\S"})
PLAIN = _of("a string", lambda value: isinstance(value, str), {"type": "string"})
FLAG = _of("true or false", lambda value: isinstance(value, bool), {"type": "boolean"})
SECONDS = _of("a number above 0", lambda v: _is_number(v) and v > 0, {"type": "number", "exclusiveMinimum": 0})  # type: ignore[operator] # _is_number has narrowed v
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
SERVER_NAME = _checked_text(server_problem, {"pattern": "^[a-z][a-z0-9]*(?:[-_]+[a-z0-9]+)*_*$", "maxLength": 64})
PACKAGE_NAME = _checked_text(package_problem, {"pattern": "^[a-z][a-z0-9_]*$", "maxLength": 64})
TOOL_NAME = _pattern("[A-Za-z0-9_-]{1,64}", "1 to 64 letters, digits, `_` or `-`")
ENVIRONMENT_NAME = _pattern("[A-Za-z_][A-Za-z0-9_]*", "an environment variable's name: letters, digits and `_`")
TARGET = _pattern(
    r"[^\W\d]\w*(?:\.[^\W\d]\w*)*:[^\W\d]\w*(?:\.[^\W\d]\w*)*", "an import string such as `package.module:function`"
)
VERSION = _pattern(r"[0-9]+(?:\.[0-9]+)*(?:[-.+]?[A-Za-z0-9]+)*", "a version such as `1.2.0`")
WEBSITE = _pattern(r"https?://[^\s<>\"]+", "an http or https URL")

ANNOTATIONS = Table(
    description="What the tool tells clients about its effects.",
    fields={"read_only": FLAG, "destructive": FLAG, "idempotent": FLAG, "open_world": FLAG},
)

TOOL = Table(
    description="One tool; the key is the function's name, or any name for a tool given by `target`.",
    fields={
        "name": TOOL_NAME, "title": TEXT, "description": TEXT, "annotations": ANNOTATIONS, "aliases": TEXTS,
        "tags": TEXTS, "hidden": FLAG, "timeout": SECONDS, "max_concurrent": COUNT, "max_result_bytes": COUNT,
        "scopes": TEXTS, "config": TEXTS, "capture_output": FLAG, "coerce": FLAG,
        "target": TARGET, "input_schema": SCHEMA,
        "output_schema": SCHEMA,
    },
)  # fmt: skip

CONFIG_ENTRY = Table(
    description="One value the application takes from its environment.",
    fields={
        "env": ENVIRONMENT_NAME, "description": TEXT, "sensitive": FLAG, "required": FLAG, "default": PLAIN,
        "required_by": TEXTS,
    },
    required=("env",),
)  # fmt: skip

SHELL_ENVIRONMENT = (False, True, "path")
"""Whether a server asks the login shell for its environment (off by default), or for PATH alone."""

COERCIONS = ("loose_booleans", "empty_is_null", "bare_item", "unwrap")
"""Readings of wrong arguments that are a matter of taste: yes/no/on/off/1/0 as booleans, "" as null, 3 as [3], and
{"arguments": {...}} as its content."""

SETTINGS = Table(
    description="How the emitted server behaves.",
    fields={
        "coerce": FLAG, "coerce_also": _choices(*COERCIONS),
        "validate_results": _choice("strict", "warn", "off"), "timeout": SECONDS, "page_size": SIZE,
        "ttl_ms": SIZE, "shell_env": _choice(*SHELL_ENVIRONMENT),
        "log_format": _choice("text", "json"), "obscure_errors": FLAG,
    },
)  # fmt: skip

TOP = Table(
    description="[tool.mcpgen] of pyproject.toml, or mcpgen.toml with the same keys.",
    fields={
        "enabled": FLAG, "name": SERVER_NAME, "package": PACKAGE_NAME, "title": TEXT, "version": VERSION,
        "description": TEXT, "instructions": TEXT, "website": WEBSITE, "expose": SOME_TEXTS, "hide": TEXTS,
        "strict": FLAG, "include": TEXTS, "scopes": TEXTS,
        "tools": Named(item=TOOL, description="Settings of single tools."),
        "config": Named(item=CONFIG_ENTRY, description="Application configuration."), "settings": SETTINGS,
    },
)  # fmt: skip

LATER = frozenset({"serve", "openapi", "resources", "prompts", "schema_resource_uri", "targets", "gateway", "ui"})
"""Tables of the design that this version does not read; refused with that reason, never ignored."""


def check(value: object, shape: Kind | Table | Named, path: Path, report: Report) -> object:
    """Return what of `value` is of this shape; every problem goes to `report(path, reason, unknown_key)`."""
    if isinstance(shape, Kind):
        reason = shape.problem(value)
        if reason is None:
            return value
        report(path, reason, None)
        return None
    if not isinstance(value, dict):
        report(path, f"must be a table, not {described(value)}", None)
        return None
    if not value:
        report(path, "is an empty table; remove it or set something in it", None)
    if isinstance(shape, Named):
        return {
            key: found
            for key, item in value.items()
            if (found := check(item, shape.item, (*path, key), report)) is not None
        }
    return _checked_table(value, shape, path, report)


def _checked_table(value: Mapping[str, object], shape: Table, path: Path, report: Report) -> dict[str, object]:
    checked = {}
    for key, item in value.items():
        field = shape.fields.get(key)
        if field is None:
            report((*path, key), "", key)
        elif (found := check(item, field, (*path, key), report)) is not None:
            checked[key] = found
    missing = [key for key in shape.required if key not in value] if value else []
    for key in missing:
        report(path, f"needs `{key}`", None)
    return checked


def json_schema(shape: Kind | Table | Named = TOP) -> dict[str, object]:
    """Return the JSON Schema that says the same as a shape of the table."""
    if isinstance(shape, Kind):
        return dict(shape.schema)
    schema: dict[str, object] = {"type": "object", "minProperties": 1}
    if shape.description:
        schema["description"] = shape.description
    if isinstance(shape, Named):
        schema["additionalProperties"] = json_schema(shape.item)
        return schema
    schema["properties"] = {key: json_schema(field) for key, field in shape.fields.items()}
    if shape.required:
        schema["required"] = list(shape.required)
    schema["additionalProperties"] = False
    return schema
