"""Conversions of dates and times: text in ISO 8601 to the classes of `datetime`.

Naive values stay naive; numbers are never read as epochs. RFC 3339 allows a lower-case `z`, `fromisoformat` does not.
"""

from __future__ import annotations

from .conversion_problem import ConversionProblem
from .convert_text import from_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .conversion_problem import Convert


def to_datetime() -> Convert:
    """Compile `datetime`."""
    from datetime import datetime

    def read(text: str) -> datetime:
        return datetime.fromisoformat(_upper_zone(text))

    return from_text(read, "a valid date and time such as 2024-05-17T09:30:00Z")


def to_date() -> Convert:
    """Compile `date`; a text with a time is refused."""
    from datetime import date

    return from_text(date.fromisoformat, "a valid date such as 2024-05-17, without a time")


def to_time() -> Convert:
    """Compile `time`."""
    from datetime import time

    def read(text: str) -> time:
        return time.fromisoformat(_upper_zone(text))

    return from_text(read, "a valid time such as 09:30:00")


def to_timedelta() -> Convert:
    """Compile `timedelta`: an ISO 8601 duration, or a number of seconds where the schema lets one through."""
    from datetime import timedelta

    from .durations import parse_duration

    read = from_text(parse_duration, "a valid duration such as PT1H30M")

    def convert(value: object) -> object:
        if isinstance(value, (str, bool)) or not hasattr(value, "__float__"):
            return read(value)
        try:
            return timedelta(seconds=value if isinstance(value, int) else float(value))
        except (ValueError, OverflowError):
            raise ConversionProblem((), "not a valid number of seconds") from None

    return convert


def _upper_zone(text: str) -> str:
    return text[:-1] + "Z" if text.endswith("z") else text
