"""How many bytes a value takes in the files of a server, where each key has its own line and each level a space.

Deep inside of a schema the spaces are most of what is written. Writing it to find that out would take long: the compact
text is counted, and the spaces are worked out.
"""

from __future__ import annotations

import json

_compact = json.JSONEncoder(separators=(",", ": ")).encode
"""All but line feeds and the spaces at the beginnings of lines."""


OPENING = ("{", "[")

CONTAINERS = (dict, list, tuple)
"""What is written over several lines, unless it is empty."""


def written(value: object, level: int, reference: int = 0) -> int:
    """Return the bytes of a JSON value that stands so many levels deep in a file, `reference` more for each in it."""
    text = _compact(value)
    return len(text) + _blanks(value, level) + reference * text.count('"$ref": ')


def at_most(value: object, level: int, reference: int = 0) -> int:
    """Return no less than `written` does, from the compact text: as if all of a value stood in its deepest place."""
    text = _compact(value)
    containers = sum(map(text.count, OPENING))
    lines = text.count(",") + 2 * containers
    return len(text) + lines * (level + 1 + containers) + reference * text.count('"$ref": ')


def _blanks(value: object, level: int) -> int:
    """Return the line feeds and spaces before the members inside a value, and before the brackets that close it."""
    total, layer = 0, [value]
    while layer := [each for each in layer if isinstance(each, CONTAINERS) and each]:
        total += len(layer) * (level + 1)
        level += 1
        inner: list[object] = []
        for each in layer:
            inner += each.values() if isinstance(each, dict) else each
        total += len(inner) * (level + 1)
        layer = inner
    return total
