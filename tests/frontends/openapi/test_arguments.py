"""Arguments: named as the API names them, told apart, described, and sent under their own names."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.config.openapi import OperationRule
from generator.frontends.openapi.arguments import ARGUMENT_NAME, LOCATIONS, Argument, argument_names
from generator.frontends.openapi.place import Place

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


def test_a_changed_name_is_a_note_that_names_the_operation(reader):
    members = {"parameters": [parameter("$top"), parameter("id", "path"), parameter("id")]}
    result = reader(description({"/p/{id}": {"get": operation(**members)}}))
    found = [each for each in result.diagnostics if each.rule.name == "renamed-parameter"]
    assert [(each.level, each.message) for each in found] == [
        ("note", "the query parameter `$top` of `GET /p/{id}` is the argument `top`"),
        ("note", "the query parameter `id` of `GET /p/{id}` is the argument `id__query`"),
    ]


def test_many_findings_of_a_kind_are_one_line_that_names_distinct_ones(reader):
    paths = {f"/p{number}": {"get": operation(parameters=[parameter("$top")])} for number in range(12)}
    (found,) = [each for each in reader(description(paths)).diagnostics if each.rule.name == "renamed-parameter"]
    assert found.message.endswith("of `GET /p0` is the argument `top`; 11 more are like this one")
    assert len(found.notes) == len(set(found.notes)) == 6
    assert found.notes[-1] == "and 6 more"


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
    limited = description({"/p": {"get": operation(parameters=[parameter("limit")])}})
    for wrong, hint in (
        ("limti", "Did you mean `limit`?"),
        ("top", "Name an argument of the tool, or remove the value."),
    ):
        result = reader(limited, rules={"GET /p": OperationRule(defaults={wrong: 20})})
        assert [each.hint for each in result.diagnostics if each.rule.name == "unmatched-tool-setting"] == [hint]


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


@pytest.mark.parametrize(
    ("wire", "name"),
    [("T<", "T_lt"), ("T>", "T_gt"), ("T<=", "T_lte"), ("T>=", "T_gte"), ("a b<", "a_b_lt")],
)
def test_a_name_that_ends_with_a_comparison_says_which(reader, wire, name):
    tool = reader.tool(parameters=[parameter("T"), parameter(wire)])
    assert sent(tool)[name] == ("query", wire)
    assert "T" in inputs(tool)["properties"]


@pytest.mark.parametrize(
    "members",
    [
        {"example": "2008-01-02"},
        {"examples": {"a": {"value": "2008-01-02T03:04:05Z"}, "b": {"value": "06/11/2019 22:05:25 MST"}}},
        {"description": "Specify a date as `YYYY-MM-DD` in UTC."},
        {"schema": {"type": "string", "format": "date-time", "example": "2008-01-02"}},
    ],
)
def test_a_format_that_the_document_breaks_itself_is_not_enforced(reader, members):
    schema = {"type": "string", "format": "date-time"}
    document = description({"/p": {"get": operation(parameters=[parameter("t", **{"schema": schema, **members})])}})
    result = reader(document)
    assert "format" not in inputs(result.server.tools[0])["properties"]["t"]
    assert ["format" in message for message in messages(result, "contradictory-schema")] == [True]


@pytest.mark.parametrize(
    "members",
    [
        {"example": "2008-01-02T03:04:05Z"},
        {"description": "As `YYYY-MM-DD HH:MM:SS`."},
        {"description": "YYYY-MM-DDTHH"},
    ],
)
def test_a_format_that_the_document_keeps_is_enforced(reader, members):
    schema = {"type": "string", "format": "date-time"}
    tool = reader.tool(parameters=[parameter("t", schema=schema, **members)])
    assert inputs(tool)["properties"]["t"]["format"] == "date-time"


def test_what_can_have_one_value_only_is_filled_in(reader):
    tool = reader.tool(
        parameters=[
            parameter("cors", required=True, schema={"type": "boolean", "enum": [True]}),
            parameter("optional", schema={"type": "string", "enum": ["a"]}),
        ],
        requestBody=body({"type": "object", "required": ["kind"], "properties": {"kind": {"const": "x"}, "n": {}}}),
    )
    assert list(inputs(tool)["properties"]) == ["optional", "n"]
    assert request(tool)["defaults"] == {"cors": True, "kind": "x"}
    assert request(tool)["constants"] == ["cors", "kind"]
    assert sent(tool)["cors"] == ("query", "cors")


def test_a_constant_that_the_settings_change_stays_an_argument(reader):
    only = parameter("v", required=True, schema={"enum": ["1"]})
    result = reader(
        description({"/p": {"get": operation(parameters=[only])}}), rules={"GET /p": OperationRule(defaults={"v": "1"})}
    )
    assert "v" in inputs(result.server.tools[0])["properties"]
