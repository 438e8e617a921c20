"""Room for tools, by the bytes that are written of each; nearly always it is known without counting that there is some.

What a tool has at most is found out quickly: parts that many tools share are looked at once, and how deep something
stands inside is not asked. Only when all of it would not fit, the tools so far are counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...ir.model import HttpCall
from .limits import LEAST_TOOL_BYTES, REFERENCE_BYTES, TOOL_BYTES_PER_BYTE, TOOL_LEVEL
from .room import Room
from .written import at_most, written

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ...ir.model import Tool

PART_LEVEL = TOOL_LEVEL + 3
"""Levels that the schema of an argument stands in, or an entry of the request."""


AROUND = 100
"""Bytes around such a part, at most: quotes, a line and its spaces, once also those of what all of them are in."""

MOST_BYTES_OF_A_CHARACTER = 12
"""Bytes of a name's character: one beyond the Basic Multilingual Plane is two escapes."""


class ToolRoom:
    """Counts the bytes of the tools of a description; what finds no room raises Full."""

    __slots__ = ("_known", "_most", "_room", "_uncounted")

    def __init__(self, size: Callable[[], int]) -> None:
        """Give room for a description of a size."""
        self._room = Room(LEAST_TOOL_BYTES, TOOL_BYTES_PER_BYTE, size)
        self._uncounted: list[Tool] = []
        self._most = 0
        self._known: dict[int, tuple[Any, int]] = {}

    def begin(self) -> None:
        """Begin with another tool."""
        self._room.begin()

    def take(self, amount: int) -> None:
        """Take room for so many bytes; raises Full."""
        if not self._room.has(self._most + amount):
            self._count()
        self._room.take(amount)

    def take_tool(self, tool: Tool) -> None:
        """Take room for what is written of a tool, its texts aside; raises Full."""
        most = self._most_of(tool)
        if self._room.has(self._most + most):
            self._uncounted.append(tool)
            self._most += most
            return
        self._count()
        self._room.take(_size(tool))

    def _count(self) -> None:
        uncounted, self._uncounted, self._most = self._uncounted, [], 0
        for tool in uncounted:
            self._room.take(_size(tool), own=False)

    def _most_of(self, tool: Tool) -> int:
        schema, result, request, *others = _parts(tool)
        alone = [_without(schema, "properties", "$defs"), _without(request, "parameters"), *others]
        shared = [result, *request.get("parameters", ())]
        total = at_most(alone, PART_LEVEL, REFERENCE_BYTES) + sum(map(self._most_of_part, shared))
        for members in (schema.get("properties", {}), schema.get("$defs", {})):
            total += sum(map(self._most_of_part, members.values()))
            total += sum(map(len, members)) * MOST_BYTES_OF_A_CHARACTER
        return total

    def _most_of_part(self, part: Any) -> int:
        known = self._known.get(id(part))
        if known is None:  # it is kept, so that no other gets its id
            known = self._known[id(part)] = part, at_most(part, PART_LEVEL, REFERENCE_BYTES) + AROUND
        return known[1]


def _without(value: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return {key: item for key, item in value.items() if key not in keys}


def _parts(tool: Tool) -> tuple[Any, ...]:
    request = tool.call.request if isinstance(tool.call, HttpCall) else {}
    return tool.input_schema, tool.result_schema, request, tool.scopes, tool.tags


def _size(tool: Tool) -> int:
    """Return the bytes of a tool as they are written, its texts aside."""
    return written(_parts(tool), TOOL_LEVEL, REFERENCE_BYTES)
