"""Arguments: named as the API names them, told apart, described, and sent under their own names."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.frontends.openapi.arguments import ARGUMENT_NAME, LOCATIONS, Argument, argument_names
from generator.frontends.openapi.place import Place
from generator.frontends.openapi.settings import OperationRule

from .described import body, description, inputs, messages, operation, parameter, request, rules


def sent(tool) -> dict[str, tuple[str, str]]:
    """Return location and wire name of each parameter's argument."""
    return {each["argument"]: (each["in"], each["name"]) for each in request(tool).get("parameters", [])}


def test_equal_names_in_different_places_are_different_arguments(reader):
    tool = reader.tool(
        parameters=[
            parameter("id", "header"),
            parameter("id", "query"),
            parameter("id", "path"),
            parameter("id", "cookie"),
        ],
        requestBody=body({"type": "object", "properties": {"id": {"type": "string"}}}),
    )
    assert list(inputs(tool)["properties"]) == ["id", "id__query", "id__header", "id__cookie", "id__body"]
    assert sent(tool)["id"] == ("path", "id")
    assert sent(tool)["id__cookie"] == ("cookie", "id")
    assert request(tool)["body"]["fields"] == {"id__body": "id"}


@pytest.mark.parametrize(
    ("wire", "name"),
    [
        ("user.name", "user.name"),
        ("2fa-code", "2fa-code"),
        ("class", "class"),
        ("self", "self"),
        ("__class__", "__class__"),
        ("X-On", "X-On"),
        ("ids[]", "ids"),
        ("$filter", "filter"),
        ("page[size]", "page_size"),
        ("a b", "a_b"),
        ("é", "e"),
    ],
)
def test_a_name_that_hosts_refuse_is_changed_and_sent_as_it_was(reader, wire, name):
    tool = reader.tool(parameters=[parameter(wire)])
    assert list(inputs(tool)["properties"]) == [name]
    assert sent(tool) == {name: ("query", wire)}


@pytest.mark.parametrize("wire", ["获取", "\N{FIRE}", "[]"])
def test_a_name_without_usable_letters_gets_a_stable_one(reader, wire):
    first, again = (list(inputs(reader.tool(parameters=[parameter(wire)]))["properties"]) for _ in range(2))
    assert first == again
    assert re.fullmatch(r"argument_[0-9a-f]{8}", first[0])


def test_a_changed_name_never_takes_one_that_is_written_so(reader):
    tool = reader.tool(parameters=[parameter("ids[]"), parameter("ids")])
    assert sent(tool) == {"ids__query": ("query", "ids[]"), "ids": ("query", "ids")}


def test_a_changed_name_is_a_warning_and_a_clash_is_a_note(reader):
    members = {"parameters": [parameter("$top"), parameter("id", "path"), parameter("id")]}
    result = reader(description({"/p/{id}": {"get": operation(**members)}}))
    found = [each for each in result.diagnostics if each.rule.name == "renamed-parameter"]
    assert [(each.level, each.message) for each in found] == [
        ("warning", "the query parameter `$top` is the argument `top`"),
        ("note", "the query parameter `id` is the argument `id__query`"),
    ]


def test_description_default_example_and_deprecation_reach_the_schema(reader):
    tool = reader.tool(
        parameters=[
            parameter(
                "n",
                description="How many. See [the manual](https://docs.example.com/n).",
                deprecated=True,
                example=7,
                schema={"type": "integer", "minimum": 1, "default": 5},
            )
        ]
    )
    assert inputs(tool)["properties"]["n"] == {
        "type": "integer",
        "minimum": 1,
        "default": 5,
        "description": "How many. See the manual.",
        "deprecated": True,
        "examples": [7],
    }


def test_items_enumeration_and_default_of_a_parameter_are_kept(reader):
    schema = {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}, "default": ["a"]}
    tool = reader.tool(parameters=[parameter("domain", schema=schema)])
    assert inputs(tool)["properties"]["domain"] == schema


def test_required_parameters_are_required_and_no_others(reader):
    tool = reader.tool(parameters=[parameter("id", "path"), parameter("a", required=True), parameter("b")])
    assert inputs(tool)["required"] == ["id", "a"]
    assert inputs(tool)["additionalProperties"] is False


def test_how_a_parameter_is_serialised_is_in_the_request(reader):
    tool = reader.tool(
        parameters=[
            parameter("f", style="deepObject", explode=True, schema={"type": "object"}),
            parameter("r", allowReserved=True, allowEmptyValue=True),
            parameter("n", schema={"type": ["string", "null"]}),
            {"name": "c", "in": "query", "content": {"application/json": {"schema": {"type": "object"}}}},
        ]
    )
    by_name = {each["name"]: each for each in request(tool)["parameters"]}
    assert by_name["f"] == {"argument": "f", "name": "f", "in": "query", "style": "deepObject", "explode": True}
    assert by_name["r"] == {
        "argument": "r", "name": "r", "in": "query", "style": "form", "explode": True, "reserved": True, "empty": True,
    }  # fmt: skip
    assert by_name["n"]["null"] is True
    assert by_name["c"]["content"] == "application/json"


def test_a_default_of_the_settings_makes_an_argument_optional(reader):
    document = description({"/p": {"get": operation(parameters=[parameter("$top", required=True)])}})
    result = reader(document, rules={"GET /p": OperationRule(defaults={"$top": 20})})
    (tool,) = result.server.tools
    assert inputs(tool)["properties"]["top"] == {"type": "string", "default": 20}
    assert "required" not in inputs(tool)
    assert request(tool)["defaults"] == {"top": 20}


def test_a_default_for_an_argument_that_does_not_exist_is_an_error(reader):
    document = description({"/p": {"get": operation()}})
    result = reader(document, rules={"GET /p": OperationRule(defaults={"top": 20})})
    assert messages(result, "unmatched-tool-setting") == ["`top` in `defaults` is no argument of tool `get_p`"]
    assert "unmatched-tool-setting" in rules(result, "error")


class _NoFile:
    shown = "api.yaml"

    def span(self, pointer: tuple[str, ...]) -> None:
        """Know no places."""


_ARGUMENTS = st.lists(
    st.tuples(st.sampled_from(LOCATIONS), st.text(max_size=80) | st.sampled_from(["a", "a[]", "a__query", "$a"])),
    max_size=12,
    unique=True,
)


@given(_ARGUMENTS)
def test_argument_names_are_acceptable_and_distinct_and_exact_ones_stay(pairs):
    pairs = sorted(pairs, key=lambda pair: LOCATIONS.index(pair[0]))
    arguments = [Argument(wire=wire, location=where, schema={}, place=Place(_NoFile())) for where, wire in pairs]
    found = argument_names(arguments)
    assert len(set(found)) == len(arguments)
    assert all(ARGUMENT_NAME.fullmatch(name) for name in found)
    if len({wire for _, wire in pairs}) == len(pairs):
        kept = [wire for _, wire in pairs if ARGUMENT_NAME.fullmatch(wire) and "__" not in wire]
        assert set(kept) <= set(found)
