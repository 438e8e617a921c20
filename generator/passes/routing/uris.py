"""Resources in a gateway: they keep their URIs, which clients and models have seen; equal ones are an error with a fix.

`uris = "rewrite"` puts the server's id before the scheme of all its URIs (`weather+file:///…`): still a URI (RFC 3986,
3.1: a scheme has letters, digits, `+`, `-` and `.`), and taken off again without decoding anything, so that templates
match as before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...ir.routes import uri_prefix
from .findings import finding, setting, shown

if TYPE_CHECKING:
    from ...diagnostics.model import Diagnostic
    from ...ir.routes import Child


class Uris:
    """The URIs given so far; a second one is a finding, and is not served."""

    __slots__ = ("_taken", "found")

    def __init__(self) -> None:
        """Begin with none."""
        self._taken: dict[str, str] = {}
        self.found: list[Diagnostic] = []

    def take(self, child: Child, uri: str) -> str | None:
        """Return the gateway's URI for a server's, or None when another server has it."""
        given = uri_prefix(child) + uri
        owner = self._taken.setdefault(given, child.id)
        if owner == child.id:
            return given
        message = f"`{owner}` and `{child.id}` both have the resource `{shown(given)}`"
        hint = f'Tell them apart with `uris = "rewrite"` for `{child.id}`, or leave one out with `deny`.'
        paste = setting(child.id, 'uris = "rewrite"')
        self.found.append(finding("uri-collision", given[:80], message, hint=hint, paste=paste))
        return None
