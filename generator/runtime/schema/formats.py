"""Check the formats of JSON Schema 2020-12 (validation, 7.3); a format not in the table is an annotation.

Each test takes a string. Where a grammar is small it is a regular expression that runs in linear time; where a format
has rules of its own (days of a month, leap seconds, IPv6 groups), they follow it in a function.
"""

from __future__ import annotations

import re

from . import hostnames

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

DATE = r"(\d{4})-(\d\d)-(\d\d)"
TIME = r"(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[zZ]|([+-])(\d\d):(\d\d))"
CHARACTER = "(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})"
VARIABLE = rf"{CHARACTER}+(?:\.{CHARACTER}+)*(?::[1-9][0-9]{{0,3}}|\*)?"
MONTH_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

_date = re.compile(DATE, re.ASCII).fullmatch
_time = re.compile(TIME, re.ASCII).fullmatch
_duration = re.compile(
    r"P(?:\d+W|(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)(?:T(?=\d)(?:\d+H)?(?:(?<=[TH])\d+M)?(?:(?<=[TM])\d+S)?)?"
    r"|T(?=\d)(?:\d+H)?(?:(?<=[TH])\d+M)?(?:(?<=[TM])\d+S)?)",
    re.ASCII,
).fullmatch
_PART = r"\d+(?:[.,]\d+)?"
_signed_duration = re.compile(
    rf"[+-]?P(?:{_PART}Y)?(?:{_PART}M)?(?:{_PART}W)?(?:{_PART}D)?(?:T(?:{_PART}H)?(?:{_PART}M)?(?:{_PART}S)?)?",
    re.ASCII,
).fullmatch
_dot_string = re.compile(r"[^@\"(),:;<>\[\]\\.\x00-\x20\x7f]+(?:\.[^@\"(),:;<>\[\]\\.\x00-\x20\x7f]+)*").fullmatch
_uuid = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}").fullmatch
_json_pointer = re.compile(r"(?:/(?:[^~/]|~[01])*)*").fullmatch
_relative_pointer = re.compile(r"(?:0|[1-9][0-9]*)(?:#|(?:/(?:[^~/]|~[01])*)*)").fullmatch
_template = re.compile(
    r"(?:[!#$&'()*+,\-./0-9:;=?@A-Z\[\]_a-z~\u00A0-\U0010FFFF]|%[0-9A-Fa-f]{2}"
    rf"|\{{[+#./;?&=,!@|]?{VARIABLE}(?:,{VARIABLE})*\}})*"
).fullmatch


def is_date(text: str) -> bool:
    """Check `date` (RFC 3339 full-date)."""
    found = _date(text)
    if found is None:
        return False
    year, month, day = int(found[1]), int(found[2]), int(found[3])
    if not 1 <= month <= 12 or not 1 <= day <= MONTH_DAYS[month - 1]:
        return False
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return month != 2 or day < 29 or leap


def is_time(text: str) -> bool:
    """Check `time` (RFC 3339 full-time); second 60 only at 23:59 UTC."""
    found = _time(text)
    if found is None:
        return False
    hour, minute, second = int(found[1]), int(found[2]), int(found[3])
    off_hour, off_minute = int(found[5] or 0), int(found[6] or 0)
    if hour > 23 or minute > 59 or second > 60 or off_hour > 23 or off_minute > 59:
        return False
    if second < 60:
        return True
    offset = (off_hour * 60 + off_minute) * (-1 if found[4] == "-" else 1)
    return (hour * 60 + minute - offset) % 1440 == 1439


def is_date_time(text: str) -> bool:
    """Check `date-time` (RFC 3339); the separator is `T`, as section 5.6 says."""
    return len(text) > 10 and text[10] in "Tt" and is_date(text[:10]) and is_time(text[11:])


def is_duration(text: str) -> bool:
    """Check `duration` (RFC 3339, appendix A)."""
    return _duration(text) is not None


def is_ipv4(text: str) -> bool:
    """Check `ipv4` (RFC 2673, 3.2): four decimal numbers without leading zeros."""
    parts = text.split(".")
    return len(parts) == 4 and all(
        part.isascii() and part.isdigit() and len(part) <= 3 and int(part) <= 255 and (part == "0" or part[0] != "0")
        for part in parts
    )


