"""Arguments and results as events show them: short, and without what must not be known.

A member whose name speaks of a secret, one that the schema marks as a password or as write-only, and every configured
secret become `***`; texts are masked like messages of errors. What is long or deep is cut: an event is a line that
people read, not a copy of the call.
"""

from __future__ import annotations

from ..wire.secret_signs import MASK, is_marked_secret, may_be_secret
from .masking import SEARCHED_CHARACTERS, mask, mask_values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

MAX_TEXT = 200
"""Characters of one text."""

MAX_ITEMS = 20
"""Members of one object, and items of one array."""

MAX_DEPTH = 5
"""Levels of objects and arrays."""

MAX_VALUES = 200
"""Values in all: beyond, nothing more is shown."""

MAX_NAME = 60
"""Characters of a member's name; the client chose it."""

CUT = "…"


class Redaction:
    """Redacts the values of one event; `secrets` are the configured ones."""

    __slots__ = ("_left", "_secrets")

    def __init__(self, secrets: Sequence[str] = ()) -> None:
        self._secrets = secrets
        self._left = MAX_VALUES

    def value(self, value: Any, schema: Any = None, depth: int = 0) -> Any:
        """Return a JSON value fit for an event."""
        self._left -= 1
        if self._left < 0:
            return CUT
        if type(value) is str:
            return self.text(value)
        if type(value) is dict:
            return CUT if depth >= MAX_DEPTH else self._object(value, schema, depth)
        if type(value) is list:
            items = schema.get("items") if type(schema) is dict else None
            shown = [self.value(item, items, depth + 1) for item in value[:MAX_ITEMS]] if depth < MAX_DEPTH else []
            return [*shown, CUT] if len(value) > len(shown) else shown
        if type(value) is int and abs(value) >= 1 << 64:
            return CUT
        return value if value is None or type(value) in (bool, int, float) else CUT

    def text(self, text: str) -> str:
        """Return a text without secrets, cut."""
        secrets = self._secrets
        if len(text) > SEARCHED_CHARACTERS and secrets:  # one that stands across the cut is not found any more
            text = mask_values(text[: SEARCHED_CHARACTERS + max(map(len, secrets))], secrets)[:SEARCHED_CHARACTERS]
        text = mask(text, secrets)
        return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + CUT

    def _object(self, value: dict[str, Any], schema: Any, depth: int) -> dict[str, Any]:
        properties = schema.get("properties") if type(schema) is dict else None
        shown: dict[str, Any] = {}
        for name, inner in value.items():
            if len(shown) >= MAX_ITEMS:
                shown[CUT] = f"{len(value) - MAX_ITEMS} more"
                break
            part = properties.get(name) if type(properties) is dict else None
            hidden = inner is not None and (may_be_secret(name) or is_marked_secret(part))
            shown[mask_values(name[:MAX_NAME], self._secrets)] = MASK if hidden else self.value(inner, part, depth + 1)
        return shown
