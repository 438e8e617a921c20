r"""Translate ECMA-262 regular expressions, which JSON Schema's patterns are, to Python's (core, 6.4).

The result matches what ECMA-262 with the `u` flag matches: `$` only at the very end, `\\d` and `\\w` in ASCII, `.`
without line terminators, `\\u{…}` and surrogate pairs as one character, back references to groups that took no part
as empty. Of the web's leniency (annex B) only stray `{`, `}`, `]` and escaped punctuation are accepted. What Python's
`re` cannot do (variable look-behind, scripts) raises PatternError, as does whatever is only valid in Python.
"""

from __future__ import annotations

import re

from .characters import DOT, ESCAPES, LAST, complement, merged, property_ranges
from .kinds import SchemaError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .characters import Ranges

HEX = frozenset("0123456789abcdefABCDEF")
CONTROLS = {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13}
LONGEST = 20_000
"""Characters of a pattern that is translated at all; no author writes a longer one."""

LONGEST_SEARCHED = 4_096
"""Characters of a text in which a pattern without `^` is searched for: it is tried at each of them, and a repetition
like that of `\\s+$` runs along the text each time. This much takes some 0.1 s, twice as much four times that."""

_REPEATING = frozenset("*+{")


class PatternError(SchemaError):
    """A pattern that is not valid ECMA-262, or that Python cannot match; the text says which construct."""


def compile_pattern(pattern: str, *, strict: bool = False) -> Callable[[str], object] | None:
    """Return the search method of a pattern; for one that cannot be translated None, or PatternError when strict.

    Of a pattern that may begin anywhere, texts over LONGEST_SEARCHED are not searched and count as matching.
    """
    try:
        search = re.compile(translate(pattern), re.ASCII).search
        return search if _begins_once(pattern) else _bounded(search)
    except (re.error, OverflowError, RecursionError, PatternError) as error:
        if strict:
            raise PatternError(f"the pattern cannot be enforced: {error}") from None
        return None


def _begins_once(pattern: str) -> bool:
    """Tell whether a pattern is tried at the beginning only, or repeats nothing."""
    return _REPEATING.isdisjoint(pattern) or (pattern.startswith("^") and "|" not in pattern)


def _bounded(search: Callable[[str], object]) -> Callable[[str], object]:
    return lambda text: True if len(text) > LONGEST_SEARCHED else search(text)


def translate(pattern: str) -> str:
    """Return the Python form of a pattern, to be compiled with re.ASCII; raises PatternError."""
    if len(pattern) > LONGEST:
        raise PatternError("it is too long")
    return _Translator(pattern).run()


