"""Views of a server that others wrote (MCP Apps): which resources are views, and which tools are linked to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...runtime.gateway.client_rules import uri_problem
from ...runtime.gateway.view_links import unlinked
from ...runtime.wire.dialects import VIEW_TYPE
from ...views.uris import SCHEME, is_view_uri
from .findings import finding, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...diagnostics.model import Diagnostic


def is_view(resource: dict[str, Any]) -> bool:
    """Return whether a resource can only be meant as a view."""
    return is_view_uri(str(resource["uri"]))


class ForeignViews:
    """The views of one server: those it lists, and those that only its tools are linked to."""

    def __init__(self, name: str) -> None:
        """Begin with none; `name` is the server's."""
        self.found: list[Diagnostic] = []
        self._name = name
        self._kept: dict[str, dict[str, Any]] = {}
        self._malformed: set[str] = set()

    def take(self, resources: Sequence[dict[str, Any]]) -> None:
        """Take the views among a server's resources; one that hosts would not show is left out (R051)."""
        for each in filter(is_view, resources):
            kind = "".join(str(each.get("mimeType", "")).split()).replace('"', "").lower()
            if kind == VIEW_TYPE and each["uri"].startswith(SCHEME):
                self._kept.setdefault(each["uri"], {**each, "mimeType": VIEW_TYPE})
                continue
            self._malformed.add(each["uri"])
            message = f"the view `{shown(each['uri'])}` of `{self._name}` is left out: it is not `{VIEW_TYPE}`"
            self.found.append(finding("dropped-view", f"{self._name}.{shown(each['uri'])}", message))

    def link(self, definition: dict[str, Any]) -> tuple[dict[str, Any] | None, dict[str, Any]]:
        """Return a tool's link and its definition without it; a link that leads nowhere is taken off (R051).

        A view that is not listed may still be read: the extension lets servers leave views out of lists.
        """
        uri, made, rest = unlinked(definition)
        if uri is not None and self._known(uri, definition):
            made = {"resourceUri": uri, **made}
        return made or None, rest

    def kept(self) -> list[dict[str, Any]]:
        """Return the definitions of the views."""
        return list(self._kept.values())

    def _known(self, uri: object, definition: dict[str, Any]) -> bool:
        if isinstance(uri, str) and uri in self._kept:
            return True
        sound = isinstance(uri, str) and uri.startswith(SCHEME) and uri_problem(uri) is None
        if isinstance(uri, str) and sound and uri not in self._malformed:
            self._kept[uri] = {"uri": uri, "name": definition["name"], "mimeType": VIEW_TYPE}
            return True
        message = f"the tool `{definition['name']}` of `{self._name}` is linked to no view that can be shown"
        hint = "The tool is served without the link; correct it in that server."
        self.found.append(finding("dropped-view", f"{self._name}.{definition['name']}", message, hint=hint))
        return False
