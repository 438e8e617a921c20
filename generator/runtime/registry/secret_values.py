"""Whether a value that is written down looks like a credential: by the name it has, or by its own form.

A heuristic: it is told of, and nothing is refused for it. What is looked for stands in `wire/secret_signs.py`.
"""

from __future__ import annotations

from functools import cache

from ..wire.secret_signs import MASK, SURE_VALUES, is_surely_secret, sure_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from re import Pattern

FORMS = {
    "value": "|".join(pattern for _, pattern in SURE_VALUES),
    "option": r"(?i)^--?[a-z-]*(?:key|token|secret|password|signature)(?:=|\Z)",
    "parameter": r"(?i)[?&][a-z_-]*(?:key|token|secret|password|signature)=(?!\$\{)[^&]+",
    "harmless": r"(?i)^(?:\d{0,5}(?:ms|s|m|h|d)?|true|false|yes|no|on|off|none|(?:[a-z]:|~|\.{1,2})?[/\\].*)\Z",
    "key": r"(?i)(?:api|access|auth|private|secret)[_-]?key",
    "word": r"^[A-Za-z]{1,12}(?:[_-][A-Za-z]{1,12})?\Z",
}
"""Values that are credentials whatever they are called; options of a command and parameters of an address with one in
them, as far as that can be seen; values of limits, switches, spans and paths, such as TOKEN_LIMIT and TOKEN_FILE; words
of a language, such as SORT_KEY and AUTH_MODE may have."""

LOOSE_WORDS = frozenset(("auth", "key", "session"))
"""Words of names that speak of credentials only sometimes: a plain word behind them is none, but for the keys above."""


@cache
def _form(name: str) -> Pattern[str]:
    import re

    return re.compile(FORMS[name])


def has_secret(words: Sequence[str]) -> bool:
    """Say whether the words of a command have something in them that looks like a credential."""
    after = (*words[1:], "") if words else ()
    return any(
        _form("value").search(word) is not None or _is_secret_option(word, following)
        for word, following in zip(words, after, strict=True)
    )


def _is_secret_option(word: str, following: str) -> bool:
    if _form("option").search(word) is None:
        return False
    name, equals, value = word.partition("=")
    value = value if equals else following
    return bool(value) and not value.startswith("-") and "${" not in value and not _is_harmless(name, value)


def masked(words: Sequence[str]) -> list[str]:
    """Return the words of a command as they may be shown: what looks like a credential in them is `***`."""
    shown = []
    for before, word in zip(("", *words), words, strict=False):
        name, equals, _ = word.partition("=")
        if _form("value").search(word) is not None or ("=" not in before and _is_secret_option(before, word)):
            shown.append(MASK)
        else:
            shown.append(f"{name}={MASK}" if equals and _is_secret_option(word, "") else word)
    return shown


def masked_address(url: str) -> str:
    """Return an address as it may be shown: of one with a credential in it, where the server is."""
    if not is_secret_address(url):
        return url
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.partition('/')[0].partition('?')[0].rpartition('@')[2]}/{MASK}"


def concealed(text: str, words: Sequence[str]) -> str:
    """Return what the command of these words said, without the credentials that stand in them."""
    for word, shown in zip(words, masked(words), strict=True):
        if word != shown:
            text = text.replace(word if shown == MASK else word.partition("=")[2], MASK)
    return text


def is_secret_address(url: str) -> bool:
    """Say whether an address has something in it that looks like a credential."""
    return any(_form(name).search(url) is not None for name in ("parameter", "value"))


def is_secret_value(variable: str, value: str) -> bool:
    """Say whether the value of a variable looks like a credential."""
    return _form("value").search(value) is not None or (
        is_surely_secret(variable) and not _is_harmless(variable, value)
    )


def _is_harmless(name: str, value: str) -> bool:
    """Say whether a value is none of those that let somebody in, although its name speaks of such."""
    if _form("harmless").search(value) is not None:
        return True
    loose = sure_words(name) <= LOOSE_WORDS and _form("key").search(name) is None
    return loose and _form("word").search(value) is not None
