"""How a view is read: from a file of the package, or from what its function returns (MCP Apps: UI resources).

A text is sent as it is, bytes as a blob; both must be a document of HTML in UTF-8. What went wrong is M-UI-001 when
there is content that is none, and M-UI-004 when there is no content at all.
"""

from __future__ import annotations

from binascii import b2a_base64

from ..wire import jsonrpc
from . import outcome
from .intake import NO_CONTEXTS
from .offer_plan import OfferPlan
from .offers import Offer, refusal
from .plan import Plan
from .size import fits
from .ui import MIME_TYPE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from .call import Call
    from .session import Session
    from .tool import Tool

INVALID = "M-UI-001"
UNREADABLE = "M-UI-004"
BYTE_ORDER_MARK = "\ufeff"
BEGINNINGS = ("<!doctype html", "<html")
"""How a document of HTML begins, after white space and comments, in lower case."""


class View(Offer):
    """One view, by its entry in the catalog."""

    __slots__ = ()

    def framing(self, session: Session, call: Call, result: dict[str, Any]) -> bytes:
        """Return the response's bytes; a file is what it was at build time and may be kept as lists are."""
        if result.get("isError"):
            return jsonrpc.error_line(call.request_id, _unreadable(call, result))
        caching = {**session.caching(), "cacheScope": "private"} if "path" in self.entry["call"] else None
        return jsonrpc.result_line(call.request_id, session.framed(result, call.dialect, caching=caching))


def _unreadable(call: Call, result: dict[str, Any]) -> dict[str, Any]:
    """Return the error for a view: its own codes, with the code of what happened as the cause."""
    body = refusal(call, result)
    data = body.setdefault("data", {})
    known = data.pop("code", None) or data.get("errorCode")
    if known != INVALID:
        data |= {"errorCode": UNREADABLE, **({"cause": known} if known else {})}
        data.setdefault("reason", "view_read_failed")
    return body


def view_contents(call: Call, plan: Plan, value: Any) -> dict[str, Any]:
    """Return `{"contents": [...]}` for what a view's function returned, or M-UI-001."""
    blob = isinstance(value, bytes | bytearray | memoryview)
    try:
        text = bytes(value).decode("utf-8") if blob else value
    except UnicodeDecodeError:
        return _invalid(call, "the bytes are not UTF-8")
    if not isinstance(text, str):
        return _invalid(call, f"a view is a text or bytes, not {type(value).__name__[:60]}")
    if not is_document(text):
        return _invalid(call, "it does not begin with <!doctype html> or <html>")
    sent = b2a_base64(value, newline=False).decode("ascii") if blob else str.removeprefix(text, BYTE_ORDER_MARK)
    if not fits(sent, plan.max_result_bytes):
        return outcome.too_large(call, plan.max_result_bytes)
    offer: Offer = call.tool  # type: ignore[assignment] # only views are run by this plan
    content: dict[str, Any] = {"uri": call.uri, "mimeType": MIME_TYPE, "blob" if blob else "text": sent}
    if "_meta" in offer.definition:
        content["_meta"] = offer.definition["_meta"]
    return {"contents": [content]}


def is_document(text: str) -> bool:
    """Say whether a text begins as a document of HTML does (HTML, 13.1: comments and white space may come first)."""
    start = text.removeprefix(BYTE_ORDER_MARK).lstrip()
    while start.startswith("<!--"):
        _, end, start = start.partition("-->")
        if not end:
            return False
        start = start.lstrip()
    return start[: max(map(len, BEGINNINGS))].lower().startswith(BEGINNINGS)


def _invalid(call: Call, complaint: str) -> dict[str, Any]:
    text = f"{call.tool.name} gave no valid view: {complaint}."
    suggestion = "This is a fault of the server; reading it again as it is will not help."
    return outcome.coded(call, INVALID, "invalid_view", text, suggestion, retryable=False)


class FunctionViewPlan(OfferPlan):
    """A view that a function makes."""

    __slots__ = ()

    answer = staticmethod(view_contents)


class FileViewPlan(Plan):
    """A view that is a file of the package."""

    __slots__ = ()

    answer = staticmethod(view_contents)

    def __init__(self, tool: Tool) -> None:
        super().__init__(tool)
        path = f"{tool.catalog.folder}/{tool.entry['call']['path']}"
        self.bind = _nothing
        self.handler = lambda: _text_of(path)


def _text_of(path: str) -> str:
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def _nothing(
    arguments: dict[str, Any],  # noqa: ARG001 # a view has none
    injected: Mapping[str, Any] = NO_CONTEXTS,  # noqa: ARG001 # nor a function that could take a context
    /,
) -> tuple[list[Any], dict[str, Any]]:
    return [], {}


def plan_of_view(tool: Tool) -> Plan:
    """Return the plan of a view: that of its file, or of its function."""
    return FileViewPlan(tool) if "path" in tool.entry["call"] else FunctionViewPlan(tool)
