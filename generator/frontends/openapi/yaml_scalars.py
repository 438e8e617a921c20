"""Plain scalars to values by YAML 1.2's core schema (section 10.3.2): what YAML 1.1 adds stays a string.

So `on`, `yes`, dates, `1_000` and `12:30:45` are strings. `.inf` and `.nan` stay strings too: JSON has no such numbers.
"""

from __future__ import annotations

import re

from .json_places import number_too_large
from .limits import MAX_DIGITS
from .load_problem import TextProblem, cut

STRING = "tag:yaml.org,2002:str"

_WORDS: dict[str, object] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip

_DECIMAL = re.compile(r"[-+]?[0-9]+")
_OTHER_BASE = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")

_NUMERIC_START = frozenset("0123456789+-.")


def plain_value(text: str) -> object:
    """Return what a plain scalar stands for; raises TextProblem (without place) for a number too large."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _NUMERIC_START:
        return text
    if _DECIMAL.fullmatch(text):
        return _integer(text, 10)
    if _OTHER_BASE.fullmatch(text):
        return _integer(text[2:], 8 if text[1] == "o" else 16)
    if _FLOAT.fullmatch(text):
        number = float(text)
        if number - number != 0:
            raise number_too_large(text, None)
        return number
    return text


def tagged_value(tag: str, text: str) -> object:
    """Return the value of a scalar with an explicit tag; raises ValueError when the text is not of the tag's type."""
    if tag == STRING or tag in _STRING_TAGS:
        return text
    expected = _TYPES.get(tag)
    if expected is None:
        raise TextProblem("unsupported-yaml", refused_tag(tag))
    value = plain_value(text)
    if expected is float and type(value) is int:
        return float(value)
    if type(value) is not expected:
        raise ValueError(text)
    return value


def refused_tag(tag: str) -> str:
    """Return what to say about a tag that is not accepted."""
    return f"the tag `{cut(tag)}` is not accepted"


_TYPES: dict[str, type] = {
    "tag:yaml.org,2002:int": int,
    "tag:yaml.org,2002:float": float,
    "tag:yaml.org,2002:bool": bool,
    "tag:yaml.org,2002:null": type(None),
}

_STRING_TAGS = frozenset({"tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:binary", "tag:yaml.org,2002:merge"})
"""Tags of YAML 1.1 whose values JSON can only hold as text."""


def _integer(digits: str, radix: int) -> int:
    if len(digits) > MAX_DIGITS:
        raise number_too_large(digits, None)
    return int(digits, radix)
