"""Whether a value that is written down looks like a credential: by the name it has, or by its own form.

A heuristic: it is told of, and nothing is refused for it. What is looked for stands in `wire/secret_signs.py`.
"""

from __future__ import annotations

from functools import cache

from ..wire.secret_signs import SURE_VALUES, is_surely_secret

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Pattern

FORMS = {
    "value": "|".join(pattern for _, pattern in SURE_VALUES),
    "option": r"(?i)^--?[a-z-]*(?:key|token|secret|password|signature)=(?!\$\{).+",
    "parameter": r"(?i)[?&][a-z_-]*(?:key|token|secret|password|signature)=(?!\$\{)[^&]+",
    "harmless": r"(?i)^(?:\d{0,5}|true|false|yes|no|on|off|none)\Z",
}
"""Values that are credentials whatever they are called; options of a command and parameters of an address with one in
them, as far as that can be seen; values of limits and switches, such as TOKEN_LIMIT."""


@cache
def _form(name: str) -> Pattern[str]:
    import re

    return re.compile(FORMS[name])


def is_secret_word(word: str) -> bool:
    """Say whether a word of a command looks like a credential, or has one in it."""
    return any(_form(name).search(word) is not None for name in ("option", "value"))


def is_secret_address(url: str) -> bool:
    """Say whether an address has something in it that looks like a credential."""
    return any(_form(name).search(url) is not None for name in ("parameter", "value"))


def is_secret_value(variable: str, value: str) -> bool:
    """Say whether the value of a variable looks like a credential."""
    named = is_surely_secret(variable) and _form("harmless").search(value) is None
    return named or _form("value").search(value) is not None
