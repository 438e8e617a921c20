"""The table `[tool.mcpgen.verify]`: calls with what they have to answer, for `mcpgen verify`."""

from __future__ import annotations

from .kinds import VALUES, Kind, Table, described

CALL_MEMBERS: dict[str, tuple[type, str]] = {
    "tool": (str, "a string"),
    "arguments": (dict, "a table"),
    "error": (bool, "true or false"),
    "text": (list, "a string or an array of strings"),
    "structured": (object, "any value"),
}
"""What a call has: the tool and its arguments, and what its result must be as far as that is stated."""


def call_problem(call: object) -> str | None:
    """Return why a value is no golden call, or None."""
    if not isinstance(call, dict):
        return f"must be a table with a `tool`, not {described(call)}"
    if not isinstance(call.get("tool"), str) or not call["tool"].strip():
        return "must have a `tool`, a string that is not empty"
    for key, value in call.items():
        if key not in CALL_MEMBERS:
            return f"has `{str(key)[:40]}`; a call has {', '.join(CALL_MEMBERS)}"
        kind, wanted = CALL_MEMBERS[key]
        if not isinstance(value, kind) and not (key == "text" and isinstance(value, str)):
            return f"has a `{key}` that is not {wanted}"
    texts = call.get("text", [])
    if not all(isinstance(each, str) for each in texts):
        return "has a `text` that is not a string or an array of strings"
    return VALUES.problem(call)


def calls_problem(value: object) -> str | None:
    """Return why a value is no list of golden calls, or None."""
    if not isinstance(value, list):
        return f"must be an array of calls, not {described(value)}"
    return next((f"{problem} (call {n})" for n, each in enumerate(value, 1) if (problem := call_problem(each))), None)


CALLS = Kind(
    schema={
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "tool": {"type": "string", "pattern": r"\S"},
                "arguments": {"type": "object"},
                "error": {"type": "boolean"},
                "text": {"type": ["string", "array"], "items": {"type": "string"}},
                "structured": True,
            },
            "required": ["tool"],
            "additionalProperties": False,
        },
    },
    problem=calls_problem,
)

VERIFY = Table(description="What `mcpgen verify` checks besides.", fields={"calls": CALLS})
