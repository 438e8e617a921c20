"""Schemas of answers let real answers pass, and are cut to a size."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.frontends.openapi.schemas import ANSWER_BYTES, bounded
from generator.jsonschema.wrapping import is_object
from generator.runtime.schema.validator import compile_validator


def ref(name):
    return {"$ref": f"#/components/schemas/{name}"}


STRICT = {
    "type": "object",
    "required": ["id", "state"],
    "additionalProperties": False,
    "properties": {
        "id": {"type": "integer", "minimum": 1},
        "state": {"type": "string", "enum": ["open", "closed"], "pattern": "^[a-z]+$"},
        "at": {"type": "string", "format": "date-time"},
        "tags": {"type": "array", "items": {"type": "string", "maxLength": 2}, "maxItems": 1},
        "by": ref("User"),
    },
}
USER = {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"id": None, "state": None, "at": None, "tags": None, "by": None},
        {"id": 0, "state": "MERGED!", "at": "yesterday", "tags": ["abc", "d", None], "by": {}, "new": 1},
    ],
    ids=str,
)
def test_nulls_missing_members_new_members_and_new_values_pass(written, answer):
    assert compile_validator(written(STRICT, {"User": USER}).answer).accepts(answer)


def test_an_answer_of_another_type_still_shows(written):
    assert not compile_validator(written(STRICT, {"User": USER}).answer).accepts({"id": "one"})


def test_the_root_of_an_object_says_object_so_that_it_is_not_wrapped(written):
    assert is_object(written(ref("User"), {"User": USER}).answer)
    assert is_object(written({"allOf": [ref("User")]}, {"User": USER}).answer)
    assert is_object(written({"oneOf": [ref("User"), STRICT]}, {"User": USER}).answer)
    assert not is_object(written({"type": "array", "items": ref("User")}, {"User": USER}).answer)


def test_objects_of_a_union_become_one_with_all_members(written):
    union = {"oneOf": [ref("User"), {"type": "object", "properties": {"bot": {"type": "boolean"}}}]}
    schema = written({"type": "object", "properties": {"by": union}}, {"User": USER})
    assert schema.answer["properties"]["by"] == {
        "type": ["object", "null"],
        "properties": {"name": {"type": ["string", "null"]}, "bot": {"type": ["boolean", "null"]}},
    }


def test_scalars_of_a_union_become_one_list_of_types(written):
    schema = written(
        {"oneOf": [{"type": "string"}, {"type": "integer"}, {"type": "array", "items": {"type": "string"}}]}
    )
    assert schema.answer == {
        "anyOf": [
            {"type": ["array", "null"], "items": {"type": ["string", "null"]}},
            {"type": ["string", "null", "integer"]},
        ]
    }


def test_members_described_differently_keep_only_what_both_say(written):
    first = {"type": "object", "properties": {"v": {"type": "string", "description": "Text."}, "w": {"type": "string"}}}
    second = {"type": "object", "properties": {"v": {"type": "string"}, "w": {"type": "integer"}}}
    assert written({"anyOf": [first, second]}).answer["properties"] == {"v": {"type": ["string", "null"]}, "w": {}}


def test_texts_and_values_are_shown_at_the_first_level_when_there_is_room(written):
    schema = written(
        {"type": "object", "properties": {"s": {"type": "string", "enum": ["a", "b"], "description": "It."}}}
    )
    assert schema.answer["properties"]["s"] == {
        "type": ["string", "null"],
        "description": "It.",
        "examples": ["a", "b"],
    }


def test_a_large_answer_is_cut_to_its_size_and_keeps_the_names_of_its_members(written):
    members = {f"member_number_{i}": {"type": "string", "description": "Some words about it."} for i in range(40)}
    answer = written({"type": "object", "properties": members}).answer
    assert len(json.dumps(answer, separators=(",", ":"))) <= ANSWER_BYTES
    assert answer["properties"].keys() == members.keys()


def test_members_that_do_not_all_fit_are_not_listed_at_all(written):
    large = {"type": "object", "properties": {f"member_number_{i}": {} for i in range(500)}}
    answer = written(large).answer
    assert answer == {"type": "object"}
    assert written({"type": "array", "items": large}).answer == {
        "type": ["array", "null"],
        "items": {"type": ["object", "null"]},
    }


def test_a_schema_is_cut_at_the_stated_depth():
    definitions = {"Node": {"type": ["object", "null"], "properties": {"next": {"$ref": "#/$defs/Node"}}}}
    cut = bounded({"$ref": "#/$defs/Node"}, definitions, depth=2)
    assert cut == {
        "type": "object",
        "properties": {"next": {"type": ["object", "null"], "properties": {"next": {"type": ["object", "null"]}}}},
    }


SCALARS = st.sampled_from([{"type": "string"}, {"type": "integer"}, {"type": "boolean"}, {}, {"enum": ["a", 1]}])


def closed_object(members):
    # A member that one branch of a union describes and another leaves open is taken as described.
    return {"type": "object", "properties": members, "additionalProperties": False}


SCHEMAS = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.builds(lambda item: {"type": "array", "items": item}, inner),
        st.builds(closed_object, st.dictionaries(st.sampled_from("abc"), inner)),
        st.builds(
            lambda keyword, parts: {keyword: parts},
            st.sampled_from(["allOf", "anyOf", "oneOf"]),
            st.lists(inner, min_size=1, max_size=3),
        ),
    ),
    max_leaves=12,
)
VALUES = st.recursive(
    st.sampled_from([None, True, 1, "a"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("abcd"), inner, max_size=3),
    max_leaves=8,
)


@given(schema=SCHEMAS, value=VALUES, size=st.integers(60, 400), depth=st.integers(1, 3))
@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
def test_what_the_written_schema_accepts_the_relaxed_and_cut_one_does_too(written, schema, value, size, depth):
    asked = written(schema)
    if compile_validator(asked.arguments).accepts(value) and value is not None:
        cut = asked.schemas.assembly("output").answer(asked.node, depth=depth, size=size)
        assert compile_validator(cut).accepts(value)
