"""What is proposed for pasting is accepted by the tool, or not proposed."""

from __future__ import annotations

import json

import pytest

from generator.runtime.schema.validator import compile_validator
from generator.runtime.server.banner import LONGEST_TRIAL, banner, trial

HEADER = {"server": {"name": "weather", "version": "1.0"}}
CITY = {"type": "object", "properties": {"city": {"type": "string", "examples": ["Oslo"]}}, "required": ["city"]}
FREE = {"type": "object", "properties": {"days": {"type": "integer"}}, "additionalProperties": False}
IMPOSSIBLE = {"type": "object", "properties": {"x": {"type": "string", "pattern": "^(q|w)z{3}$"}}, "required": ["x"]}


def entry(name: str, schema: object, **more: object) -> dict:
    return {"definition": {"name": name, "inputSchema": schema, **more.pop("definition", {})}, **more}


def proposed(*entries: dict) -> dict | None:
    line = trial(list(entries))
    return json.loads(line)["params"] if line else None


def test_a_tool_without_required_arguments_is_preferred():
    assert proposed(entry("forecast", CITY), entry("cities", FREE)) == {"name": "cities", "arguments": {}}


@pytest.mark.parametrize(
    ("schema", "arguments"),
    [
        (CITY, {"city": "Oslo"}),
        ({"type": "object", "properties": {"n": {"type": "integer", "minimum": 3}}, "required": ["n"]}, {"n": 3}),
        ({"type": "object", "properties": {"u": {"enum": ["C", "F"]}}, "required": ["u"]}, {"u": "C"}),
        (
            {
                "type": "object",
                "properties": {"p": {"$ref": "#/$defs/P"}},
                "required": ["p"],
                "$defs": {"P": {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]}},
            },
            {"p": {"x": 1}},
        ),
    ],
)
def test_arguments_are_made_of_what_the_schema_says(schema, arguments):
    assert compile_validator(schema).accepts(arguments)
    assert proposed(entry("forecast", schema)) == {"name": "forecast", "arguments": arguments}


def test_a_tool_that_destroys_or_needs_configuration_is_not_proposed():
    destroys = entry("drop", FREE, definition={"annotations": {"destructiveHint": True}})
    assert proposed(destroys, entry("order", FREE, config=["token"])) is None


@pytest.mark.parametrize(
    "schema",
    [
        IMPOSSIBLE,
        {"type": "object", "properties": {"x": {"type": "string", "minLength": 10**6}}, "required": ["x"]},
        {"type": "object", "properties": {"x": {"const": "y" * LONGEST_TRIAL}}, "required": ["x"]},
        {"type": "object", "$ref": "#/$defs/missing"},
    ],
)
def test_where_no_call_is_found_only_the_list_is_proposed(schema):
    text = banner(HEADER, [entry("odd", schema)], ["2025-11-25"])
    assert text.count('{"jsonrpc"') == 2
    assert "tools/list" in text


def test_a_server_without_tools_proposes_no_call():
    assert "tools/call" not in banner(HEADER, [], ["2025-11-25"])


def test_what_else_there_is_is_told_and_tried():
    data = {
        "templates": [{"definition": {"uriTemplate": "t://{a}", "name": "t"}}],
        "prompts": [{"definition": {"name": "p"}}, {"definition": {"name": "q"}}],
    }
    text = banner(HEADER, [], ["2025-11-25"], data)
    assert "Tools:" not in text
    assert "  Templates: 1 (t://{a})\n  Prompts:   2 (p, q)\n" in text
    assert '"method":"resources/templates/list"' in text
