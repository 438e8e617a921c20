"""Prose inside the definitions of servers that others wrote, without characters that nobody sees."""

from __future__ import annotations

from typing import Any

from ...runtime.gateway.visible_text import visible

PROSE = frozenset({"title", "description"})
"""Members that people and models read, wherever they stand in a definition."""


def cleaned_prose(value: Any) -> Any:
    """Return a JSON value in which every title and description is cleaned; names, values and patterns stay."""
    if isinstance(value, dict):
        return {
            name: visible(item) if name in PROSE and isinstance(item, str) else cleaned_prose(item)
            for name, item in value.items()
        }
    return [cleaned_prose(item) for item in value] if isinstance(value, list) else value
