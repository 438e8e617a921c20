"""Bounds that are compared after conversion: what they accept, what they refuse, what is none of their business."""

from __future__ import annotations

from decimal import Decimal

import pytest

from generator.runtime.schema import imports
from generator.runtime.schema.convert import ConversionProblem, compile_conversion


def convert(body, value):
    return compile_conversion({"check": {"say": "must fit", **body}}, load=imports.load)(value)


@pytest.mark.parametrize(
    ("body", "good", "bad"),
    [
        ({"bound": ["ge", "2020-01-01", "date"], "convert": "date"}, "2020-01-01", "2019-12-31"),
        ({"bound": ["lt", "PT1H", "timedelta"], "convert": "timedelta"}, "PT59M", "PT1H"),
        ({"bound": ["le", "5.5", "decimal"], "convert": "decimal"}, "5.50", "5.51"),
        ({"bound": ["gt", "0.1", "decimal"], "convert": "decimal"}, 0.2, "0.1"),
        ({"bound": ["multiple_of", "0.05", "decimal"], "convert": "decimal"}, "0.15", "0.12"),
        ({"bound": ["min_length", 2, None], "convert": "bytes"}, "YWI=", "YQ=="),
        ({"bound": ["max_length", 2, None], "convert": "bytes"}, "YWI=", "YWJj"),
        ({"digits": [4, 2], "convert": "decimal"}, "12.34", "123.4"),
        ({"digits": [4, None], "convert": "decimal"}, "0.1234", "12345"),
        ({"digits": [None, 1], "convert": "decimal"}, "123456.7", "1.23"),
        ({"digits": [3, 0], "convert": "decimal"}, "1E2", "1E3"),
        ({"zone": "none", "convert": "datetime"}, "2020-01-01T00:00:00", "2020-01-01T00:00:00Z"),
        ({"zone": "any", "convert": "datetime"}, "2020-01-01T00:00:00Z", "2020-01-01T00:00:00"),
        ({"zone": "UTC", "convert": "datetime"}, "2020-01-01T00:00:00Z", "2020-01-01T00:00:00+01:00"),
    ],
)
def test_a_bound_holds_for_the_converted_value(body, good, bad):
    convert(body, good)
    with pytest.raises(ConversionProblem, match="must fit"):
        convert(body, bad)


def test_values_that_cannot_be_compared_are_refused_with_the_reason():
    body = {"bound": ["ge", "2020-01-01T00:00:00", "datetime"], "convert": "datetime"}
    with pytest.raises(ConversionProblem, match=r"must fit \(can't compare offset-naive and offset-aware datetimes\)"):
        convert(body, "2021-01-01T00:00:00Z")


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ({"bound": ["ge", "2020-01-01", "date"]}, "text"),
        ({"bound": ["ge", "5", "decimal"]}, "text"),
        ({"bound": ["ge", "5", "decimal"]}, True),
        ({"bound": ["max_length", 1, None]}, "text"),
        ({"digits": [1, 0]}, 12.5),
        ({"zone": "any"}, 5),
    ],
)
def test_a_value_of_another_arm_is_not_judged(body, value):
    assert convert(body, value) is value


def test_keys_are_compared_as_what_they_stand_for():
    spec = {"dict": {"key": {"check": {"bound": ["ge", 0, None], "say": "must be at least 0", "convert": "integer"}}}}
    keyed = compile_conversion(spec, load=imports.load)
    assert keyed({"3": "a"}) == {3: "a"}
    with pytest.raises(ConversionProblem, match="must be at least 0") as caught:
        keyed({"-3": "a"})
    assert caught.value.path == ("-3",)


def test_exact_numbers_are_compared_as_they_are():
    body = {"bound": ["le", "0.1", "decimal"], "say": "x", "convert": "decimal"}
    exact = compile_conversion({"check": body}, load=imports.load, exact_numbers=True)
    assert exact(Decimal("0.1")) == Decimal("0.1")
