"""Operations as Python functions."""

from __future__ import annotations

import keyword

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.frontends.openapi.definitions import gathered
from generator.frontends.openapi.signatures import TAKEN, annotated, signatures
from generator.ir.codec import freeze
from generator.ir.model import HttpCall, Tool


def tool(name: str, properties: dict, *, required: tuple[str, ...] = (), definitions: dict | None = None) -> Tool:
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return Tool(
        name=name,
        input_schema=freeze({**schema, **({"$defs": definitions} if definitions else {})}),
        call=HttpCall(operation=f"GET /{name}", request={}),
    )


def functions(*tools: Tool) -> list[str]:
    return [each.function for each in signatures([(each.name, each) for each in tools], {}, {}, {})]


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string"}, "str"),
        ({"type": ["integer", "null"]}, "int | None"),
        ({"type": "array", "items": {"type": "number"}}, "list[float]"),
        ({"type": "object", "additionalProperties": {"type": "boolean"}}, "dict[str, bool]"),
        ({"type": "object", "properties": {"a": {}}}, "dict[str, object]"),
        ({"anyOf": [{"$ref": "#/$defs/Pet"}, {"type": "null"}]}, "models.Pet | None"),
        ({"$ref": "#/$defs/Other"}, "object"),
        ({"anyOf": [{"type": "string"}, {}]}, "object"),
        ({"allOf": [{"type": "string"}]}, "object"),
        (True, "object"),
        (None, "object"),
    ],
)
def test_a_schema_is_an_annotation(schema, expected):
    assert annotated(schema, {"Pet": "Pet"}) == expected


def test_functions_are_named_as_python_names_them():
    names = functions(tool("listPets", {}), tool("list-pets", {}), tool("class", {}), tool("1st", {}), tool("list", {}))
    assert names == ["list_pets", "list_pets_2", "class_", "arg_1st", "list_2"]


def test_what_must_be_given_comes_first_and_the_choice_of_fields_is_no_argument():
    (found,) = signatures([("a", tool("a", {"x": {}, "y": {}, "_fields": {}}, required=("y",)))], {}, {}, {})
    assert [(each.argument, each.required) for each in found.arguments] == [("y", True), ("x", False)]


@given(st.lists(st.text(min_size=1, max_size=8), unique=True, max_size=6))
def test_every_argument_gets_a_parameter_of_its_own(names):
    (found,) = signatures([("a", tool("a", {name: {} for name in names}))], {}, {}, {})
    parameters = [each.parameter for each in found.arguments]
    assert len(set(parameters)) == len(parameters)
    assert all(each.isidentifier() and each.isascii() and not keyword.iskeyword(each) for each in parameters)


@given(st.lists(st.from_regex(r"[A-Za-z0-9_-]{1,12}", fullmatch=True), max_size=6))
def test_every_tool_gets_a_function_of_its_own(names):
    found = functions(*(tool(name, {}) for name in names))
    assert len(set(found)) == len(found)
    assert not TAKEN & set(found)
    assert all(each.isidentifier() and not keyword.iskeyword(each) for each in found)


def test_of_two_definitions_the_one_that_was_not_cut_is_taken():
    whole = {"type": "object", "properties": {"a": {"type": "string"}}}
    tools = [tool("a", {}, definitions={"Pet": {}}), tool("b", {}, definitions={"Pet": whole})]
    assert gathered(tools, None, None, None).schemas == {"Pet": whole}


def test_gathering_ends_beyond_the_limit():
    tools = [tool(f"t{number}", {}, definitions={f"D{number}": {}}) for number in range(10)]
    assert len(gathered(tools, None, None, 3).schemas) == 4
