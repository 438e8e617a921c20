"""What a client sends is checked, repaired where that is safe, converted, and otherwise reported whole."""

from __future__ import annotations

import json
import sys
from datetime import date
from decimal import Decimal
from enum import IntEnum
from types import ModuleType

import pytest

from generator.runtime.server.invoke import run

PROPERTIES = {
    "city": {"type": "string", "minLength": 1},
    "days": {"type": "integer", "minimum": 1, "maximum": 14},
    "day": {"type": "string", "format": "date"},
}


@pytest.fixture
def seen():
    return []


@pytest.fixture
def forecast(seen):
    def tool(**arguments):
        seen.append(arguments)

    return tool


@pytest.mark.requirement("R022")
def test_all_problems_are_told_at_once_and_the_function_is_not_called(bench, forecast, seen):
    result = bench.run(forecast, {"citi": "Oslo", "days": "three", "city": ""}, properties=PROPERTIES)
    assert result["isError"] is True
    assert "structuredContent" not in result
    text = result["content"][0]["text"]
    assert text.startswith("3 problems with the arguments of forecast:\n")
    assert 'unknown argument. Did you mean "city"?' in text
    problems = result["_meta"]["mcpgen/error"]["problems"]
    assert {problem["code"] for problem in problems} == {"M-INP-005", "M-INP-006", "M-INP-007"}
    assert result["errorData"]["errorCode"] == problems[0]["code"]
    assert result["errorData"]["schema"] == {"type": "object", "properties": PROPERTIES, "additionalProperties": False}
    assert seen == []


def test_more_problems_than_are_told_are_counted(bench, forecast):
    result = bench.run(forecast, {f"k{index}": 1 for index in range(30)}, properties=PROPERTIES)
    assert len(result["_meta"]["mcpgen/error"]["problems"]) == 10
    assert "30 problems" in result["content"][0]["text"]


def test_values_are_not_echoed_whole(bench, forecast):
    result = bench.run(forecast, {"days": "topsecret" * 30}, properties=PROPERTIES, settings={"coerce": False})
    assert "topsecret" * 8 not in json.dumps(result)


@pytest.mark.requirement("R029")
def test_a_coerced_argument_is_used_and_told(bench, forecast, seen):
    result = bench.run(forecast, {"days": "7"}, properties=PROPERTIES)
    assert seen == [{"days": 7}]
    assert len(result["_meta"]["mcpgen/coerced"]) == 1
    assert "days" in result["_meta"]["mcpgen/coerced"][0]


@pytest.mark.requirement("R029")
def test_coercion_can_be_switched_off(bench, forecast, seen):
    result = bench.run(forecast, {"days": "7"}, properties=PROPERTIES, settings={"coerce": False})
    assert result["_meta"]["mcpgen/error"]["code"] == "M-INP-006"
    assert seen == []


def test_arguments_that_are_one_json_string_are_read(bench, forecast, seen):
    assert "isError" not in bench.run(forecast, '{"days": 7}', properties=PROPERTIES)
    assert seen == [{"days": 7}]


def test_left_out_arguments_are_an_empty_object(bench, forecast, seen):
    call = bench.call(bench.tool(forecast, properties=PROPERTIES))
    call.arguments = None
    run(call)
    assert seen == [{}]


def test_texts_are_cleaned_up_before_they_are_checked(bench, forecast, seen):
    result = bench.run(forecast, {"city": "  "}, properties=PROPERTIES, call={"prepare": {"city": ["strip"]}})
    assert result["isError"] is True
    bench.run(forecast, {"city": " Oslo "}, properties=PROPERTIES, call={"prepare": {"city": ["strip", "upper"]}})
    assert seen == [{"city": "OSLO"}]


def test_values_arrive_as_python_objects(bench, forecast, seen):
    bench.run(forecast, {"day": "2026-01-02"}, properties=PROPERTIES, call={"conversions": {"day": "date"}})
    assert seen == [{"day": date(2026, 1, 2)}]


def test_what_the_schema_accepts_and_the_type_refuses_is_reported_like_the_rest(bench, forecast, seen):
    properties = {"zone": {"type": "string"}, "amounts": {"type": "array", "items": {"type": "string"}}}
    call = {"conversions": {"zone": "zoneinfo", "amounts": {"list": "decimal"}}}
    result = bench.run(forecast, {"zone": "No/Where", "amounts": ["1.5", "x"]}, properties=properties, call=call)
    problems = result["_meta"]["mcpgen/error"]["problems"]
    assert [(problem["code"], problem["path"]) for problem in problems] == [
        ("M-INP-007", "/zone"),
        ("M-INP-007", "/amounts/1"),
    ]
    assert seen == []


