"""A gateway rendered: its catalog, what its runtime is told, and the files around it."""

import json
from dataclasses import replace

import pytest

from generator.backends.gateway import gateway_catalog, render_gateway
from generator.digests import definitions_line, digest
from generator.ir.model import Server, Source
from generator.ir.routes import Child, ChildLimits, Offered, OfferedTool, Snapshot, Start
from generator.passes.routing import Composition, compose
from generator.runtime.server.catalog import header_of

SERVER = Server(
    id="gateway",
    package="gateway",
    command="gateway",
    description="A gateway.",
    source=Source(kind="servers", name="a"),
)
SNAPSHOT = Snapshot(
    name="a",
    origin="foreign",
    start=Start(url="https://a.example/mcp", headers={"Authorization": "Bearer ${A_TOKEN}"}, env=("A_TOKEN",)),
    era="legacy",
    digest="sha256:" + "a" * 64,
    capabilities={"tools": {}, "prompts": {}, "logging": {}},
    tools=(OfferedTool(definition={"name": "t", "inputSchema": {"type": "object"}}),),
)


def table(*children, **how):
    return compose(children, Composition(**how))[0]


def catalog(snapshot=SNAPSHOT, **child):
    return gateway_catalog(SERVER, table(Child(id="a", snapshot=snapshot, **child)))


def test_a_server_is_told_of_without_what_was_not_said():
    row = catalog()["gateway"]["servers"]["a"]
    assert row == {
        "env": ["A_TOKEN"],
        "url": "https://a.example/mcp",
        "headers": {"Authorization": "Bearer ${A_TOKEN}"},
        "era": "legacy",
        "origin": "foreign",
        "digest": SNAPSHOT.digest,
        "capabilities": {"tools": {}, "prompts": {}, "logging": {}},
        "drift": "warn",
    }


def test_policy_is_told_as_it_was_decided():
    limits = ChildLimits(timeout=5.0, max_concurrent=2, start_timeout=1.5, idle=60.0)
    made = catalog(limits=limits, prefix="", drift="refuse", uris="rewrite", expose=("t",), deny=("x",))
    row = made["gateway"]["servers"]["a"]
    assert row["limits"] == {"timeout": 5.0, "max_concurrent": 2, "start_timeout": 1.5, "idle": 60.0}
    assert (row["prefix"], row["drift"], row["uris"]) == ("", "refuse", "a+")
    assert (row["expose"], row["deny"]) == (["t"], ["x"])
    assert made["tools"][0]["limits"] == {"timeout": 5.0}


def test_a_tool_is_a_call_of_its_server():
    (tool,) = catalog()["tools"]
    assert tool == {
        "definition": {"name": "a__t", "inputSchema": {"type": "object"}},
        "ui": None,
        "aliases": ["a.t"],
        "call": {"kind": "proxy", "server": "a", "original": "t"},
        "result": {},
    }


def test_the_header_has_the_capabilities_of_all_servers_although_a_list_is_empty_today():
    header = header_of(catalog())
    assert (header["gateway"], header["listens"], "tasks" in header) == (True, True, False)
    assert header["capabilities"] == ["logging", "prompts", "tools"]
    tasks = {"tools": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}}
    assert header_of(catalog(replace(SNAPSHOT, capabilities=tasks)))["tasks"] is True


def test_lists_that_depend_on_who_asks_are_private_and_kept_as_long_as_the_shortest():
    private = catalog(replace(SNAPSHOT, private=True, ttl_ms=250))
    assert header_of(private)["by_scope"] is True
    assert private["settings"]["ttl_ms"] == 250
    assert "by_scope" not in header_of(catalog())


def test_the_table_is_another_when_anything_of_it_is_but_files():
    known = catalog()["gateway"]["digest"]
    assert catalog(replace(SNAPSHOT, files="sha256:" + "b" * 64))["gateway"]["digest"] == known
    others = [
        catalog(drift="refuse"),
        catalog(prefix="p_"),
        catalog(replace(SNAPSHOT, start=replace(SNAPSHOT.start, url="https://b.example/mcp"))),
        catalog(replace(SNAPSHOT, digest="sha256:" + "c" * 64)),
        catalog(replace(SNAPSHOT, prompts=(Offered(definition={"name": "p"}),))),
    ]
    assert len({known, *(each["gateway"]["digest"] for each in others)}) == len(others) + 1


def test_what_was_cleaned_stands_beside_the_definition():
    tool = OfferedTool(definition={"name": "t", "inputSchema": {"type": "object"}}, was={"title": 5})
    assert catalog(replace(SNAPSHOT, tools=(tool,)))["tools"][0]["was"] == {"title": 5}


@pytest.mark.requirement("R068")
def test_a_gateway_is_a_project_like_any_other_with_its_whole_runtime():
    rendered = render_gateway(SERVER, table(Child(id="a", snapshot=SNAPSHOT)))
    tree = rendered.tree
    outside = {"pyproject.toml", "README.md", "server.py", "routes.json", ".mcp.json"}
    assert {path for path in tree if "/" not in path} == outside
    assert "gateway/_runtime/gateway/guardian.py" in tree
    assert "gateway/_runtime/server/offer_methods.py" in tree
    assert b"_runtime.gateway.main import serve" in tree["gateway/__main__.py"]
    entry = json.loads(tree["gateway/registry-entry.json"])
    content = json.loads(tree["gateway/catalog.json"])
    assert (entry["tools"], entry["digest"]) == (1, digest(content, definitions_line(content)))
    assert json.loads(tree["routes.json"])["digest"] == entry["digest"]
    header, listing = tree["gateway/catalog.cache.jsonl"].splitlines()
    assert json.loads(header) == {"catalog": len(tree["gateway/catalog.json"]), **header_of(content)}
    assert json.loads(listing) == [tool["definition"] for tool in content["tools"]]
    assert set(rendered.owners.values()) == {"mcpgen"}


def test_texts_of_servers_stay_texts_in_the_readme():
    evil = "]( javascript:x ) `code` <b> | cell\n# head"
    tool = OfferedTool(definition={"name": "t", "inputSchema": {"type": "object"}, "description": evil})
    readme = (
        render_gateway(SERVER, table(Child(id="a", snapshot=replace(SNAPSHOT, tools=(tool,), description=evil))))
        .tree["README.md"]
        .decode()
    )
    assert "<b>" not in readme
    assert r"\]( javascript:x ) \`code\`" in readme
    assert not any(line.startswith("# head") for line in readme.splitlines())
