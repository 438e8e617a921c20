"""Which argument an unknown one was meant to be a member of, as far as the schema tells."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

MOST_STEPS = 20
"""References and bases that are followed from one argument: enough for any that people write."""

DEFINITIONS = "#/$defs/"


def holder_of(name: str, schema: Any) -> tuple[str, bool] | None:
    """Return the one argument that has a member of this name, and True; or the one that takes any member, and False.

    `schema` is that of all arguments. None where no argument or more than one comes into question.
    """
    declared = schema.get("properties") if type(schema) is dict else None
    if type(declared) is not dict or name in declared:
        return None
    definitions = schema.get("$defs") or {}
    parts = {argument: list(_parts(each, definitions)) for argument, each in declared.items()}
    having = [argument for argument, found in parts.items() if any(name in _members(part) for part in found)]
    if having:
        return (having[0], True) if len(having) == 1 else None
    free = [argument for argument, found in parts.items() if _is_free(found)]
    return (free[0], False) if len(free) == 1 else None


def _parts(schema: Any, definitions: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the schemas that speak of an argument itself: its own, what it refers to, its bases and alternatives."""
    waiting = [schema]
    for _ in range(MOST_STEPS):
        if not waiting:
            return
        part = waiting.pop()
        if type(part) is not dict:
            continue
        yield part
        reference = part.get("$ref")
        if type(reference) is str and reference.startswith(DEFINITIONS):
            waiting.append(definitions.get(reference.removeprefix(DEFINITIONS)))
        for keyword in ("allOf", "anyOf", "oneOf"):
            branches = part.get(keyword)
            waiting += branches if type(branches) is list else ()


def _members(part: dict[str, Any]) -> dict[str, Any]:
    found = part.get("properties")
    return found if type(found) is dict else {}


def _is_free(parts: list[dict[str, Any]]) -> bool:
    """Say whether an argument is an object of whatever members: none is declared, none is forbidden."""
    objects = any(part.get("type") == "object" for part in parts)
    return objects and all(not _members(part) and part.get("additionalProperties") is not False for part in parts)
