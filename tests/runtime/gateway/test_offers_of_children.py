"""Resources, templates, views, prompts and completion through a gateway."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.runtime.gateway.conversing import ALL, APPS, Client, hand_made, over, view
from tests.stdio_client import CallFailed

if TYPE_CHECKING:
    from pathlib import Path

ERAS = ("legacy", "modern")


@pytest.fixture(scope="module", params=ERAS)
def child_era(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, child_era: str) -> Path:
    folder = tmp_path_factory.mktemp("made") / "gateway"
    return over(folder, {"hand": hand_made(child_era), "other": hand_made(child_era)})


def refused(client: Client, method: str, params: dict) -> dict:
    with pytest.raises(CallFailed) as caught:
        client.request(method, params)
    return caught.value.error


@pytest.mark.parametrize("era", ERAS)
def test_a_resource_is_read_from_its_child(project: Path, child_era: str, era: str) -> None:
    with Client(project, era) as client:
        result = client.request("resources/read", {"uri": "file:///a"})
        assert result["contents"] == [{"uri": "file:///a", "mimeType": "text/plain", "text": "text of file:///a"}]
        if era == "modern":
            kept = (5000, "public") if child_era == "modern" else (0, "private")
            assert (result["ttlMs"], result["cacheScope"]) == kept
        else:
            assert not {"ttlMs", "cacheScope", "resultType"} & set(result)
        of_template = client.request("resources/read", {"uri": "file:///t/5"})
        assert of_template["contents"][0]["text"] == "text of file:///t/5"


def test_what_rests_on_credentials_of_the_child_is_for_nobody_else(tmp_path: Path) -> None:
    project = over(tmp_path / "made", {"hand": hand_made("modern", env=["PATH"])})
    with Client(project, "modern") as client:
        result = client.request("resources/read", {"uri": "file:///a"})
        assert (result["ttlMs"], result["cacheScope"]) == (5000, "private")


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("uri", ["file:///gone", "file:///never", "nothing://"])
def test_not_found_is_said_with_the_code_of_the_callers_revision(project: Path, era: str, uri: str) -> None:
    with Client(project, era) as client:
        error = refused(client, "resources/read", {"uri": uri})
        assert error["code"] == (-32602 if era == "modern" else -32002)
        assert error["data"]["uri"] == uri


@pytest.mark.parametrize("era", ERAS)
def test_a_prompt_is_got_by_the_gateways_name(project: Path, era: str) -> None:
    with Client(project, era) as client:
        result = client.request("prompts/get", {"name": "hand__greet", "arguments": {"who": "Ada"}})
        got, resource = (each["content"] for each in result["messages"])
        told = json.loads(got["text"])
        assert (told["name"], told["arguments"]) == ("greet", {"who": "Ada"})
        assert resource["resource"]["uri"] == view("hand", "ui://app/main")
        error = refused(client, "prompts/get", {"name": "hand__greets"})
        assert error["code"] == -32602
        assert "'hand__greet'" in error["data"]["suggestion"]


@pytest.mark.parametrize("era", ERAS)
def test_completion_asks_the_child_about_its_own_names(project: Path, era: str) -> None:
    argument = {"name": "who", "value": "A"}
    with Client(project, era) as client:
        for ours, theirs in (
            ({"type": "ref/prompt", "name": "hand__greet"}, {"type": "ref/prompt", "name": "greet"}),
            ({"type": "ref/resource", "uri": "file:///t/{id}"}, {"type": "ref/resource", "uri": "file:///t/{id}"}),
            ({"type": "ref/resource", "uri": "file:///t/9"}, {"type": "ref/resource", "uri": "file:///t/{id}"}),
        ):
            result = client.request("completion/complete", {"ref": ours, "argument": argument})
            assert json.loads(result["completion"]["values"][0]) == theirs
        error = refused(
            client, "completion/complete", {"ref": {"type": "ref/prompt", "name": "x"}, "argument": argument}
        )
        assert error["code"] == -32602


@pytest.mark.requirement("R046")
@pytest.mark.requirement("R047")
@pytest.mark.requirement("R048")
@pytest.mark.requirement("R049")
@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("milo", [False, True])
def test_a_view_is_read_from_its_owner_under_the_uri_it_was_asked_by(project: Path, era: str, milo: bool) -> None:
    with Client(project, era, APPS) as client:
        listed = [each["uri"] for each in client.request("resources/list")["resources"]]
        for server in ("hand", "other"):
            uri = view(server, "ui://app/main")
            assert uri in listed
            asked = uri.replace("mcpgen-gateway", "milo-gateway") if milo else uri
            (content,) = client.request("resources/read", {"uri": asked})["contents"]
            assert content["uri"] == uri
            assert content["mimeType"] == "text/html;profile=mcp-app"
            assert content["text"].startswith("<!doctype html>")
            assert content["_meta"] == {"ui": {"csp": {"connectDomains": ["https://example.com"]}}}
            read = [each["params"] for each in client.seen(server)["seen"] if each["method"] == "resources/read"]
            assert read[-1]["uri"] == "ui://app/main"


@pytest.mark.requirement("R052")
@pytest.mark.parametrize("era", ERAS)
def test_views_that_cannot_be_shown_say_why(project: Path, era: str) -> None:
    with Client(project, era, APPS) as client:
        for uri in ("ui://app/main", "ui://mcpgen-gateway/nobody/ui%3A%2F%2Fapp", "ui://mcpgen-gateway/hand/%ZZ"):
            error = refused(client, "resources/read", {"uri": uri})
            assert error["data"]["errorCode"] == "M-UI-002"
            assert error["data"]["reason"] == "unknown_gateway_ui_resource"
            assert error["data"]["resourceUri"] == uri
            assert error["code"] == (-32602 if era == "modern" else -32002)
        broken = view("hand", "ui://app/broken")
        error = refused(client, "resources/read", {"uri": broken})
        assert error["message"] == "[M-UI-004] it is broken", "the code is there once"
        assert error["data"] == {
            "reason": "child_refused",
            "errorCode": "M-UI-004",
            "child": "hand",
            "uri": broken,
            "resourceUri": broken,
            "originalResourceUri": "ui://app/broken",
            "childCode": -32603,
        }
    with Client(project, era, {}) as client:
        error = refused(client, "resources/read", {"uri": view("hand", "ui://app/main")})
        assert error["data"]["errorCode"] == "M-UI-003"
        assert (error["data"]["reason"], error["data"]["child"]) == ("ui_extension_not_negotiated", "hand")


@pytest.mark.requirement("R052")
@pytest.mark.parametrize(
    ("command", "reason"),
    [(["/nowhere/at/all"], "cli_unavailable"), (["${python}", "-c", "pass"], "child_disconnected")],
)
def test_a_view_of_a_child_that_does_not_answer_says_which_and_why(tmp_path: Path, command: list, reason: str) -> None:
    project = over(tmp_path / "made", {"hand": hand_made("legacy") | {"command": command}})
    uri = view("hand", "ui://app/main")
    with Client(project, "modern", ALL) as client:
        error = refused(client, "resources/read", {"uri": uri})
        assert error["message"].startswith("[M-UI-004] ")
        assert error["message"].count("[M-") == 1
        data = error["data"]
        assert (data["errorCode"], data["reason"], data["child"]) == ("M-UI-004", reason, "hand")
        assert (data["resourceUri"], data["originalResourceUri"]) == (uri, "ui://app/main")


@pytest.mark.requirement("R045")
def test_views_are_shown_to_clients_that_negotiated_only(project: Path) -> None:
    with Client(project, "legacy", {}) as client:
        assert not [each for each in client.request("resources/list")["resources"] if each["uri"].startswith("ui:")]


@pytest.mark.parametrize("era", ERAS)
def test_a_list_that_was_empty_when_the_gateway_was_built_is_an_empty_list(tmp_path: Path, era: str) -> None:
    nothing: dict = {kind: [] for kind in ("resources", "templates", "prompts", "views")}
    with Client(over(tmp_path / "made", {"hand": hand_made("legacy")}, **nothing), era) as client:
        for method, member in (
            ("resources/list", "resources"),
            ("resources/templates/list", "resourceTemplates"),
            ("prompts/list", "prompts"),
        ):
            assert client.request(method)[member] == []


def test_uris_that_are_rewritten_lead_back(tmp_path: Path) -> None:
    row = hand_made("legacy", uris="hand+")
    call = {"kind": "proxy", "server": "hand"}
    resource = {"definition": {"uri": "hand+file:///a", "name": "a"}, "call": {**call, "original": "file:///a"}}
    template = {
        "definition": {"uriTemplate": "hand+file:///t/{id}", "name": "t"},
        "call": {**call, "original": "file:///t/{id}"},
    }
    project = over(tmp_path / "made", {"hand": row}, resources=[resource], templates=[template])
    with Client(project) as client:
        for uri in ("hand+file:///a", "hand+file:///t/1"):
            (content,) = client.request("resources/read", {"uri": uri})["contents"]
            assert (content["uri"], content["text"]) == (uri, f"text of {uri.removeprefix('hand+')}")
        link = client.call("hand__content")["content"][1]
        assert link["uri"] == "hand+file:///linked"
        (content,) = client.request("resources/read", {"uri": link["uri"]})["contents"]
        assert content["text"] == "text of file:///linked"
