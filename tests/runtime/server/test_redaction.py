"""What events show of arguments: short, and without secrets."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.server.masking import MASK
from generator.runtime.server.redaction import CUT, MAX_ITEMS, MAX_TEXT, MAX_VALUES, Redaction

SECRET = "s3cr3t-canary-value"


def shown(value, *secrets, schema=None):
    return Redaction(secrets).value(value, schema)


@pytest.mark.parametrize(
    "name", ["password", "apiKey", "API_KEY", "access-token", "user_secret", "Authorization", "x-session-id", "pwd"]
)
def test_a_member_whose_name_speaks_of_a_secret_is_masked_whatever_it_holds(name):
    assert shown({name: "abc", "in": [{name: {"a": 1}}]}) == {name: MASK, "in": [{name: MASK}]}
    assert shown({name: None}) == {name: None}


def test_what_the_schema_marks_is_masked_at_any_depth():
    marked = {"a": {"format": "password"}, "b": {"writeOnly": True}, "c": {"type": "string"}}
    schema = {"properties": {**marked, "d": {"items": {"properties": marked}}}}
    found = shown({"a": "1", "b": "2", "c": "3", "d": [{"a": "1", "c": "3"}]}, schema=schema)
    assert found == {"a": MASK, "b": MASK, "c": "3", "d": [{"a": MASK, "c": "3"}]}


def test_configured_secrets_are_masked_wherever_they_stand():
    value = {"text": f"use {SECRET} now", SECRET: 1, "list": [SECRET]}
    assert SECRET not in json.dumps(shown(value, SECRET))


@pytest.mark.parametrize("pad", range(15_960, 16_040, 4))
def test_a_secret_across_the_end_of_what_is_searched_is_not_shown_in_part(pad):
    text = (SECRET * 900)[: pad - 10] + SECRET
    assert "s3c" not in shown(text, SECRET)


def test_long_wide_and_deep_values_are_cut():
    assert len(shown("word " * 1000)) == MAX_TEXT
    assert shown([1] * 100) == [1] * MAX_ITEMS + [CUT]
    assert len(shown({f"k{number}": 1 for number in range(100)})) == MAX_ITEMS + 1
    assert CUT in json.dumps(shown([[[[[[[[1]]]]]]]]), ensure_ascii=False)
    assert shown(1 << 70) == CUT
    assert len(next(iter(shown({"n" * 1000: 1})))) <= 60


_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=300),
    lambda inner: st.lists(inner, max_size=30) | st.dictionaries(st.text(max_size=80), inner, max_size=30),
    max_leaves=300,
)


@given(_json)
def test_whatever_is_sent_its_event_is_short_json(value):
    text = json.dumps(shown(value), allow_nan=False)
    assert len(text) < MAX_VALUES * (6 * MAX_TEXT + 6 * 70)


@given(st.lists(st.sampled_from([SECRET, "x", " ", SECRET[:5], "word "]), max_size=40).map("".join))
def test_no_text_shows_a_configured_secret(text):
    assert SECRET not in shown(text, SECRET)