def is_ipv6(text: str) -> bool:
    """Check `ipv6` (RFC 4291, 2.2): eight groups, one run of zeros as `::`, an IPv4 tail; no zone."""
    head, double, tail = text.partition("::")
    groups = head.split(":") if head else []
    rest = tail.split(":") if tail else []
    if "::" in tail or (not double and len(groups) < 6):
        return False
    parts = groups + rest
    size = len(parts)
    last = rest or ([] if double else groups)
    if last and "." in last[-1]:
        if not is_ipv4(parts[-1]):
            return False
        parts = parts[:-1]
        size += 1
    if not all(1 <= len(part) <= 4 and hostnames.HEX.issuperset(part) for part in parts):
        return False
    return size <= 7 if double else size == 8


def is_email(text: str, *, ascii_only: bool = True) -> bool:
    """Check `email` (RFC 5321 mailbox): a dot-string or quoted local part, a host name or address literal."""
    if ascii_only and not text.isascii():
        return False
    local, at, domain = text.rpartition("@")
    if not at or not local or len(local) > 64:
        return False
    if local.startswith('"'):
        if re.fullmatch(r'"(?:[^"\\\x00-\x1f\x7f]|\\[\x20-\x7e])*"', local) is None:
            return False
    elif _dot_string(local) is None:
        return False
    if domain.startswith("[") and domain.endswith("]"):
        literal = domain[1:-1]
        return is_ipv6(literal[5:]) if literal[:5].lower() == "ipv6:" else is_ipv4(literal)
    if ascii_only:
        return hostnames.is_hostname(domain)
    from unicodedata import normalize

    return hostnames.is_idn_hostname(normalize("NFC", domain))


def is_idn_email(text: str) -> bool:
    """Check `idn-email` (RFC 6531)."""
    return is_email(text, ascii_only=False)


def is_regex(text: str) -> bool:
    """Check `regex`: valid ECMA-262, whether or not it could be enforced here."""
    from .patterns import PatternError, translate

    try:
        re.compile(translate(text), re.ASCII)
    except PatternError as error:
        return "supported" in str(error)
    except re.error as error:
        return "look-behind" in str(error)
    except (OverflowError, RecursionError):
        return False
    return True


def _uri_test(name: str) -> Callable[[str], bool]:
    def test(text: str) -> bool:
        from . import uris  # a large expression, compiled when first needed

        return bool(getattr(uris, name)(text))

    return test


FORMATS: dict[str, Callable[[str], Any]] = {
    "date": is_date,
    "time": is_time,
    "date-time": is_date_time,
    "duration": is_duration,
    "uuid": _uuid,
    "ipv4": is_ipv4,
    "ipv6": is_ipv6,
    "email": is_email,
    "idn-email": is_idn_email,
    "hostname": hostnames.is_hostname,
    "idn-hostname": hostnames.is_idn_hostname,
    "json-pointer": _json_pointer,
    "relative-json-pointer": _relative_pointer,
    "uri-template": _template,
    "regex": is_regex,
    "uri": _uri_test("is_uri"),
    "uri-reference": _uri_test("is_uri_reference"),
    "iri": _uri_test("is_iri"),
    "iri-reference": _uri_test("is_iri_reference"),
}
"""The formats that are asserted, by name."""


def is_local_date_time(text: str) -> bool:
    """Check `date-time` as Python reads it: the zone may be missing, and the seconds with it."""
    return is_date_time(text) or is_date_time(f"{text}Z") or is_date_time(f"{text}:00Z")


def is_local_time(text: str) -> bool:
    """Check `time` as Python reads it: the zone may be missing, and the seconds with it."""
    return is_time(text) or is_time(f"{text}Z") or is_time(f"{text}:00Z")


def is_signed_duration(text: str) -> bool:
    """Check `duration` as ISO 8601 has it: a sign, fractions, and any of its parts."""
    return _signed_duration(text) is not None and text[-1] not in "PT"


PYTHON_FORMATS: dict[str, Callable[[str], bool]] = {
    "date-time": is_local_date_time,
    "time": is_local_time,
    "duration": is_signed_duration,
}
"""Formats of values that become Python's own: a naive `datetime` is one, and a `timedelta` may be negative."""


def format_test(name: object, *, python: bool = False) -> Callable[[object], bool] | None:
    """Return the test of a format for strings, None for a format that is only an annotation.

    `python` takes the wider forms of `PYTHON_FORMATS`.
    """
    test = FORMATS.get(name) if isinstance(name, str) else None
    if python and isinstance(name, str):
        test = PYTHON_FORMATS.get(name, test)
    if test is None:
        return None
    return lambda value: bool(test(value))  # type: ignore[arg-type]  # called with strings only
