"""Definitions of servers that others wrote, made fit for clients: official ones refuse a whole list for one mistake.

The build of a gateway and a table that follows its child (drift = "refresh") clean by this one rule, so that a refresh
changes nothing by itself: what clients refuse is taken off or left out, and so are characters nobody sees.
"""

from __future__ import annotations

from .client_rules import judged
from .visible_text import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .client_rules import SchemaProblem

PROSE = ("title", "description")
"""Members that people and models read, wherever they stand in a definition."""

COMPARED = (
    "title", "description", "inputSchema", "outputSchema", "annotations", "execution", "mimeType", "arguments",
)  # fmt: skip
"""Members by which a running gateway tells that a server changed."""


class Cleaned:
    """A definition fit for clients (None: none is), what changed of it as it came, and what is to be told of it.

    `hid` says whether a text had characters that nobody sees.
    """

    __slots__ = ("complaints", "definition", "hid", "was")

    def __init__(self, definition: dict[str, Any] | None, complaints: tuple[str, ...]) -> None:
        self.definition = definition
        self.complaints = complaints
        self.hid = False
        self.was: dict[str, Any] = {}


def cleaned(kind: str, entry: Any, schema_problem: SchemaProblem | None = None) -> Cleaned:
    """Return an entry of a list as clients take it; `kind` and `schema_problem` are as in `client_rules`."""
    found = judged(kind, entry, schema_problem)
    made = Cleaned(None, found.complaints)
    if found.definition is not None:
        sound = cleaned_prose(found.definition)
        made.hid = sound != found.definition
        made.definition = {name: value for name, value in sound.items() if value != ""}
        made.was = {
            name: value for name, value in entry.items() if name in COMPARED and value != made.definition.get(name)
        }
    return made


def cleaned_prose(value: Any) -> Any:
    """Return a JSON value in which every title and description is cleaned; names, values and patterns stay."""
    if isinstance(value, dict):
        return {
            name: visible(item) if name in PROSE and isinstance(item, str) else cleaned_prose(item)
            for name, item in value.items()
        }
    return [cleaned_prose(item) for item in value] if isinstance(value, list) else value
