"""Scopes that nobody declared fail a build."""

from __future__ import annotations

from dataclasses import replace

import pytest

from generator.config import load_config
from generator.ir.model import Prompt, PythonCall, Resource, Server, Source, Tool
from generator.passes import scopes


def server(*asked, declared=(), **settings):
    tools = tuple(
        Tool(name=f"t{number}", input_schema={"type": "object"}, call=PythonCall(target="m:f"), scopes=each)
        for number, each in enumerate(asked)
    )
    source = Source(kind="python", name="m.py")
    return Server(
        id="m", package="m_mcp", command="m-mcp", tools=tools, scopes=declared, settings=settings, source=source
    )


def told(found):
    return [(each.rule.name, each.unit) for each in found]


@pytest.mark.requirement("R097")
def test_a_declared_scope_is_no_finding():
    assert scopes.apply(server(("read",), ("read", "write"), (), declared=("write", "read"))) == ()


@pytest.mark.requirement("R097")
def test_a_scope_that_is_not_declared_is_told_with_its_tool_and_how_to_declare_it():
    (found,) = scopes.apply(server(("admin",), declared=("read",)))
    assert told([found]) == [("undeclared-scope", "t0")]
    assert 'scopes = ["read", "admin"]' in found.hint


def test_a_misspelt_scope_is_told_with_the_one_that_was_meant():
    (found,) = scopes.apply(server(("weather:raed",), declared=("weather:read",)))
    assert "Did you mean `weather:read`?" in found.hint


@pytest.mark.parametrize("scope", ["*", "a b", 'a"b', ""])
def test_what_cannot_be_a_scope_is_refused_even_if_it_is_declared(scope):
    assert told(scopes.apply(server((scope,), declared=(scope,)))) == [("undeclared-scope", "t0")]


def test_a_rate_of_no_tool_is_told():
    serve = {"tool_rate_limits": {"*": {"per_second": 1}, "t0": {"per_second": 1}, "t9": {"per_second": 1}}}
    assert told(scopes.apply(server((), serve=serve))) == [("unmatched-tool-setting", "t9")]


def test_resources_and_prompts_ask_for_declared_scopes_too():
    call = PythonCall(target="m:f")
    resource = Resource(uri="x://a", kind="computed", name="a", call=call, scopes=("read",))
    prompt = Prompt(name="p", call=call, scopes=("write",))
    found = scopes.apply(replace(server(declared=("read",)), resources=(resource,), prompts=(prompt,)))
    assert told(found) == [("undeclared-scope", "p")]
    assert "prompt `p` asks for the scope `write`" in found[0].message


def test_a_token_with_a_scope_that_nothing_asks_for_is_told_with_the_one_that_was_meant():
    tokens = [
        {"name": "desk", "token": "${T}", "scopes": ["wheather:read", "*", "mcpgen:activity", "weather:read"]},
        "${OPERATOR}",
    ]
    (found,) = scopes.apply(server(declared=("weather:read",), serve={"tokens": tokens}))
    assert told([found]) == [("undeclared-scope", "serve.tokens")]
    assert "weather:read" in found.hint


def test_what_the_settings_say_of_rates_and_tokens_is_told_with_its_place(tmp_path):
    lines = (
        "[serve.tool_rate_limits]",
        "t9 = { per_second = 1 }",
        "[[serve.tokens]]",
        'name = "desk"',
        'token = "${T}"',
    )
    (tmp_path / "mcpgen.toml").write_text("\n".join((*lines, 'scopes = ["read", "raed"]')), encoding="utf-8")
    config = load_config(tmp_path).config
    serve = {"tool_rate_limits": {"t9": {}}, "tokens": [{"scopes": ["read", "raed"]}]}
    found = scopes.apply(server((), declared=("read",), serve=serve), config)
    assert [(each.span.line, each.span.column) for each in found] == [(6, 19), (2, 1)]
