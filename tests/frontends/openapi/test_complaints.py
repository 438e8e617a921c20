"""What users of other generators complained about, as far as schemas and names show it; and hostile descriptions."""

from __future__ import annotations

import json
import re

import pytest

from generator.frontends.openapi.read import read
from generator.frontends.openapi.settings import OpenApiRequest
from generator.ir.codec import thaw
from generator.ir.model import Annotations
from generator.passes.names import TOOL_NAME
from generator.pipeline import refine

from .conftest import CASES
from .described import inputs, messages, names, request, rules, tools

ATTACKS = sorted((CASES / "attacks" / "openapi").glob("*.expect.json"))


@pytest.fixture
def case(complaints):
    """Read the complaint case of a number."""

    def found(number: str, **options):
        (folder,) = complaints.glob(f"{number}-*")
        return read(OpenApiRequest(source=str(folder / "spec.yaml"), **options))

    return found


def test_09_items_enumeration_and_default_are_kept(case):
    (tool,) = case("09").server.tools
    assert inputs(tool)["properties"]["domain"] == {
        "type": "array",
        "items": {"type": "string", "enum": ["a", "b"]},
        "default": ["a"],
    }


def test_17_three_places_are_three_arguments(case):
    (tool,) = case("17").server.tools
    assert list(inputs(tool)["properties"]) == ["id", "id__query", "id__body"]


def test_18_every_argument_reaches_the_api_under_its_own_name(case):
    (tool,) = case("18").server.tools
    assert {each["name"]: each["argument"] for each in request(tool)["parameters"]} == {
        "$filter": "filter", "user.name": "user.name", "class": "class", "2fa-code": "2fa-code", "ids[]": "ids",
        "from": "from", "self": "self",
    }  # fmt: skip


def test_37_composed_schemas_keep_their_types(case):
    for tool in case("37").server.tools:
        text = json.dumps(inputs(tool))
        assert '"object"' in text or "anyOf" in text or "oneOf" in text


def test_38_boolean_schemas_and_unevaluated_properties_stop_nothing(case):
    result = case("38")
    assert len(names(result)) == 2
    assert rules(result, "error") == set()


def test_39_input_and_output_are_split(case):
    (tool,) = case("39").server.tools
    assert {"name", "password"} <= set(inputs(tool)["properties"])
    assert "id" not in inputs(tool)["properties"]
    assert set(thaw(tool.result_schema)["properties"]) == {"id", "name"}


def test_41_an_array_is_wrapped_by_the_passes(case):
    server, _ = refine(case("41").server)
    assert server.tools[0].wrap


def test_45_four_tools_that_keep_apart(case):
    found = names(case("45"))
    assert len(set(found)) == 4
    assert all(TOOL_NAME.fullmatch(each) for each in found)


def test_47_names_come_from_method_and_path(case):
    assert names(case("47")) == ["get_people", "get_families"]


def test_48_annotations_follow_from_the_method_and_the_extension(case):
    found = {name: tool.annotations for name, tool in tools(case("48")).items()}
    assert found["g"].read_only is True
    assert found["u"].idempotent is True
    assert found["del"].destructive is True
    assert found["s"] == Annotations(read_only=True, destructive=False, idempotent=True, open_world=True)


def test_50_an_operations_own_server_is_asked(case):
    (tool,) = case("50").server.tools
    assert request(tool)["server"] == "http://127.0.0.1:8765/other"


def test_58_escaped_pointers_are_followed(case):
    tool = tools(case("58"))["y"]
    assert inputs(tool)["properties"]["x"] == {"type": ["string", "null"]}
    assert request(tool)["body"]["nullable_fields"] == ["x"]


def test_60_no_extension_keyword_is_in_a_schema(case):
    for tool in case("60").server.tools:
        text = json.dumps([inputs(tool), thaw(tool.result_schema)])
        assert '"x-' not in text
        assert "#/components" not in text


def test_61_the_good_operation_is_served_and_the_bad_one_reported(case):
    result = case("61")
    assert names(result) == ["good"]
    assert result.left_out == ("GET /bad",)
    (error,) = [each for each in result.diagnostics if each.level == "error"]
    assert error.unit == "GET /bad"
    assert error.span is not None
    assert error.span.line > 1
    assert "/paths/~1bad/get/parameters/0" in error.pointer


@pytest.mark.parametrize("path", ATTACKS, ids=lambda path: path.name.removesuffix(".expect.json"))
def test_a_hostile_description_gives_a_server_or_reasons_with_a_place(path):
    result = read(OpenApiRequest(source=str(path.with_name(path.name.removesuffix(".expect.json")))))
    if result.server is None or not result.server.tools:
        assert rules(result, "error") or not result.api.operations, messages(result)
        return
    server, _ = refine(result.server)
    assert server is not None
    for tool in server.tools:
        assert TOOL_NAME.fullmatch(tool.name)
        assert all(re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", name) for name in tool.input_schema["properties"])


@pytest.mark.parametrize(
    "path", [each for each in ATTACKS if each.name.startswith("name-")], ids=lambda path: path.name
)
def test_a_hostile_name_is_served_under_a_legal_one_and_sent_as_it_is(path):
    source = path.with_name(path.name.removesuffix(".expect.json"))
    described = json.loads(source.read_text(encoding="utf-8"))["paths"]["/items/{item_id}"]["get"]["parameters"]
    result = read(OpenApiRequest(source=str(source)))
    if result.server is None or not result.server.tools:
        assert all(each.pointer for each in result.diagnostics if each.level == "error")
        return
    first = next(tool for tool in result.server.tools if tool.call.operation == "GET /items/{item_id}")
    assert [each["name"] for each in request(first)["parameters"]] == [each["name"] for each in described]


def test_names_that_collide_are_five_tools_with_a_warning_for_each_renamed_one(attacks):
    result = read(OpenApiRequest(source=str(attacks / "name-collisions.json")))
    found = names(result)
    assert len(set(found)) == 5
    assert found[:4] == ["get_item", "getItem", "get-item", "get_c"]
    assert len(messages(result, "renamed-tool")) == 1
