"""How texts are cut into the words that a search compares: the same for the index and for queries."""

from __future__ import annotations

SHORTEST = 2
"""Characters of a word; single letters match everything."""

UNTELLING = frozenset(
    [
        "an", "and", "are", "as", "at", "be", "by", "can", "for", "from", "has", "have", "if", "in", "is", "it", "its",
        "not", "of", "on", "or", "that", "the", "this", "to", "which", "will", "with", "you", "your",
    ]
)  # fmt: skip
"""Words that say nothing about which tool is meant."""

ENDINGS = (("ies", "y"), ("sses", "ss"), ("ses", "se"), ("es", "e"), ("s", ""))
"""Plurals and third persons come to the same word: `lists`, `repositories`."""


MEANINGS = (
    ("create", "add", "new", "make", "post", "insert"),
    ("delete", "remove", "destroy", "cancel"),
    ("update", "edit", "change", "modify", "set", "patch", "rename", "close"),
    ("get", "show", "read", "fetch", "retrieve", "find", "view", "look"),
    ("list", "browse", "search", "find"),
    ("send", "post", "write"),
    ("current", "me", "my", "own", "mine", "myself", "who", "whoami", "authenticated"),
    ("repo", "repository"),
    ("picture", "image", "photo"),
)
"""Words that people use for the same thing when they ask for a tool."""


def alike(word: str) -> list[str]:
    """Return the other words of the same meaning."""
    return [other for group in MEANINGS if word in group for other in group if other != word]


def words(text: str) -> list[str]:
    """Return the words of a text: lower case, cut at anything that is no letter or digit and at `camelCase`."""
    found: list[str] = []
    current = ""
    before = ""
    for character in text:
        if not character.isalnum():
            _take(found, current)
            current = before = ""
            continue
        if character.isupper() and before.islower():
            _take(found, current)
            current = ""
        current += character.lower()
        before = character
    _take(found, current)
    return found


def _take(found: list[str], word: str) -> None:
    if len(word) >= SHORTEST and word not in UNTELLING:
        found.append(_stem(word))


def _stem(word: str) -> str:
    if len(word) > 3 and word.isascii() and not word.endswith(("ss", "us", "is")):
        for ending, instead in ENDINGS:
            if word.endswith(ending):
                return word[: -len(ending)] + instead
    return word
