r"""What people can see of a text that models read.

Control, format, direction and tag characters are removed, escape sequences too. Kept: line feeds and tabs, the joiners
that emoji and several scripts need *between* two visible characters, and the variation selectors after one. Everything
else of Unicode's categories Cc, Cf, Co and Cs goes; a lone surrogate becomes U+FFFD.
"""

from __future__ import annotations

import re
import unicodedata

_ESCAPE_SEQUENCE = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])|\x9b[0-?]*[ -/]*[@-~]"
)
"""Terminal control: CSI and OSC sequences, then the short ones (ECMA-48)."""

_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0")
"""Letters and marks by category that show nothing."""

_KEYCAPS = frozenset("0123456789#*")
"""The ASCII characters an emoji may be made of: a variation selector follows them rightly."""

_JOINERS = frozenset("\u200c\u200d")
_SCRIPT_START = 0x0590
"""Joiners shape text from Hebrew on and emoji; between Latin letters they are only good for hiding."""

_PLAIN = re.compile(r"[ -~\n\t]*")
"""Most texts: nothing to look for."""

_UNPLAIN = re.compile(r"[^ -~\n\t]")
"""A character that has to be looked at."""

MAX_NAMED = 5
"""How many different characters one report names."""


def clean(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the visible text and the names (`U+202E`) of what was removed, each once, at most `MAX_NAMED`."""
    if _PLAIN.fullmatch(text):
        return text, ()
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    plain = _ESCAPE_SEQUENCE.sub("", text)
    removed = {"U+001B": None} if plain != text else {}
    kept, done = [], 0
    for found in _UNPLAIN.finditer(plain):
        index, character = found.start(), found[0]
        kept.append(plain[done:index])
        done = index + 1
        if _visible(plain, index):
            kept.append(character)
        elif unicodedata.category(character) == "Cs":
            kept.append("\ufffd")
        else:
            removed[f"U+{ord(character):04X}"] = None
            # A line or page separator still separates.
            if character in "\x0b\x0c\x1c\x1d\x1e\x85":
                kept.append(" ")
    kept.append(plain[done:])
    return "".join(kept), tuple(list(removed)[:MAX_NAMED])


def _visible(text: str, index: int) -> bool:
    character = text[index]
    if character in "\n\t":
        return True
    if character in _JOINERS:
        return 0 < index < len(text) - 1 and _shapes(text[index - 1]) and _shapes(text[index + 1])
    if "\ufe00" <= character <= "\ufe0f":
        return index > 0 and (not text[index - 1].isascii() or text[index - 1] in _KEYCAPS)
    if character in _FILLERS:
        return False
    if 0xE0100 <= ord(character) <= 0xE01EF:
        # Supplementary variation selectors can carry hidden bytes; they matter to ideographs only.
        return index > 0 and 0x3400 <= ord(text[index - 1]) <= 0x3FFFF
    return unicodedata.category(character) not in {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}


def _shapes(character: str) -> bool:
    return ord(character) >= _SCRIPT_START and unicodedata.category(character) != "Cf"
