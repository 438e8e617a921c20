"""Schemas an author wrote, and patterns."""

from __future__ import annotations

import pytest

from generator.frontends.python.scalars import DECIMAL_PATTERN
from generator.ir.codec import freeze
from generator.ir.model import PythonCall, Server, Source, Tool
from generator.jsonschema.patterns import CHECKED_ELSEWHERE
from generator.passes import validity


def apply(schema: object, *, result: object = None, verbatim: bool = True):
    tool = Tool(
        name="now",
        input_schema=freeze(schema),
        result_schema=freeze(result),
        verbatim=verbatim,
        call=PythonCall(target=".weather:now"),
    )
    server = Server(
        id="weather",
        package="weather_mcp",
        command="weather-mcp",
        tools=(tool,),
        source=Source(kind="python", name="weather.py"),
    )
    refined, found = validity.apply(server)
    return len(refined.tools), found


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        ({"type": "objekt"}, "/type"),
        ({"type": "object", "properties": {"a/b": {"minimum": "1"}}}, "/properties/a~1b/minimum"),
        ({"type": "object", "properties": {"a": {"$ref": "#/$defs/Nowhere"}}}, ""),
        ({"type": "object", "properties": {"a": {"$ref": "https://example.com/schema.json"}}}, ""),
    ],
)
def test_a_schema_that_is_none_leaves_its_tool_out(schema, pointer):
    kept, (found,) = apply(schema)
    assert kept == 0
    assert (found.rule.code, found.pointer, found.unit) == ("MG304", pointer, "now")
    assert found.advice


def test_a_result_schema_is_looked_at_too():
    kept, (found,) = apply({"type": "object"}, result={"type": 1})
    assert kept == 0
    assert "result schema" in found.message


@pytest.mark.parametrize("keyword", ["dependencies", "additionalItems", "nullable", "id"])
def test_a_keyword_that_would_silently_assert_nothing_leaves_its_tool_out(keyword):
    kept, (found,) = apply({"type": "object", "properties": {"a": {keyword: {}}}})
    assert kept == 0
    assert found.rule.code == "MG305"
    assert keyword in found.message


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"nullable": {"type": "string"}, "id": {"type": "string"}}},
        {"type": "object", "x-anything": 1, "examples": [{"dependencies": {}}]},
        {
            "type": "object",
            "properties": {"a": {"$ref": "#/$defs/A"}},
            "$defs": {"A": {"$ref": "#/$defs/A2"}, "A2": True},
        },
        {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"},
    ],
)
def test_a_good_schema_stays(schema):
    assert apply(schema) == (1, ())


def test_our_own_pattern_for_decimals_is_not_reported():
    assert {DECIMAL_PATTERN} == CHECKED_ELSEWHERE
    kept, found = apply({"type": "object", "properties": {"a": {"pattern": DECIMAL_PATTERN}}}, verbatim=False)
    assert (kept, found) == (1, ())


@pytest.mark.parametrize(("pattern", "code"), [("(a+)+$", "MG307"), ("(?P<x>a)", "MG306")])
def test_a_pattern_that_is_not_enforced_is_reported_once_and_kept(pattern, code):
    part = {"type": "string", "pattern": pattern}
    kept, found = apply({"type": "object", "properties": {"a": part, "b": part}}, result=part, verbatim=False)
    assert kept == 1
    assert [each.rule.code for each in found] == [code]
    assert pattern in found[0].message
