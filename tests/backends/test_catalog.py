"""The catalog and the files made from it."""

from __future__ import annotations

import json

import jsonschema
import pytest

from generator.backends import catalog as backend
from generator.backends.registry import entry
from generator.backends.routes import routes
from generator.backends.server import render
from generator.digests import definitions_line, digest
from generator.ir.codec import freeze
from generator.ir.model import Annotations, ConfigEntry, HttpCall, PythonCall, Tool, UiLink
from generator.resources import schemas
from generator.runtime.server.catalog import header_of, listed
from generator.runtime.wire.dialects import LATEST_LEGACY


def validated(document: object, name: str) -> None:
    schema = json.loads((schemas() / f"{name}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(document)


def emitted(server, path: str):
    return json.loads(render(server).tree[path])


FULL = Tool(
    name="full",
    input_schema=freeze({"type": "object"}),
    result="content",
    annotations=Annotations(read_only=False, destructive=True, idempotent=False, open_world=True),
    ui=UiLink(resource_uri="ui://weather/x"),
    capture_output=True,
    confirm=True,
    call=PythonCall(
        target="statistics:mean",
        is_async=True,
        star="rest",
        star_star=True,
        names={"from": "from_"},
        inject={"ctx": "async"},
        conversions=freeze({"x": "date"}),
        definitions=freeze({"conversions": {}, "schemas": {}}),
        prepare=freeze({"x": ["strip"]}),
        field_defaults=("y",),
        exact_numbers=True,
        lazy_imports=("httpx",),
    ),
)
HTTP_CALL = HttpCall(operation="GET /pets", request=freeze({"a": 1}))
HTTP = Tool(name="http", input_schema={"type": "object"}, call=HTTP_CALL)


def test_the_catalog_is_as_its_schema_says(server, make):
    validated(emitted(server, "weather_mcp/catalog.json"), "catalog")
    full = make(tools=(FULL, HTTP), settings={"middleware": (".guards:repair",)})
    validated(emitted(full, "weather_mcp/catalog.json"), "catalog")


def test_a_tools_definition_says_what_was_stated_and_nothing_else(server):
    tool = emitted(server, "weather_mcp/catalog.json")["tools"][0]
    assert tool["definition"] == {
        "name": "forecast",
        "title": "Forecast",
        "description": "Forecast for a city.\n\nMore words.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "city": {"type": "string", "description": "Name, as people write it."},
                "days": {"type": "integer", "default": 3},
            },
            "required": ["city"],
            "additionalProperties": False,
        },
        "outputSchema": {
            "type": "object",
            "properties": {"result": {"type": "array", "items": {"type": "string"}, "description": "One line a day."}},
            "required": ["result"],
        },
        "annotations": {"readOnlyHint": True, "openWorldHint": False},
        "icons": [{"src": "https://weather.example/i.png", "mimeType": "image/png", "sizes": ["48x48"]}],
        "_meta": {"mcpgen/tags": ["weather"]},
    }
    assert tool["result"] == {"kind": "json", "schema": {"type": "array", "items": {"type": "string"}}, "wrap": True}
    assert tool["limits"] == {"timeout": 10}
    assert tool["aliases"] == ["weather_forecast"]
    assert tool["ui"] is None


def test_an_object_result_is_sent_as_it_is_and_its_reference_is_resolved(server):
    tool = emitted(server, "weather_mcp/catalog.json")["tools"][1]
    assert tool["definition"]["outputSchema"] == {"type": "object", "required": ["name"]}
    assert tool["result"]["wrap"] is False


@pytest.mark.parametrize("kind", ["none", "content"])
def test_a_tool_without_a_json_result_has_no_output_schema(make, kind):
    tool = Tool(name="t", input_schema={"type": "object"}, result=kind, call=PythonCall(target=".weather:t"))
    entry = emitted(make(tools=(tool,)), "weather_mcp/catalog.json")["tools"][0]
    assert "outputSchema" not in entry["definition"]
    assert entry["result"] == {"kind": kind, "wrap": False}


def test_a_description_nobody_wrote_is_absent(make):
    tool = Tool(name="t", input_schema={"type": "object"}, call=PythonCall(target=".weather:t"))
    assert "description" not in emitted(make(tools=(tool,)), "weather_mcp/catalog.json")["tools"][0]["definition"]


def test_an_authors_own_schemas_are_emitted_as_they_are(make):
    own = {"type": "object", "oneOf": [{"$ref": "#/$defs/A"}], "$defs": {"A": {"type": "object"}, "B": {}}}
    tool = Tool(
        name="t",
        input_schema=freeze(own),
        result_schema=freeze(own),
        verbatim=True,
        call=PythonCall(target=".weather:t"),
    )
    definition = emitted(make(tools=(tool,)), "weather_mcp/catalog.json")["tools"][0]["definition"]
    assert definition["inputSchema"] == own
    assert definition["outputSchema"] == own


