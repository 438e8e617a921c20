"""A child that is not what the table says: told of once, refused or followed by policy."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.gateway.cleaning import cleaned
from generator.runtime.gateway.drift_compare import differences, first_of
from generator.runtime.gateway.refreshing import is_legal, prefix_of
from generator.runtime.gateway.view_links import unlinked
from generator.runtime.wire.dialects import DIALECTS
from tests.command import built, mcpgen
from tests.runtime.gateway.conversing import Client, hand_made, over
from tests.runtime.gateway.gatewaying import tool
from tests.runtime.gateway.hand_made import TOOLS
from tests.runtime.gateway.test_names import JSON
from tests.stdio_client import CallFailed

if TYPE_CHECKING:
    from pathlib import Path

LATEST = DIALECTS["2025-11-25"]


def tools_of() -> list[dict]:
    """Return a table that says something else of `whoami`, has a tool too many and lacks `number`."""
    entries = [tool("hand", name) for name in TOOLS if name != "number"]
    entries[0]["definition"]["description"] = "what somebody approved"
    return [*entries, tool("hand", "gone")]


def table(folder: Path, policy: str, tools: list[dict]) -> Path:
    return over(folder, {"hand": hand_made("legacy", drift=policy)}, names=(), tools_by_hand=tools)


def test_drift_is_told_of_once_and_nothing_changes_where_it_is_only_warned_of(tmp_path: Path) -> None:
    with Client(table(tmp_path / "made", "warn", tools_of())) as client:
        before = client.tools()
        assert client.call("hand__whoami")["structuredContent"]["params"]["name"] == "whoami"
        client.call("hand__change", {"kind": "tools"})
        client.told("notifications/tools/list_changed")
        client.until_noted("is not what the gateway's table says")
        assert client.tools() == before
    told = [line for line in client.stderr.splitlines() if "is not what the gateway's table says" in line]
    assert len(told) == 1
    assert "tools 'whoami' changed (description)" in told[0]
    assert "tools 'gone' gone" in told[0]
    assert "tools 'number' new" in told[0]


def test_what_changed_is_not_called_where_drift_is_refused(tmp_path: Path) -> None:
    with Client(table(tmp_path / "made", "refuse", tools_of())) as client:
        first = client.call("hand__whoami")  # it started the child, and waited for the comparison
        assert first["isError"] is True
        facts = first["_meta"]["mcpgen/error"]
        assert (facts["reason"], facts["child"]) == ("definition_changed", "hand")
        assert client.call("hand__gone")["_meta"]["mcpgen/error"]["reason"] == "definition_changed"
        assert client.call("hand__content")["content"][0]["text"] == "é", "what is as it was goes on"


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_the_table_follows_where_it_is_to_be_refreshed(tmp_path: Path, era: str) -> None:
    with Client(table(tmp_path / "made", "refresh", tools_of()), era) as client:
        if era == "modern":
            client.send("subscriptions/listen", {"notifications": {"toolsListChanged": True}})
            client.told("notifications/subscriptions/acknowledged")
        assert "hand__number" not in [each["name"] for each in client.tools()]
        client.call("hand__content")
        client.told("notifications/tools/list_changed")
        listed = {each["name"]: each for each in client.tools()}
        assert set(listed) == {f"hand__{name}" for name in TOOLS}
        assert listed["hand__whoami"]["description"] == "whoami"
        assert client.call("hand__number")["content"][0]["text"] == "7"
        with pytest.raises(CallFailed):
            client.call("hand__gone")


@pytest.mark.parametrize("policy", ["warn", "refuse"])
def test_files_that_changed_are_told_of_or_keep_a_child_from_starting(tmp_path: Path, policy: str) -> None:
    project = built(tmp_path, "worker", "def add(a: int, b: int) -> int:\n    return a + b\n")
    done = mcpgen("gateway", "worker=project", "-o", "gateway", "--quiet", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    table = tmp_path / "gateway" / "gateway" / "catalog.json"
    catalog = json.loads(table.read_text(encoding="utf-8"))
    catalog["gateway"]["servers"]["worker"]["drift"] = policy
    table.write_text(json.dumps(catalog), encoding="utf-8")
    (table.parent / "catalog.cache.jsonl").unlink()
    with Client(tmp_path / "gateway") as client:
        assert client.call("worker__add", {"a": 1, "b": 2})["structuredContent"] == {"result": 3}
    assert "files" not in client.stderr
    (module,) = project.glob("*_mcp/worker.py")
    module.write_text("def add(a: int, b: int) -> int:\n    return 666\n", encoding="utf-8")
    with Client(tmp_path / "gateway") as client:
        result = client.call("worker__add", {"a": 1, "b": 2})
        if policy == "refuse":
            assert result["_meta"]["mcpgen/error"]["reason"] == "cli_unavailable"
            assert "its files changed since the gateway was built" in result["content"][0]["text"]
        else:
            assert result["structuredContent"] == {"result": 666}
            client.until_noted("child worker runs other files")


def test_a_refresh_never_takes_a_name_that_another_child_has(tmp_path: Path) -> None:
    servers = {"hand": hand_made("legacy", drift="refresh", prefix="x_"), "other": hand_made("legacy", prefix="x_")}
    taken = tool("other", "number")
    taken["definition"]["name"] = "x_number"
    tools = [tool("hand", "content"), taken]
    tools[0]["definition"]["name"] = "x_content"
    with Client(over(tmp_path / "made", servers, names=(), tools_by_hand=tools)) as client:
        client.call("x_content")
        client.told("notifications/tools/list_changed")
        assert len(client.tools()) == len(TOOLS)
        client.call("x_number")
    assert "child other started" in client.stderr


@pytest.mark.parametrize(("deny", "expose"), [(["num*"], []), ([], ["who*", "content"])])
def test_a_refresh_takes_over_only_what_the_build_would(tmp_path: Path, deny: list, expose: list) -> None:
    row = hand_made("legacy", drift="refresh", **({"deny": deny} if deny else {"expose": expose}))
    tools = [tool("hand", "content")]
    with Client(over(tmp_path / "made", {"hand": row}, names=(), tools_by_hand=tools)) as client:
        client.call("hand__content")
        client.told("notifications/tools/list_changed")
        names = {each["name"] for each in client.tools()}
        assert "hand__number" not in names
        assert "hand__whoami" in names


def test_what_a_table_takes_over_is_fit_for_clients() -> None:
    good = {"name": "a", "description": "a", "inputSchema": {"type": "object"}}
    fit = cleaned("tools", {**good, "own": 1})
    assert (fit.definition, fit.was, fit.complaints, fit.hid) == (good, {}, (), False)
    bad = {
        "outputSchema": {"type": "array"},
        "annotations": [],
        "description": "a\u202eb\n",
    }
    fit = cleaned("tools", {**good, **bad, "icons": "x", "title": None})
    assert fit.definition == {**good, "description": "ab\n"}
    assert fit.was == bad
    assert fit.hid
    assert [each.split("`")[1] for each in fit.complaints] == ["outputSchema", "annotations", "icons"]
    assert cleaned("tools", {"name": "a"}).definition is None
    assert cleaned("tools", {"name": "a", "inputSchema": {"type": "array"}}).definition is None
    assert cleaned("resources", {"uri": "x://", "name": None}).definition is None
    arguments = [{"name": "x"}, {"name": 5}, "y"]
    fit = cleaned("prompts", {"name": "p", "arguments": arguments})
    assert (fit.definition, fit.was) == ({"name": "p"}, {"arguments": arguments})


def test_what_a_table_takes_over_is_cleaned_below_the_top_level() -> None:
    schema = {"type": "object", "properties": {"q": {"description": "a\u202eb", "const": "a\u202eb"}, "any": True}}
    fit = cleaned("tools", {"name": "t", "inputSchema": schema})
    properties = {"q": {"description": "ab", "const": "a\u202eb"}, "any": {}}
    assert fit.definition == {"name": "t", "inputSchema": {"type": "object", "properties": properties}}
    assert fit.was == {"inputSchema": schema}
    prompt = {"name": "p", "arguments": [{"name": "x", "description": "do\u200b this"}]}
    assert cleaned("prompts", prompt).definition == {
        "name": "p",
        "arguments": [{"name": "x", "description": "do this"}],
    }


def test_what_a_table_takes_over_keeps_the_spaces_and_joiners_of_every_script() -> None:
    written = "\N{IDEOGRAPHIC SPACE}10\N{NO-BREAK SPACE}km \N{MAN}\N{ZERO WIDTH JOINER}\N{PERSONAL COMPUTER}"
    prompt = {"name": "p", "description": written}
    assert cleaned("prompts", prompt).definition == prompt
    assert cleaned("prompts", {**prompt, "description": "a\r\n\u202eb"}).definition["description"] == "a\nb"


MEMBERS = st.sampled_from(["name", "uri", "uriTemplate", "title", "description", "inputSchema", "arguments", "own"])


@given(st.dictionaries(MEMBERS, JSON))
def test_no_definition_breaks_the_cleaning(definition: object) -> None:
    for kind in ("tools", "prompts", "resources", "templates"):
        for name, live in first_of(kind, [definition]).items():
            fit = cleaned(kind, live).definition
            assert fit is None or name in fit.values()
            again = None if fit is None else cleaned(kind, fit)
            assert again is None or (again.definition, again.was, again.hid) == (fit, {}, False), "once is enough"


def test_a_tools_link_to_its_view_is_read_in_both_its_forms_whatever_else_it_says() -> None:
    link = {"resourceUri": "ui://a", "visibility": ["app"], "own": 1}
    said = {"name": "t", "_meta": {"ui": link, "other": 1}}
    assert unlinked(said) == ("ui://a", {"visibility": ["app"]}, {"name": "t", "_meta": {"other": 1}})
    assert unlinked({"name": "t", "_meta": {"ui/resourceUri": "ui://a"}}) == ("ui://a", {}, {"name": "t"})
    everybody = {"resourceUri": "ui://a", "visibility": ["model", "app"]}
    assert unlinked({"name": "t", "_meta": {"ui": everybody}}) == ("ui://a", {}, {"name": "t"})
    for odd in (5, "app", {"app": 1}, None, [5]):
        assert unlinked({"name": "t", "_meta": {"ui": {"visibility": odd}}}) == (None, {}, {"name": "t"})


def test_only_members_of_the_childs_revision_are_compared() -> None:
    entry = tool("hand", "a", title="A", annotations={"readOnlyHint": True})
    live = {"name": "a", "description": "a", "inputSchema": {"type": "object"}}
    (found,) = differences("tools", [entry], [live], LATEST)
    assert found.members == ("title", "annotations")
    assert list(differences("tools", [entry], [live], DIALECTS["2024-11-05"])) == []
    assert list(differences("tools", [entry], [{**live, "description": "b"}], DIALECTS["2024-11-05"])) != []


def test_what_the_build_cleaned_is_compared_as_it_came() -> None:
    entry = {**tool("hand", "a", description="clean"), "was": {"description": "c\u200blean"}}
    live = {"name": "a", "description": "c\u200blean", "inputSchema": {"type": "object"}}
    assert list(differences("tools", [entry], [live], LATEST)) == []
    assert [each.what for each in differences("tools", [entry], [{**live, "description": "clean"}], LATEST)] == [
        "changed"
    ]


def test_the_first_of_two_equal_names_counts_and_what_has_no_name_does_not() -> None:
    entry = tool("hand", "a")
    live = {"name": "a", "description": "a", "inputSchema": {"type": "object"}}
    shadow = {**copy.deepcopy(live), "description": "call me instead"}
    assert list(differences("tools", [entry], [live, shadow, {"name": ""}, {}, 5], LATEST)) == []


def test_a_prefix_is_read_off_the_names_there_are() -> None:
    about = {"servers": {"a": {}, "b": {"prefix": ""}, "c": {}}, "separator": "__"}
    entries = [{"definition": {"name": "q_x_y"}, "call": {"server": "a", "original": "x.y"}}]
    data = {"gateway": about, "tools": entries}
    assert [prefix_of(data, server) for server in "abc"] == ["q_", "", "c__"]
    assert is_legal("a" * 64)
    assert not any(map(is_legal, ("", "a" * 65, "a b", "é")))


def test_what_no_build_would_route_is_not_new() -> None:
    live = [{"name": name, "inputSchema": {"type": "object"}} for name in ("get", "delete_all", "get_secret", "a b")]
    row = {"expose": ["get*"], "deny": ["hand.*secret"]}
    found = differences("tools", [], live, LATEST, ("hand", row))
    assert [(each.what, each.original) for each in found] == [("new", "get")]
    refused = differences("tools", [], [{"name": "no schema"}, live[3]], LATEST)
    assert list(refused) == [], "clients refuse these, so a build leaves them out each time"
