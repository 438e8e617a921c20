"""Names of arguments that every host accepts (decision 15): letters, digits, `_`, `.` and `-`, at most 64."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container

MAXIMUM = 64
"""Characters of a name; some model APIs refuse longer ones."""

_ACCEPTED = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_SPELLED = str.maketrans(
    {"ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D"}
    | {"ł": "l", "Ł": "L", "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "\N{LATIN SMALL LETTER DOTLESS I}": "i"}
)
"""Latin letters that Unicode does not take apart into a letter and its mark."""

_OTHERS = re.compile(r"[^A-Za-z0-9_.-]+")


def wire_name(name: str, taken: Container[str]) -> str:
    """Return the name when it is acceptable and free, else the nearest acceptable one, the same in every run."""
    if _ACCEPTED.fullmatch(name) and name not in taken:
        return name
    spelled = unicodedata.normalize("NFKD", name.translate(_SPELLED))
    plain = "".join(_spoken(each) for each in spelled if not unicodedata.combining(each))
    readable = plain.isascii()  # of a word in another script too little is left to be its name
    plain = _OTHERS.sub("_", plain).strip("_")
    if readable and plain and len(plain) <= MAXIMUM and plain not in taken:
        return plain
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{(plain or 'argument')[: MAXIMUM - 9]}_{digest}"


def _spoken(character: str) -> str:
    """Return a Greek letter by its name, as formulas are read aloud: `alpha`, `Delta`; any other character as it is."""
    if character.isascii():
        return character
    words = unicodedata.name(character, "").split(" WITH ")[0].split()
    if words[:1] != ["GREEK"] or "LETTER" not in words:
        return character
    return words[-1].lower() if "SMALL" in words else words[-1].capitalize()
