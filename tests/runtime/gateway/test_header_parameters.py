"""Arguments that are repeated in headers, and schemas that may not ask for it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.gateway.header_parameters import fault, parameter_headers
from generator.runtime.server.http_sentinel import decoded


def of(**properties):
    return {"type": "object", "properties": properties}


def named(name, kind="string"):
    return {"type": kind, "x-mcp-header": name}


def test_arguments_are_repeated_as_their_type_is_written():
    schema = of(a=named("A"), b=named("B", "integer"), c=named("C", "boolean"), d={"type": "string"}, e=named("E"))
    given_arguments = {"a": "text", "b": 42, "c": False, "d": "no", "e": None, "f": 1}
    assert parameter_headers(schema, given_arguments) == [
        ("Mcp-Param-A", "text"),
        ("Mcp-Param-B", "42"),
        ("Mcp-Param-C", "false"),
    ]
    assert parameter_headers(schema, {"b": 42.0}) == [("Mcp-Param-B", "42")]


def test_arguments_inside_objects_are_repeated_too():
    schema = of(place=of(region=named("Region")))
    assert parameter_headers(schema, {"place": {"region": "north"}}) == [("Mcp-Param-Region", "north")]
    assert parameter_headers(schema, {"place": "north"}) == []


@pytest.mark.parametrize("arguments", [None, [], {"a": {}}, {"a": []}])
def test_what_is_no_argument_of_the_schema_has_no_header(arguments):
    assert parameter_headers(of(a=named("A")), arguments) == []
    assert parameter_headers(None, arguments) == []


@given(st.text(max_size=20))
def test_any_text_comes_through_a_header(text):
    ((name, value),) = parameter_headers(of(a=named("A")), {"a": text})
    assert name == "Mcp-Param-A"
    assert value.isascii()
    assert not set(value) & set("\r\n\0")
    assert decoded(value) == text


@pytest.mark.parametrize("schema", [of(), of(a=named("A"), b=named("B", "integer")), of(o=of(x=named("X"))), {}, True])
def test_good_schemas_are_used(schema):
    assert fault(schema) == ""


@pytest.mark.parametrize(
    "schema",
    [
        of(a=named("")),
        of(a=named("My Region")),
        of(a=named("Région")),
        of(a=named("Region:Primary")),
        of(a=named("Region\t1")),
        of(a=named(3)),
        of(a=named(None)),
        of(a=named("A", "number")),
        of(a=named("A", "object")),
        of(a=named("A", "null")),
        of(a=named("A", ["string", "null"])),
        of(a={"x-mcp-header": "A"}),
        of(a=named("Same"), b=named("Same")),
        of(a=named("Same"), b=of(c=named("sAME"))),
        of(a={"type": "array", "items": named("A")}),
        {"type": "object", "allOf": [of(a=named("A"))]},
        {"type": "object", "$defs": {"x": of(a=named("A"))}},
        {"type": "object", "additionalProperties": named("A")},
        {"type": "object", "x-mcp-header": "A"},
    ],
)
def test_schemas_that_ask_for_what_no_header_can_hold_are_not(schema):
    assert "x-mcp-header" in fault(schema)


def test_a_property_or_a_value_may_be_called_like_the_keyword():
    assert fault(of(**{"x-mcp-header": {"type": "string"}})) == ""
    assert fault(of(a={"type": "object", "default": {"x-mcp-header": ""}, "enum": [{"x-mcp-header": 1}]})) == ""


def test_a_schema_without_bottom_is_not_used():
    schema = {}
    for _ in range(100):
        schema = of(a=schema)
    assert fault(schema)
