"""URIs of views as clients see them, and templates that match more than level 1 of RFC 6570.

A view of a child has a URI of its own at the gateway, from which the child and its URI can be read back:
`ui://mcpgen-gateway/<child>/<uri, percent-encoded>` (R046). Equal URIs of two children stay apart (R049). Milo's form,
with another first word, is understood too.
"""

from __future__ import annotations

from ..server.uri_templates import LONGEST_URI, UriTemplate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

PREFIX = "ui://mcpgen-gateway/"
MILO_PREFIX = "ui://milo-gateway/"
SCHEME = "ui://"

_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_HEX = "0123456789abcdefABCDEF"


def is_view(uri: str) -> bool:
    """Say whether a URI is one of a view (MCP Apps)."""
    return uri[: len(SCHEME)].lower() == SCHEME


def wrapped(prefix: str, server: str, uri: str) -> str:
    """Return what a child's URI is called at the gateway."""
    return f"{prefix}{quote(server)}/{quote(uri)}"


def unwrapped(uri: str, prefix: str) -> tuple[str, str] | None:
    """Return the child and its URI; None for a URI that no gateway made."""
    for known in (prefix, PREFIX, MILO_PREFIX):
        if uri.startswith(known):
            server, slash, rest = uri[len(known) :].partition("/")
            found = (unquote(server), unquote(rest))
            return (found[0], found[1]) if slash and found[0] and found[1] else None
    return None


def quote(text: str) -> str:
    """Percent-encode everything but unreserved characters (RFC 3986 §2.3)."""
    raw = text.encode("utf-8", "surrogatepass")
    if _UNRESERVED.issuperset(raw):
        return text
    return "".join(chr(byte) if byte in _UNRESERVED else f"%{byte:02X}" for byte in raw)


def unquote(text: str) -> str | None:
    """Return what was percent-encoded; None when that is no text in UTF-8, or an escape is no escape."""
    first, *rest = text.split("%")
    raw = bytearray(first, "utf-8", "surrogatepass")
    for part in rest:
        if len(part) < 2 or part[0] not in _HEX or part[1] not in _HEX:
            return None
        raw.append(int(part[:2], 16))
        raw += part[2:].encode("utf-8", "surrogatepass")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return None


def matcher(template: str) -> Callable[[str], object]:
    """Return what says whether a URI is one of a template's: None or False when it is not.

    Children may use more of RFC 6570 than level 1; an expression with an operator or several variables stands for
    anything then, also for nothing, because only the child knows what it means.
    """
    literals, plain = _literals(template)
    if plain:
        return UriTemplate(template).match
    return lambda uri: _fits(uri, literals)


def _literals(template: str) -> tuple[list[str], bool]:
    literals, plain = [], True
    while True:
        literal, brace, rest = template.partition("{")
        literals.append(literal)
        if not brace:
            return literals, plain
        expression, _, template = rest.partition("}")
        plain = plain and expression.replace("_", "").isalnum()


def _fits(uri: str, literals: list[str]) -> bool:
    """Take the earliest place of each literal, as a pattern of stars is matched: linear in the URI."""
    first, *between = literals
    if len(uri) > LONGEST_URI or not uri.startswith(first):
        return False
    place = len(first)
    if not between:
        return place == len(uri)
    *between, last = between
    for literal in between:
        found = uri.find(literal, place)
        if found < 0:
            return False
        place = found + len(literal)
    return len(uri) - len(last) >= place and uri.endswith(last)
