"""Names of tools and servers."""

from __future__ import annotations

import pytest

from generator.ir.model import PythonCall, Server, Source, Tool
from generator.passes import names


def server(*tools: Tool, **changes: object) -> Server:
    fields: dict[str, object] = {"id": "weather", "package": "weather_mcp", "command": "weather-mcp"}
    return Server(**(fields | changes), tools=tools, source=Source(kind="python", name="weather.py"))


def tool(name: str, **changes: object) -> Tool:
    return Tool(name=name, input_schema={"type": "object"}, call=PythonCall(target=".weather:f"), **changes)


def codes(found) -> list[str]:
    return [each.rule.code for each in found]


def test_the_first_of_two_tools_with_one_name_is_kept_and_the_other_reported():
    first, second = tool("now", title="first"), tool("now", title="second")
    refined, found = names.apply(server(first, second))
    assert [each.title for each in refined.tools] == ["first"]
    assert codes(found) == ["MG301"]
    assert found[0].unit == "now"
    assert found[0].advice


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("with space", "MG302"),
        ("dot.ted", "MG302"),
        ("", "MG302"),
        ("x" * 65, "MG302"),
        ("a\n", "MG302"),
        ("é", "MG122"),
    ],
)
def test_a_tool_whose_name_clients_refuse_is_left_out(name, code):
    refined, found = names.apply(server(tool(name), tool("good")))
    assert [each.name for each in refined.tools] == ["good"]
    assert codes(found) == [code]


def test_a_tool_whose_name_is_long_together_with_the_server_is_kept_with_a_warning():
    refined, found = names.apply(server(tool("x" * 54)))
    assert len(refined.tools) == 1
    assert codes(found) == ["MG309"]
    assert not names.apply(server(tool("x" * 53)))[1]


def test_an_alias_that_names_another_tool_is_left_out():
    refined, found = names.apply(server(tool("now", aliases=("later", "soon", "now", "b d")), tool("later")))
    assert [each.aliases for each in refined.tools] == [("soon",), ()]
    assert codes(found) == ["MG301", "MG302"]


def test_two_tools_cannot_share_an_alias():
    refined, found = names.apply(server(tool("a", aliases=("c",)), tool("b", aliases=("c",))))
    assert [each.aliases for each in refined.tools] == [("c",), ()]
    assert codes(found) == ["MG301"]


def test_a_server_that_offers_nothing_cannot_be_made():
    assert codes(names.unusable(server())) == ["MG308"]


@pytest.mark.parametrize("field", ["id", "package", "command"])
@pytest.mark.parametrize("name", ["../evil", "a b", "con", "", "x" * 65, "a\nb"])
def test_a_server_with_a_name_that_is_not_one_cannot_be_made(field, name):
    assert codes(names.unusable(server(tool("now"), **{field: name}))) == ["MG310"]


def test_a_server_with_tools_and_good_names_can_be_made():
    assert names.unusable(server(tool("now"))) == ()
