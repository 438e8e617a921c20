"""ISO 8601 durations to and from `timedelta`.

Read: `[+-]P[nY][nM][nW][nD][T[nH][nM][nS]]` with a fraction allowed on any number; a year counts 365 days and a month
30, as pydantic counts them, since a timedelta knows neither. Written: days, hours, minutes and seconds only, the sign
in front of the P, so that reading gives the same value again.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import timedelta
    from fractions import Fraction

MAX_DURATION_TEXT = 64
"""Characters of a duration; the longest one a timedelta can hold needs fewer than 40."""

_DATE_UNITS = {"Y": 365 * 86_400, "M": 30 * 86_400, "W": 7 * 86_400, "D": 86_400}
_TIME_UNITS = {"H": 3_600, "M": 60, "S": 1}
_DIGITS = frozenset("0123456789.,")


def parse_duration(text: str) -> timedelta:
    """Return the timedelta of an ISO 8601 duration; raises ValueError, or OverflowError beyond timedelta's range."""
    from datetime import timedelta

    if len(text) > MAX_DURATION_TEXT:
        raise ValueError("duration is too long")
    sign = -1 if text.startswith("-") else 1
    body = text[1:] if text[:1] in ("+", "-") else text
    if body[:1] != "P":
        raise ValueError("a duration starts with P")
    dates, mark, times = body[1:].partition("T")
    if not dates and not times:
        raise ValueError("a duration has at least one number")
    if mark and not times:
        raise ValueError("T is followed by hours, minutes or seconds")
    seconds = _total(dates, _DATE_UNITS) + _total(times, _TIME_UNITS)
    return timedelta(microseconds=sign * round(seconds * 1_000_000))


def format_duration(value: timedelta) -> str:
    """Return the ISO 8601 form of a timedelta, for example `PT1H1S`, `-P1DT0.5S` or `PT0S`."""
    sign, size = "-" if value.days < 0 else "", abs(value)
    minutes, seconds = divmod(size.seconds, 60)
    hours, minutes = divmod(minutes, 60)
    fraction = f".{size.microseconds:06d}".rstrip("0") if size.microseconds else ""
    times = (f"{hours}H" if hours else "") + (f"{minutes}M" if minutes else "")
    if seconds or fraction:
        times += f"{seconds}{fraction}S"
    dates = f"{size.days}D" if size.days else ""
    if not times and not dates:
        return "PT0S"
    return f"{sign}P{dates}" + (f"T{times}" if times else "")


def _total(text: str, units: dict[str, int]) -> Fraction:
    """Add up the numbers of one half; each unit at most once and in order."""
    from fractions import Fraction

    total = Fraction(0)
    allowed = list(units)
    number = ""
    for character in text:
        if character in _DIGITS:
            number += "." if character == "," else character
            continue
        if character not in allowed or not number[:1].isdigit() or not number[-1].isdigit():
            raise ValueError("not a duration")
        del allowed[: allowed.index(character) + 1]
        total += Fraction(number) * units[character]
        number = ""
    if number:
        raise ValueError("a number without a unit")
    return total
