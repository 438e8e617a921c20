"""The files an API's server has besides: operations.json, handlers.py, .env.example."""

from __future__ import annotations

import ast
import json
import subprocess
from dataclasses import replace

import jsonschema
import pytest

from generator.backends.handlers import handlers
from generator.backends.operations import encoded, operations
from generator.backends.server import render
from generator.ir.codec import freeze
from generator.ir.model import Annotations, ConfigEntry, HttpCall, Server, Source, Tool
from generator.ir.signature import Signature, SignatureArgument
from generator.resources import schemas

REQUEST = {"method": "GET", "path": "/pets/{id}", "json": True, "idempotent": True, "read_only": True}
SERVER = Server(
    id="pets",
    package="pets_mcp",
    command="pets-mcp",
    source=Source(kind="openapi", name="pets.yaml"),
    http=freeze({"format": 1, "servers": [{"url": "https://pets.example/\N{SNOWMAN}"}], "hooks": True}),
    config=(
        ConfigEntry(name="base_url", env="PETS_BASE_URL", description="The base URL.\nMore.", required=False),
        ConfigEntry(name="key", env="PETS_KEY", description="A\u202e key", sensitive=True, required=False),
    ),
    tools=(
        Tool(
            name="get_pet",
            description="A pet.",
            input_schema=freeze({"type": "object"}),
            result_schema=freeze({"type": "object"}),
            annotations=Annotations(read_only=True),
            call=HttpCall(operation="GET /pets/{id}", request=freeze(REQUEST)),
        ),
    ),
)


def written() -> dict[str, bytes]:
    return dict(render(SERVER).tree)


def test_operations_are_written_one_a_line_in_ascii():
    text = written()["pets_mcp/operations.json"]
    assert text.isascii()
    assert json.loads(text)["operations"] == {"GET /pets/{id}": REQUEST}
    assert [line for line in text.splitlines() if line.startswith(b'"GET /pets/{id}":')]
    schema = json.loads((schemas() / "operations.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(json.loads(text))


def test_a_server_without_operations_has_a_file_all_the_same():
    empty = replace(SERVER, tools=())
    assert json.loads(encoded(operations(empty, SERVER.http)))["operations"] == {}


def test_the_catalog_names_the_operation_and_leaves_its_request_to_the_other_file():
    catalog = json.loads(written()["pets_mcp/catalog.json"])
    (tool,) = catalog["tools"]
    assert tool["call"] == {"kind": "http", "operation": "GET /pets/{id}"}
    assert "schema" not in tool["result"]
    assert tool["definition"]["outputSchema"] == {"type": "object"}
    assert catalog["needs_site"] is False
    schema = json.loads((schemas() / "catalog.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(catalog)


def test_the_registry_entry_names_the_environment():
    assert json.loads(written()["pets_mcp/registry-entry.json"])["env"] == ["PETS_BASE_URL", "PETS_KEY"]


def test_the_environment_is_listed_with_what_it_is_and_without_values():
    text = written()[".env.example"].decode()
    assert text.endswith("\n\n# The base URL.\nPETS_BASE_URL=\n\n# A key\nPETS_KEY=\n")
    assert "set -a; . ./.env; set +a" in text
    assert "~/.config/mcpgen/pets/config.json" in text


def test_variables_that_the_settings_of_serving_name_are_listed_once_each():
    serve = {"tokens": [{"name": "desk", "token": "${DESK}"}], "host": "${HOST}", "path": "/${PETS_KEY}"}
    server = replace(SERVER, settings=freeze({"serve": {**serve, "token_env": "DESK"}}))
    text = render(server, models=b"").tree[".env.example"].decode()
    assert text.count("PETS_KEY=") == 1
    assert text.endswith(
        "\n\n# Over HTTP: for serve.tokens and serve.token_env of its settings\nDESK=\n"
        "\n# Over HTTP: for serve.host of its settings\nHOST=\n"
    )


def test_a_shell_reads_the_environments_file_as_it_is(tmp_path):
    (tmp_path / ".env").write_bytes(written()[".env.example"].replace(b"PETS_KEY=", b"PETS_KEY=abc"))
    script = "set -a; . ./.env; set +a; env"
    ended = subprocess.run(
        ["/bin/sh", "-ec", script], cwd=tmp_path, env={}, capture_output=True, timeout=10, check=True
    )
    assert {"PETS_BASE_URL=", "PETS_KEY=abc"} <= set(ended.stdout.decode().splitlines())


def test_handlers_belong_to_the_user_and_all_else_does_not():
    rendered = render(SERVER, models=b"")
    assert {path for path, owner in rendered.owners.items() if owner == "user"} == {"pets_mcp/handlers.py"}
    assert rendered.begun == {"pets_mcp/handlers.py"}
    assert rendered.tree["pets_mcp/models.py"] == b""


def test_only_the_server_of_an_api_carries_the_http_client():
    paths = written()
    assert any(path.startswith("pets_mcp/_runtime/client/") for path in paths)
    python = render(replace(SERVER, tools=(), http=None))
    assert not [path for path in python.tree if "/client/" in path or path.endswith(("handlers.py", ".env.example"))]
    assert "pets_mcp/operations.json" not in python.tree


HOSTILE = ['a"b', "a\\", "a\nb", "'''", '"""', "\N{LINE SEPARATOR}", "\U0001f40d", "\ud800", "{x}", "#"]


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_of_a_description_gets_out_of_its_place(text):
    benign, hostile = (
        handlers(
            [
                Signature(
                    operation=f"GET /{word}",
                    function="get",
                    arguments=(SignatureArgument(argument=word, parameter="word", annotation="str"),),
                )
            ],
            models=False,
        )
        for word in ("plain", text)
    )
    assert skeleton(hostile) == skeleton(benign)
    names = {node.value for node in ast.walk(ast.parse(hostile)) if isinstance(node, ast.Constant)}
    assert {f"GET /{text}", text} <= names


def skeleton(source: bytes) -> str:
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            node.value = ""
    return ast.dump(tree)


def test_a_long_signature_is_broken_into_lines():
    union = " | ".join(f"models.Possibility{number}" for number in range(6))
    arguments = (
        SignatureArgument(argument="first", parameter="first", annotation=union, required=True),
        SignatureArgument(argument="second", parameter="second", annotation="int"),
    )
    text = handlers([Signature(operation="GET /", function="get", arguments=arguments)], models=True).decode()
    assert "    first: models.Possibility0\n    | models.Possibility1\n" in text
    assert "    second: int | None = None,\n" in text
    ast.parse(text)
