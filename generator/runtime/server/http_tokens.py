"""Who may ask: bearer tokens, known by their SHA-256 only (RFC 6750).

The file is a JSON list of `{"name", "sha256", "scopes"}`; a token without scopes has none. A token is accepted in the
`Authorization` header alone, never in a URL, and compared in constant time with every known one. Neither it nor its
hash is ever written anywhere.
"""

from __future__ import annotations

from hashlib import sha256
from hmac import compare_digest

from ..wire import jsonrpc
from .http_limits import MAX_TOKEN_BYTES, MAX_TOKENS_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

HASH_DIGITS = 64
ANY_SCOPE = "*"
"""A scope that stands for all of them."""


class TokensError(Exception):
    """The tokens cannot be used; the message says why and holds nothing of them."""


class Principal:
    """Whoever a token belongs to."""

    __slots__ = ("name", "scopes", "verified")

    def __init__(self, name: str, scopes: frozenset[str], *, verified: bool = False) -> None:
        self.name = name
        self.scopes = scopes
        self.verified = verified

    def is_same(self, other: Principal | None) -> bool:
        """Say whether another is this one: the same known token, or the same name if tokens are verified.

        A verified token lives for minutes; what its holder opened with one goes on with the next.
        """
        return self is other or (other is not None and self.verified and other.verified and self.name == other.name)

    def lacks(self, needed: list[str]) -> list[str]:
        """Return the scopes among these that the principal does not have."""
        return [] if ANY_SCOPE in self.scopes else [scope for scope in needed if scope not in self.scopes]


class Tokens:
    """The known tokens."""

    __slots__ = ("_known",)

    def __init__(self, known: list[tuple[bytes, Principal]]) -> None:
        self._known = known

    @property
    def names(self) -> frozenset[str]:
        """Whose tokens they are."""
        return frozenset(principal.name for _, principal in self._known)

    def principal(self, token: str) -> Principal | None:
        """Return whose token this is, None for an unknown one; every known one is compared, in constant time."""
        digest = sha256(token.encode("latin-1")).digest()
        found = None
        for known, principal in self._known:
            if compare_digest(known, digest):
                found = principal
        return found


def bearer(authorization: str | None) -> str:
    """Return the token in an `Authorization` header, empty without one or with one of no sensible length."""
    scheme, _, token = (authorization or "").partition(" ")
    token = token.strip(" ")
    return token if scheme.lower() == "bearer" and len(token) <= MAX_TOKEN_BYTES else ""


def listed_tokens(entries: list[dict[str, Any]]) -> Tokens:
    """Take the tokens that the settings list, each with a hash or the token itself; raises TokensError."""
    known = []
    for number, entry in enumerate(entries, 1):
        if "token" in entry:
            digest = sha256(_usable(entry["token"], f"tokens: entry {number}")).hexdigest()
            entry = {"name": entry["name"], "sha256": digest, "scopes": entry.get("scopes", [])}  # noqa: PLW2901
        known.append(_entry(number, entry))
    return Tokens(known)


def _usable(token: str, what: str) -> bytes:
    """Return the bytes of a token an operator chose; raises TokensError."""
    if not token or token.strip() != token or not token.isascii() or not token.isprintable():
        raise TokensError(f"{what}: the variable is not set, or not a token of printable ASCII characters")
    return token.encode("ascii")


def read_tokens(path: str) -> Tokens:
    """Read a tokens file; raises TokensError."""
    try:
        with open(path, "rb") as file:
            content = file.read(MAX_TOKENS_BYTES + 1)
    except OSError as error:
        raise TokensError(f"--tokens cannot be read: {error.strerror}: {path}") from None
    try:
        entries = jsonrpc.parse(content) if len(content) <= MAX_TOKENS_BYTES else None
    except jsonrpc.ParseFailure:
        entries = None
    if type(entries) is not list or not entries:
        raise TokensError('--tokens is a JSON list with at least one {"name": "...", "sha256": "...", "scopes": [...]}')
    return Tokens([_entry(number, entry) for number, entry in enumerate(entries, 1)])


def environment_token(name: str, value: str) -> Tokens:
    """Take the one token in an environment variable: the operator's own, with every scope. Raises TokensError."""
    digest = sha256(_usable(value, f"--token-env {name}")).digest()
    return Tokens([(digest, Principal(name, frozenset((ANY_SCOPE,))))])


def _entry(number: int, entry: Any) -> tuple[bytes, Principal]:
    if type(entry) is not dict or not entry.keys() <= {"name", "sha256", "scopes"}:
        raise TokensError(f"--tokens: entry {number} is an object with name, sha256 and scopes")
    name, digest, scopes = entry.get("name"), entry.get("sha256"), entry.get("scopes", [])
    if type(name) is not str or not name:
        raise TokensError(f"--tokens: entry {number} has no name")
    if type(scopes) is not list or any(type(scope) is not str for scope in scopes):
        raise TokensError(f"--tokens: scopes of entry {number} is a list of strings")
    try:
        known = bytes.fromhex(digest) if type(digest) is str and len(digest) == HASH_DIGITS else b""
    except ValueError:
        known = b""
    if len(known) * 2 != HASH_DIGITS:
        raise TokensError(f"--tokens: sha256 of entry {number} is {HASH_DIGITS} hexadecimal digits")
    return known, Principal(name, frozenset(scopes))
