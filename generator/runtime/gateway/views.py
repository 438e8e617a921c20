"""Views of children (MCP Apps): what is said when one cannot be shown.

M-UI-002: no child has it. M-UI-003: the client did not say that it shows views. M-UI-004: its child could not be read,
with the reason in the words of R052, both URIs, and the child's own code where it gave one.
"""

from __future__ import annotations

from ..server import ui
from ..wire import jsonrpc
from ..wire.jsonrpc import Refusal, shown
from .translate_errors import is_not_found

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..server.call import Call
    from ..server.session import Session
    from ..wire.dialects import Dialect
    from .names import Owned, Routing

UNKNOWN = "M-UI-002"
NOT_NEGOTIATED = "M-UI-003"
UNREADABLE = "M-UI-004"

UNKNOWN_REASON = "unknown_gateway_ui_resource"
REFUSED_REASON = "child_refused"
"""The reason when the child answered, with an error; its code is beside it."""


def find(session: Session, uri: str, meta: Any, dialect: Dialect, routing: Routing) -> Owned:
    """Return the view of a URI; raises Refusal for an unknown one and for a client without views."""
    owned = routing.view(uri)
    if not ui.negotiated(session, meta, dialect):
        suggestion = f"Name {ui.EXTENSION} with {ui.MIME_TYPE} in the client's capabilities, or do without the view."
        data = {
            "errorCode": NOT_NEGOTIATED,
            "reason": ui.NOT_NEGOTIATED,
            "uri": shown(uri),
            **({"child": owned.server} if owned is not None else {}),
            "resourceUri": shown(uri),
            "suggestion": suggestion,
        }
        raise Refusal(jsonrpc.INVALID_PARAMS, "This view is for clients with MCP Apps", data)
    if owned is None:
        code = jsonrpc.INVALID_PARAMS if dialect.modern else jsonrpc.RESOURCE_NOT_FOUND
        data = {
            "errorCode": UNKNOWN,
            "reason": UNKNOWN_REASON,
            "uri": shown(uri),
            "resourceUri": shown(uri),
            "suggestion": "Ask tools/list or resources/list for the views of this gateway.",
        }
        raise Refusal(code, f"[{UNKNOWN}] No server behind this gateway has this view", data)
    return owned


def unreadable(call: Call, owned: Owned, body: dict[str, Any]) -> dict[str, Any]:
    """Return M-UI-004 for an outcome of the gateway's own, whose code stays as the cause."""
    data = {**(body.get("data") or {})}
    cause = data.pop("errorCode", None) or data.pop("code", None)
    data.pop("code", None)
    data |= {**_places(call, owned), **({"cause": cause} if cause and cause != UNREADABLE else {})}
    text = str(body["message"]).removeprefix(f"[{cause}] ")
    return jsonrpc.error_body(body["code"], marked(text), data)


def refused(call: Call, owned: Owned, body: dict[str, Any]) -> dict[str, Any]:
    """Return M-UI-004 for a child's error about a view."""
    inner = body.get("data")
    data = {**inner} if type(inner) is dict else {}
    if data.get("errorCode") != UNREADABLE:  # another gateway's, which knows the reason better
        data["reason"] = REFUSED_REASON
    data |= {**_places(call, owned), "childCode": body["code"]}
    code = body["code"] if is_not_found(body["code"], inner) else jsonrpc.INTERNAL_ERROR
    return jsonrpc.error_body(code, marked(str(body["message"])), data)


def marked(text: str) -> str:
    """Return a message that begins with the code, once, however many gateways it went through (B20)."""
    return text if text.startswith(f"[{UNREADABLE}] ") else f"[{UNREADABLE}] {text}"


def _places(call: Call, owned: Owned) -> dict[str, Any]:
    return {
        "errorCode": UNREADABLE,
        "child": owned.server,
        "uri": call.uri,
        "resourceUri": call.uri,
        "originalResourceUri": owned.original,
    }
