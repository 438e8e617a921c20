"""The official schemas: which definition a message has to keep to, and what is wrong with it.

They are read from the `shared` folder and never copied. Our own validator looks first, being quick; what it refuses
is looked at again by the `jsonschema` package, which has the last word.
"""

from __future__ import annotations

import functools
import json
import os
from pathlib import Path
from typing import Any

from generator.runtime.schema.validator import compile_validator

ROOT = Path(__file__).resolve().parent.parent
LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN = "2026-07-28"
TASKS = "ext-tasks"
FILES = {TASKS: "tasks.draft.schema.json"}

RESULTS = {
    "initialize": "InitializeResult",
    "ping": "EmptyResult",
    "logging/setLevel": "EmptyResult",
    "server/discover": "DiscoverResult",
    "tools/list": "ListToolsResult",
    "tools/call": "CallToolResult",
    "resources/list": "ListResourcesResult",
    "resources/templates/list": "ListResourceTemplatesResult",
    "resources/read": "ReadResourceResult",
    "resources/subscribe": "EmptyResult",
    "resources/unsubscribe": "EmptyResult",
    "subscriptions/listen": "SubscriptionsListenResult",
    "prompts/list": "ListPromptsResult",
    "prompts/get": "GetPromptResult",
    "completion/complete": "CompleteResult",
}
"""The definition of each method's result."""

TASK_RESULTS = {"tasks/get": "GetTaskResult", "tasks/update": "UpdateTaskResult", "tasks/cancel": "CancelTaskResult"}
INTERACTIVE = ("tools/call", "prompts/get", "resources/read")
"""Methods whose result may be a question, or a task."""


SPECIFICATION = Path(os.environ.get("MCPGEN_SHARED") or ROOT.parent / "shared") / "protocol" / "spec"
"""Found once: tests change the environment."""


def is_there() -> bool:
    """Say whether the specification is on this machine."""
    return (SPECIFICATION / MODERN / "schema.json").is_file()


@functools.cache
def schema(revision: str) -> dict[str, Any]:
    """Return the schema of a revision or an extension."""
    return json.loads((SPECIFICATION / revision / FILES.get(revision, "schema.json")).read_text(encoding="utf-8"))


def definitions(revision: str) -> dict[str, Any]:
    """Return the definitions of a revision by their names."""
    found = schema(revision)
    return found["$defs"] if "$defs" in found else found["definitions"]


@functools.cache
def named(revision: str, name: str) -> dict[str, Any]:
    """Return the schema of one definition."""
    key = "$defs" if "$defs" in schema(revision) else "definitions"
    return {**schema(revision), "$ref": f"#/{key}/{name}"}


@functools.cache
def _validator(revision: str, name: str) -> Any:
    return compile_validator(named(revision, name), assert_formats=False, assert_content=False)


def problems(revision: str, name: str, value: object) -> list[str]:
    """Return what is wrong with a value of a definition; nothing is right."""
    if _validator(revision, name).accepts(value):
        return []
    import jsonschema

    whole = named(revision, name)
    checker = jsonschema.validators.validator_for(whole)(whole)
    return [f"{error.json_path}: {error.message[:300]}" for error in checker.iter_errors(value)]


@functools.cache
def by_method(revision: str) -> dict[str, str]:
    """Return the definitions of a revision's requests and notifications by their methods."""
    found = {}
    for name, definition in definitions(revision).items():
        method = definition.get("properties", {}).get("method", {}).get("const")
        if method is not None:
            found[method] = "CancelledNotification" if name == "ClientNotification" else name
    return found


@functools.cache
def by_code(revision: str) -> dict[int, str]:
    """Return the definitions of a revision's errors by their codes."""
    found = {}
    for name, definition in definitions(revision).items():
        parts = definition.get("properties", {}).get("error", {}).get("allOf", ())
        for part in parts:
            code = part.get("properties", {}).get("code", {}).get("const")
            if code is not None:
                found[code] = name
    return found


def error_name(revision: str, code: object) -> str:
    """Return the definition of an error answer."""
    general = "JSONRPCErrorResponse" if revision >= "2025-11-25" else "JSONRPCError"
    return by_code(revision).get(code, general) if isinstance(code, int) else general


def result_names(method: str, result: dict[str, Any], revision: str) -> tuple[str, str] | None:
    """Return which schema, and which definition in it, a method's result has; None for a method that has none there."""
    kind = result.get("resultType")
    if revision == MODERN and method in INTERACTIVE and kind == "input_required":
        return revision, "InputRequiredResult"
    if revision == MODERN and method == "tools/call" and kind == "task":
        return TASKS, "CreateTaskResult"
    if revision == MODERN and method in TASK_RESULTS:
        return TASKS, TASK_RESULTS[method]
    name = RESULTS.get(method)
    return (revision, name) if name is not None and name in definitions(revision) else None
