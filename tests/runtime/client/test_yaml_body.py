"""YAML bodies: what a reader of YAML, an old one too, makes of them is the value."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.client.files import Files
from generator.runtime.client.request_body import body_of
from generator.runtime.client.values import ArgumentProblem
from generator.runtime.client.yaml_body import yaml_text

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
)


@given(VALUES)
def test_a_value_is_read_as_itself_by_json_and_by_a_reader_of_yaml_1_1(value):
    text = yaml_text([value])
    assert json.loads(text) == [value]
    assert yaml.safe_load(text) == [value]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"a": 1e-07, "b": Decimal("1E+30"), "c": 1.5e300}, '{"a":1.0e-07,"b":1.0e+30,"c":1.5e+300}'),
        ({"1e5": "1e5\\"}, '{"1e5":"1e5\\\\"}'),
        (["\x7f\x85\u2028\ufeff\uffff", "é\U0001f600"], '["\\u007f\\u0085\\u2028\\ufeff\\uffff","é\U0001f600"]'),
        ({"no": "yes", "~": "null", "d": "2026-07-28"}, '{"no":"yes","~":"null","d":"2026-07-28"}'),
    ],
)
def test_what_yaml_reads_otherwise_has_another_form(value, text):
    assert yaml_text(value) == text


def body(media_type):
    return {"required": True, "argument": "body", "content": [{"type": media_type, "kind": "json"}]}


def test_it_is_sent_in_the_charset_of_its_type():
    assert body_of(body("text/yaml"), {"body": ["é"]}, Files(None)) == ("text/yaml; charset=utf-8", '["é"]'.encode())
    typed = "application/yaml; charset=utf-16-le"
    assert body_of(body(typed), {"body": ["é"]}, Files(None)) == (typed, '["é"]'.encode("utf-16-le"))
    assert body_of(body("application/yaml"), {"body": None}, Files(None)) == ("application/yaml", b"null")


def test_what_json_cannot_say_is_a_problem():
    with pytest.raises(ArgumentProblem):
        body_of(body("application/yaml"), {"body": [float("nan")]}, Files(None))
