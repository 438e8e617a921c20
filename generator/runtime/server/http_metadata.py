"""What a server says of how it is protected: its metadata (RFC 9728) and the challenges that lead there (RFC 6750).

Metadata is there when authorization servers are configured. `resource` is the server's canonical URI; without that
setting it is made of the host that the request names, which was checked before.
"""

from __future__ import annotations

from ..wire import jsonrpc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .http_head import Head

WELL_KNOWN = "/.well-known/oauth-protected-resource"
REALM = 'Bearer realm="mcp"'


class Metadata:
    """The protected resource that one server is. `scopes` returns those it declares."""

    __slots__ = ("_name", "_path", "_resource", "_scopes", "_servers")

    def __init__(
        self, path: str, *, resource: str | None, servers: list[str], scopes: Callable[[], list[str]], name: str
    ) -> None:
        self._path = path
        self._resource = resource
        self._servers = servers
        self._scopes = scopes
        self._name = name

    def paths(self) -> tuple[str, ...]:
        """Return where the document is: for the path of the resource, and at the root (RFC 9728 §3.1)."""
        return tuple(dict.fromkeys((WELL_KNOWN, WELL_KNOWN + self._path.rstrip("/"), WELL_KNOWN + self._split()[1])))

    def document(self, head: Head) -> bytes:
        """Return the metadata as JSON."""
        return (
            jsonrpc.encode(
                {
                    "resource": self._resource or f"http://{head.headers['host']}{self._path}",
                    "authorization_servers": self._servers,
                    **({"scopes_supported": scopes} if (scopes := self._scopes()) else {}),
                    "bearer_methods_supported": ["header"],
                    "resource_name": self._name,
                }
            )
            + b"\n"
        )

    def challenge(self, head: Head, error: str | None, scopes: list[str] | None = None) -> str:
        """Return a `WWW-Authenticate` that says what is wrong, which scopes are needed and where the metadata is."""
        wanted = self._scopes() if scopes is None else scopes
        origin, path = self._split() if self._resource else (f"http://{head.headers['host']}", self._path.rstrip("/"))
        return f'{challenge(error, wanted)}, resource_metadata="{origin}{WELL_KNOWN}{path}"'

    def _split(self) -> tuple[str, str]:
        """Return origin and path of the resource's URI, the path without a slash at its end."""
        scheme, _, rest = (self._resource or f"http://localhost{self._path}").partition("://")
        host, slash, path = rest.partition("/")
        return f"{scheme}://{host}", (slash + path).rstrip("/")


def challenge(error: str | None, scopes: list[str]) -> str:
    """Return a `WWW-Authenticate` of a server without metadata."""
    said = f', error="{error}"' if error else ""
    return REALM + said + (f', scope="{" ".join(scopes)}"' if scopes else "")
