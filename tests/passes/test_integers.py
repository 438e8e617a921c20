"""Integers that JavaScript clients round (MG135)."""

from __future__ import annotations

import pytest

from generator.ir.model import PythonCall, Server, Source, Tool
from generator.passes import integers

BEYOND = 2**53 + 1


def notes(properties: dict[str, object], result: object = None, **root: object) -> list[str]:
    schema = {"type": "object", "properties": properties, **root}
    tool = Tool(name="now", input_schema=schema, result_schema=result, call=PythonCall(target=".w:now"))
    server = Server(id="w", package="w_mcp", command="w-mcp", tools=(tool,), source=Source(kind="python", name="w.py"))
    found = integers.apply(server)
    assert {(each.rule.code, str(each.level), each.unit) for each in found} <= {("MG135", "note", "now")}
    return [each.message for each in found]


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "integer", "default": BEYOND}, f"the default {BEYOND}"),
        ({"type": "integer", "maximum": 2**63 - 1}, f"the maximum {2**63 - 1}"),
        ({"type": "integer", "minimum": -BEYOND}, f"the minimum {-BEYOND}"),
        ({"type": "integer", "exclusiveMaximum": 2**64}, f"the maximum {2**64}"),
        ({"type": "integer", "multipleOf": BEYOND}, f"the divisor {BEYOND}"),
        ({"enum": [1, BEYOND]}, f"the value {BEYOND}"),
        ({"const": BEYOND}, f"the value {BEYOND}"),
        ({"type": "array", "items": {"anyOf": [{"type": "integer", "maximum": BEYOND}]}}, f"the maximum {BEYOND}"),
        ({"type": "integer", "default": 10**5000}, "the default 2**16609 and more"),
    ],
)
def test_a_stated_integer_beyond_what_doubles_hold_is_a_note_on_its_parameter(schema, said):
    assert notes({"id": schema}) == [f"`id` of tool `now`: {said} is beyond 2**53, where JavaScript rounds"]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "integer"},
        {"type": "integer", "default": 2**53, "minimum": -(2**53)},
        {"type": "number", "maximum": 1e300},
        {"type": "string", "default": str(BEYOND), "maxLength": BEYOND},
        {"default": {"maximum": BEYOND}},
    ],
)
def test_what_every_client_can_hold_is_silent(schema):
    assert notes({"id": schema}) == []


def test_records_and_results_are_looked_at_too():
    large = {"Big": {"type": "object", "properties": {"n": {"type": "integer", "maximum": BEYOND}}}}
    (said,) = notes({"b": {"$ref": "#/$defs/Big"}}, **{"$defs": large})
    assert said.startswith("a record among the arguments of tool `now`: ")
    (said,) = notes({}, {"type": "integer", "maximum": BEYOND})
    assert said.startswith("the result of tool `now`: ")
