"""JSON on the wire: what is accepted, what is refused and how, and that encoding and parsing agree."""

import json
import math
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.wire import jsonrpc
from generator.runtime.wire.limits import MAX_NESTING

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(json_values)
def test_what_is_encoded_is_parsed_back_the_same(value):
    line = jsonrpc.encode(value)
    assert b"\n" not in line
    assert line.isascii()
    assert jsonrpc.parse(line) == value


ODD_TEXTS = st.text(st.sampled_from('\\"/bu\n\x00\x7f\u0080é\u2028\ud800\udfff😀'))


@given(json_values | st.lists(ODD_TEXTS) | st.dictionaries(ODD_TEXTS, ODD_TEXTS))
def test_the_ascii_form_of_a_value_is_made_of_its_text(value):
    written = jsonrpc.text(value)
    assert jsonrpc.in_ascii(written, jsonrpc.quoted(written)) == jsonrpc.ascii_text(value)


@given(json_values)
def test_encoding_agrees_with_the_json_package(value):
    assert jsonrpc.encode(value) == json.dumps(value, separators=(",", ":")).encode()
    assert jsonrpc.text(value) == json.dumps(value, separators=(",", ":"), ensure_ascii=False)


@given(st.binary(max_size=60))
def test_any_bytes_are_parsed_or_refused_as_the_json_package_does(line):
    try:
        expected = json.loads(line.decode("utf-8"), parse_constant=pytest.fail)
    except (ValueError, pytest.fail.Exception):
        with pytest.raises(jsonrpc.ParseFailure):
            jsonrpc.parse(line)
    else:
        got = jsonrpc.parse(line)
        assert got == expected or (isinstance(got, float) and math.isnan(got))


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"", "a value was expected"),
        (b"{", "property name"),
        (b'"abc', "Unterminated"),
        (b"[1] x", "unexpected text after the value"),
        (b'{"a":NaN}', "NaN is not JSON"),
        (b"[-Infinity]", "-Infinity is not JSON"),
        (b"\xff", "not UTF-8 at byte 0"),
        (b"9" * 5000, "digits"),
        (b"[" * 100_000, "nested deeper"),
        (b"[" * (MAX_NESTING + 1) + b"]" * (MAX_NESTING + 1), f"nested deeper than {MAX_NESTING}"),
        (b'{"a":' * 300 + b"1" + b"}" * 300, f"nested deeper than {MAX_NESTING}"),
    ],
)
def test_a_line_that_is_not_json_is_refused_with_its_reason(line, says):
    with pytest.raises(jsonrpc.ParseFailure, match=says):
        jsonrpc.parse(line)


def test_nesting_up_to_the_limit_is_accepted():
    line = b"[" * MAX_NESTING + b"]" * MAX_NESTING
    assert jsonrpc.encode(jsonrpc.parse(line)) == line


def test_many_shallow_brackets_are_not_mistaken_for_depth():
    value = [{"a": [i]} for i in range(1000)]
    assert jsonrpc.parse(jsonrpc.encode(value)) == value


def test_exact_parsing_keeps_every_digit():
    assert jsonrpc.parse_exact(b'{"x":1.10000000000000000001}') == {"x": Decimal("1.10000000000000000001")}


def test_the_last_of_duplicate_keys_wins():
    assert jsonrpc.parse(b'{"a":1,"a":2}') == {"a": 2}


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object(), {"a": {1, 2}}])
def test_what_is_not_json_cannot_be_encoded(value):
    with pytest.raises((ValueError, TypeError)):
        jsonrpc.encode(value)
