"""`_fields`: keep the members of an answer that a caller named, by dotted paths; arrays are looked through."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

ARGUMENT = "_fields"
"""The argument of tools whose answer is JSON."""

MOST_FIELDS = 100
"""Paths of one call; more are a mistake."""

_NOTHING = object()


def paths_of(wanted: object) -> list[str]:
    """Return the paths of the argument: an array of strings, or one string with commas."""
    parts: Iterable[object] = (
        wanted.split(",") if isinstance(wanted, str) else wanted if isinstance(wanted, list) else ()
    )
    cleaned = (part.strip().replace("[]", "").removeprefix("$").strip(".") for part in parts if isinstance(part, str))
    return list(dict.fromkeys(path for path in cleaned if path))[:MOST_FIELDS]


def project(value: Any, paths: list[str]) -> tuple[Any, list[str]]:
    """Return the value with the named members only, in their own order, and the paths that lead nowhere.

    A value without members stays as it is. A member whose own name has a dot is found as well.
    """
    found: set[str] = set()
    kept = _kept(value, [(path, path) for path in paths], found)
    unknown = [path for path in paths if path not in found]
    if kept is _NOTHING:
        return value, unknown
    return kept, [] if _is_empty(value) else unknown


def _kept(value: Any, wanted: list[tuple[str, str]], found: set[str]) -> Any:
    """Keep what is wanted; each pair is the rest of a path and the whole of it."""
    if type(value) is list:
        items = (_kept(item, wanted, found) for item in value)
        return [item for item in items if item is not _NOTHING]
    if type(value) is not dict:
        return _NOTHING
    kept = {}
    for name, item in value.items():
        below = []
        whole = False
        for rest, path in wanted:
            if rest in (name, "*"):
                whole = True
                found.add(path)
            elif rest.startswith(f"{name}."):
                below.append((rest[len(name) + 1 :], path))
        if whole:
            kept[name] = item
        elif below:
            part = _part(item, below, found)
            if part is not _NOTHING:
                kept[name] = part
    return kept


def _part(item: Any, below: list[tuple[str, str]], found: set[str]) -> Any:
    if item is None or _is_empty(item):  # what may stand there in another answer is not unknown
        found.update(path for _, path in below)
        return item
    return _kept(item, below, found)


def _is_empty(value: Any) -> bool:
    return (type(value) is list or type(value) is dict) and not value
