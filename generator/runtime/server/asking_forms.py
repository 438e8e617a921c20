"""Questions in the form an older revision knows; they are made in the newest one's."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..wire.dialects import Dialect

FIRST_MODES = "2025-11-25"
"""The first revision with modes, defaults of all kinds, titled and multiple choices."""


def fitting(question: dict[str, Any], dialect: Dialect, request_id: str) -> dict[str, Any]:
    """Return a question's params for a request of this revision; raises ValueError for what it has no form for."""
    params = dict(question.get("params") or {})
    if params.get("mode") == "url":
        params["elicitationId"] = request_id  # unique for this server, opaque to the client (2025-11-25)
    if dialect.version >= FIRST_MODES or "requestedSchema" not in params:
        return params
    params.pop("mode", None)
    schema = dict(params["requestedSchema"])
    schema.pop("$schema", None)
    schema["properties"] = {name: _older_field(name, field) for name, field in schema["properties"].items()}
    return params | {"requestedSchema": schema}


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
