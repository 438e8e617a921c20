"""Which parts of a schema stay shared."""

from __future__ import annotations

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.jsonschema.slimming import slim

LARGE = {"type": "object", "properties": {f"property_{number}": {"type": "string"} for number in range(8)}}
SMALL = {"type": "string", "enum": ["a", "b"]}
NODE = {"type": "object", "properties": {"next": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]}}}


def of(**properties: object):
    return {"type": "object", "properties": properties}


def ref(name: str, **beside: object):
    return {"$ref": f"#/$defs/{name}", **beside}


def test_a_part_used_once_is_written_in_place():
    assert slim({**of(a=ref("L")), "$defs": {"L": LARGE}}) == of(a=LARGE)


def test_a_small_part_is_written_in_place_however_often_it_is_used():
    assert slim({**of(a=ref("S"), b=ref("S"), c=ref("S")), "$defs": {"S": SMALL}}) == of(a=SMALL, b=SMALL, c=SMALL)


def test_a_large_part_used_twice_stays_shared():
    schema = {**of(a=ref("L"), b=ref("L")), "$defs": {"L": LARGE}}
    assert slim(schema) == schema


def test_a_part_that_contains_itself_stays_shared():
    schema = {**of(a=ref("Node")), "$defs": {"Node": NODE}}
    assert slim(schema) == schema


def test_parts_that_contain_each_other_stay_shared():
    definitions = {"A": of(b=ref("B")), "B": of(a=ref("A"))}
    assert slim({**of(x=ref("A")), "$defs": definitions}) == {**of(x=ref("A")), "$defs": definitions}


def test_a_part_inside_a_shared_part_is_written_into_it():
    schema = {**of(a=ref("L"), b=ref("L")), "$defs": {"L": {**LARGE, "items": ref("S")}, "S": SMALL}}
    assert slim(schema)["$defs"] == {"L": {**LARGE, "items": SMALL}}


def test_a_part_nobody_uses_goes():
    assert slim({**of(a=SMALL), "$defs": {"L": LARGE, "M": of(l=ref("L"))}}) == of(a=SMALL)


def test_a_reference_at_the_root_is_replaced_by_what_it_names():
    assert slim({**ref("L"), "$defs": {"L": LARGE}}) == LARGE


def test_a_recursive_root_is_written_out_and_stays_shared():
    assert slim({**ref("Node"), "$defs": {"Node": NODE}}) == {**NODE, "$defs": {"Node": NODE}}


def test_words_beside_a_reference_win_over_those_of_the_part():
    part = {"type": "string", "description": "of the part"}
    schema = {**of(a=ref("S", description="of the use", default="x")), "$defs": {"S": part}}
    assert slim(schema) == of(a={"type": "string", "description": "of the use", "default": "x"})


def test_a_reference_beside_an_assertion_stays():
    schema = {**of(a=ref("L", additionalProperties=False)), "$defs": {"L": LARGE}}
    assert slim(schema) == schema


@pytest.mark.parametrize("keyword", ["default", "const"])
def test_data_that_looks_like_a_reference_stays(keyword):
    schema = {**of(a={keyword: ref("S")}), "$defs": {"S": SMALL}}
    assert slim(schema) == of(a={keyword: ref("S")})


def test_a_property_called_ref_is_a_property():
    schema = of(**{"$ref": {"type": "string"}, "$defs": {"type": "string"}})
    assert slim(schema) == schema


@pytest.mark.parametrize(
    "schema",
    [
        {**of(a=ref("S")), "$defs": {"S": {**SMALL, "$anchor": "s"}}},
        {**of(a=ref("S")), "$id": "urn:x", "$defs": {"S": SMALL}},
        {**of(a=ref("S"), b={"$dynamicRef": "#s"}), "$defs": {"S": SMALL}},
        {**of(a=ref("S"), b={"$ref": "#/properties/a"}), "$defs": {"S": SMALL}},
        {**of(a=ref("S"), b={"$ref": "#/$defs/S/items"}), "$defs": {"S": SMALL}},
        {**of(a=ref("S"), b={"$ref": "#"}), "$defs": {"S": SMALL}},
        {**of(a=ref("S"), b={"$ref": "other.json"}), "$defs": {"S": SMALL}},
        {**of(a=ref("Missing")), "$defs": {"S": SMALL}},
    ],
)
def test_a_schema_with_other_references_or_anchors_is_left_alone(schema):
    assert slim(schema) == schema


def test_names_with_escapes_are_found():
    schema = {**of(a={"$ref": "#/$defs/a~1b~0c"}), "$defs": {"a/b~c": LARGE}}
    assert slim(schema) == of(a=LARGE)


def test_a_long_chain_of_parts_is_no_deep_recursion():
    links = {f"L{number}": {"type": "array", "items": ref(f"L{number + 1}")} for number in range(100)}
    slimmed = slim({**of(a=ref("L0")), "$defs": {**links, "L100": SMALL}})
    assert "$defs" not in slimmed


@pytest.mark.parametrize("schema", [True, False, {}, {"type": "string"}])
def test_a_schema_without_parts_is_itself(schema):
    assert slim(schema) == schema


NAMES = ["A", "B", "C"]
leaves = st.sampled_from(
    [{"type": "integer"}, {"type": "string", "enum": ["a", "bb"]}, {"type": "null"}, {}, LARGE]
) | st.sampled_from(NAMES).map(ref)
parts = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(lambda x, y: {"type": "object", "properties": {"x": x, "y": y}, "required": ["x"]}, inner, inner),
        st.builds(lambda x: {"type": "array", "items": x}, inner),
        st.builds(lambda x, y: {"anyOf": [x, y]}, inner, inner),
        st.builds(lambda x: {"$ref": "#/$defs/A", "properties": {"y": x}}, inner),
    ),
    max_leaves=6,
)
objects = st.recursive(
    st.none() | st.integers(0, 3) | st.sampled_from(["a", "bb", "c"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["x", "y"]), inner, max_size=2),
    max_leaves=6,
)


def guarded(part):
    """A part behind an object: a cycle of bare references would mean nothing."""
    return of(x=part)


@given(parts, st.fixed_dictionaries({name: parts.map(guarded) for name in NAMES}), objects)
def test_a_slim_schema_accepts_exactly_what_the_whole_one_does(root, definitions, value):
    schema = {**guarded(root), "$defs": definitions}
    slimmed = slim(schema)
    accepts = jsonschema.Draft202012Validator(schema).is_valid({"x": value})
    assert jsonschema.Draft202012Validator(slimmed).is_valid({"x": value}) == accepts