def test_exact_numbers_pass_the_schema_and_stay_exact_in_lists(bench, forecast, seen):
    properties = {"amounts": {"type": "array", "items": {"type": "number", "maximum": 1}}, "other": {}}
    call = {"exact_numbers": True, "conversions": {"amounts": {"list": "decimal"}}}
    tool = bench.tool(forecast, properties=properties, call=call)
    raw = b'{"params":{"arguments":{"amounts":[0.10000000000000000001, 1],"other":{"a":[0.5]}}}}'
    run(bench.call(tool, {"amounts": [0.1, 1], "other": {"a": [0.5]}}, raw=raw))
    assert seen == [{"amounts": [Decimal("0.10000000000000000001"), Decimal(1)], "other": {"a": [0.5]}}]
    assert type(seen[0]["other"]["a"][0]) is float


def test_positional_and_star_parameters_get_their_arguments(bench):
    def joined(first, second="b", /, *rest, sep="-", **others):
        return sep.join([first, second, *rest, *others])

    properties = {"first": {}, "second": {}, "rest": {"type": "array"}, "sep": {}, "x": {}}
    call = {"positional": ["first", "second"], "star": "rest", "star_star": True}
    result = bench.run(joined, {"first": "a", "rest": ["c"], "x": 1}, properties=properties, call=call)
    assert result["content"][0]["text"] == "a-b-c-x"


def test_arguments_that_are_no_object_are_refused_even_if_the_authors_schema_allows_them(bench, forecast, seen):
    tool = bench.tool(forecast)
    del tool.entry["definition"]["inputSchema"]["type"]
    assert run(bench.call(tool, "text"))["_meta"]["mcpgen/error"]["code"] == "M-INP-006"
    assert seen == []


def test_readings_that_are_a_matter_of_taste_are_chosen_in_the_settings(bench, seen):
    def tool(**arguments):
        seen.append(arguments)

    properties = {"on": {"type": "boolean"}, "names": {"type": "array", "items": {"type": "string"}}}
    sent = {"on": "yes", "names": "Oslo"}
    assert bench.run(tool, sent, properties=properties)["isError"] is True
    bench.run(tool, sent, properties=properties, settings={"coerce_also": ["loose_booleans", "bare_item"]})
    assert seen == [{"on": True, "names": ["Oslo"]}]


@pytest.mark.parametrize("sent", [{"grosse": 3, "a_b": 1}, {"größe": 3, "a b": 1}, {"gro\u0308ße": 3, "a_b": 1}])
def test_a_parameter_that_was_renamed_for_hosts_is_also_known_by_its_own_name(bench, seen, sent):
    def tool(**arguments):
        seen.append(arguments)

    properties = {"grosse": {"type": "integer"}, "a_b": {"type": "integer"}}
    call = {"names": {"grosse": "größe", "a_b": "a b"}, "star_star": True}
    bench.run(tool, sent, properties=properties, call=call)
    assert seen == [{"größe": 3, "a b": 1}]


def test_an_alias_is_the_only_name_of_its_parameter(bench):
    def tool(*, source):
        return source

    call = {"names": {"from": "source"}}
    result = bench.run(tool, {"source": 1}, properties={"from": {}}, call=call)
    assert 'unknown argument. Leave it out; the known names are "from".' in result["content"][0]["text"]


def test_a_member_of_an_enumeration_may_be_called_by_its_name(bench, seen, monkeypatch):
    module = ModuleType("priorities")
    module.Priority = IntEnum("Priority", "LOW HIGH")
    monkeypatch.setitem(sys.modules, "priorities", module)

    def tool(level):
        seen.append(level)

    call = {"conversions": {"level": {"enum": {"target": "priorities:Priority", "by": "value"}}}}
    bench.run(tool, {"level": "high"}, properties={"level": {"type": "integer", "enum": [1, 2]}}, call=call)
    assert seen == [module.Priority.HIGH]


def test_a_named_tuple_may_come_as_an_array_unless_coercion_is_off(bench, seen):
    def tool(**arguments):
        seen.append(arguments)

    point = {
        "type": "object",
        "properties": {"x": {"type": "integer"}, "y": {"type": "integer", "default": 0}},
        "required": ["x"],
        "additionalProperties": False,
    }
    fields = {"x": {"name": "real", "convert": "integer"}, "y": {"name": "imag", "convert": "integer"}}
    call = {"conversions": {"p": {"record": {"target": "builtins:complex", "fields": fields, "array": True}}}}
    result = bench.run(tool, {"p": ["1", 2]}, properties={"p": point}, call=call)
    assert seen == [{"p": 1 + 2j}]
    assert result["_meta"]["mcpgen/coerced"][0] == "/p: array read by position"
    refused = bench.run(tool, {"p": [1, 2]}, properties={"p": point}, call=call, settings={"coerce": False})
    assert refused["isError"] is True
