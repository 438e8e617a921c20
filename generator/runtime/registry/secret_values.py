"""Whether a value that is written down looks like a credential: by the name it has, or by its own form.

A heuristic: it is told of, and nothing is refused for it.
"""

from __future__ import annotations

from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Pattern

SECRET_WORDS = frozenset({"apikey", "auth", "authorization", "cookie", "key", "password", "secret", "session", "token"})
"""Words in the names of headers whose values let their holders in."""

SECRET_PARTS = SECRET_WORDS | {"credential", "credentials", "passphrase", "passwd", "pat", "pwd"}
"""Parts of the names of variables whose values do."""

FORMS = {
    "word": r"(?i:^--?[a-z-]*(?:key|token|secret|password)=(?!\$\{).+|^(?:sk|ghp|xox[abp])[-_].{16,})",
    "value": (
        r"(?:sk|rk|gh[oprsu]|github_pat|glpat|xox[abeps])[-_].{16,}|AKIA[0-9A-Z]{16}|-----BEGIN [A-Z ]*PRIVATE KEY"
        r"|eyJ[\w-]{8,}\.eyJ[\w-]+\.|\w+://[^/@\s:]+:[^/@\s]+@"
    ),
    "harmless": r"^(?i:\d{0,5}|true|false|yes|no|on|off|none)$",
    "between": r"[_0-9]+",
}
"""Words of a command and values of variables that are credentials whatever they are called (keys of well-known
services, tokens, passwords in addresses); values of limits and switches, such as TOKEN_LIMIT; what parts a name."""


@cache
def _form(name: str) -> Pattern[str]:
    import re

    return re.compile(FORMS[name])


def is_secret_word(word: str) -> bool:
    """Say whether a word of a command looks like a credential."""
    return _form("word").search(word) is not None


def is_secret_value(variable: str, value: str) -> bool:
    """Say whether the value of a variable looks like a credential."""
    parts = {part for part in _form("between").split(variable.lower()) if part}
    named = bool(SECRET_PARTS & parts) and _form("harmless").search(value) is None
    return named or _form("value").search(value) is not None
