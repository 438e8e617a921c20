"""The table of settings: every key `[tool.mcpgen]` may hold, the kind of its value, and how both are checked.

One table serves three readers: the check below, `schemas/config.schema.json` (a test keeps the two equal) and the
documentation. A setting that is not in the table is refused: a misspelt key must never be silently without effect.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .gateway import GATEWAY
from .kinds import (
    COUNT,
    ENVIRONMENT_NAME,
    FLAG,
    PACKAGE_NAME,
    PLAIN,
    RESOURCE_URI,
    SCHEMA,
    SECONDS,
    SERVER_NAME,
    SIZE,
    SOME_TEXTS,
    TARGET,
    TARGETS,
    TEXT,
    TEXTS,
    TOOL_NAME,
    VERSION,
    VIEW_URI,
    WEBSITE,
    Kind,
    Named,
    Table,
    choice,
    choices,
    described,
)
from .openapi import ANNOTATIONS, OPENAPI
from .serve import SCOPES, SERVE
from .ui import UI
from .verify import VERIFY

KeyPath = tuple[str | int, ...]
Report = Callable[[KeyPath, str, "str | None"], None]

TOOL = Table(
    description="One tool; the key is the function's name, or any name for a tool given by `target`.",
    fields={
        "name": TOOL_NAME, "title": TEXT, "description": TEXT, "annotations": ANNOTATIONS, "aliases": TEXTS,
        "tags": TEXTS, "hidden": FLAG, "timeout": SECONDS, "max_concurrent": COUNT, "max_result_bytes": COUNT,
        "scopes": SCOPES, "config": TEXTS, "capture_output": FLAG, "coerce": FLAG, "confirm": FLAG,
        "task": choice("forbidden", "optional", "required"), "ui": VIEW_URI, "visibility": choices("model", "app"),
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

CHANGING_LISTS = ("tools", "prompts", "resources")
"""Lists whose changes clients can be told of."""

SETTINGS = Table(
    description="How the emitted server behaves.",
    fields={
        "coerce": FLAG, "coerce_also": choices(*COERCIONS),
        "validate_results": choice("strict", "warn", "off"), "timeout": SECONDS, "page_size": SIZE,
        "ttl_ms": SIZE, "shell_env": choice(*SHELL_ENVIRONMENT),
        "log_format": choice("text", "json"), "obscure_errors": FLAG,
    },
)  # fmt: skip

TOP = Table(
    description="[tool.mcpgen] of pyproject.toml, or mcpgen.toml with the same keys.",
    fields={
        "enabled": FLAG, "name": SERVER_NAME, "package": PACKAGE_NAME, "title": TEXT, "version": VERSION,
        "description": TEXT, "instructions": TEXT, "website": WEBSITE, "expose": SOME_TEXTS, "hide": TEXTS,
        "strict": FLAG, "include": TEXTS, "middleware": TARGETS, "scopes": SCOPES, "schema_resource_uri": RESOURCE_URI,
        "docs_resources": FLAG, "list_changed": choices(*CHANGING_LISTS), "subscribe": FLAG,
        "tools": Named(item=TOOL, description="Settings of single tools."),
        "config": Named(item=CONFIG_ENTRY, description="Application configuration."), "settings": SETTINGS,
        "openapi": OPENAPI, "serve": SERVE, "ui": UI, "gateway": GATEWAY, "verify": VERIFY,
    },
)  # fmt: skip

LATER = frozenset({"resources", "prompts", "targets"})
"""Tables of the design that this version does not read; refused with that reason, never ignored."""


def check(value: object, shape: Kind | Table | Named, path: KeyPath, report: Report) -> object:
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


def _checked_table(value: Mapping[str, object], shape: Table, path: KeyPath, report: Report) -> dict[str, object]:
    checked = {}
    for key, item in value.items():
        field = shape.field(key)
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
    if shape.named is not None:
        schema["patternProperties"] = {shape.named_pattern: json_schema(shape.named.item)}
    if shape.required:
        schema["required"] = list(shape.required)
    schema["additionalProperties"] = False
    return schema
