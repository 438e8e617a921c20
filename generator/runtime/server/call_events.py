"""An event for each call: what was called, how it ended, how long it took, who asked (R094).

Every call is one event, when it is answered: a success, an error, a rejection (it never ran: unknown, wrong arguments,
no scope, too busy, too often) or a cancellation. In 2026-07-28 a call that asks its client something is answered with
the question and comes again with the answer: that is an event of its own, `asked`. Events go to a file, to whoever
reads `/activity`, or both. Nothing here raises or waits, and a server without events does not import it.
"""

from __future__ import annotations

from time import time

from ..wire import jsonrpc
from .call_outcomes import never_ran
from .masking import mask_values
from .outcome import META_ERROR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .call import Call
    from .catalog import Catalog
    from .session import Session

CALLS = {"tools/call": "tool", "prompts/get": "prompt", "resources/read": "resource"}
"""The methods that are calls, and what each calls."""

KINDS = {"resource": "resource", "prompt": "prompt", "view": "view", "completion": None}
"""Kinds of offers that are no tools; completion is typing, not calling."""

ID_BYTES = 6
"""Of a call's id: twelve hexadecimal digits."""

MAX_TEXT = 200
"""Characters of a name or an id that a client chose."""


class CallEvents:
    """Makes the events of one server and hands each, as an object and as its line, to those who take them.

    `values` says what an event shows: `none`, `arguments`, or `all`, which is the beginning of the result too.
    """

    __slots__ = ("_catalog", "_takers", "_values", "closers")

    def __init__(self, catalog: Catalog, values: str) -> None:
        self._catalog = catalog
        self._values = values
        self._takers: list[Callable[[dict[str, Any], bytes], None]] = []
        self.closers: list[Callable[[], None]] = []

    def add(self, take: Callable[[dict[str, Any], bytes], None]) -> None:
        """Hand events to one more; it must neither raise nor wait."""
        self._takers.append(take)

    def close(self) -> None:
        """Have what is still held written, in bounded time."""
        for closer in self.closers:
            closer()

    def beside(self, log: Callable[..., None]) -> Callable[..., None]:
        """Return what logs a call and makes its event."""

        def both(call: Call, result: dict[str, Any] | None, seconds: float, *, hold: bool = False) -> None:
            log(call, result, seconds, hold=hold)
            self.ended(call, result, seconds)

        return both

    def ended(self, call: Call, result: dict[str, Any] | None, seconds: float) -> None:
        """Tell of a call that was answered, or cancelled: then its result is None. Never raises."""
        try:
            kind = KINDS.get(call.tool.entry["call"].get("kind"), "tool")
            if kind is not None:
                self._tell(self._event(call, kind, result, seconds))
        except Exception:  # noqa: BLE001, S110 # an event never ends a call
            pass

    def refused(self, session: Session, message: dict[str, Any], error: Any) -> None:
        """Tell of a call that was refused before it became one; `error` is a Refusal or an RpcProblem. Never raises."""
        try:
            kind, params = CALLS.get(message.get("method", "")), message.get("params")
            if kind is None:
                return
            body = getattr(error, "body", None) or {"message": str(error), "data": getattr(error, "data", None)}
            data, params = body.get("data"), params if type(params) is dict else {}
            name = params.get("uri" if kind == "resource" else "name")
            event = self._begun(kind, name if type(name) is str else "", "rejected", 0.0)
            event["request_id"] = _short(message.get("id"))
            event |= _asker(session.principal, session.client)
            event["error"] = (data.get("errorCode") if type(data) is dict else None) or body.get("code") or error.code
            if self._values != "none" and "arguments" in params:
                event["arguments"] = self._shown(params["arguments"], None)
            self._tell(event)
        except Exception:  # noqa: BLE001, S110 # as above
            pass

    def _event(self, call: Call, kind: str, result: dict[str, Any] | None, seconds: float) -> dict[str, Any]:
        error = _error(result or {})
        name = call.tool.name.removeprefix(f"{kind} ")  # as offers are called in the log
        event = self._begun(kind, name, _status(result, error), seconds)
        event["request_id"] = _short(call.request_id)
        session = call.session
        event |= _asker(session.principal if session is not None else "", call.client)
        if call.tool.remote is not None:
            event |= call.tool.remote.facts()
        if call.uri:
            event["uri"] = self._shown(call.uri, None)
        if event["status"] != "success" and error:
            event["error"] = _short(error)
        if self._values != "none":
            event["arguments"] = self._shown(call.arguments, call.tool.entry["definition"].get("inputSchema"))
        if self._values == "all" and result is not None:
            event["result"] = self._shown(_beginning(result), None)
        return event

    def _begun(self, kind: str, name: str, status: str, seconds: float) -> dict[str, Any]:
        from secrets import token_hex

        return {
            "timestamp": round(time(), 3),
            "call_id": token_hex(ID_BYTES),
            "kind": kind,
            "tool": mask_values(_short(name), self._secrets()),
            "status": status,
            "duration_ms": round(seconds * 1000.0, 1),
        }

    def _shown(self, value: Any, schema: Any) -> Any:
        from .redaction import Redaction

        return Redaction(self._secrets()).value(value, schema)

    def _secrets(self) -> tuple[str, ...]:
        from .surroundings import surroundings_of

        return surroundings_of(self._catalog).settings.secrets()

    def _tell(self, event: dict[str, Any]) -> None:
        line = jsonrpc.encode(event)
        for take in self._takers:
            take(event, line)


def _status(result: dict[str, Any] | None, error: Any) -> str:
    if result is None:
        return "cancelled"
    if not result.get("isError"):
        return "asked" if result.get("resultType") == "input_required" else "success"
    return "rejected" if never_ran(error) else "error"


def _error(result: dict[str, Any]) -> Any:
    """Return the code or the kind of what went wrong, None for nothing."""
    if "rpcError" in result:
        return result["rpcError"]["code"]
    facts = (result.get("_meta") or {}).get(META_ERROR) or {}
    return facts.get("code") or facts.get("type") or facts.get("id")


def _asker(principal: str, client: dict[str, Any]) -> dict[str, Any]:
    """Return who asked, as far as that is known: whose token it is, and what the client calls itself."""
    name = client.get("name")
    told = {"principal": _short(principal)} if principal else {}
    return {**told, "client": _short(name)} if type(name) is str and name else told


def _beginning(result: dict[str, Any]) -> Any:
    """Return the first text of a result."""
    for block in result.get("content") or ():
        if type(block) is dict and type(block.get("text")) is str:
            return block["text"]
    return None


def _short(text: Any) -> Any:
    """Return a name or an id that a client chose, cut."""
    return text[:MAX_TEXT] if type(text) is str else text
