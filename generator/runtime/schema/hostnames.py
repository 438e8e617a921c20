"""Check host names: RFC 1123 labels, and internationalised ones loosely by RFC 5890 to 5893."""

from __future__ import annotations

import re

HEX = frozenset("0123456789abcdefABCDEF")
LONGEST_NAME, LONGEST_LABEL = 253, 63
_label = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?").fullmatch

DOTS = re.compile("[.\u3002\uff0e\uff61]")
"""What separates the labels of an internationalised name (RFC 3490, 3.1)."""
DISALLOWED = frozenset("\u0640\u07fa\u302e\u302f\u3031\u3032\u3033\u3034\u3035\u303b")
"""Exceptions that RFC 5892, 2.6 disallows although their category would do."""
ALLOWED = frozenset("\u00df\u03c2\u06fd\u06fe\u0f0b\u3007")
"""Exceptions that RFC 5892, 2.6 allows."""
VIRAMA = 9
"""The canonical combining class of a virama."""


def is_hostname(text: str) -> bool:
    """Check `hostname` (RFC 1123, 2.1): letters, digits, inner hyphens; an `xn--` label decodes to a valid one."""
    if not text or len(text) > LONGEST_NAME:
        return False
    return all(_label(label) is not None and _is_plain_or_encoded(label) for label in text.split("."))


def _is_plain_or_encoded(label: str) -> bool:
    if label[2:4] != "--":
        return True
    if label[:4].lower() != "xn--":
        return False  # RFC 5891, 4.2.3.1
    try:
        decoded = label[4:].encode("ascii").decode("punycode")
    except (UnicodeError, ValueError, OverflowError):
        return False
    same = decoded.encode("punycode").decode("ascii").lower() == label[4:].lower()
    return same and not decoded.isascii() and _is_unicode_label(decoded)


def is_idn_hostname(text: str) -> bool:
    """Check `idn-hostname` (RFC 5890, 2.3.2.3): every label is a host name label or a valid Unicode label."""
    if not text or len(text) > LONGEST_NAME:
        return False
    labels = DOTS.split(text)
    if not all(is_hostname(label) if label.isascii() else _is_unicode_label(label) for label in labels):
        return False
    # One right-to-left label makes the whole a bidi domain name: no label begins with a digit (RFC 5893, 1.4).
    return not any(map(_is_right_to_left, labels)) or not any(label[0].isdigit() for label in labels)


def _is_unicode_label(label: str) -> bool:
    from unicodedata import category, normalize

    if normalize("NFC", label) != label or label.startswith("-") or label.endswith("-") or label[2:4] == "--":
        return False
    if category(label[0]).startswith("M"):  # RFC 5891, 4.2.3.2
        return False
    try:
        if len(label.encode("punycode")) + 4 > LONGEST_LABEL:
            return False
    except UnicodeError:
        return False
    return (
        all(_is_allowed(label, index) for index in range(len(label))) and not _mixes_digits(label) and _fits_bidi(label)
    )


def _is_allowed(label: str, index: int) -> bool:
    """Check one character by category, and the ones that are allowed in a context only (RFC 5892, appendix A)."""
    from unicodedata import category

    char = label[index]
    rule = CONTEXTS.get(char)
    if rule is not None:
        return rule(label, index)
    if char in ALLOWED or char == "-":
        return True
    if char in DISALLOWED or char != char.casefold():
        return False
    return category(char) in ("Ll", "Lo", "Lm", "Mn", "Mc", "Nd")


def _between(label: str, index: int, wanted: str) -> bool:
    return 0 < index < len(label) - 1 and label[index - 1] == label[index + 1] == wanted


def _script(char: str, *names: str) -> bool:
    from unicodedata import name

    return bool(char) and name(char, "").startswith(names)


def _joins(label: str, index: int) -> bool:
    """Check a joiner: after a virama, or (taken loosely) between two Arabic letters (RFC 5892, A.1 and A.2)."""
    from unicodedata import bidirectional, combining

    if index > 0 and combining(label[index - 1]) == VIRAMA:
        return True
    around = label[index - 1 : index] + label[index + 1 : index + 2]
    return label[index] == "\u200c" and len(around) == 2 and all(bidirectional(char) == "AL" for char in around)


CONTEXTS = {
    "\u00b7": lambda label, index: _between(label, index, "l"),
    "\u0375": lambda label, index: _script(label[index + 1 : index + 2], "GREEK"),
    "\u05f3": lambda label, index: _script(label[:index][-1:], "HEBREW"),
    "\u05f4": lambda label, index: _script(label[:index][-1:], "HEBREW"),
    "\u30fb": lambda label, _: any(
        _script(char, "HIRAGANA", "KATAKANA LETTER", "KATAKANA-HIRAGANA", "CJK") for char in label
    ),
    "\u200c": _joins,
    "\u200d": _joins,
}
"""Characters that need certain neighbours."""


def _mixes_digits(label: str) -> bool:
    """Say whether Arabic-Indic digits of both kinds occur (RFC 5892, A.8 and A.9)."""
    return any("\u0660" <= char <= "\u0669" for char in label) and any("\u06f0" <= char <= "\u06f9" for char in label)


def _is_right_to_left(label: str) -> bool:
    from unicodedata import bidirectional

    return any(bidirectional(char) in ("R", "AL", "AN") for char in label)


def _fits_bidi(label: str) -> bool:
    """Check the main rules for labels with right-to-left characters (RFC 5893, 2)."""
    from unicodedata import bidirectional

    classes = [bidirectional(char) for char in label]
    if not _is_right_to_left(label):
        return True
    if "EN" in classes and "AN" in classes:
        return False
    while classes and classes[-1] == "NSM":
        classes.pop()
    return classes[0] in ("R", "AL") and classes[-1] in ("R", "AL", "EN", "AN") and "L" not in classes
