"""Which values of an API's server stand in snippets for hosts, and what its README says of them."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import replace

import pytest

from generator.backends.api_values import needed
from generator.backends.server import render
from generator.ir.codec import freeze
from generator.ir.model import ConfigEntry, HttpCall, Server, Source, Tool

SCHEMES = {
    "key": {"type": "apiKey", "in": "header", "name": "X-Key", "credentials": {"value": "key"}},
    "login": {
        "type": "http",
        "scheme": "basic",
        "credentials": {"username": "login_username", "password": "login_password"},
    },
    "oauth": {
        "type": "oauth2",
        "flows": {"clientCredentials": {"token_url": "https://pets.example/token", "scopes": []}},
        "credentials": {"value": "oauth", "client_id": "oauth_client_id", "client_secret": "oauth_client_secret"},
    },
}
ENTRIES = ("base_url", "key", "login_username", "login_password", "oauth", "oauth_client_id", "oauth_client_secret")


def served(*alternatives: list[str], urls: tuple[str, ...] = ("https://pets.example/v1",), **changes) -> Server:
    """Return a server with an operation for each list of alternatives: `a+b` are schemes needed together."""
    tools = tuple(
        Tool(
            name=f"tool{number}",
            description="A tool.",
            input_schema=freeze({"type": "object"}),
            call=HttpCall(
                operation=f"GET /{number}",
                request=freeze({"security": [{name: [] for name in each.split("+") if name} for each in wanted]}),
            ),
        )
        for number, wanted in enumerate(alternatives)
    )
    fields = {
        "id": "pets",
        "package": "pets_mcp",
        "command": "pets-mcp",
        "source": Source(kind="openapi", name="pets.yaml"),
        "http": freeze({"servers": [{"url": url} for url in urls], "base_url": "base_url", "schemes": SCHEMES}),
        "config": tuple(ConfigEntry(name=name, env=f"PETS_{name.upper()}", required=False) for name in ENTRIES),
        "tools": tools,
    }
    return Server(**(fields | changes))


@pytest.mark.parametrize(
    ("alternatives", "names"),
    [
        ([["key"]], ("key",)),
        ([["login"]], ("login_username", "login_password")),
        ([["oauth"]], ("oauth_client_id", "oauth_client_secret")),
        ([["key", "login"]], ("key",)),
        ([["key", "login"], ["login"]], ("login_username", "login_password")),
        ([["key+login"]], ("key", "login_username", "login_password")),
        ([["", "key"]], ()),
        ([[]], ()),
        ([["unknown"]], ()),
    ],
)
def test_as_few_credentials_are_asked_for_as_do_for_every_operation(alternatives, names):
    assert needed(served(*alternatives)) == names


def test_the_base_url_is_asked_for_where_the_description_has_none():
    assert needed(served(["key"], urls=())) == ("base_url", "key")
    pinned = freeze({"servers": [], "pinned": "http://localhost:1", "schemes": SCHEMES})
    assert needed(served(["key"], http=pinned)) == ("key",)


def readme(server: Server) -> str:
    return render(server).tree["README.md"].decode("utf-8")


def test_the_snippets_have_a_place_for_the_credentials():
    text = readme(served(["login"]))
    assert "claude mcp add pets -e PETS_LOGIN_USERNAME=your-value -e PETS_LOGIN_PASSWORD=your-value -- " in text
    blocks = re.findall(r"```(json|toml)\n(.*?)\n```", text, re.DOTALL)
    found = [(json.loads if language == "json" else tomllib.loads)(block) for language, block in blocks]
    pair = {"PETS_LOGIN_USERNAME": "your-value", "PETS_LOGIN_PASSWORD": "your-value"}
    assert [each["mcpServers"]["pets"]["env"] for each in found if "mcpServers" in each] == [pair]
    assert {"login_username": "your-value", "login_password": "your-value"} in found
    assert "${input:PETS_LOGIN_USERNAME}" in text


def test_the_readme_says_where_requests_go():
    assert "Requests go to `https://pets.example/v1` unless `PETS_BASE_URL` names another address." in readme(
        served(["key"])
    )
    text = readme(served(["key"], urls=()))
    assert "The description names no address of the API that can be asked: set `PETS_BASE_URL`." in text
    assert "-e PETS_BASE_URL=your-value" in text
    assert "\n\n\n" not in text


def test_a_deprecated_tool_is_described_all_the_same():
    server = served(["key"])
    tool = replace(server.tools[0], description="Deprecated.\n\nList pets.", deprecated="")
    assert "| `tool0` | Deprecated. List pets. |" in readme(replace(server, tools=(tool,)))


def test_the_readme_of_a_discovery_server_counts_its_operations():
    server = served(*([["key"]] * 3), exposure="discovery")
    tools = [replace(tool, tags=tags) for tool, tags in zip(server.tools, [("a|b",), ("a|b", "c"), ()], strict=True)]
    text = readme(replace(server, tools=tuple(tools)))
    assert "Clients are shown three tools, `search_tools`, `describe_tool`, `call_tool`:" in text
    assert "| a\\|b | 2 |\n| everything else | 1 |\n" in text
    assert "`tool0`" not in text.split("## Settings", maxsplit=1)[0]
