"""The rules of hosts, each with a tool that breaks it and one that does not."""

from __future__ import annotations

import pytest

from generator.verify.checks import hosts
from generator.verify.host_rules import HOST_RULES, icon_problem
from generator.verify.openings import OPENINGS
from generator.verify.survey import Survey
from tests.command import ROOT

GOOD = {
    "name": "add",
    "description": "Add.",
    "inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}},
}


def header(name="Region", **more):
    return {"type": "object", "properties": {"a": {"type": "string", "x-mcp-header": name, **more}}}


BROKEN = {
    "name-64": [{"name": "a.b"}, {"name": "x" * 65}, {"name": ""}, {"name": 5}, {"name": "näme"}],
    "name-128": [{"name": "a.b"}, {"name": "x" * 129}],
    "name-mcp": [{"name": "a b"}, {"name": "x" * 129}],
    "name-with-server": [{"name": "x" * 60}],
    "input-object": [{"inputSchema": {}}, {"inputSchema": {"type": ["object"]}}, {"inputSchema": True}],
    "input-combinators": [{"inputSchema": {"type": "object", key: [{}]}} for key in ("oneOf", "allOf", "anyOf")],
    "parameter-names": [
        {"inputSchema": {"type": "object", "properties": {name: {}}}} for name in ("a b", "x" * 65, "")
    ],
    "output-object": [
        {"outputSchema": {"type": "array"}},
        {"outputSchema": {}},
        {"outputSchema": {"$ref": "#/$defs/a"}},
    ],
    "output-combinators": [{"outputSchema": {"type": "object", "anyOf": [{}]}}],
    "texts": [{"description": 5}, {"title": ["a"]}],
    "annotations": [{"annotations": []}, {"annotations": {"readOnlyHint": "yes"}}],
    "icons": [{"icons": {}}, {"icons": [{"src": "file:///a"}]}, {"icons": [{"src": "https://a", "sizes": "48x48"}]}],
    "header-parameters": [
        {"inputSchema": header("a b")},
        {"inputSchema": header(type="number")},
        {"inputSchema": header(type=["string", "null"])},
        {"inputSchema": {"type": "object", "properties": {n: header()["properties"]["a"] for n in "ab"}}},
        {
            "inputSchema": {
                "type": "object",
                "properties": {"a": {"type": "array", "items": header()["properties"]["a"]}},
            }
        },
        {"inputSchema": {"type": "object", "$defs": {"a": header()["properties"]["a"]}}},
    ],
    "result-size": [{"_meta": {"anthropic/maxResultSizeChars": size}} for size in (500_001, 0, "many")],
}

FINE = {
    "name-64": [{"name": "x" * 64}],
    "name-mcp": [{"name": "a.b"}],
    "name-with-server": [{"name": "x" * 54}],
    "output-object": [{"outputSchema": {"type": "object"}}],
    "icons": [
        {"icons": [{"src": "https://a/b.png", "mimeType": "image/png", "sizes": ["48x48", "any"], "theme": "dark"}]}
    ],
    "header-parameters": [
        {"inputSchema": header()},
        {"inputSchema": {"type": "object", "properties": {"deep": header()}}},
        {"inputSchema": {"type": "object", "properties": {"x-mcp-header": {"type": "string"}}}},
    ],
    "result-size": [{"_meta": {"anthropic/maxResultSizeChars": 500_000}}],
}


def cases(table):
    return [(name, tool) for name, tools in table.items() for tool in tools]


def found(rule_id: str, tool: dict) -> str | None:
    rule = next(each for each in HOST_RULES if each.id == rule_id)
    return rule.problem({**GOOD, **tool}, "server")


def test_every_rule_has_a_tool_that_breaks_it():
    assert set(BROKEN) == {rule.id for rule in HOST_RULES}


@pytest.mark.parametrize(("rule", "tool"), cases(BROKEN))
def test_a_rule_is_broken(rule, tool):
    assert found(rule, tool)


@pytest.mark.parametrize(("rule", "tool"), cases(FINE))
def test_a_rule_is_kept(rule, tool):
    assert found(rule, tool) is None


@pytest.mark.parametrize("rule", HOST_RULES, ids=lambda rule: rule.id)
def test_a_plain_tool_keeps_every_rule(rule):
    assert rule.problem(GOOD, "server") is None


def test_a_finding_names_the_hosts_that_refuse_and_puts_tools_of_one_complaint_together():
    tools = [{**GOOD, "name": f"a.{letter}"} for letter in "abc"]
    survey = Survey(era="legacy", lists={"tools": tools}, greeting={"serverInfo": {"name": "s", "version": "1"}})
    severe, mild = hosts._broken(survey, "s")
    assert mild == []
    assert severe[0].startswith("`a.a` and 2 more: its name is not")
    assert "Claude Desktop" in severe[0]
    assert len(severe) == 2


def test_icons_of_a_server_are_held_to_the_same_rule():
    assert icon_problem([{"src": "data:image/png;base64,AA"}]) is None
    assert icon_problem([{"src": "http://a/b"}])


def test_the_documents_name_every_rule_and_every_opening():
    text = (ROOT / "docs/verify.md").read_text(encoding="utf-8")
    assert [rule.id for rule in HOST_RULES if f"`{rule.id}`" not in text] == []
    assert [opening.client for opening in OPENINGS if opening.client not in text] == []
