"""Values as text: exact numbers, compact JSON, and nothing that JSON cannot say."""

import json
import math
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.client.values import ArgumentProblem, json_text, number_text, text_of, utf8

scalars = st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"]))
exact = scalars | st.decimals(allow_nan=False, allow_infinity=False, places=5)
values = st.recursive(exact, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=15)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (10.0, "10"),
        (-0.0, "0"),
        (0.1, "0.1"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (1e-7, "0.0000001"),
        (1e-9, "1e-9"),
        (12345678901234567890, "12345678901234567890"),
        (Decimal("1.10"), "1.10"),
        (Decimal("5.0"), "5"),
        (Decimal("1E+2"), "100"),
        (Decimal("0.12345678901234567890123456789"), "0.12345678901234567890123456789"),
    ],
)
def test_a_number_keeps_its_digits(value, text):
    assert number_text(value) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_is_read_back_the_same(value):
    assert float(number_text(value)) == value


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_refused(value):
    with pytest.raises(ArgumentProblem):
        text_of(value)
    with pytest.raises(ArgumentProblem):
        json_text({"a": [value]})


def test_an_integer_beyond_the_interpreters_limit_is_refused_shortly():
    with pytest.raises(ArgumentProblem, match="too many digits"):
        text_of(10**5000)


@given(values)
def test_json_with_decimals_is_read_back_exactly(value):
    assert json.loads(json_text(value), parse_float=Decimal) == value


@given(values)
def test_ascii_json_says_the_same(value):
    text = json_text(value, ascii_only=True)
    assert text.isascii()
    assert json.loads(text, parse_float=Decimal) == value


def test_a_decimal_that_is_no_number_is_refused_in_json():
    with pytest.raises(ArgumentProblem, match="JSON"):
        json_text({"a": Decimal("NaN")})


def test_half_of_a_surrogate_pair_cannot_be_sent():
    with pytest.raises(ArgumentProblem, match="character 1"):
        utf8("a\ud800")
