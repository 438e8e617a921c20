"""Schemas as clients get them, and what the source calls their types."""

from __future__ import annotations

from generator.ir.codec import thaw
from generator.ir.model import PythonCall, Server, Source, Tool
from generator.passes import schemas

DAY = {"type": "object", "properties": {"high": {"type": "number"}}}


def refine(inputs: dict[str, object], result: object = None, **changes: object) -> Tool:
    tool = Tool(name="now", input_schema=inputs, result_schema=result, call=PythonCall(target=".w:now"), **changes)
    source = Source(kind="python", name="w.py")
    (refined,) = schemas.apply(Server(id="w", package="w_mcp", command="w-mcp", tools=(tool,), source=source)).tools
    return refined


def test_names_of_types_stay_when_slimming_writes_the_types_in_place():
    tool = refine(
        {
            "type": "object",
            "properties": {
                "a/b": {"$ref": "#/$defs/Day"},
                "c": {"anyOf": [{"type": "null"}, {"type": "array", "items": {"$ref": "#/$defs/Day"}}]},
            },
            "$defs": {"Day": DAY},
        },
        {"$ref": "#/$defs/Day", "$defs": {"Day": DAY}},
    )
    assert "$ref" not in str(thaw(tool.input_schema)) + str(thaw(tool.result_schema))
    assert tool.type_names == {
        "/inputSchema/properties/a~1b": "Day",
        "/inputSchema/properties/c/anyOf/1/items": "Day",
        "/resultSchema": "Day",
    }


def test_recursive_types_are_entered_once():
    tree = {"type": "object", "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}}}
    tool = refine({"type": "object", "properties": {"t": {"$ref": "#/$defs/Tree"}}, "$defs": {"Tree": tree}})
    assert tool.type_names == {"/inputSchema/properties/t": "Tree"}


def test_data_that_looks_like_a_reference_has_no_name():
    tool = refine({"type": "object", "properties": {"x": {"default": {"$ref": "#/$defs/Day"}}}})
    assert tool.type_names == {}
