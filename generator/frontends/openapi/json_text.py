"""JSON text to values, with what the standard decoder lets pass refused: NaN, repeated keys, endless digits, depth.

The decoder itself is the C one; one call per object compares the number of keys with the number of members.
"""

from __future__ import annotations

import json
from json.decoder import JSONDecodeError
from typing import Any

from .json_places import find_literal, find_nesting, find_repeated_key
from .limits import MAX_DEPTH, MAX_DIGITS


class NotJson(Exception):
    """The text is not JSON at all (it may still be YAML); `offset` is where that shows."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


class _Refused(Exception):
    """Leaves the decoder; the place is found afterwards, by a scanner that keeps positions."""


class _Repeated(_Refused):
    pass


def load_json(text: str) -> object:
    """Return the value of a JSON text; raises NotJson for other syntax, TextProblem for what is refused."""
    try:
        value = _DECODER.decode(text)
    except _Repeated:
        raise find_repeated_key(text) from None
    except _Refused as refused:
        raise find_literal(text, str(refused)) from None
    except RecursionError:
        raise find_nesting(text) from None
    except JSONDecodeError as problem:
        raise NotJson(problem.msg[:1].lower() + problem.msg[1:], problem.pos) from None
    if nested_deeper(value, MAX_DEPTH):
        raise find_nesting(text)
    return value


_CONTAINERS = frozenset({dict, list})


def nested_deeper(value: object, levels: int) -> bool:
    """Tell whether containers stand in one another more than `levels` deep; calls itself no deeper than that.

    Depth first is how the decoder made them: level by level takes twice the time, waiting for memory.
    """
    if type(value) not in _CONTAINERS:
        return False
    if not levels:
        return True
    items: Any = value.values() if type(value) is dict else value
    for item in items:  # noqa: SIM110 - as a loop, because a document has a million values
        if type(item) in _CONTAINERS and nested_deeper(item, levels - 1):
            return True
    return False


def _members(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _Repeated
    return members


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise _Refused(digits)
    return int(digits)


def _number(digits: str) -> float:
    number = float(digits)
    if number - number != 0:  # infinity: the digits say more than a double can hold
        raise _Refused(digits)
    return number


def _constant(name: str) -> float:
    raise _Refused(name)


_DECODER = json.JSONDecoder(
    object_pairs_hook=_members, parse_int=_integer, parse_float=_number, parse_constant=_constant
)
