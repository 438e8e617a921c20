"""Text and numbers become values exactly, and nothing else is let through."""

from __future__ import annotations

import contextlib
import datetime as dt
import decimal
import fractions
import ipaddress
import pathlib
import re
import uuid
import zoneinfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.schema.convert import ATOMS, ConversionProblem, compile_conversion
from generator.runtime.schema.durations import format_duration, parse_duration
from generator.runtime.schema.imports import load
from generator.runtime.schema.results import to_json

UTC = dt.UTC


def convert(spec, value, **options):
    return compile_conversion(spec, load=load, **options)(value)


ACCEPTED = [
    ("integer", 5, 5),
    ("integer", 5.0, 5),
    ("integer", 2**70, 2**70),
    ("number", 5, 5.0),
    ("number", -0.0, -0.0),
    ("bytes", "aGk=", b"hi"),
    ("bytes", "", b""),
    ("bytearray", "aGk=", bytearray(b"hi")),
    ("datetime", "2020-01-02T03:04:05Z", dt.datetime(2020, 1, 2, 3, 4, 5, tzinfo=UTC)),
    ("datetime", "2020-01-02t03:04:05z", dt.datetime(2020, 1, 2, 3, 4, 5, tzinfo=UTC)),
    ("datetime", "2020-01-02T03:04:05", dt.datetime(2020, 1, 2, 3, 4, 5)),  # noqa: DTZ001  # naive stays naive
    ("date", "2020-01-02", dt.date(2020, 1, 2)),
    ("time", "03:04:05Z", dt.time(3, 4, 5, tzinfo=UTC)),
    ("timedelta", "P1DT2H", dt.timedelta(days=1, hours=2)),
    ("timedelta", 90, dt.timedelta(seconds=90)),
    ("timedelta", 1.5, dt.timedelta(seconds=1.5)),
    ("uuid", "12345678-1234-5678-1234-567812345678", uuid.UUID("12345678-1234-5678-1234-567812345678")),
    ("decimal", "1.10", decimal.Decimal("1.10")),
    ("decimal", 1.1, decimal.Decimal("1.1")),
    ("decimal", 10**30, decimal.Decimal(10**30)),
    ("fraction", "1/3", fractions.Fraction(1, 3)),
    ("fraction", 0.1, fractions.Fraction(1, 10)),
    ("complex", "1+2j", 1 + 2j),
    ("complex", 2, 2 + 0j),
    ("path", "/a/b", pathlib.Path("/a/b")),
    ("purepath", "a", pathlib.PurePath("a")),
    ("pureposixpath", "a/b", pathlib.PurePosixPath("a/b")),
    ("purewindowspath", "a\\b", pathlib.PureWindowsPath("a\\b")),
    ("ipaddress", "::1", ipaddress.ip_address("::1")),
    ("ipv4address", "127.0.0.1", ipaddress.IPv4Address("127.0.0.1")),
    ("ipv6address", "::1", ipaddress.IPv6Address("::1")),
    ("ipv4network", "10.0.0.0/8", ipaddress.IPv4Network("10.0.0.0/8")),
    ("ipv6network", "2001:db8::/32", ipaddress.IPv6Network("2001:db8::/32")),
    ("ipv4interface", "10.1.2.3/8", ipaddress.IPv4Interface("10.1.2.3/8")),
    ("ipv6interface", "2001:db8::1/64", ipaddress.IPv6Interface("2001:db8::1/64")),
    ("pattern", "a+", re.compile("a+")),
    ("pattern-bytes", "a+", re.compile(b"a+")),
    ("zoneinfo", "UTC", zoneinfo.ZoneInfo("UTC")),
]

REFUSED = [
    ("integer", True),
    ("integer", 5.5),
    ("integer", "5"),
    ("integer", None),
    ("integer", float("inf")),
    ("number", True),
    ("number", "1.5"),
    ("number", 10**400),
    ("number", float("nan")),
    ("bytes", "aGk"),
    ("bytes", "aG k="),
    ("bytes", "aGk=\n"),
    ("bytes", "a_-="),
    ("bytes", "é"),
    ("bytes", 1),
    ("datetime", "yesterday"),
    ("datetime", "2020-13-01T00:00:00Z"),
    ("datetime", 1),
    ("date", "2020-01-02T03:04:05Z"),
    ("date", "2020-02-30"),
    ("time", True),
    ("time", "25:00:00"),
    ("timedelta", "1 day"),
    ("timedelta", "P99999999999D"),
    ("timedelta", 1e300),
    ("timedelta", True),
    ("uuid", "nope"),
    ("uuid", 1),
    ("decimal", "abc"),
    ("decimal", "NaN"),
    ("decimal", "Infinity"),
    ("decimal", "1_000"),
    ("decimal", "\u0661"),
    ("decimal", " 1"),
    ("decimal", True),
    ("fraction", "1/0"),
    ("fraction", "1e999999999"),
    ("fraction", "1e-999999999"),
    ("fraction", [1]),
    ("complex", "x"),
    ("complex", "1_0j"),
    ("complex", None),
    ("path", "a\0b"),
    ("path", 1),
    ("ipv4address", 2130706433),
    ("ipv4address", "127.1"),
    ("ipv4network", "10.0.0.1/8"),
    ("pattern", "("),
    ("pattern", "a" * 1_001),
    ("zoneinfo", "../etc/passwd"),
    ("zoneinfo", "/etc/passwd"),
    ("zoneinfo", "Nowhere/Nothing"),
    ("zoneinfo", "a\0"),
]


