"""Questions in the form an older revision knows; they are made in the newest one's."""

from __future__ import annotations

from .older import block_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..wire.dialects import Dialect


def fitting(question: dict[str, Any], dialect: Dialect, request_id: str) -> dict[str, Any]:
    """Return a question's params for a request of this revision; raises ValueError for what it has no form for."""
    params = dict(question.get("params") or {})
    if params.get("mode") == "url":
        params["elicitationId"] = request_id  # unique for this server, opaque to the client (2025-11-25)
    if dialect.modes:
        return params
    if "messages" in params:
        params["messages"] = [each for message in params["messages"] for each in _older_messages(message, dialect)]
    if "requestedSchema" not in params:
        return params
    params.pop("mode", None)
    schema = dict(params["requestedSchema"])
    schema.pop("$schema", None)
    schema["properties"] = {name: _older_field(name, field) for name, field in schema["properties"].items()}
    return params | {"requestedSchema": schema}


def _older_messages(message: dict[str, Any], dialect: Dialect) -> list[dict[str, Any]]:
    """Return a message of a sampling request as one message for each of its blocks, each of a kind that is known."""
    content = message["content"]
    blocks = content if type(content) is list else [content]
    return [{"role": message["role"], "content": block_for(block, dialect)} for block in blocks]


def _older_field(name: str, field: dict[str, Any]) -> dict[str, Any]:
    """Return a field as 2025-06-18 has it: choices with `enumNames`, a default for booleans only."""
    if field.get("type") == "array":
        message = f"this client's revision has no form with a choice of several values ({name!r})"
        raise ValueError(message)
    changed = dict(field)
    titled = changed.pop("oneOf", None)
    if titled is not None:
        changed |= {"enum": [each["const"] for each in titled], "enumNames": [each["title"] for each in titled]}
    if field.get("type") != "boolean":
        changed.pop("default", None)
    return changed
