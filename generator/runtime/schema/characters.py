r"""Sets of characters as sorted code point ranges: ECMA-262's class escapes, and Unicode categories by name.

ECMA-262 2025, 22.2.2.9: `\\d` and `\\w` are ASCII, `\\s` is WhiteSpace and LineTerminator, `\\p{…}` asks Unicode.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Ranges = tuple[tuple[int, int], ...]

LAST = 0x10FFFF
ASSIGNED = ((0, 0x3FFFF), (0xE0000, 0xE0FFF))
"""Where Unicode has characters other than private and unassigned ones: what a look through all categories visits."""
PRIVATE = ((0xF0000, 0xFFFFD), (0x100000, 0x10FFFD))

ESCAPES: dict[str, Ranges] = {
    "d": ((48, 57),),
    "w": ((48, 57), (65, 90), (95, 95), (97, 122)),
    "s": (
        (9, 13), (32, 32), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029), (0x202F, 0x202F),
        (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF),
    ),
}  # fmt: skip
DOT: Ranges = ((10, 10), (13, 13), (0x2028, 0x2029))
"""The line terminators, which `.` does not match."""

CATEGORIES = {
    "Letter": "L", "Cased_Letter": "LC", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll", "Titlecase_Letter": "Lt",
    "Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M", "Combining_Mark": "M", "Nonspacing_Mark": "Mn",
    "Spacing_Mark": "Mc", "Enclosing_Mark": "Me", "Number": "N", "Decimal_Number": "Nd", "digit": "Nd",
    "Letter_Number": "Nl", "Other_Number": "No", "Punctuation": "P", "punct": "P", "Connector_Punctuation": "Pc",
    "Dash_Punctuation": "Pd", "Open_Punctuation": "Ps", "Close_Punctuation": "Pe", "Initial_Punctuation": "Pi",
    "Final_Punctuation": "Pf", "Other_Punctuation": "Po", "Symbol": "S", "Math_Symbol": "Sm", "Currency_Symbol": "Sc",
    "Modifier_Symbol": "Sk", "Other_Symbol": "So", "Separator": "Z", "Space_Separator": "Zs", "Line_Separator": "Zl",
    "Paragraph_Separator": "Zp", "Other": "C", "Control": "Cc", "cntrl": "Cc", "Format": "Cf", "Surrogate": "Cs",
    "Private_Use": "Co", "Unassigned": "Cn",
}  # fmt: skip
"""General categories by their long names (UAX 44, table 12)."""

_known: dict[str, Ranges] = {}


def complement(ranges: Ranges) -> Ranges:
    """Return all code points outside the ranges."""
    found = []
    start = 0
    for low, high in merged(ranges):
        if low > start:
            found.append((start, low - 1))
        start = high + 1
    if start <= LAST:
        found.append((start, LAST))
    return tuple(found)


def merged(ranges: Ranges) -> Ranges:
    """Return the ranges sorted, overlapping and touching ones joined."""
    found: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if found and low <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(high, found[-1][1]))
        else:
            found.append((low, high))
    return tuple(found)


def property_ranges(expression: str) -> Ranges | None:
    r"""Return the characters of `\p{expression}`; None for a property without data here (scripts, most others)."""
    name, _, value = expression.partition("=")
    if name in ("General_Category", "gc"):
        expression = value
    elif value:
        return None
    if expression in _known:
        return _known[expression]
    simple: dict[str, Ranges] = {
        "Any": ((0, LAST),),
        "ASCII": ((0, 127),),
        "ASCII_Hex_Digit": ((48, 57), (65, 70), (97, 102)),
        "AHex": ((48, 57), (65, 70), (97, 102)),
        "White_Space": (*(pair for pair in ESCAPES["s"] if pair[0] != 0xFEFF), (0x85, 0x85)),
    }
    found = simple.get(expression)
    if found is None:
        found = _category_ranges(expression)
    if found is not None:
        _known[expression] = found
    return found


def _category_ranges(expression: str) -> Ranges | None:
    if expression == "Assigned":
        unassigned = _category_ranges("Cn")
        return None if unassigned is None else complement(unassigned)
    category = CATEGORIES.get(expression, expression)
    if category not in CATEGORIES.values():
        return None
    if category == "LC":
        return _where(lambda found: found in ("Lu", "Ll", "Lt"))
    ranges = _where(lambda found: found.startswith(category))
    if category in ("Co", "C"):
        ranges = merged(ranges + PRIVATE)
    if category in ("Cn", "C"):
        ranges = merged(ranges + complement(merged(ASSIGNED + PRIVATE)))
    return ranges


def _where(matches: Callable[[str], bool]) -> Ranges:
    """Look through the assigned characters (about 20 ms, kept for the process)."""
    from unicodedata import category

    found: list[tuple[int, int]] = []
    for first, last in ASSIGNED:
        start: int | None = None
        for point in range(first, last + 2):
            inside = point <= last and matches(category(chr(point)))
            if inside and start is None:
                start = point
            elif not inside and start is not None:
                found.append((start, point - 1))
                start = None
    return tuple(found)
