"""Formats that a description itself does not keep: what it shows and says counts more than the word `date-time`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ....runtime.schema.formats import format_test

if TYPE_CHECKING:
    from collections.abc import Iterable

DOUBTED = "an example or a description breaks the format beside it; the format is not enforced"
"""What is reported of it."""

_DAY = re.compile(r"\bY{2,4}-MM-DD\b(?!['`\"]?[T ]{1,2}['`\"]?H)", re.IGNORECASE)
_MOMENT = re.compile(r"\bMM-DD['`\"]?[T ]{1,2}['`\"]?H|T[0-9]{2}:[0-9]{2}:[0-9]{2}|RFC ?3339|ISO.?8601", re.IGNORECASE)


def is_doubted(named: object, examples: Iterable[object], description: object) -> bool:
    """Tell whether values are meant that the format does not allow: an example is one, or a day is asked for."""
    test = format_test(named)
    if test is None:
        return False
    if any(isinstance(example, str) and not test(example) for example in examples):
        return True
    if named != "date-time" or not isinstance(description, str):
        return False
    return _DAY.search(description) is not None and _MOMENT.search(description) is None
