"""Lines and columns of JSON pointers."""

import json

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from generator.frontends.openapi.load_file import LoadedFile
from generator.frontends.openapi.place import Place
from generator.frontends.openapi.positions import Positions
from generator.frontends.openapi.yaml_text import load_yaml

from .test_yaml import JSON, TEXT, Dumper

DOCUMENT = st.dictionaries(TEXT, JSON, max_size=5)


def pointers(value, pointer=()):
    yield pointer, value
    if isinstance(value, dict):
        for key, item in value.items():
            yield from pointers(item, (*pointer, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from pointers(item, (*pointer, str(index)))


@given(DOCUMENT, st.sampled_from([None, 1, "\t"]), st.randoms())
def test_every_pointer_of_a_json_text_leads_to_its_value(value, indent, random):
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    positions = Positions(text, shown="x.json", is_json=True)
    known = list(pointers(value))
    random.shuffle(known)
    for pointer, expected in known:
        offset = positions.value_offset(pointer)
        assert json.JSONDecoder().raw_decode(text, offset)[0] == expected


@given(DOCUMENT)
def test_every_pointer_of_a_yaml_text_leads_to_its_value(value):
    text = yaml.dump(value, Dumper=Dumper, allow_unicode=True, default_flow_style=False, width=100_000)
    positions = Positions(text, shown="x.yaml", is_json=False)
    for pointer, expected in pointers(value):
        offset = positions.value_offset(pointer)
        if not isinstance(expected, (dict, list)):
            assert load_yaml(text[offset:].partition("\n")[0]) == expected


def span_of(text, *pointer, is_json=False):
    span = Positions(text, shown="x", is_json=is_json).span(tuple(pointer))
    return (span.line, span.column, span.end_line, span.end_column)


def test_a_member_s_span_is_its_key():
    text = '{\n  "paths": {"/a~b": {"get": 1}}\n}'
    assert span_of(text, "paths", is_json=True) == (2, 3, 2, 10)
    assert span_of(text, "paths", "/a~b", "get", is_json=True) == (2, 22, 2, 27)


def test_an_item_s_span_is_the_beginning_of_its_value():
    assert span_of('[1, {"a": 2}]', "1", is_json=True) == (1, 5, 1, 6)
    assert span_of("- 1\n- a: 2\n", "1") == (2, 3, 2, 7)


def test_a_pointer_that_is_not_there_gives_the_nearest_ancestor():
    assert span_of('{"a": {"b": [1]}}', "a", "b", "7", "c", is_json=True)[:2] == (1, 8)
    assert span_of("a:\n  b: [1]\n", "a", "b", "7", "c")[:2] == (2, 3)
    assert span_of("a: 1\n", "x")[:2] == (1, 1)
    assert span_of('{"a": 1}', "a", "0", is_json=True)[:2] == (1, 2)


def test_columns_count_characters():
    assert span_of('{"ä😀": 1, "b": 2}', "b", is_json=True)[:2] == (1, 11)
    assert span_of("{ä😀: 1, b: 2}", "b")[:2] == (1, 9)


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_lines_end_in_every_usual_way(newline):
    assert span_of(newline.join(["a: 1", "b:", "  c: 2"]), "b", "c")[:2] == (3, 3)
    assert span_of(newline.join(["{", '"a": 1,', '"b": 2}']), "b", is_json=True)[:2] == (3, 1)


def test_a_value_through_an_alias_is_where_the_anchor_is():
    text = "a: &a\n  x: 1\nb: *a\nc:\n  <<: *a\n  y: 2\n"
    assert span_of(text, "b")[:2] == (3, 1)
    assert span_of(text, "b", "x")[:2] == (2, 3)
    assert span_of(text, "c", "x")[:2] == (2, 3)
    assert span_of(text, "c", "y")[:2] == (6, 3)


def test_array_positions_are_digits_without_signs():
    assert span_of("- a\n- b\n", "1")[:2] == (2, 3)
    assert span_of("- a\n- b\n", "-1")[:2] == (1, 1)
    assert span_of("[0, 1]", "²", is_json=True)[:2] == (1, 1)


def test_a_place_knows_its_text_and_span():
    file = LoadedFile(b"paths:\n  /a:\n    get: 1\n", shown="api.yaml", location="file:///api.yaml")
    place = Place(file).at("paths", "/a", "get")
    assert place.text == "api.yaml#/paths/~1a/get"
    assert (place.span.path, place.span.line, place.span.column) == ("api.yaml", 3, 5)


@pytest.mark.parametrize(
    ("data", "line", "column"),
    [
        (b"a: 1\na: 2\n", 2, 1),
        (b'{"a": 1,\n "a": 2}', 2, 2),
        (b"a: 1\nb: gr\xfc\n", 2, 6),
        (b"a: [\n", 2, 1),
        (b"", 1, 1),
    ],
)
def test_what_cannot_be_loaded_has_a_place(data, line, column):
    from generator.frontends.openapi.load_problem import LoadProblem

    with pytest.raises(LoadProblem) as caught:
        LoadedFile(data, shown="api.yaml", location="file:///api.yaml")
    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.span.path, diagnostic.span.line, diagnostic.span.column) == ("api.yaml", line, column)


@pytest.mark.parametrize("name", ["x.json", "x.yaml"])
def test_surrogates_are_joined_and_half_ones_replaced_with_a_notice(name):
    text = '{"a": "\\ud83d\\ude00", "b": {"c": ["x\\udc00y"], "\\ud800": 1}}'
    if name == "x.yaml":
        text = text.replace("{", "{x: 1, ", 1)
    file = LoadedFile(text.encode(), shown=name, location=f"file:///{name}")
    assert file.is_json is (name == "x.json")
    assert file.value["a"] == "\N{GRINNING FACE}"
    assert file.value["b"] == {"c": ["x\ufffdy"], "\ufffd": 1}
    json.dumps(file.value, ensure_ascii=False).encode("utf-8")
