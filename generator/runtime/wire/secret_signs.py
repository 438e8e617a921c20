"""What looks like a secret, by its name or by its value, in two strengths.

*Sure* is what a person is warned of or refused who is about to write it down: every false alarm teaches them to look
away. *Doubtful* is what is taken out of a text that leaves a server: there doubt goes against the text. The patterns
are texts, because most programs never search with them; every one is linear in what is searched.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MASK = "***"

SURE_WORDS = frozenset((
    "apikey", "auth", "authorization", "cookie", "credential", "credentials", "key", "passphrase", "passwd",
    "password", "pat", "pwd", "secret", "session", "token",
))  # fmt: skip
"""Whole words in the names of headers and variables whose values let their holders in."""

DOUBTFUL_ROOTS = (
    "token", "secret", "password", "passwd", "passphrase", "pwd", "api key", "access key", "private key", "credential",
    "authorization", "cookie", "signature", "session id",
)  # fmt: skip
"""What a name of a secret has in it; where a space is, punctuation may be."""

_WORD = "[A-Za-z0-9_-]"
_PREFIXES: tuple[tuple[str, str, str, int, int], ...] = (
    ("a key of AWS", "(?:AKIA|ASIA)", "[A-Z0-9]", 16, 12),
    ("a token of GitHub", "(?:gh[pousr]_|github_pat_)", _WORD, 20, 6),
    ("a token of GitLab", "glpat-", _WORD, 20, 6),
    ("a token of Slack", "xox[abeoprs]-", _WORD, 10, 6),
    ("a key of Google", "AIza", _WORD, 35, 20),
    ("a key of Stripe", "[rs]k_(?:live|test)_", "[0-9A-Za-z]", 16, 6),
    ("an API key", "sk-", _WORD, 20, 6),
    ("an access token", "(?:hf_|npm_|pypi-|dop_v1_|shpat_)", _WORD, 30, 6),
)
"""Well-known keys: how they begin, what follows, and how much of it makes a sure and a doubtful one."""

SURE_VALUES: tuple[tuple[str, str], ...] = (
    ("a private key", "-----BEGIN (?:[A-Z]{1,20} ){0,3}PRIVATE KEY-----"),
    *((kind, rf"\b{prefix}{tail}{{{sure},}}") for kind, prefix, tail, sure, _ in _PREFIXES),
    ("a signed token", rf"\beyJ{_WORD}{{10,}}\.eyJ{_WORD}{{10,}}\.{_WORD}{{10,}}"),
    ("a bearer token", r"\bBearer\s+[A-Za-z0-9._~+/-]{20,}"),
    ("a password in an address", r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@\"'<>{}$]{1,100}:[^\s/@\"'<>{}$]{3,100}@"),
)
"""What a text has in it that is a secret whatever it is called, and how it is told of."""

_NAMES = "|".join(root.replace(" ", "[_-]?") for root in DOUBTFUL_ROOTS)
_NAMED = (
    rf"(?i)\b([\w-]{{0,40}}(?:{_NAMES})[\w-]{{0,40}})([\"']?\s{{0,3}}[=:]\s{{0,3}})"
    r"(?!\s|(?:bearer|basic|digest|negotiate)\s)(?:\"[^\"]*\"?|'[^']*'?|[^\s,;&\"'(){}\[\]]+)"
)
DOUBTFUL_VALUES: tuple[tuple[str, str], ...] = (
    # a PEM block, whole or cut off
    (r"-----BEGIN [A-Z ]{0,40}-----[^-]*(?:-----END [A-Z ]{0,40}-----)?", MASK),
    # user and password in a URL
    (r"(?i)\b([a-z][a-z0-9+.-]{0,30}://)[^\s/@'\"]{1,500}@", rf"\1{MASK}@"),
    # Authorization schemes
    (r"(?i)\b(bearer|basic|digest|negotiate)\s+[A-Za-z0-9+/=._~-]{4,}", rf"\1 {MASK}"),
    # name = value, "name": "value", name: value
    (_NAMED, rf"\1\2{MASK}"),
    # well-known prefixes of keys, and JSON web tokens
    (rf"\b(?:sk|pk|rk)[-_]{_WORD}{{6,}}", MASK),
    *((rf"\b{prefix}{tail}{{{doubtful},}}", MASK) for _, prefix, tail, _, doubtful in _PREFIXES),
    (rf"\beyJ{_WORD}{{8,2000}}(?:\.{_WORD}*){{1,2}}", MASK),
)
"""What a text may have in it that is a secret, and what stands in its place."""


def is_surely_secret(name: str) -> bool:
    """Say whether the value of a header or a variable lets its holder in, by a whole word of the name."""
    return bool(sure_words(name))


def sure_words(name: str) -> frozenset[str]:
    """Return the whole words of a name that speak of a credential."""
    return SURE_WORDS.intersection("".join(each if each.isalpha() else " " for each in name.lower()).split())


def may_be_secret(name: str) -> bool:
    """Say whether a value of this name may be a secret: some part of the name speaks of one."""
    plain = "".join(filter(str.isalnum, name.lower()))
    return any(root.replace(" ", "") in plain for root in DOUBTFUL_ROOTS) or "bearer" in plain


def is_marked_secret(schema: Any) -> bool:
    """Say whether a schema says that its values are not to be shown."""
    return type(schema) is dict and (schema.get("writeOnly") is True or schema.get("format") == "password")
