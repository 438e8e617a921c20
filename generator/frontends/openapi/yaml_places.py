"""Where things stand in a YAML text: the text is composed once more when the first place is asked for."""

from __future__ import annotations

from typing import Any

from ...collector import uncollected
from .json_places import Found

_MERGE = "<<"
_MAX_MERGES = 100
"""Merge keys followed for one member; real documents have one or two."""


class YamlPlaces:
    """The places of one YAML text known to be loadable; what an alias repeats is where the anchor is."""

    __slots__ = ("_members", "_root", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._root: Any = None
        self._members: dict[Any, dict[str, tuple[Any, Any]]] = {}

    def find(self, pointer: tuple[str, ...]) -> Found:
        """Return where a pointer's value stands, or the nearest ancestor that exists."""
        if self._root is None:
            from .yaml_text import compose

            with uncollected():
                self._root = compose(self._text)
        node, key = self._root, None
        for token in pointer:
            found = self._child(node, token)
            if found is None:
                return Found(node.start_mark.index, _start(key), exact=False)
            key, node = found
        return Found(node.start_mark.index, _start(key))

    def end(self, start: int) -> int:
        """Return where the line at an offset ends."""
        ends = [end for mark in "\r\n" if (end := self._text.find(mark, start)) >= 0]
        return max(min(ends, default=len(self._text)), start)

    def _child(self, node: Any, token: str) -> tuple[Any, Any] | None:
        if node.id == "sequence":
            index = int(token) if token.isascii() and token.isdigit() and len(token) < 10 else -1
            return (None, node.value[index]) if 0 <= index < len(node.value) else None
        if node.id != "mapping":
            return None
        if (members := self._members.get(node)) is None:
            members = self._members[node] = _members(node)
        return members.get(token)


def _members(mapping: Any) -> dict[str, tuple[Any, Any]]:
    """Return a mapping's members by name, merged ones included; its own go first."""
    members: dict[str, tuple[Any, Any]] = {}
    waiting = [mapping]
    for _ in range(_MAX_MERGES):
        if not waiting:
            break
        merged: list[Any] = []
        for key, value in waiting.pop(0).value:
            if key.value == _MERGE and not key.style:
                merged += value.value if value.id == "sequence" else [value]
            elif key.id == "scalar":
                members.setdefault(key.value, (key, value))
        waiting = [each for each in merged if each.id == "mapping"] + waiting
    return members


def _start(key: Any) -> int | None:
    return key.start_mark.index if key is not None else None
