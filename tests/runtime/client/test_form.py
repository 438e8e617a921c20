"""Forms: the defaults of OAS, encoding objects, and that a form is read back as what was given."""

import json
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.client.values import ArgumentProblem
from tests.runtime.client.building import body_of

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=10)


def form(value, **encodings):
    content_type, body = body_of(value, type="application/x-www-form-urlencoded", kind="form", encoding=encodings)
    assert content_type == "application/x-www-form-urlencoded"
    return parse_qsl(body.decode("ascii"), keep_blank_values=True)


def test_without_encoding_arrays_repeat_their_key_and_objects_are_json():
    value = {"name": "a b&c", "on": True, "n": 9007199254740993, "tags": ["x", "y"], "address": {"city": "Rom"}}
    assert form(value) == [
        ("name", "a b&c"),
        ("on", "true"),
        ("n", "9007199254740993"),
        ("tags", "x"),
        ("tags", "y"),
        ("address", '{"city":"Rom"}'),
    ]
    assert form({"rows": [{"a": 1}, {"a": 2}], "none": []}) == [("rows", '{"a":1}'), ("rows", '{"a":2}')]


def test_null_that_is_meant_is_an_empty_value():
    content = {"type": "application/x-www-form-urlencoded", "kind": "form"}
    assert body_of({"a": None}, **content)[1] == b"a="


def test_deep_objects_nest_as_far_as_the_value_does():
    value = {"amount": 5, "items": [{"price": "p1", "tags": ["x"]}, {"price": "p2"}], "metadata": {"k": "v"}}
    deep = {"style": "deepObject", "explode": True}
    assert form(value, items=deep, metadata=deep) == [
        ("amount", "5"),
        ("items[0][price]", "p1"),
        ("items[0][tags][0]", "x"),
        ("items[1][price]", "p2"),
        ("metadata[k]", "v"),
    ]


def test_a_style_makes_a_field_like_a_query_parameter():
    assert form({"t": ["a", "b"]}, t={"style": "form", "explode": False}) == [("t", "a,b")]
    assert form({"t": ["a", "b"]}, t={"style": "pipeDelimited"}) == [("t", "a|b")]
    assert form({"o": {"R": 1}}, o={"explode": True}) == [("R", "1")]
    content = {"type": "application/x-www-form-urlencoded", "kind": "form", "encoding": {"u": {"reserved": True}}}
    assert body_of({"u": "/a:b&c"}, **content)[1] == b"u=/a:b%26c"


def test_a_json_content_type_makes_the_whole_field_json():
    found = form(
        {"t": ["a", "b"], "s": "x"},
        t={"content_type": "application/json"},
        s={"content_type": "application/json, text/plain"},
    )
    assert found == [("t", '["a","b"]'), ("s", '"x"')]


def test_a_file_in_a_form_is_sent_as_its_bytes():
    content = {"type": "application/x-www-form-urlencoded", "kind": "form", "kinds": {"f": "binary"}}
    assert body_of({"f": {"data": "AP8="}, "a": "b"}, **content)[1] == b"f=%00%FF&a=b"
    with pytest.raises(ArgumentProblem) as caught:
        body_of({"f": {"data": "?"}}, **content)
    assert caught.value.path == ("body", "f", "data")


def test_a_string_is_taken_for_a_finished_form_and_an_array_is_refused():
    assert form("a=1&b=2") == [("a", "1"), ("b", "2")]
    with pytest.raises(ArgumentProblem, match="object"):
        form([1])


@given(st.dictionaries(texts, texts | st.lists(texts, min_size=1, max_size=3), min_size=1, max_size=4))
def test_a_form_is_read_back_as_what_was_given(value):
    expected = [
        (name, item) for name, member in value.items() for item in (member if isinstance(member, list) else [member])
    ]
    assert form(value) == expected


@given(st.dictionaries(texts, st.dictionaries(texts, st.integers() | texts), min_size=1, max_size=3))
def test_objects_in_a_form_are_read_back_as_json(value):
    assert [(name, json.loads(text)) for name, text in form(value)] == list(value.items())
