"""JSON as the standard says it, and how a text is told to be JSON or YAML."""

import json

import pytest
from hypothesis import given

from generator.frontends.openapi.limits import MAX_DEPTH, MAX_DIGITS
from generator.frontends.openapi.load import load_text
from generator.frontends.openapi.load_problem import TextProblem
from generator.frontends.openapi.yaml_text import load_yaml

from .test_yaml import JSON


def refusal(text):
    with pytest.raises(TextProblem) as caught:
        load_text(text)
    return caught.value


@given(JSON)
def test_json_and_the_same_text_read_as_yaml_give_the_same(value):
    text = json.dumps({"x": value}, ensure_ascii=False)
    assert load_text(text) == ({"x": value}, True)
    assert load_yaml(text) == {"x": value}


def test_a_repeated_key_is_refused_with_both_lines_however_it_is_escaped():
    problem = refusal('{"a": {"b": 1,\n "c": ["b", {"b": 1}], "b": 1},\n "x": {"p": 1,\n "\\u0070": 2}}')
    assert problem.rule == "duplicate-key"
    assert problem.message == "the key `b` is given more than once in one object: lines 1 and 2"
    problem = refusal('{"x": {"p": 1,\n "\\u0070": 2}}')
    assert problem.message == "the key `p` is given more than once in one object: lines 1 and 2"


@pytest.mark.parametrize("literal", ["NaN", "Infinity", "-Infinity"])
def test_numbers_json_does_not_have_are_refused_and_not_taken_for_yaml(literal):
    text = f'{{"a": "{literal}", "b": {literal}}}'
    problem = refusal(text)
    assert (problem.message, problem.offset) == (f"{literal} is not JSON", text.rindex(literal))


def test_endless_digits_are_refused_before_they_are_converted():
    digits = "9" * (MAX_DIGITS + 1)
    problem = refusal(f'{{"a": {digits}}}')
    assert (problem.rule, problem.offset) == ("loading-limit", 6)
    assert load_text(f'{{"a": {digits[1:]}}}')[0] == {"a": int(digits[1:])}


def test_a_number_beyond_a_double_is_refused():
    assert refusal('{"a": -1e999}').rule == "loading-limit"


@pytest.mark.parametrize("levels", [MAX_DEPTH + 1, 2_000, 60_000])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}"), ('[{"a":', "}]")])
def test_deep_nesting_is_refused(levels, opening, closing):
    problem = refusal(opening * levels + "1" + closing * levels)
    assert problem.message == f"the document is nested deeper than {MAX_DEPTH} levels"
    assert problem.offset is not None


def test_nesting_up_to_the_limit_is_read():
    text = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    assert json.dumps(load_text(text)[0]) == text


@pytest.mark.parametrize("text", ['{"a": 1,}', "{a: 1}", "{'a': 1}", "[a, b]", '{"a": 1} # comment', "  {a: 1}"])
def test_flow_yaml_that_is_no_json_is_read_as_yaml(text):
    value, is_json = load_text(text)
    assert not is_json
    assert value in ({"a": 1}, ["a", "b"])


@pytest.mark.parametrize("text", ['{"a": 1', '{"a": }}', "{", "[1, 2", '{"a": 1}}'])
def test_what_is_neither_is_refused_with_json_s_reason(text):
    problem = refusal(text)
    assert problem.rule == "invalid-syntax"
    assert problem.message.startswith("not JSON: ")
    assert problem.offset is not None


@pytest.mark.parametrize("text", ["", " \n\t", "\n"])
def test_an_empty_text_is_refused(text):
    assert refusal(text).message == "the file is empty"


@pytest.mark.parametrize("text", ["openapi", "12", "- a\n- b"])
def test_what_the_value_is_does_not_matter_here(text):
    assert load_text(text)[1] is False
