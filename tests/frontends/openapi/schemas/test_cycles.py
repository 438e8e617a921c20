"""Schemas that contain themselves stay finite, and checking a value against them ends."""

import time

import pytest

from generator.frontends.openapi.schemas import SchemaProblem
from generator.jsonschema.meta import first_error
from generator.jsonschema.slimming import slim
from generator.runtime.schema.validator import compile_validator


def ref(name):
    return {"$ref": f"#/components/schemas/{name}"}


def test_a_tree_keeps_its_cycle_through_definitions(written):
    tree = {
        "type": "object",
        "properties": {"kids": {"type": "array", "items": ref("Tree")}, "name": {"type": "string"}},
    }
    schema = written(ref("Tree"), {"Tree": tree})
    assert schema.accepts({"kids": [{"kids": [{"name": "x"}]}]})
    assert not schema.accepts({"kids": [{"kids": [{"name": 1}]}]})
    assert first_error(slim(schema.arguments)) is None


def test_a_base_that_is_a_union_of_its_own_types_does_not_turn_in_circles(written):
    components = {
        "Pet": {
            "type": "object",
            "properties": {"kind": {"type": "string"}},
            "required": ["kind"],
            "oneOf": [ref("Cat"), ref("Dog")],
            "discriminator": {"propertyName": "kind", "mapping": {"cat": "#/components/schemas/Cat", "dog": "Dog"}},
        },
        "Cat": {"allOf": [ref("Pet"), {"type": "object", "properties": {"claws": {"type": "integer"}}}]},
        "Dog": {"allOf": [ref("Pet"), {"type": "object", "properties": {"bark": {"type": "string"}}}]},
    }
    schema = written(ref("Pet"), components)
    definitions = schema.arguments["$defs"]
    assert definitions["Cat"]["properties"] == {"kind": {"type": "string"}, "claws": {"type": "integer"}}
    assert [branch["$ref"] for branch in definitions["Pet"]["oneOf"]] == ["#/$defs/Cat", "#/$defs/Dog"]
    assert schema.accepts({"kind": "cat", "claws": 4})
    assert not schema.accepts({"kind": "cat", "claws": "four"})
    assert not schema.accepts({"kind": "cow"})
    assert schema.answer["properties"].keys() == {"kind", "claws", "bark"}


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf"])
def test_types_defined_by_each_other_in_place_can_be_checked(written, keyword):
    text = {"type": "object", "properties": {"x": {"type": "string"}}}
    schema = written(ref("A"), {"A": {keyword: [ref("B"), text]}, "B": {keyword: [ref("A"), text]}})
    assert first_error(schema.arguments) is None
    assert schema.accepts({"x": "y"})
    assert schema.answer == {"type": "object", "properties": {"x": {"type": ["string", "null"]}}}


@pytest.mark.parametrize("keyword", ["dependentSchemas", "dependencies"])
def test_types_that_depend_on_each_other_in_place_can_be_checked(written, keyword):
    components = {name: {"type": "object", keyword: {"x": ref(other)}} for name, other in (("A", "B"), ("B", "A"))}
    assert written(ref("A"), components, "3.1").accepts({"x": "y"})


def test_references_that_only_name_each_other_are_a_problem(written):
    schema = written(ref("A"), {"A": ref("B"), "B": ref("A")})
    with pytest.raises(SchemaProblem) as caught:
        schema.arguments  # noqa: B018 (reading it converts)
    assert "leads back to itself" in caught.value.diagnostics[0].message


def test_a_chain_of_two_thousand_references_is_a_problem_that_says_so(written):
    chain = {f"S{i}": ref(f"S{i + 1}") for i in range(2000)}
    schema = written({"type": "object", "properties": {"x": ref("S0")}}, {**chain, "S2000": {"type": "string"}})
    with pytest.raises(SchemaProblem, match="chain longer than 1000"):
        schema.arguments  # noqa: B018 (reading it converts)
    assert schema.answer == {"type": "object", "properties": {"x": {}}}
    assert "unreadable-answer-schema" in schema.rules


def test_a_chain_of_two_thousand_objects_is_cut_and_reported(written):
    chain = {f"S{i}": {"type": "object", "properties": {"next": ref(f"S{i + 1}")}} for i in range(2000)}
    schema = written(ref("S0"), {**chain, "S2000": {"type": "string"}})
    slimmed = slim(schema.arguments)
    assert first_error(slimmed) is None
    assert compile_validator(slimmed).accepts({"next": {"next": {}}})
    assert "deep-schema" in schema.rules


def test_two_thousand_bases_on_top_of_each_other_do_not_exhaust_the_stack(written):
    chain = {
        f"S{i}": {"allOf": [ref(f"S{i + 1}"), {"type": "object", "properties": {f"p{i}": {"type": "string"}}}]}
        for i in range(2000)
    }
    schema = written(ref("S0"), {**chain, "S2000": {"type": "object"}})
    assert schema.accepts({"p0": "x"})
    assert not schema.accepts({"p1": 1})
    assert schema.answer["type"] == "object"


def test_definitions_that_double_at_each_level_stay_linear(written):
    levels = {
        f"L{i}": {"type": "object", "properties": {"a": ref(f"L{i - 1}"), "b": ref(f"L{i - 1}")}} for i in range(1, 30)
    }
    unions = {f"U{i}": {"oneOf": [ref(f"U{i - 1}"), {"allOf": [ref(f"U{i - 1}")]}]} for i in range(1, 30)}
    end = {"type": "object", "properties": {"x": {"type": "string"}}}
    schema = written(
        {"type": "object", "properties": {"l": ref("L29"), "u": ref("U29")}}, {**levels, **unions, "L0": end, "U0": end}
    )
    before = time.process_time()
    assert len(schema.arguments["$defs"]) <= 61
    assert schema.answer["properties"].keys() == {"l", "u"}
    assert time.process_time() - before < 2


def test_a_schema_nested_beyond_reason_is_cut_and_reported(written):
    deep = {"type": "string"}
    for _ in range(150):
        deep = {"type": "object", "properties": {"x": deep}}
    schema = written(deep)
    assert first_error(schema.arguments) is None
    assert schema.answer["type"] == "object"
    assert "deep-schema" in schema.rules
