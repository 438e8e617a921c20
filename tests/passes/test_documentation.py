"""A server's documentation as resources: which pages there are, what stands on them, and whose URI it is."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.ir.codec import freeze
from generator.ir.model import Annotations, Prompt, PythonCall, Resource, Server, Source, SourceFile, Tool
from generator.passes import documentation
from generator.passes.documentation import MAX_PAGE_CHARACTERS
from generator.passes.pages import tool_page

CALL = PythonCall(target=".m:f")
TOOL = Tool(
    name="forecast",
    title="Forecast",
    description="Forecast for a city.\n\nMore of it.",
    input_schema={
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "Name of\nthe city."},
            "days": {"type": "integer", "default": 3},
            "tone": {"enum": ["short", "full"]},
            "at": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}], "default": None},
            "shape": {"$ref": "#/$defs/Shape"},
            "any": {},
        },
        "required": ["city"],
        "$defs": {"Shape": {"type": "object"}},
    },
    result_schema={"type": "integer"},
    wrap=True,
    result_description="How warm it gets.",
    raises=(("KeyError", "no such city"),),
    examples=(">>> forecast('Oslo')",),
    deprecated="Use another.",
    annotations=Annotations(read_only=True),
    call=CALL,
)
OWN = Resource(uri="my-weather://stations", kind="computed", name="stations", description="All of them.", call=CALL)


def server(**parts):
    files = (
        SourceFile(path="deep/er/README.md", content=b"# Deeper"),
        SourceFile(path="data/ReadMe.MD", content="\ufeff# Übersicht".encode()),
        SourceFile(path="README.rst", content=b"Not Markdown"),
    )
    given = {
        "tools": (TOOL,),
        "resources": (OWN,),
        "prompts": (Prompt(name="brief", description="Be told.", call=CALL),),
        "source": Source(kind="python", name="m.py", files=files),
        "title": "My weather",
        "description": "Weather.",
        "documentation": "Weather.\n\nAt length.",
    }
    return Server(id="my_weather", package="my_weather_mcp", command="my-weather-mcp", **{**given, **parts})


def pages(made):
    return {each.uri.removeprefix("my-weather://docs/"): each for each in made.resources if each.text is not None}


@pytest.mark.requirement("R156")
def test_there_is_a_page_for_the_server_its_readme_and_each_tool():
    made, found = documentation.apply(server())
    assert found == ()
    assert made.resources[0] == OWN
    assert [*pages(made)] == ["overview", "readme", "tools/forecast"]
    for each in pages(made).values():
        assert (each.kind, each.mime_type, each.call) == ("static", "text/markdown", None)
        assert each.name
        assert each.description
        assert each.annotations.priority < 0.5
    assert pages(made)["readme"].text == "# Übersicht"


def test_the_overview_says_what_the_source_says_and_what_there_is():
    text = pages(documentation.apply(server())[0])["overview"].text
    for said in (
        "# My weather\n\nWeather.\n\nAt length.\n",
        "- `forecast`: Forecast for a city. (my-weather://docs/tools/forecast)\n",
        "- `my-weather://stations`: All of them.\n",
        "- `brief`: Be told.\n",
    ):
        assert said in text
    short = documentation.apply(server(documentation="", resources=(), prompts=()))[0]
    assert pages(short)["overview"].text.startswith("# My weather\n\nWeather.\n")
    assert "## Resources" not in pages(short)["overview"].text


def test_the_page_of_a_tool_says_everything_about_it():
    text = tool_page(TOOL)
    for said in (
        "# Forecast\n\nThe tool `forecast` (only reads).\n",
        "**Deprecated.** Use another.\n",
        "Forecast for a city.\n\nMore of it.\n",
        "- `city` (string, required): Name of the city.\n",
        "- `days` (integer, default `3`)\n",
        '- `tone` (`"short"` or `"full"`, optional)\n',
        "- `at` (string, date or null, default `null`)\n",
        "- `shape` (Shape, optional)\n",
        "- `any` (any, optional)\n",
        "## Result\n\nHow warm it gets.\n",
        "- `KeyError`: no such city\n",
        "## Example\n\n>>> forecast('Oslo')\n",
    ):
        assert said in text
    schemas = [json.loads(block.partition("```")[0]) for block in text.split("```json\n")[1:]]
    assert schemas[0]["properties"]["days"] == {"type": "integer", "default": 3}
    assert schemas[1]["properties"] == {"result": {"type": "integer", "description": "How warm it gets."}}


def test_a_tool_without_arguments_and_texts_has_a_page_too():
    bare = Tool(name="t", input_schema={"type": "object", "properties": {}}, result="none", call=CALL)
    text = tool_page(bare)
    assert text.startswith("# t\n\nThe tool `t`.\n\n## Arguments\n\nIt takes none.\n")
    assert text.count("```json") == 1


SCHEMAS = st.recursive(
    st.booleans() | st.none() | st.integers() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["type", "enum", "const", "anyOf", "oneOf", "$ref", "description", "default", "format", "items"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


@given(SCHEMAS, SCHEMAS)
def test_whatever_stands_in_a_schema_has_a_page(schema, required):
    whole = {"type": "object", "properties": {"a": schema, "b": {}}, "required": required}
    text = tool_page(Tool(name="t", input_schema=freeze(whole), call=CALL, verbatim=True))
    shown = json.loads(text.split("```json\n")[1].partition("\n```")[0])
    assert shown == whole


def test_hidden_characters_are_taken_out_and_a_book_is_cut():
    hidden = server(documentation="see\u200b this\n\nmore")
    assert "see this" in pages(documentation.apply(hidden)[0])["overview"].text
    book = SourceFile(path="README.md", content=b"line\n" * 100_000)
    long = server(source=Source(kind="python", name="m.py", files=(book,)))
    text = pages(documentation.apply(long)[0])["readme"].text
    assert len(text) < MAX_PAGE_CHARACTERS + 100
    assert text.endswith("line\n\n(The rest is left out.)\n")


@pytest.mark.requirement("R157")
@pytest.mark.parametrize(
    ("uri", "kind", "lost"),
    [
        ("my-weather://docs/overview", "computed", ["overview"]),
        ("my-weather://docs/{topic}", "template", ["overview", "readme"]),
        ("my-weather://docs/tools/{name}", "template", ["tools/forecast"]),
        ("my-weather://{a}/{b}/forecast", "template", ["tools/forecast"]),
        ("my-weather://docs", "computed", []),
        ("my_weather://docs/overview", "computed", []),
    ],
)
def test_a_uri_of_the_authors_is_never_taken_from_them(uri, kind, lost):
    own = replace(OWN, uri=uri, kind=kind)
    made, found = documentation.apply(server(resources=(own,)))
    assert made.resources[0] == own
    assert [each for each in ("overview", "readme", "tools/forecast") if each not in pages(made)] == lost
    assert [(each.rule.name, each.unit) for each in found] == [("invalid-setting", "stations")] * bool(lost)
