"""What a gateway offers besides tools: whatever is read, got, completed or looked at goes to the child that has it."""

from __future__ import annotations

from ..server import ui
from ..server.offers import Offer
from ..wire import jsonrpc
from ..wire.dialects import META_SERVER
from .translate_results import caching
from .views import unreadable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..server.call import Call
    from ..server.catalog import Catalog
    from ..server.session import Session
    from .names import Owned

CARRIED = ("limits", "scopes")
"""What an entry of the table says of the requests for it."""


class ProxyOffer(Offer):
    """Something of a child that is asked for by a method other than tools/call; `owned` says whose and what it is."""

    __slots__ = ("owned",)

    def __init__(self, kind: str, owned: Owned, catalog: Catalog) -> None:
        entry = owned.entry or {}
        made: dict[str, Any] = {
            "call": {"kind": "proxy", "server": owned.server, "original": owned.original},
            **{name: entry[name] for name in CARRIED if entry.get(name)},
        }
        super().__init__(kind, (entry.get("definition") or {}).get("name") or owned.original, made, catalog)
        self.owned = owned

    def framing(self, session: Session, call: Call, result: dict[str, Any]) -> bytes:
        """Return the response's bytes: what the child said, in the caller's revision."""
        if result.get("isError"):
            return jsonrpc.error_line(call.request_id, self.error(call, result))
        if self.kind in ("resource", "view"):
            kept = {name: value for name, value in result.items() if name not in ("ttlMs", "cacheScope")}
            how = caching(result, private=self._is_private() or (self.kind == "view" and ui.depends(session)))
            return jsonrpc.result_line(call.request_id, _complete(session, kept, call, how))
        return jsonrpc.result_line(call.request_id, _complete(session, {**result}, call, {}))

    def error(self, call: Call, result: dict[str, Any]) -> dict[str, Any]:
        """Return the error for an outcome of the gateway's own."""
        from ..server.offers import refusal

        body = refusal(call, result)
        data = body.setdefault("data", {})
        facts = (result.get("_meta") or {}).get("mcpgen/error") or {}
        if "child" in facts:
            data["child"] = facts["child"]
        return body

    def _is_private(self) -> bool:
        row = self.remote.child.server.row
        return any(row.get(member) for member in ("headers", "env", "values"))


class ProxyView(ProxyOffer):
    """A view of a child (MCP Apps)."""

    __slots__ = ()

    def error(self, call: Call, result: dict[str, Any]) -> dict[str, Any]:
        """Return M-UI-004 for an outcome of the gateway's own."""
        return unreadable(call, self.owned, super().error(call, result))


def _complete(session: Session, members: dict[str, Any], call: Call, how: dict[str, Any]) -> bytes:
    """Encode a result with what every one of its revision has; what a child says under `_meta` stays."""
    meta = members.pop("_meta", None)
    if not call.dialect.modern:
        return jsonrpc.encode({**members, **({"_meta": meta} if meta else {})})
    whole = {
        "resultType": "complete",
        **members,
        **how,
        "_meta": {**(meta or {}), META_SERVER: session.server_info(call.dialect)},
    }
    return jsonrpc.encode(whole)