class _Translator:
    """One pass over a pattern; `at` is the next character, `out` what has been written."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.out: list[str] = []
        self.names: dict[str, int] = {}
        self.groups = 0
        self.open: list[int] = []
        self.closed: set[int] = set()
        self.total = len(
            re.findall(r"\((?!\?)|\(\?<(?![=!])", re.sub(r"\\.|\[(?:\\.|[^\]\\])*\]", "", pattern, flags=re.DOTALL))
        )

    def run(self) -> str:
        """Translate the whole pattern."""
        while self.at < len(self.pattern):
            self._next()
        if self.open:
            raise PatternError("a group is not closed")
        return "".join(self.out)

    def _next(self) -> None:
        char = self.pattern[self.at]
        self.at += 1
        if char == "\\":
            self._escape()
        elif char == "[":
            self.out.append(_written(self._class()))
        elif char == "(":
            self._group()
        elif char == ")":
            self._close()
        elif char in "*+?":
            self._quantify(char)
        elif char == "{":
            self._brace()
        elif char == "$":
            self.out.append(r"\Z")
        elif char == ".":
            self.out.append(_written(complement(DOT)))
        elif char in "^|":
            self.out.append(char)
        else:
            self.out.append(_point(ord(char)))

    def _quantify(self, text: str) -> None:
        """Write a quantifier with its laziness; a second one is an error in ECMA-262 and possessive in Python."""
        if (
            not self.out
            or self.out[-1] in ("|", "^", "(", "(?:", r"\Z", "\\b", "\\B")
            or self.out[-1].endswith(("(?=", "(?!", "(?<=", "(?<!"))
        ):
            raise PatternError("there is nothing to repeat")
        if self.pattern[self.at : self.at + 1] == "?":
            text += "?"
            self.at += 1
        following = self.pattern[self.at : self.at + 1]
        if following and (following in "*+?" or (following == "{" and self._count())):
            raise PatternError("a quantifier follows another")
        self.out.append(text)

    def _count(self) -> re.Match[str] | None:
        return re.compile(r"\{([0-9]+)(,([0-9]*))?\}").match(self.pattern, self.at)

    def _brace(self) -> None:
        self.at -= 1
        found = self._count()
        if found is None:
            self.at += 1
            self.out.append(r"\{")
            return
        self.at = found.end()
        if found[3] and int(found[1]) > int(found[3]):
            raise PatternError("a quantifier's numbers are out of order")
        self._quantify(found[0])

    def _group(self) -> None:
        rest = self.pattern[self.at :]
        for opening in ("?:", "?=", "?!", "?<=", "?<!", "?i:"):
            if rest.startswith(opening):
                self.at += len(opening)
                self.open.append(0)
                self.out.append("(" + opening)
                return
        self.groups += 1
        if rest.startswith("?"):
            named = re.match(r"\?<([A-Za-z_$][A-Za-z0-9_$]*)>", rest)
            if named is None:
                raise PatternError("a group has a form that ECMA-262 does not know")
            if named[1] in self.names:
                raise PatternError("two groups have the same name")
            self.names[named[1]] = self.groups
            self.at += named.end()
        self.open.append(self.groups)
        self.out.append("(")

    def _close(self) -> None:
        if not self.open:
            raise PatternError("a group is closed that was not opened")
        self.closed.add(self.open.pop())
        self.out.append(")")

    def _escape(self) -> None:
        char = self.pattern[self.at : self.at + 1]
        if char and char in "bB":
            self.at += 1
            self.out.append("\\" + char)
        elif char == "k":
            named = re.compile(r"k<([A-Za-z_$][A-Za-z0-9_$]*)>").match(self.pattern, self.at)
            if named is None or f"(?<{named[1]}>" not in self.pattern:
                raise PatternError(r"`\k` names no group")
            self.at = named.end()
            self._back_reference(self.names.get(named[1], 0))
        elif char and char in "123456789":
            digits = re.compile("[0-9]+").match(self.pattern, self.at)
            number = int(digits[0][:4]) if digits else 0
            if number > self.total:
                raise PatternError("a back reference names no group")
            self.at += len(str(number))
            self._back_reference(number)
        else:
            self.out.append(_written(self._escaped()))

    def _back_reference(self, number: int) -> None:
        """Refer to a closed group, empty if it took no part; to one still open or yet to come, always empty."""
        self.out.append(f"(?({number})\\{number})" if number in self.closed else "(?:)")

    def _escaped(self) -> Ranges:
        """Read what follows a backslash, in or outside a class, as a set of characters."""
        char = self.pattern[self.at : self.at + 1]
        self.at += 1
        if char and char in "dws":
            return ESCAPES[char]
        if char and char in "DWS":
            return complement(ESCAPES[char.lower()])
        if char and char in "pP":
            return self._property(negated=char == "P")
        return _single(self._escaped_point(char))

    def _escaped_point(self, char: str) -> int:
        if char in CONTROLS:
            return CONTROLS[char]
        if (
            char == "c"
            and self.pattern[self.at : self.at + 1].isascii()
            and self.pattern[self.at : self.at + 1].isalpha()
        ):
            self.at += 1
            return ord(self.pattern[self.at - 1]) % 32
        if char == "0" and not self.pattern[self.at : self.at + 1].isdigit():
            return 0
        if char == "x":
            return self._hexadecimal(2)
        if char == "u":
            return self._unicode()
        if not char or char.isalnum() or char == "_":
            raise PatternError(f"the escape {_named(char)} is not known to ECMA-262")
        return ord(char)

    def _hexadecimal(self, count: int) -> int:
        digits = self.pattern[self.at : self.at + count]
        if len(digits) < count or not HEX.issuperset(digits):
            raise PatternError("an escape lacks hexadecimal digits")
        self.at += count
        return int(digits, 16)

    def _unicode(self) -> int:
        braced = re.compile(r"\{([0-9a-fA-F]{1,8})\}").match(self.pattern, self.at)
        if braced is not None:
            self.at = braced.end()
            point = int(braced[1], 16)
            if point > LAST:
                raise PatternError("an escape names a character beyond Unicode")
            return point
        high = self._hexadecimal(4)
        pair = re.compile(r"\\u([dD][c-fC-F][0-9a-fA-F]{2})").match(self.pattern, self.at)
        if 0xD800 <= high < 0xDC00 and pair is not None:
            self.at = pair.end()
            return 0x10000 + ((high - 0xD800) << 10) + int(pair[1], 16) - 0xDC00
        return high

    def _property(self, *, negated: bool) -> Ranges:
        braced = re.compile(r"\{([A-Za-z0-9_=]+)\}").match(self.pattern, self.at)
        if braced is None:
            raise PatternError(r"`\p` names no property")
        self.at = braced.end()
        ranges = property_ranges(braced[1])
        if ranges is None:
            raise PatternError(f"the Unicode property {braced[1][:40]} is not supported")
        return complement(ranges) if negated else ranges

    def _class(self) -> Ranges:
        """Read a bracketed class up to its end."""
        negated = self.pattern[self.at : self.at + 1] == "^"
        self.at += negated
        ranges: list[tuple[int, int]] = []
        while True:
            if self.at >= len(self.pattern):
                raise PatternError("a class is not closed")
            if self.pattern[self.at] == "]":
                self.at += 1
                break
            first = self._class_atom()
            if self.pattern[self.at : self.at + 1] == "-" and self.pattern[self.at + 1 : self.at + 2] not in ("", "]"):
                self.at += 1
                ranges.extend(_between(first, self._class_atom()))
            else:
                ranges.extend(first)
        found = merged(tuple(ranges))
        return complement(found) if negated else found

    def _class_atom(self) -> Ranges:
        char = self.pattern[self.at]
        self.at += 1
        if char != "\\":
            return _single(ord(char))
        if self.pattern[self.at : self.at + 1] == "b":
            self.at += 1
            return _single(8)
        return self._escaped()


def _between(first: Ranges, last: Ranges) -> Ranges:
    """Return a range; a hyphen beside a class escape is a hyphen (annex B)."""
    if len(first) == len(last) == 1 and first[0][0] == first[0][1] and last[0][0] == last[0][1]:
        if first[0][0] > last[0][0]:
            raise PatternError("a class has a range out of order")
        return ((first[0][0], last[0][0]),)
    return (*first, (45, 45), *last)


def _single(point: int) -> Ranges:
    return ((point, point),)


def _named(char: str) -> str:
    return f"`\\{char}`" if char.isprintable() and char else "at the end"


def _point(point: int) -> str:
    char = chr(point)
    if char.isascii():
        return char if char.isalnum() or char in "_ /:,;<>=@%!\"'`" else f"\\x{point:02x}"
    return f"\\U{point:08x}"


def _written(ranges: Ranges) -> str:
    """Write a set of characters as a Python class, escaped so that nothing in it is special."""
    if not ranges:
        return "(?!)"
    if len(ranges) == 1 and ranges[0][0] == ranges[0][1]:
        return _point(ranges[0][0])
    return "[" + "".join(_point(low) if low == high else f"{_point(low)}-{_point(high)}" for low, high in ranges) + "]"