def test_everything_a_call_needs_is_in_the_catalog(make):
    call = emitted(make(tools=(FULL,)), "weather_mcp/catalog.json")["tools"][0]["call"]
    assert call == {
        "kind": "python",
        "target": "statistics:mean",
        "async": True,
        "star": "rest",
        "star_star": True,
        "names": {"from": "from_"},
        "inject": {"ctx": "async"},
        "conversions": {"x": "date"},
        "definitions": {"conversions": {}, "schemas": {}},
        "prepare": {"x": ["strip"]},
        "field_defaults": ["y"],
        "exact_numbers": True,
    }


def test_settings_have_defaults_and_configuration_is_kept(make):
    server = make(settings=freeze({"coerce": False, "ttl_ms": 5}), config=(ConfigEntry(name="k", env="K", default=""),))
    content = emitted(server, "weather_mcp/catalog.json")
    assert content["settings"] == {**backend.DEFAULT_SETTINGS, "coerce": False, "ttl_ms": 5}
    assert content["config"] == {
        "k": {"env": "K", "sensitive": False, "required": True, "default": "", "required_by": []}
    }


def test_a_server_with_dependencies_or_linked_code_needs_the_installation(make):
    assert emitted(make(), "weather_mcp/catalog.json")["needs_site"] is False
    assert emitted(make(dependencies=("httpx>=0.27",)), "weather_mcp/catalog.json")["needs_site"] is True
    assert emitted(make(settings={"needs_site": True}), "weather_mcp/catalog.json")["needs_site"] is True


@pytest.mark.requirement("R173")
def test_tools_keep_the_order_they_were_declared_in(make):
    names = ["zulu", "alpha", "mike"]
    tools = tuple(Tool(name=n, input_schema={"type": "object"}, call=PythonCall(target=".w:f")) for n in names)
    tree = render(make(tools=tools)).tree
    assert [tool["name"] for tool in json.loads(tree["weather_mcp/catalog.cache.jsonl"].splitlines()[1])] == names
    assert [tool["original"] for tool in json.loads(tree["routes.json"])["tools"]] == names


def test_the_cache_says_what_the_catalog_says(server):
    tree = render(server).tree
    content = json.loads(tree["weather_mcp/catalog.json"])
    header, listing = (json.loads(line) for line in tree["weather_mcp/catalog.cache.jsonl"].splitlines())
    assert header == {"catalog": len(tree["weather_mcp/catalog.json"]), **header_of(content)}
    assert listing == listed(content["tools"], LATEST_LEGACY)


@pytest.mark.requirement("R070")
@pytest.mark.requirement("R071")
@pytest.mark.requirement("R017")
def test_a_list_needs_no_import_for_titles_and_schemas(server):
    listing = json.loads(render(server).tree["weather_mcp/catalog.cache.jsonl"].splitlines()[1])
    assert {"name", "title", "description", "inputSchema", "outputSchema"} <= set(listing[0])


@pytest.mark.requirement("R184")
def test_the_servers_title_is_its_own_and_not_its_description(server):
    shown = emitted(server, "weather_mcp/catalog.json")["server"]
    assert shown["title"] == "Weather"
    assert shown["description"] == "Forecasts and stations."


@pytest.mark.requirement("R145")
def test_the_servers_name_is_its_id(server):
    assert emitted(server, "weather_mcp/catalog.json")["server"]["name"] == "weather"


@pytest.mark.requirement("R061")
@pytest.mark.requirement("R062")
def test_the_registry_entry_says_how_to_start_the_server_wherever_it_is(server):
    content = emitted(server, "weather_mcp/registry-entry.json")
    validated(content, "registry")
    assert content["command"] == ["${python}", "-I", "-S", "${package}/__main__.py"]
    assert (content["name"], content["version"], content["tools"]) == ("weather", "0.1.0", 2)
    assert content["env"] == ["WEATHER_TOKEN"]
    assert content["description"] == "Forecasts and stations."
    assert content["digest"] == emitted(server, "routes.json")["digest"]


def test_the_routing_table_names_every_tool_by_server_and_tool(server):
    content = emitted(server, "routes.json")
    validated(content, "routes")
    assert [tool["name"] for tool in content["tools"]] == ["weather__forecast", "weather__station"]
    assert content["servers"]["weather"]["entry"] == "weather_mcp/registry-entry.json"


def shown_digest(server):
    content = backend.catalog(server)
    return digest(content, definitions_line(content))


def test_the_digest_changes_with_a_definition_and_with_nothing_else(server, make):
    digest = shown_digest(server)
    assert digest == shown_digest(make(version="2.0", instructions=None))
    changed = make(tools=server.tools[:1])
    assert digest != shown_digest(changed)
    assert entry(changed, "sha256:x")["digest"] == "sha256:x"
    assert routes(changed, backend.catalog(changed), "sha256:x")["digest"] == "sha256:x"


def test_data_files_are_ascii_with_a_final_line_feed(make):
    server = make(description="Grüße\u2028\u0085 ✓ \U0001f600")
    tree = render(server).tree
    for path, content in tree.items():
        if path.endswith((".json", ".jsonl")):
            assert content.isascii(), path
            assert content.endswith(b"\n"), path
    assert tree["weather_mcp/catalog.cache.jsonl"].count(b"\n") == 2