@pytest.mark.parametrize(("atom", "value", "expected"), ACCEPTED)
def test_a_valid_value_becomes_the_python_value_of_exactly_that_class(atom, value, expected):
    converted = convert(atom, value)
    assert converted == expected
    assert type(converted) is type(expected)


def test_every_atom_of_the_grammar_has_an_accepted_sample():
    assert {atom for atom, _, _ in ACCEPTED} == set(ATOMS)


@pytest.mark.parametrize(("atom", "value"), REFUSED)
def test_an_invalid_value_is_a_problem_that_does_not_echo_it(atom, value):
    with pytest.raises(ConversionProblem) as caught:
        convert(atom, value)
    assert caught.value.path == ()
    assert caught.value.message
    assert not (isinstance(value, str) and len(value) > 4 and value in caught.value.message)


def test_an_unknown_conversion_is_refused_when_it_is_compiled():
    with pytest.raises(ValueError, match="unknown conversion"):
        compile_conversion("colour", load=load)
    with pytest.raises(ValueError, match="unknown conversion"):
        compile_conversion({"bag": None}, load=load)


def test_a_decimal_that_was_read_exactly_keeps_its_digits():
    exact = decimal.Decimal("0.1000000000000000000000000000001")
    assert convert("decimal", exact, exact_numbers=True) == exact
    assert convert("fraction", exact, exact_numbers=True) == fractions.Fraction(exact)


def test_where_numbers_are_exact_everything_else_still_gets_floats_and_integers():
    exact = {"a": [decimal.Decimal("1.5"), "x", 1]}
    converted = convert(None, exact, exact_numbers=True)
    assert converted == {"a": [1.5, "x", 1]}
    assert type(converted["a"][0]) is float
    assert type(convert("number", decimal.Decimal("1.5"), exact_numbers=True)) is float
    assert type(convert("integer", decimal.Decimal("5.0"), exact_numbers=True)) is int
    with pytest.raises(ConversionProblem):
        convert("integer", decimal.Decimal("1E+99999999"), exact_numbers=True)


def test_a_tree_without_exact_numbers_is_handed_on_uncopied():
    tree = {"a": [1, {"b": None}]}
    assert convert(None, tree, exact_numbers=True) is tree
    assert convert(None, tree) is tree


DURATIONS = [
    ("P1Y", {"days": 365}),
    ("P1M", {"days": 30}),
    ("P2W", {"days": 14}),
    ("P1.5D", {"days": 1.5}),
    ("PT1,5S", {"seconds": 1.5}),
    ("-PT1S", {"seconds": -1}),
    ("+P1DT1M", {"days": 1, "minutes": 1}),
    ("PT0S", {}),
]


@pytest.mark.parametrize(("text", "parts"), DURATIONS)
def test_a_duration_is_read_as_iso_8601_says(text, parts):
    assert parse_duration(text) == dt.timedelta(**parts)


@pytest.mark.parametrize(
    "text",
    ["", "P", "PT", "P1DT", "P1", "1D", "PT-1S", "P1H", "PT1D", "P1D1Y", "P1D1D", "PTS", "PT.S", "P٣D", "P1.2.3D"],
)
def test_a_text_that_is_no_duration_is_refused(text):
    with pytest.raises(ValueError):  # noqa: PT011  # the caller words the message
        parse_duration(text)


def test_a_duration_is_written_in_days_and_smaller():
    assert format_duration(dt.timedelta(hours=1, seconds=1)) == "PT1H1S"
    assert format_duration(dt.timedelta(days=400)) == "P400D"
    assert format_duration(dt.timedelta(microseconds=-1)) == "-PT0.000001S"
    assert format_duration(dt.timedelta(days=-1, hours=3)) == "-PT21H"
    assert format_duration(dt.timedelta()) == "PT0S"


ROUND_TRIPS = {
    "bytes": st.binary(max_size=40),
    "bytearray": st.binary(max_size=40).map(bytearray),
    "datetime": st.datetimes(timezones=st.none() | st.just(UTC)),
    "date": st.dates(),
    "time": st.times(timezones=st.none() | st.just(UTC)),
    "timedelta": st.timedeltas(),
    "uuid": st.uuids(),
    "decimal": st.decimals(allow_nan=False, allow_infinity=False),
    "fraction": st.fractions(),
    "complex": st.complex_numbers(allow_nan=False),
    "integer": st.integers(),
    "number": st.floats(allow_nan=False, allow_infinity=False),
    "ipv4address": st.ip_addresses(v=4),
    "ipv6address": st.ip_addresses(v=6),
    "ipv4network": st.ip_addresses(v=4).map(ipaddress.IPv4Network),
    "purepath": st.lists(st.text("abc.é ", min_size=1, max_size=5)).map(lambda parts: pathlib.PurePath(*parts)),
    "pattern": st.sampled_from(["a+", r"^\d{2}$", "[é]"]).map(re.compile),
}


@pytest.mark.parametrize("atom", ROUND_TRIPS)
def test_what_a_result_sends_an_argument_reads_back_as_the_same_value(atom):
    read = compile_conversion(atom, load=load)

    @given(ROUND_TRIPS[atom])
    def check(value):
        back = read(to_json(value))
        assert back == value
        assert type(back) is type(value)

    check()


@given(st.text(max_size=30))
def test_no_text_whatever_makes_a_conversion_fail_other_than_by_a_problem(text):
    for atom in ATOMS:
        with contextlib.suppress(ConversionProblem):
            convert(atom, text)
