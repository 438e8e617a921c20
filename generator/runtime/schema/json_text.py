"""Read JSON that a client put inside a string, within limits of its own."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LONGEST = 1_000_000
"""Characters of JSON inside a string; a client with more to say can say it as JSON."""
DEEPEST = 64
"""Levels of nesting; arguments of tools have a handful."""

NOT_JSON = object()
"""Stands for a text that is not JSON, or more of it than is read."""


class _RepeatedNameError(ValueError):
    """An object has a name twice, so that readers would disagree about it."""


def whole_json(text: str) -> Any:
    """Return the value of a text that is one JSON value, NOT_JSON for any other text."""
    if len(text) > LONGEST or text[:64].lstrip()[:1] not in '{["' or not text.strip():
        return NOT_JSON
    from json import loads  # costs 7 ms, and most clients send JSON as JSON

    try:
        value = loads(text, object_pairs_hook=_members, parse_constant=_refused, parse_float=_finite)
    except (ValueError, RecursionError):
        return NOT_JSON
    return value if _is_shallow(value) else NOT_JSON


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _RepeatedNameError
    return found


def _refused(name: str) -> None:
    raise ValueError(name)


def _finite(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ValueError(text)
    return value


def _is_shallow(value: Any) -> bool:
    level = [value]
    for _ in range(DEEPEST):
        level = [
            part
            for whole in level
            if isinstance(whole, (dict, list))
            for part in (whole.values() if isinstance(whole, dict) else whole)
        ]
        if not level:
            return True
    return False
