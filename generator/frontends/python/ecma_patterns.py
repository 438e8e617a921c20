"""Python's regular expressions in the syntax of JSON Schema (ECMA-262): translated, or refused by name.

A scan over the text keeps everything that both dialects spell alike. Case-insensitive patterns become classes of both
cases; what ECMA-262 cannot say (possessive quantifiers, atomic groups, conditions, verbose mode) is refused.
"""

from __future__ import annotations

import re

_NAMED = re.compile(r"\(\?P<([^>]+)>")
_BACK = re.compile(r"\(\?P=([^)]+)\)")
_FLAGS = re.compile(r"\(\?([aiLmsux]+)\)")
_QUANTIFIER = re.compile(r"\{(\d*)(,?)(\d*)\}")
_ANCHORS = {"A": "^", "Z": "$", "z": "$"}
_KEPT_ESCAPES = frozenset("dDwWsSbBfnrtv^$\\.*+?()[]{}|/")
_LONG = re.compile(r"\\U([0-9A-Fa-f]{8})")
_FIXED = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4}))")
_OCTAL = re.compile(r"\\(0[0-7]{0,2}|[1-3][0-7]{2})")
_LAST_BYTE, _LAST_UNIT = 0xFF, 0xFFFF
_DOTALL = "[\\s\\S]"


class Untranslatable(Exception):
    """The pattern uses something ECMA-262 cannot say; the message names it."""


def to_ecma(pattern: str) -> str:
    """Return the pattern in ECMA-262 syntax; raise Untranslatable."""
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as error:
        message = f"it is not a regular expression: {error}"
        raise Untranslatable(message) from None
    return _Scan(pattern).run()


class _Scan:
    """One pass over a pattern that compiles."""

    __slots__ = ("_at", "_fold", "_out", "_single", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._out: list[str] = []
        self._fold = False
        self._single = False

    def run(self) -> str:
        flags = _FLAGS.match(self._text)
        if flags is not None:
            self._set_flags(flags[1])
            self._at = flags.end()
        while self._at < len(self._text):
            self._step()
        return "".join(self._out)

    def _set_flags(self, flags: str) -> None:
        refused = set(flags) - set("aisu")
        if refused:
            message = f"the flag `{min(refused)}`"
            raise Untranslatable(message)
        self._fold = "i" in flags
        self._single = "s" in flags

    def _step(self) -> None:
        char = self._text[self._at]
        if char == "\\":
            self._out.append(self._escape(in_class=False))
        elif char == "[":
            self._class()
        elif char == "(":
            self._group()
        elif char == "{":
            self._brace()
        elif char in "*+?" or char == "}":
            self._quantifier(char)
        elif char == "." and self._single:
            self._take(1, _DOTALL)
        elif self._fold and _has_case(char):
            self._take(1, _both_cases(char))
        else:
            self._take(1, char)

    def _take(self, count: int, text: str) -> None:
        self._at += count
        self._out.append(text)

    def _quantifier(self, char: str) -> None:
        if char == "}":
            self._take(1, "\\}")
            return
        self._take(1, char)
        self._after_quantifier()

    def _after_quantifier(self) -> None:
        following = self._text[self._at : self._at + 1]
        if following == "+":
            raise Untranslatable("a possessive quantifier")
        if following == "?":
            self._take(1, "?")

    def _brace(self) -> None:
        found = _QUANTIFIER.match(self._text, self._at)
        if found is None or not (found[1] or (found[2] and found[3])):
            self._take(1, "\\{")
            return
        self._take(len(found[0]), f"{{{found[1] or 0}{found[2]}{found[3]}}}")
        self._after_quantifier()

    def _group(self) -> None:
        for pattern, form in ((_NAMED, "(?<{}>"), (_BACK, "\\k<{}>")):
            found = pattern.match(self._text, self._at)
            if found is not None:
                self._take(len(found[0]), form.format(found[1]))
                return
        rest = self._text[self._at + 1 : self._at + 4]
        if rest.startswith("?#"):
            self._at = self._text.index(")", self._at) + 1
        elif rest.startswith(("?>", "?(")):
            raise Untranslatable("an atomic group" if rest[1] == ">" else "a condition")
        elif rest.startswith("?") and not rest.startswith(("?:", "?=", "?!", "?<=", "?<!")):
            raise Untranslatable("flags inside the pattern")
        else:
            self._take(1, "(")
            if rest.startswith("?"):  # its `?` is no quantifier
                self._take(1, "?")

    def _escape(self, *, in_class: bool) -> str:
        """Return the translation of the escape that starts here, and step over it."""
        long = _LONG.match(self._text, self._at)
        fixed = _FIXED.match(self._text, self._at)
        octal = _OCTAL.match(self._text, self._at)
        if long is not None:
            self._at = long.end()
            return self._character(int(long[1], 16), in_class=in_class)
        if fixed is not None:
            self._at = fixed.end()
            return self._character(int(fixed[1] or fixed[2], 16), in_class=in_class)
        if octal is not None:
            self._at = octal.end()
            return self._character(int(octal[1], 8), in_class=in_class)
        char = self._text[self._at + 1]
        self._at += 2
        if char == "N":
            raise Untranslatable("a character by its name")
        if char in _ANCHORS and not in_class:
            return _ANCHORS[char]
        if char == "a":
            return "\\x07"
        if char in _KEPT_ESCAPES or char.isdigit() or (in_class and char == "-"):
            return f"\\{char}"
        return char

    def _character(self, code: int, *, in_class: bool) -> str:
        """Return a character given by its number."""
        char = chr(code)
        if self._fold and _has_case(char):
            return char if in_class else _both_cases(char)
        if code <= _LAST_BYTE:
            return f"\\x{code:02x}"
        return f"\\u{code:04x}" if code <= _LAST_UNIT else char

    def _class(self) -> None:
        self._take(1, "[")
        if self._text[self._at] == "^":
            self._take(1, "^")
        first = True
        while first or self._text[self._at] != "]":
            item = self._class_item()
            self._out.append(item)
            following = self._text[self._at : self._at + 2]
            if len(following) > 1 and following[0] == "-" and following[1] != "]":
                self._at += 1
                end = self._class_item()
                self._out.append(f"-{end}")
                self._fold_range(item, end)
            else:
                self._fold_range(item, item)
            first = False
        self._take(1, "]")

    def _class_item(self) -> str:
        char = self._text[self._at]
        if char == "\\":
            return self._escape(in_class=True)
        self._at += 1
        return f"\\{char}" if char in "[]" else char

    def _fold_range(self, first: str, last: str) -> None:
        """Add the other case of a range of letters."""
        if not self._fold or not (_has_case(first) and _has_case(last)):
            return
        if first.islower() != last.islower() or (first != last and not (first.isascii() and last.isascii())):
            raise Untranslatable("a range across both cases that ignores case")
        low, high = first.swapcase(), last.swapcase()
        self._out.append(low if low == high else f"{low}-{high}")


def _has_case(text: str) -> bool:
    """Whether this is one letter whose other case is one letter too."""
    return len(text) == 1 and len(text.swapcase()) == 1 and text.swapcase() != text


def _both_cases(char: str) -> str:
    return f"[{char.lower()}{char.upper()}]"
