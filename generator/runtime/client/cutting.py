"""Cut a JSON value to a number of bytes where a reader can follow: whole items of arrays, then long texts.

Room is shared out so that small members of an object stay whole and the large ones are cut alike.
"""

from __future__ import annotations

from .exact_json import compact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SMALLEST_ROOM = 24
"""Bytes below which a member says nothing any more: it is left out."""

MAX_NOTES = 5
"""Cuts that are told one by one."""


class Cut:
    """A value that fits, and what was left out of it: `notes` are for a reader, `shown` counts items by path."""

    __slots__ = ("notes", "shown", "value")

    def __init__(self) -> None:
        self.value: Any = None
        self.notes: list[str] = []
        self.shown: dict[str, tuple[int, int]] = {}

    def note(self, text: str) -> None:
        """Tell of one more cut; beyond a few the reader knows."""
        if len(self.notes) < MAX_NOTES:
            self.notes.append(text)


def cut(value: Any, room: int) -> Cut:
    """Return as much of the value as fits into `room` bytes of compact JSON in UTF-8."""
    made = Cut()
    made.value = _fitted(value, room, "", made)
    return made


def _fitted(value: Any, room: int, path: str, made: Cut) -> Any:
    kind = type(value)
    if kind is list:
        return _list(value, room, path, made)
    if kind is dict:
        return _object(value, room, path, made)
    if kind is str and _size(value) > room:
        return _text(value, room, path, made)
    return value


def _list(items: list[Any], room: int, path: str, made: Cut) -> list[Any]:
    kept: list[Any] = []
    left = room - 1  # two brackets, and one comma less than there are items
    for item in items:
        left -= _size(item) + 1
        if left < 0:
            break
        kept.append(item)
    if len(kept) == len(items):
        return kept
    made.shown[path] = (len(kept), len(items))
    if not kept and room > SMALLEST_ROOM:
        made.shown[path] = (1, len(items))
        made.note(f"{_place(path)}only a part of item 1 of {len(items)} is shown")
        return [_fitted(items[0], room - 2, f"{path}[0]", made)]
    made.note(
        f"{_place(path)}items 1-{len(kept)} of {len(items)} are shown" if kept else f"{_place(path)}items left out"
    )
    return kept


def _object(members: dict[str, Any], room: int, path: str, made: Cut) -> dict[str, Any]:
    names = {name: _size(name) + 2 for name in members}
    sizes = {name: _size(value) for name, value in members.items()}
    left = room - 1 - sum(names.values())
    if left < SMALLEST_ROOM:  # not even the names fit: as many members as do, from the first
        return _first_members(members, names, sizes, room, path, made)
    if sum(sizes.values()) <= left:
        return members
    share = _share(sorted(sizes.values()), left)
    kept: dict[str, Any] = {}
    dropped = 0
    used = 1
    for name, value in members.items():
        allowed = sizes[name] if sizes[name] <= share else share
        if (allowed < sizes[name] and allowed < SMALLEST_ROOM) or used + names[name] + allowed > room:
            dropped += 1
            continue
        below = f"{path}.{name}" if path else name
        kept[name] = value if allowed == sizes[name] else _fitted(value, allowed, below, made)
        used += names[name] + allowed
    if dropped:
        made.note(f"{_place(path)}{dropped} of {len(members)} members are left out")
    return kept


def _first_members(
    members: dict[str, Any], names: dict[str, int], sizes: dict[str, int], room: int, path: str, made: Cut
) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    left = room - 1
    for name, value in members.items():
        left -= names[name] + sizes[name]
        if left < 0:
            break
        kept[name] = value
    if len(kept) < len(members):
        made.note(f"{_place(path)}{len(members) - len(kept)} of {len(members)} members are left out")
    return kept


def _share(sizes: list[int], room: int) -> int:
    """Return the bytes that every large member may have when the small ones stay whole; `sizes` are sorted."""
    left = max(room, 0)
    for index, size in enumerate(sizes):
        share = left // (len(sizes) - index)
        if size > share:
            return share
        left -= size
    return left


def _text(text: str, room: int, path: str, made: Cut) -> str:
    kept = text[: max(room - 8, 0)]
    while kept and _size(kept) > room - 8:
        kept = kept[: len(kept) * 7 // 8]
    made.note(f"{_place(path)}{len(kept)} of {len(text)} characters are shown")
    return f"{kept}…"


def _place(path: str) -> str:
    return f"{path[-80:]}: " if path else ""


def _size(value: Any) -> int:
    text = compact(value)
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
