"""Scopes: what the security of an operation asks for is what callers of its tool need."""

from __future__ import annotations

import pytest

from generator.config import Config, ToolSetting
from generator.passes import scopes

from .described import description, operation, tools

FLOW = {"clientCredentials": {"tokenUrl": "https://auth.example.com/token", "scopes": {"read": "", "write": ""}}}
SCHEMES = {
    "o": {"type": "oauth2", "flows": FLOW},
    "p": {"type": "oauth2", "flows": FLOW},
    "k": {"type": "apiKey", "in": "header", "name": "X-Key"},
}


def api(*security):
    return description(
        {"/x": {"get": operation(operationId="x", security=list(security))}}, components={"securitySchemes": SCHEMES}
    )


@pytest.mark.requirement("R097")
@pytest.mark.parametrize(
    ("security", "needed"),
    [
        ([{"o": ["read", "write"]}], ("read", "write")),
        ([{"o": ["read"], "p": ["write"]}], ("read", "write")),
        ([{"o": ["read", "write"]}, {"p": ["write"]}], ("write",)),
        ([{"o": ["read"]}, {"k": []}], ()),
        ([{"o": ["read"]}, {}], ()),
        ([{"k": []}], ()),
        ([{"o": ["two words", "read", "*"]}], ("read",)),
        ([], ()),
    ],
)
def test_a_tool_needs_the_scopes_that_every_alternative_asks_for(reader, security, needed):
    server = reader(api(*security)).server
    assert tools(reader(api(*security)))["x"].scopes == needed
    assert server.scopes == needed
    assert scopes.apply(server) == ()


def test_what_the_settings_say_wins_and_has_to_be_known_once_they_declare_any(reader):
    config = Config(scopes=("admin",), tools={"x": ToolSetting(scopes=("admn",))})
    server = reader(api({"o": ["read"]}), config=config).server
    assert server.scopes == ("admin",)
    (found,) = scopes.apply(server)
    assert (found.rule.name, found.unit) == ("undeclared-scope", "x")
    described = Config(scopes=("admin",), tools={"x": ToolSetting(scopes=("write", "admin"))})
    assert scopes.apply(reader(api({"o": ["read"]}), config=described).server) == ()


@pytest.mark.parametrize(
    ("target", "told"), [("handlers:verify", ".handlers:verify"), ("company.auth:verify", "company.auth:verify")]
)
def test_a_check_of_tokens_may_stand_in_the_server_s_own_handlers(reader, target, told):
    server = reader(api(), config=Config(serve={"verify": target, "port": 1})).server
    assert server.settings["serve"] == {"verify": told, "port": 1}
