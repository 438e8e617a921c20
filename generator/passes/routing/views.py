"""Views in a gateway: each has a URI that says whose it is, the same in tools and in lists (R046-R051).

`ui://mcpgen-gateway/<server>/<URI>`, both parts percent-encoded: equal URIs of two servers stay apart, and the original
can be read back without a table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from .findings import finding, shown

if TYPE_CHECKING:
    from ...diagnostics.model import Diagnostic
    from ...ir.model import JsonObject
    from ...ir.routes import Child, OfferedTool

PREFIX = "ui://mcpgen-gateway/"
"""What a gateway's URIs of views begin with, unless the settings say otherwise."""


def view_uri(prefix: str, child: str, uri: str) -> str:
    """Return a gateway's URI for a view of a server."""
    return f"{prefix}{quote(child, safe='')}/{quote(uri, safe='')}"


def linked(
    child: Child, tool: OfferedTool, known: frozenset[str], prefix: str
) -> tuple[JsonObject | None, tuple[Diagnostic, ...]]:
    """Return a tool's link with the gateway's URI; a link to a view that is not there is taken off, the tool stays."""
    if tool.ui is None:
        return None, ()
    uri = tool.ui.get("resourceUri")
    if uri is None:
        return tool.ui, ()
    if isinstance(uri, str) and uri in known:
        return {**tool.ui, "resourceUri": view_uri(prefix, child.id, uri)}, ()
    rest = {name: value for name, value in tool.ui.items() if name != "resourceUri"}
    message = f"the tool `{shown(tool.name)}` of `{child.id}` is linked to `{shown(str(uri))}`, which cannot be shown"
    hint = "The tool is served without the link; correct the view in that server."
    return rest or None, (finding("dropped-view", f"{child.id}.{tool.name}", message, hint=hint),)
