"""Definitions that a child lists at run time, made fit for clients: official ones refuse a whole list for one mistake.

The build does this, and more, to what it reads of foreign servers; here is what must not be left out where a table
follows its child (drift = "refresh"): members of the wrong type, schemas that are none, characters nobody sees.
"""

from __future__ import annotations

from .visible_text import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TYPES: dict[str, type] = {
    "title": str,
    "description": str,
    "mimeType": str,
    "inputSchema": dict,
    "outputSchema": dict,
    "annotations": dict,
    "_meta": dict,
    "icons": list,
    "arguments": list,
    "size": int,
}
"""What members of definitions are; others are the child's business."""

SCHEMAS = ("inputSchema", "outputSchema")


def cleaned(kind: str, definition: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """Return a definition fit for clients, and what changed as it was; None for one that cannot be shown."""
    shown, was = {**definition}, {}
    for member, wanted in TYPES.items():
        if member in shown and not _is_fit(member, shown[member], wanted):
            was[member] = shown.pop(member)
    for member in ("title", "description"):
        text = shown.get(member)
        if text is not None and visible(text) != text:
            was[member], shown[member] = text, visible(text)
    if kind == "tools" and "inputSchema" not in shown:
        return None
    named = [each for each in shown.get("arguments") or () if type(each) is dict and type(each.get("name")) is str]
    if "arguments" in shown and named != shown["arguments"]:
        was["arguments"], shown["arguments"] = shown["arguments"], named
    if kind in ("resources", "templates") and type(shown.get("name")) is not str:
        shown["name"] = shown.get("uri") or shown["uriTemplate"]
    return shown, was


def _is_fit(member: str, value: Any, wanted: type) -> bool:
    is_object = member not in SCHEMAS or (type(value) is dict and value.get("type") == "object")
    return is_object and type(value) is wanted
