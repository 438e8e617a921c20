"""Tools in tables: schemas in words, lines that fit, texts that are cut where a reader expects it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.cli import json_text, layout
from generator.cli.phrases import Part, arguments, phrase, result
from generator.cli.summary import definition_bytes
from generator.cli.tool_sheet import render
from generator.cli.tool_table import table
from generator.diagnostics.plain import plain, width
from generator.digests import compact
from generator.ir.model import Annotations, PythonCall, Server, Source, Tool


def tool(name: str = "now", properties: dict[str, object] | None = None, **changes: object) -> Tool:
    schema = {"type": "object", "properties": properties or {}, "required": changes.pop("required", ())}
    return Tool(name=name, input_schema=schema, call=PythonCall(target=".w:f"), **changes)


def server(*tools: Tool) -> Server:
    source = Source(kind="python", name="w.py")
    return Server(id="w", package="w_mcp", command="w-mcp", tools=tools, source=source)


def test_further_keys_are_listed_as_a_parameter():
    taking = PythonCall(target=".w:f", star_star=True)
    schema = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ("a",)}
    for further, words in (({"type": "integer"}, "integer"), (True, "any"), ({}, "any")):
        one = Tool(name="f", input_schema={**schema, "additionalProperties": further}, call=taking)
        assert arguments(one) == ["a: string", f"**: {words}"]
        assert any(line.split() == ["**", words, "optional"] for line in render(server(one), 100).splitlines())
    assert arguments(tool(properties={"a": {}}, required=("a",))) == ["a: any"]


POINT = {"type": "object", "properties": {"x": {"type": "integer"}}}


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({}, "any"),
        (True, "any"),
        ({"type": "integer", "minimum": 1, "maximum": 14}, "integer 1..14"),
        ({"type": "integer", "minimum": 1}, "integer 1.."),
        ({"type": "number", "exclusiveMinimum": 0}, "number >0"),
        ({"type": "string", "format": "date-time"}, "date-time"),
        ({"type": "string", "contentEncoding": "base64"}, "base64"),
        ({"type": ["string", "null"]}, "string or null"),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "integer or null"),
        ({"type": "array", "items": {"type": "string"}}, "string[]"),
        ({"type": "array", "items": {"type": "string"}, "minItems": 1}, "string[] 1.."),
        ({"type": "array"}, "any[]"),
        ({"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}, "(integer or null)[]"),
        (
            {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "minItems": 2, "maxItems": 2},
            "[integer, string]",
        ),
        ({"type": "array", "prefixItems": [{"type": "integer"}], "minItems": 1}, "[integer, …]"),
        ({"type": "object"}, "object"),
        (POINT, "object"),
        ({"type": "object", "additionalProperties": {"type": "number"}}, "{string: number}"),
        ({"type": "object", "title": "Point"}, "Point"),
        ({"$ref": "#/$defs/Node"}, "Node"),
        ({"enum": ["EUR", "NOK", "USD"]}, '"EUR"|"NOK"|"USD"'),
        ({"enum": [f"value number {n}" for n in range(9)]}, '"value number 0"|"value number 1"|…'),
        ({"enum": ["x" * 99]}, '"' + "x" * 18 + "…"),
        ({"const": None}, "null"),
    ],
)
def test_a_schema_in_words(schema, words):
    assert phrase(Part(schema, "", {})) == words


def test_types_go_by_the_names_they_have_in_the_source_and_enumerations_by_their_values():
    names = {
        "/inputSchema/properties/at": "Point",
        "/inputSchema/properties/to/anyOf/0": "Point",
        "/inputSchema/properties/unit": "Unit",
        "/resultSchema/items": "Point",
    }
    one = tool(
        properties={"at": POINT, "to": {"anyOf": [POINT, {"type": "null"}]}, "unit": {"enum": ["c", "f"]}},
        result_schema={"type": "array", "items": POINT},
        required=("at",),
        type_names=names,
    )
    assert arguments(one) == ["at: Point", "to?: Point or null", 'unit?: "c"|"f"']
    assert result(one) == "-> Point[]"


def test_a_parameter_may_have_any_name():
    one = tool(properties={"a/b~c": POINT}, type_names={"/inputSchema/properties/a~1b~0c": "Point"})
    assert arguments(one) == ["a/b~c?: Point"]


MANY = {f"parameter_{number}": {"type": "string"} for number in range(12)}


@pytest.mark.parametrize("room", [40, 60, 80, 100, 160])
@pytest.mark.parametrize("name", ["f", "x" * 64])
def test_no_line_of_a_table_is_wider_than_the_terminal(room, name):
    flags = Annotations(read_only=True, destructive=True, idempotent=True, open_world=True)
    tools = [tool(name, MANY, annotations=flags, result_schema={"type": "string"}), tool("g")]
    assert max(width(line) for line in table(tools, room)) <= room


def test_parameters_are_cut_between_two_of_them():
    (line,) = table([tool("f", MANY)], 60)
    assert line == "  f  parameter_0?: string, parameter_1?: string, …"


def test_where_the_other_columns_leave_no_room_a_tool_has_two_lines():
    lines = table([tool("a_long_name_" * 3, MANY, result_schema={"type": "number"})], 60)
    assert lines == [f"  {'a_long_name_' * 3}", "    parameter_0?: string, parameter_1?: string, …  -> number"]


@given(st.text(), st.integers(2, 60))
def test_a_cut_text_fits(text, room):
    cut = layout.fitted(text, room)
    assert width(cut) <= room
    assert cut == text or cut.endswith("…")


@given(st.lists(st.text(alphabet="abc", min_size=1), min_size=1), st.integers(3, 60))
def test_a_cut_list_ends_with_a_sign_of_it(items, room):
    shown = layout.listed(items, room)
    assert width(shown) <= room
    assert shown == ", ".join(items) or shown.endswith("…")


@given(st.text(alphabet="ab 天\n"), st.integers(8, 40))
def test_wrapping_keeps_every_word(text, room):
    lines = layout.wrapped(text, room)
    assert " ".join(lines).split() == text.split()
    assert all(width(line) <= room or len(line.split()) == 1 for line in lines)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


@given(JSON, st.integers(10, 60))
def test_json_for_people_is_still_that_json(value, room):
    text = "\n".join(json_text.lines(value, room, "  "))
    assert json.loads(text) == value
    assert text == plain(text, keep="\n")


def test_json_is_broken_only_where_a_line_is_full():
    assert json_text.lines({"type": "string"}, 40) == ['{"type": "string"}']
    assert json_text.lines({"a": [1, 2], "b": {"c": "x" * 30}}, 30) == [
        "{",
        '  "a": [1, 2],',
        '  "b": {',
        f'    "c": "{"x" * 30}"',
        "  }",
        "}",
    ]


def test_a_sheet_shows_the_texts_the_parameters_and_the_schemas():
    one = tool(
        "forecast",
        {
            "city": {"type": "string", "description": "Name, as\npeople write it.", "examples": ("Oslo",)},
            "days": {"type": "integer", "minimum": 1, "default": 3},
        },
        description="Forecast for a city.\n\n    indented",
        required=("city",),
        result_schema={"type": "string"},
        result_description="The weather.",
        annotations=Annotations(read_only=True),
        deprecated="use weather",
    )
    assert render(server(one), 80).splitlines() == [
        "w-mcp  1 tool",
        "  forecast  read-only  city: string, days?: integer 1..  -> string",
        "",
        "forecast  read-only  deprecated: use weather",
        "  Forecast for a city.",
        "",
        "      indented",
        "",
        '  city  string       required  Name, as people write it. For example "Oslo".',
        "  days  integer 1..  = 3",
        "  ->    string                 The weather.",
        "",
        "  input schema",
        "    {",
        '      "type": "object",',
        '      "properties": {',
        '        "city": {',
        '          "type": "string",',
        '          "description": "Name, as\\npeople write it.",',
        '          "examples": ["Oslo"]',
        "        },",
        '        "days": {"type": "integer", "minimum": 1, "default": 3}',
        "      },",
        '      "required": ["city"]',
        "    }",
        "",
        "  result schema",
        '    {"type": "string"}',
    ]


@pytest.mark.parametrize("room", [40, 60, 100])
def test_a_sheet_fits_the_terminal_but_for_the_texts_of_schemas(room):
    text = "A description that is longer than one line of any of these terminals. " * 3
    shown = render(server(tool("f", {name: {"type": "string", "description": text} for name in ("a", "b")})), room)
    wide = [line for line in shown.splitlines() if width(line) > room]
    assert all(line.lstrip().startswith('"description":') for line in wide)


def test_a_tool_that_gives_nothing_has_no_result():
    shown = render(server(tool("f", result="none"), tool("g", result="content")), 80)
    assert "result schema" not in shown
    assert shown.count("->") == 2
    assert "  ->  content" in shown


def test_hostile_texts_cannot_command_the_terminal():
    shown = render(server(tool("f", {"a\x1b": {"description": "\x1b[2J\u202e"}}, description="x\x07\r")), 80)
    assert not {"\x1b", "\x07", "\r", "\u202e"} & set(shown)


@given(st.lists(st.dictionaries(st.text(), st.text(), max_size=3), max_size=3))
def test_the_size_of_definitions_is_that_of_their_json_in_utf_8(definitions):
    tree = {"a/catalog.cache.jsonl": b"{}\n" + compact(definitions) + b"\n"}
    written = json.dumps(definitions, separators=(",", ":"), ensure_ascii=False)
    assert definition_bytes(tree, "a") == len(written.encode("utf-8"))
