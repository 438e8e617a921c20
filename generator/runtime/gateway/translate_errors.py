"""A child's JSON-RPC errors as the client gets them.

Code, message and data go through, with the gateway's names in the data. What is about the gateway's own hop to the
child (its headers, its revision) is no fault of the client, and says so; other revisions have other codes. So is a tool
that the table has and the child has no more.
"""

from __future__ import annotations

from ..wire import jsonrpc
from .negotiating import OLD_UNSUPPORTED_VERSION
from .translate_results import named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..wire.dialects import Dialect
    from .names import Names

URL_ELICITATION_REQUIRED = -32042
OF_THE_HOP = (jsonrpc.HEADER_MISMATCH, jsonrpc.UNSUPPORTED_VERSION, OLD_UNSUPPORTED_VERSION)
"""Errors that the request of the gateway caused, not that of its client (the older one is of a draft)."""

UNKNOWN_TOOL = "M-CMD-001"
AGAIN = "The gateway's list is out of date: ask the user to build the gateway again."
"""What to do where a server of ours does not know a tool that the gateway lists: asking for the list would not help."""

MAX_MESSAGE = 2_000
"""Characters of a child's message that go on: room for a compiler's complaint, not for a document."""


def error_for(error: Any, names: Names, dialect: Dialect, method: str) -> dict[str, Any]:
    """Return the body of a child's error for a client of this revision."""
    told: dict[str, Any] = error if type(error) is dict else {}
    code, message, data = told.get("code"), told.get("message"), told.get("data")
    text = message[:MAX_MESSAGE] if type(message) is str and message else "The child gave no reason"
    if type(code) is not int or code in OF_THE_HOP:
        facts = {"child": names.server, **({"childCode": code} if type(code) is int else {})}
        said = f"The gateway and its child {names.server!r} did not understand each other: {text}"
        return jsonrpc.error_body(jsonrpc.INTERNAL_ERROR, said, facts)
    if type(data) is dict:
        data = named(data, names)
        if method == "tools/call" and data.get("errorCode") == UNKNOWN_TOOL:
            text, data = (
                f"{text}, which {names.server!r} behind this gateway has no more",
                {**data, "suggestion": AGAIN},
            )
    if method == "resources/read":
        code = _not_found(code, data, dialect)
    return jsonrpc.error_body(code, text, data)


def is_not_found(code: Any, data: Any) -> bool:
    """Say whether an error of resources/read means that there is no such resource; both eras have their own code."""
    if code == jsonrpc.RESOURCE_NOT_FOUND:
        return True
    return code == jsonrpc.INVALID_PARAMS and type(data) is dict and type(data.get("uri")) is str


def _not_found(code: int, data: Any, dialect: Dialect) -> int:
    if not is_not_found(code, data):
        return code
    return jsonrpc.INVALID_PARAMS if dialect.modern else jsonrpc.RESOURCE_NOT_FOUND
