"""Defaults that do not fit their own type are not stated."""

from __future__ import annotations

from generator.ir.codec import thaw
from generator.ir.model import PythonCall, Server, Source, Tool
from generator.passes import defaults


def made(properties: dict, **extra) -> Server:
    schema = {"type": "object", "properties": properties, "additionalProperties": False, **extra}
    tool = Tool(name="t", input_schema=schema, call=PythonCall(target=".m:t"))
    return Server(id="m", package="m_mcp", command="m-mcp", tools=(tool,), source=Source(kind="python", name="m.py"))


def test_a_default_of_another_type_is_left_out_with_a_warning():
    server, found = defaults.apply(
        made({"a": {"type": "integer", "default": "3"}, "b": {"type": "string", "default": "x"}})
    )
    assert thaw(server.tools[0].input_schema)["properties"] == {
        "a": {"type": "integer"},
        "b": {"type": "string", "default": "x"},
    }
    assert [(each.rule.name, each.unit) for each in found] == [("mismatched-default", "t")]


def test_references_are_followed_and_fitting_defaults_stay():
    properties = {"a": {"$ref": "#/$defs/A", "default": {"x": 1}}}
    server = made(properties, **{"$defs": {"A": {"type": "object", "required": ["x"]}}})
    assert defaults.apply(server) == (server, ())
