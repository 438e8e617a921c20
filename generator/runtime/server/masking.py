"""Take secrets and file system paths out of a text that leaves the server.

Rules: every pattern is linear in the text, and the text is cut before it is searched. What looks like a secret becomes
`***`; an absolute path becomes its last part, because people's names and layouts stand in the rest. Doubt goes against
the text: a long random-looking word is masked although it may be harmless.
"""

from __future__ import annotations

import re

from ..wire.secret_signs import DOUBTFUL_VALUES, MASK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

SEARCHED_CHARACTERS = 16_000
"""How much of a text is looked at; the rest is dropped unread. Messages are cut far below this afterwards."""

SHORTEST_SECRET = 4
"""A configured value shorter than this is not searched for: it would match ordinary words."""

_PATTERNS = tuple((re.compile(pattern), replacement) for pattern, replacement in DOUBTFUL_VALUES)
_QUOTED_PATH = re.compile(r"([\"'`])(?:/|~/|[A-Za-z]:[\\/]|\\\\)([^\"'`\n]*)\1")
_FILE_URL = re.compile(r"(?i)\bfile://[^\s\"'<>)]*")
_BARE_PATH = re.compile(
    r"(?<![\w/\\.:~@-])(?:~(?=/)|[A-Za-z]:(?=[\\/])|\\(?=\\))?[\\/](?:[^\s\\/\"'<>|:;,()\[\]{}*?]+[\\/])+"
    r"([^\s\\/\"'<>|:;,()\[\]{}*?]*)"
)
_RANDOM = re.compile(r"(?<![\w+/-])[A-Za-z0-9+/_-]{32,}={0,2}")
_HEXADECIMAL = re.compile(r"[0-9A-Fa-f]{32,}\Z")


def mask(text: str, secrets: Iterable[str] = ()) -> str:
    """Return the text without secrets and paths; `secrets` are values known to be secret."""
    text = mask_values(text[:SEARCHED_CHARACTERS], secrets)
    for pattern, replacement in _PATTERNS:
        text = pattern.sub(replacement, text)
    text = _FILE_URL.sub(lambda match: _last_part(match.group()), text)
    text = _QUOTED_PATH.sub(lambda match: match[1] + _last_part(match[2]) + match[1], text)
    text = _BARE_PATH.sub(lambda match: _last_part(match.group()), text)
    return _RANDOM.sub(_mask_random, text)


def mask_values(text: str, secrets: Iterable[str]) -> str:
    """Return the text without the values that are known to be secret."""
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= SHORTEST_SECRET:
            text = text.replace(secret, MASK)
    return text


def mask_json(value: Any, secrets: Iterable[str]) -> Any:
    """Return a JSON value whose texts are without the values that are known to be secret."""
    if not secrets:
        return value
    if type(value) is str:
        return mask_values(value, secrets)
    if type(value) is dict:
        return {mask_values(name, secrets): mask_json(item, secrets) for name, item in value.items()}
    return [mask_json(item, secrets) for item in value] if type(value) is list else value


def _last_part(path: str) -> str:
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2] or "path"


def _mask_random(match: re.Match[str]) -> str:
    """Mask long hexadecimal digits, and long words that mix digits, capitals and small letters as encoded bytes do."""
    word = match.group().rstrip("=")
    mixed = any(map(str.isdigit, word)) and any(map(str.isupper, word)) and any(map(str.islower, word))
    return MASK if mixed or _HEXADECIMAL.match(word) else match.group()
