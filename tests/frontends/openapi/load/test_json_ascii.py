"""A JSON text with few characters that are not ASCII is read in ASCII: the value and the places are the same."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.frontends.openapi.json_ascii import BLOCK, in_ascii
from generator.frontends.openapi.load_file import LoadedFile
from generator.frontends.openapi.load_problem import LoadProblem
from generator.frontends.openapi.positions import Positions

from .test_positions import pointers

TEXT = st.text(alphabet='aé\u2603\N{GRINNING FACE}\u0130"\\\n/~ ', max_size=6)
VALUES = st.recursive(
    TEXT | st.integers(), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3)
)
DOCUMENTS = st.dictionaries(TEXT, VALUES, max_size=4)


def loaded(data):
    return LoadedFile(data, shown="x.json", location="file:///x.json")


@given(DOCUMENTS, st.sampled_from([None, 1]))
def test_values_and_places_are_those_of_the_original(value, indent):
    text = json.dumps({"é": "", **value}, indent=indent, ensure_ascii=False)
    file = loaded(text.encode())
    assert file.text.isascii() or "\\" in text  # what stands behind a backslash is left as it is
    assert file.value == json.loads(text)
    positions = Positions(text, shown="x.json", is_json=True)
    for pointer, _ in pointers(file.value):
        assert file.span(pointer) == positions.span(pointer)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": "\\é"}',  # no escape of JSON, though `\\u00e9` would be one
        '{"a": é',
        '{"é": 1, "\\u00e9": 2}',
        '{"é": NaN}',
        "{é: [1, }",
    ],
)
def test_what_is_wrong_is_told_of_the_original(text):
    with pytest.raises(LoadProblem) as caught:
        loaded(text.encode())
    with pytest.raises(LoadProblem) as plain:
        loaded(text.encode("utf-16"))  # never read in ASCII
    assert [(each.rule.name, each.message, each.span) for each in caught.value.diagnostics] == [
        (each.rule.name, each.message, each.span) for each in plain.value.diagnostics
    ]


def test_a_yaml_flow_mapping_is_still_yaml():
    file = loaded("{a: é}".encode())
    assert (file.value, file.is_json, file.text) == ({"a": "é"}, False, "{a: é}")


def test_a_character_across_two_blocks_is_one():
    for before in range(BLOCK - 10, BLOCK):
        faces = "x" * before + "\N{GRINNING FACE}\N{GRINNING FACE}"
        text = json.dumps([faces, "x" * 60 * BLOCK], ensure_ascii=False)
        assert json.loads(in_ascii(text.encode()).text) == json.loads(text)


def test_texts_of_many_other_characters_are_read_as_they_are():
    text = json.dumps(["é" + "x" * BLOCK] * 200, ensure_ascii=False)
    assert in_ascii(text.encode()) is None
    assert loaded(text.encode()).text == text
    assert in_ascii(b'{"a": "\xff"}') is None
    assert in_ascii(b'{"a": 1}') is None


def test_halves_of_surrogate_pairs_are_found_beside_other_characters():
    file = loaded('{"é": "\\ud800", "b": "\N{GRINNING FACE}"}'.encode())
    assert file.value == {"é": "\ufffd", "b": "\N{GRINNING FACE}"}
    assert file.repaired == ("é",)
