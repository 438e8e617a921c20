"""What a call is on both sides of a gateway: names, ids, tokens, `_meta`, results and errors, in every pair of eras."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from generator.runtime.gateway.translate_results import renamed
from tests.runtime.gateway.conversing import APPS, MODERN, PROTOCOL, Client, hand_made, over, text_of, view
from tests.stdio_client import CallFailed

if TYPE_CHECKING:
    from pathlib import Path

ERAS = ("legacy", "modern")
PAIRS = [(client, child) for client in ERAS for child in ERAS]
MARKS = {
    "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    "tracestate": "a=b",
    "baggage": "c=d",
    "example.com/mark": {"deep": [1]},
}


@pytest.fixture(scope="module", params=ERAS)
def child_era(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, child_era: str) -> Path:
    return over(tmp_path_factory.mktemp("made") / "gateway", {"hand": hand_made(child_era)})


@pytest.mark.requirement("R113")
@pytest.mark.parametrize("era", ERAS)
def test_a_child_gets_its_own_names_and_an_id_that_is_no_clients(project: Path, child_era: str, era: str) -> None:
    with Client(project, era) as client:
        sent = client.begin("hand__whoami", {"a": 1.5}, _meta={"progressToken": "token", **MARKS})
        result = client.wait_for(sent)
        got = result["structuredContent"]
        assert got["params"]["name"] == "whoami"
        assert got["params"]["arguments"] == {"a": 1.5}
        meta = got["params"]["_meta"]
        assert {name: meta[name] for name in MARKS} == MARKS
        assert meta["progressToken"] == got["id"] != "token"
        assert f"{PROTOCOL}related" not in result["_meta"]
        assert result["_meta"]["example.com/back"] is True
        own = {name for name in meta if name.startswith(PROTOCOL)}
        if child_era == "legacy":
            assert own == set()
        else:
            assert meta[f"{PROTOCOL}protocolVersion"] == MODERN
            assert meta[f"{PROTOCOL}clientInfo"] == {"name": "mcpgen-tests", "version": "1"}
        assert ("resultType" in result) == (era == "modern")
        assert (f"{PROTOCOL}serverInfo" in result["_meta"]) == (era == "modern")
        if era == "modern":
            assert result["_meta"][f"{PROTOCOL}serverInfo"]["name"] == "gateway"


@pytest.mark.requirement("R045")
@pytest.mark.parametrize("era", ERAS)
def test_a_modern_child_is_told_what_its_caller_can_do(tmp_path: Path, era: str) -> None:
    project = over(tmp_path / "made", {"hand": hand_made("modern")})
    said = {"elicitation": {}, "roots": {"listChanged": True}, "experimental": {"x": {}}, **APPS}
    with Client(project, era, said) as client:
        got = client.call("hand__whoami")["structuredContent"]["params"]["_meta"]
        told = got[f"{PROTOCOL}clientCapabilities"]
        if era == "modern":
            assert told == said
        else:
            assert told == {**said, "elicitation": {"form": {}}, "roots": {}}
        (at_start,) = [each for each in client.seen("hand")["seen"] if each["method"] == "server/discover"][:1]
        assert at_start["params"]["_meta"][f"{PROTOCOL}clientInfo"]["name"] == "gateway"


@pytest.mark.requirement("R045")
def test_a_legacy_child_is_told_at_its_start_what_some_caller_may_be_able_to_do(tmp_path: Path) -> None:
    project = over(tmp_path / "made", {"hand": hand_made("legacy")})
    with Client(project, "legacy", {}) as client:
        (start,) = [each for each in client.seen("hand")["seen"] if each["method"] == "initialize"]
        told = start["params"]["capabilities"]
        assert {"elicitation", "sampling", "roots"} <= set(told)
        assert told["extensions"] == APPS["extensions"]


@pytest.mark.requirement("R048")
@pytest.mark.parametrize("era", ERAS)
def test_content_is_as_the_child_made_it_except_for_uris_of_views(project: Path, era: str) -> None:
    with Client(project, era) as client:
        text, link, resource, audio = client.call("hand__content")["content"]
        assert text == {"type": "text", "text": "é", "annotations": {"priority": 1}}
        assert link["uri"] == "file:///linked"
        assert resource["resource"]["uri"] == view("hand", "ui://app/other")
        assert resource["resource"]["mimeType"] == "text/html"
        assert audio == {"type": "audio", "data": "AAAA", "mimeType": "audio/wav"}
        read = client.request("resources/read", {"uri": "file:///linked"})
        assert read["contents"][0]["text"] == "text of file:///linked", "a link in a result can be followed"


def test_a_revision_without_a_kind_of_content_gets_text(project: Path) -> None:
    with Client(project, "legacy", version="2024-11-05") as client:
        content = client.call("hand__content")["content"]
        assert [each["type"] for each in content] == ["text", "text", "resource", "text"]


def test_structured_content_that_is_no_object_is_for_modern_clients_only(project: Path) -> None:
    with Client(project, "modern") as client:
        assert client.call("hand__number")["structuredContent"] == 7
    with Client(project, "legacy") as client:
        result = client.call("hand__number")
        assert "structuredContent" not in result
        assert result["content"][0]["text"] == "7"


@pytest.mark.parametrize("era", ERAS)
def test_errors_name_the_tool_as_the_caller_knows_it(project: Path, era: str) -> None:
    with Client(project, era) as client:
        with pytest.raises(CallFailed) as caught:
            client.call("hand__error")
        assert caught.value.error == {
            "code": -31999,
            "message": "it went wrong",
            "data": {"tool": "hand__error", "more": 1},
        }
        result = client.call("hand__tool_error")
        assert result["isError"] is True
        assert result["errorData"] == {"tool": "hand__tool_error", "errorCode": "M-INP-004"}
        assert result["_meta"]["mcpgen/error"] == {"tool": "hand__tool_error", "code": "M-INP-004"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("add was not run: it was called too often.", "w__add was not run: it was called too often."),
        ("[M-RUN-001] add timed out: add more time.", "[M-RUN-001] w__add timed out: add more time."),
        ("2 problems with the arguments of add:\n- add it", "2 problems with the arguments of w__add:\n- add it"),
        ("[M-RUN-001] addition failed: add", "[M-RUN-001] addition failed: add"),
        ("a list\nadd was not run", "a list\nadd was not run"),
    ],
)
def test_a_name_is_replaced_only_where_our_own_servers_say_it(text: str, expected: str) -> None:
    assert renamed(text, "add", "w__add") == expected


@pytest.mark.parametrize("code", [-32020, -32022, -32004])
def test_an_error_about_the_gateways_own_hop_is_not_blamed_on_the_client(project: Path, code: int) -> None:
    with Client(project, "modern") as client, pytest.raises(CallFailed) as caught:
        client.call("hand__error", {"code": code})
    assert caught.value.error["code"] == -32603
    assert caught.value.error["data"] == {"child": "hand", "childCode": code}
    assert "'hand'" in caught.value.error["message"]


def test_a_missing_capability_is_told_as_the_callers_revision_tells_it(project: Path) -> None:
    with Client(project, "modern", {}) as client, pytest.raises(CallFailed) as caught:
        client.call("hand__needs_sampling")
    assert caught.value.error["code"] == -32021
    assert caught.value.error["data"] == {"requiredCapabilities": {"sampling": {}}}
    with Client(project, "legacy", {}) as client:
        result = client.call("hand__needs_sampling")
        assert result["isError"] is True
        assert result["_meta"]["mcpgen/error"]["code"] == "M-ASK-001"


@pytest.mark.parametrize("era", ERAS)
def test_progress_comes_under_the_callers_token_and_the_log_at_its_level(project: Path, era: str) -> None:
    with Client(project, era) as client:
        level = {f"{PROTOCOL}logLevel": "error"} if era == "modern" else {}
        if era == "legacy":
            client.request("logging/setLevel", {"level": "error"})
        sent = client.begin("hand__progress", _meta={"progressToken": "mine", **level})
        assert text_of(client.wait_for(sent)) is True
        progress = [each["params"] for each in client.notifications if each["method"] == "notifications/progress"]
        assert [(each["progressToken"], each["progress"], each["total"], each["message"]) for each in progress] == [
            ("mine", 1, 2, "step 1"),
            ("mine", 2, 2, "step 2"),
        ]
        logged = [each["params"] for each in client.notifications if each["method"] == "notifications/message"]
        assert logged == [{"level": "error", "logger": "hand", "data": {"at": "error"}}]
        client.notifications.clear()
        assert text_of(client.call("hand__progress")) is False, "no token, no progress"
        assert [each for each in client.notifications if each["method"] == "notifications/progress"] == []


def test_a_legacy_child_is_told_when_a_caller_wants_to_hear_more(tmp_path: Path) -> None:
    project = over(tmp_path / "made", {"hand": hand_made("legacy")})
    with Client(project, "modern") as client:
        client.call("hand__number")
        client.wait_for(client.begin("hand__progress", _meta={f"{PROTOCOL}logLevel": "debug"}))
        client.wait_for(client.begin("hand__progress", _meta={f"{PROTOCOL}logLevel": "warning"}))
        asked = [each["params"] for each in client.seen("hand")["seen"] if each["method"] == "logging/setLevel"]
        assert asked == [{"level": "debug"}]
        logged = [each["params"]["level"] for each in client.notifications if each["method"] == "notifications/message"]
        assert logged == ["debug", "error", "error"]


@pytest.mark.parametrize("era", ERAS)
def test_a_cancelled_call_is_cancelled_in_the_child(project: Path, era: str) -> None:
    with Client(project, era) as client:
        client.call("hand__number")
        sent = client.begin("hand__slow")
        client._asked.discard(sent)
        client.notify("notifications/cancelled", {"requestId": sent, "reason": "changed my mind"})
        told = client.until_seen(
            "hand", lambda seen: [each for each in seen["seen"] if each["method"] == "notifications/cancelled"]
        )
        slow = [each for each in client.seen("hand")["seen"] if each["params"].get("name") == "slow"]
        assert len(slow) == len(told) == 1
        assert type(told[0]["params"]["requestId"]) is int


@pytest.mark.parametrize("limit", [0.8, 0.21])
def test_a_call_has_more_time_while_its_child_says_how_far_it_is_but_not_for_ever(
    tmp_path: Path, child_era: str, limit: float
) -> None:
    row = hand_made(child_era, limits={"timeout": limit})
    with Client(over(tmp_path / "made", {"hand": row})) as client:
        told = client.wait_for(client.begin("hand__steady", _meta={"progressToken": 1}))
        if limit > 0.5:
            assert text_of(told) == "done"
        else:
            assert told["_meta"]["mcpgen/error"]["reason"] == "child_timeout"


def test_a_result_of_an_unknown_kind_is_no_result(tmp_path: Path) -> None:
    project = over(tmp_path / "made", {"hand": hand_made("modern")})
    with Client(project, "modern") as client:
        result = client.call("hand__strange")
        assert result["isError"] is True
        facts = result["_meta"]["mcpgen/error"]
        assert (facts["reason"], facts["child"]) == ("child_parse_error", "hand")


@pytest.mark.parametrize("era", ERAS)
def test_arguments_that_are_no_object_are_refused_before_any_child_is_asked(project: Path, era: str) -> None:
    with Client(project, era) as client:
        with pytest.raises(CallFailed) as caught:
            client.request("tools/call", {"name": "hand__whoami", "arguments": "no JSON"})
        assert caught.value.error["code"] == -32602
        got = client.request("tools/call", {"name": "hand__whoami", "arguments": '{"a": 1}'})
        assert got["structuredContent"]["params"]["arguments"] == {"a": 1}
