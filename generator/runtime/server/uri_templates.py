"""Templates of resource URIs: which variables a URI fills, by RFC 6570 level 1 (`{name}`, simple string expansion).

A variable stands for at least one character and never for `/`, `?` or `#`. Matching takes the earliest place of each
literal, which finds a match whenever there is one, because what moves from one variable to the next stays free of the
characters that no variable holds; so the time is linear and there is nothing to backtrack.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST_URI = 4_096
"""Characters of a URI that is looked at; browsers and proxies stop near 8,000, and real ones stay below 1,000."""

NOT_IN_VALUES = "/?#"
"""Characters that end a part of a URI: in a value they stand percent-encoded."""


def pieces(template: str) -> Iterator[tuple[str, str]]:
    """Yield each literal with the variable that follows it; the last variable is empty."""
    while True:
        literal, _, rest = template.partition("{")
        name, _, template = rest.partition("}")
        yield literal, name
        if not name:
            return


class UriTemplate:
    """One template, taken apart."""

    __slots__ = ("_literals", "names")

    def __init__(self, template: str) -> None:
        found = list(pieces(template))
        self._literals = [literal for literal, _ in found]
        self.names = [name for _, name in found if name]

    def match(self, uri: str) -> dict[str, str] | None:
        """Return the decoded values by variable; None when the URI is none of this template, or a value is unsafe."""
        first, *others = self._literals
        if len(uri) > LONGEST_URI or not uri.startswith(first):
            return None
        values: dict[str, str] = {}
        start = len(first)
        for position, (name, literal) in enumerate(zip(self.names, others, strict=True)):
            if position == len(others) - 1:
                end = len(uri) - len(literal) if uri.endswith(literal) else -1
            else:
                end = uri.find(literal, start + 1)
            value = _value(uri[start:end]) if end > start else None
            if value is None:
                return None
            values[name] = value
            start = end + len(literal)
        return values if others or start == len(uri) else None


def _value(written: str) -> str | None:
    """Decode a value; None for what is no value, and for what would lead out of a folder it is joined to."""
    if any(character in written for character in NOT_IN_VALUES):
        return None
    value = written
    if "%" in written:
        from urllib.parse import unquote_to_bytes

        for part in written.split("%")[1:]:
            if len(part) < 2 or not _is_hexadecimal(part[:2]):
                return None
        try:
            value = unquote_to_bytes(written).decode("utf-8")
        except UnicodeDecodeError:
            return None
    return value if is_safe(value) else None


def _is_hexadecimal(pair: str) -> bool:
    return all(digit in "0123456789abcdefABCDEF" for digit in pair)


def is_safe(value: str) -> bool:
    """Say whether a value stays inside when it is taken for a path: no `..`, root, drive, control or half character."""
    parts = value.replace("\\", "/").split("/")
    if ".." in parts or (len(parts) > 1 and not parts[0]):
        return False
    if value[1:2] == ":" and value[0].isascii() and value[0].isalpha() and value[2:3] in ("", "/", "\\"):
        return False
    return not any(each < " " or "\x7f" <= each <= "\x9f" or "\ud800" <= each <= "\udfff" for each in value)
