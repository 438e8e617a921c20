"""JSON of an API, without losing a digit."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.client import exact_json
from generator.runtime.wire import jsonrpc


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("0.1", 0.1),
        ("12345678901234567890", 12345678901234567890),
        ("0.30000000000000004", 0.30000000000000004),
        ("123456789012345678.25", 123456789012345680.0),
        ("[0.12345678901234567890]", [0.12345678901234568]),
        ('{"a":0.10000000000000000000}', {"a": 0.1}),
        ("true", True),
        ('"x"', "x"),
    ],
)
def test_the_text_keeps_what_a_float_would_lose(text, plain):
    value = exact_json.read(text.encode())
    assert exact_json.compact(value) == text
    assert exact_json.plain(value) == plain


def test_a_number_beyond_every_float_is_a_text_in_structured_content():
    value = exact_json.read(b'{"far":1e999}')
    assert json.loads(exact_json.compact(value), parse_float=Decimal) == {"far": Decimal("1E+999")}
    assert exact_json.plain(value) == {"far": "1E+999"}


@pytest.mark.parametrize("body", [b"", b"{", b"[NaN]", b"\xff", b"[" * 300 + b"]" * 300, b"1 2", b"9" * 5_000])
def test_what_is_no_json_is_refused(body):
    with pytest.raises(jsonrpc.ParseFailure):
        exact_json.read(body)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(VALUES)
def test_every_value_comes_back(value):
    body = json.dumps(value).encode()
    read = exact_json.read(body)
    assert exact_json.plain(read) == value
    assert json.loads(exact_json.compact(read)) == value


@given(st.decimals(allow_nan=False, allow_infinity=False, places=20))
def test_every_digit_comes_back(number):
    text = format(number, "f")
    assert Decimal(exact_json.compact(exact_json.read(text.encode()))) == number


@given(st.text(alphabet=st.characters(), max_size=20))
def test_no_half_character_leaves(text):
    value = exact_json.read(json.dumps({text: text}).encode())
    exact_json.compact(value).encode("utf-8")
    jsonrpc.text(exact_json.plain(value)).encode("utf-8")
