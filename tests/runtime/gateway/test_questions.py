"""Elicitation, sampling and roots through a gateway, in every pair of eras."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from generator.runtime.gateway.held import HELD_SECONDS, MAX_HELD, MAX_HELD_EACH, Held
from generator.runtime.gateway.usable_questions import question_fault
from tests.http_client import HttpServer, call, modern
from tests.runtime.gateway.conversing import ALL, ASKABLE, Client, hand_made, over, text_of, view
from tests.runtime.gateway.hand_made import FORM
from tests.stdio_client import CallFailed, stub

if TYPE_CHECKING:
    from pathlib import Path

ERAS = ("legacy", "modern")
YES = {"action": "accept", "content": {"name": "Ada"}}


@pytest.fixture(scope="module", params=ERAS)
def child_era(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, child_era: str) -> Path:
    return over(
        tmp_path_factory.mktemp("made") / "gateway", {"hand": hand_made(child_era), "other": hand_made(child_era)}
    )


# -- a legacy client


def test_a_legacy_client_is_asked_on_the_stream_of_its_call(project: Path) -> None:
    with Client(project) as client:
        sent = client.begin("hand__ask")
        question = client.question()
        assert question["method"] == "elicitation/create"
        assert question["params"]["message"] == "Who?"
        assert type(question["id"]) is str
        assert question["params"].get("_meta") in (None, {"example.com/q": 1})
        client.reply(question, YES)
        assert list(text_of(client.wait_for(sent)).values()) == [YES]


def test_a_legacy_client_is_asked_for_words_and_for_roots(project: Path) -> None:
    with Client(project) as client:
        sent = client.begin("hand__sample")
        question = client.question()
        assert question["method"] == "sampling/createMessage"
        (used,) = question["params"]["messages"][0]["content"]["content"]
        assert used["resource"]["uri"] == view("hand", "ui://app/main")
        said = {"role": "assistant", "content": {"type": "text", "text": "word"}, "model": "m"}
        client.reply(question, said)
        assert text_of(client.wait_for(sent)) == {"word": said}
        sent = client.begin("hand__roots")
        question = client.question()
        assert question["method"] == "roots/list"
        client.reply(question, {"roots": [{"uri": "file:///home"}]})
        assert text_of(client.wait_for(sent)) == {"roots": {"roots": [{"uri": "file:///home"}]}}


def test_a_legacy_client_gets_an_elicitation_by_url_with_an_id_of_the_gateway(project: Path, child_era: str) -> None:
    with Client(project) as client:
        sent = client.begin("hand__ask_url")
        question = client.question()
        assert question["params"]["url"] == "https://example.com/"
        assert question["params"]["elicitationId"] == question["id"] != "own-id"
        if child_era == "legacy":
            assert client.told("notifications/elicitation/complete") == {"elicitationId": question["id"]}
        client.reply(question, {"action": "accept"})
        assert text_of(client.wait_for(sent)) == {"there": {"action": "accept"}}


def test_two_questions_at_once_are_both_answered(project: Path) -> None:
    with Client(project) as client:
        sent = client.begin("hand__ask_two")
        questions = [client.question(), client.question()]
        for number, question in enumerate(reversed(questions)):
            client.reply(question, {"action": "accept", "content": {"name": str(number)}})
        got = text_of(client.wait_for(sent))
        assert sorted(each["content"]["name"] for each in got.values()) == ["0", "1"]


def test_what_a_legacy_client_refuses_is_no_answer(project: Path, child_era: str) -> None:
    with Client(project) as client:
        sent = client.begin("hand__ask")
        client.reply(client.question(), error={"code": -1, "message": "not now"})
        result = client.wait_for(sent)
        if child_era == "legacy":
            assert text_of(result) == {"who": {"error": {"code": -1, "message": "not now"}}}
        else:
            assert result["isError"] is True
            assert "not now" in result["content"][0]["text"]


def test_a_legacy_client_is_not_asked_for_what_it_cannot(project: Path, child_era: str) -> None:
    with Client(project, "legacy", {}) as client:
        result = client.call("hand__ask")
        if child_era == "legacy":
            assert text_of(result)["who"]["error"]["code"] == -32601
        else:
            assert result["isError"] is True
        assert client.requests == []


def test_a_question_is_taken_back_when_the_call_is_cancelled(project: Path) -> None:
    with Client(project) as client:
        sent = client.begin("hand__ask")
        question = client.question()
        client._asked.discard(sent)
        client.notify("notifications/cancelled", {"requestId": sent})
        assert client.told("notifications/cancelled")["requestId"] == question["id"]
        client.reply(question, YES)
        assert client.call("hand__number")["content"][0]["text"] == "7"


@pytest.mark.parametrize("rounds", [1, 3])
def test_a_modern_childs_rounds_are_questions_to_a_legacy_client(tmp_path: Path, rounds: int) -> None:
    project = over(tmp_path / "made", {"hand": hand_made("modern")})
    with Client(project) as client:
        sent = client.begin("hand__rounds", {"rounds": rounds})
        for number in range(rounds):
            question = client.question()
            assert question["params"]["message"] == f"Round {number}?"
            client.reply(question, YES)
        assert text_of(client.wait_for(sent)) == {"rounds": rounds, "last": {f"round{rounds - 1}": YES}}


def test_a_child_without_an_end_of_rounds_is_given_up(tmp_path: Path) -> None:
    project = over(tmp_path / "made", {"hand": hand_made("modern")})
    with Client(project) as client:
        sent = client.begin("hand__rounds", {"rounds": 1_000})
        asked = 0
        while sent not in client._answers:
            client.until(lambda: True if client.requests or sent in client._answers else None, "a question")
            if client.requests:
                client.reply(client.question(), YES)
                asked += 1
        result = client.wait_for(sent)
        assert result["isError"] is True
        assert asked == 32


# -- a modern client


def again(client: Client, name: str, first: dict, responses: dict, **more: object) -> dict:
    """Send a call again with answers and return its result."""
    state = {"requestState": first["requestState"]} if "requestState" in first else {}
    return client.wait_for(client.begin(name, inputResponses=responses, **state, **more))


def test_a_modern_client_gets_an_input_required_result_and_comes_back(project: Path) -> None:
    with Client(project, "modern") as client:
        first = client.call("hand__ask")
        assert first["resultType"] == "input_required"
        ((key, question),) = first["inputRequests"].items()
        assert question["method"] == "elicitation/create"
        assert question["params"]["message"] == "Who?"
        assert "progressToken" not in json.dumps(question)
        assert first["requestState"] != "kept", "a child's state never goes out bare"
        done = again(client, "hand__ask", first, {key: YES})
        assert list(text_of(done).values()) == [YES]
        assert client.requests == []


def test_an_elicitation_by_url_has_no_id_in_the_modern_era(project: Path) -> None:
    with Client(project, "modern") as client:
        first = client.call("hand__ask_url")
        ((key, question),) = first["inputRequests"].items()
        assert question["params"] == {"message": "Go there", "mode": "url", "url": "https://example.com/"}
        assert text_of(again(client, "hand__ask_url", first, {key: {"action": "cancel"}})) == {
            "there": {"action": "cancel"}
        }


def test_two_questions_of_a_modern_client_are_answered_in_as_many_rounds_as_it_takes(project: Path) -> None:
    with Client(project, "modern") as client:
        result, seen = client.call("hand__ask_two"), set()
        for _ in range(3):
            if result["resultType"] != "input_required":
                break
            seen |= set(result["inputRequests"])
            result = again(client, "hand__ask_two", result, dict.fromkeys(result["inputRequests"], YES))
        assert set(text_of(result)) == {"one", "two"}
        assert len(seen) == 2


def test_questions_asked_at_the_same_time_are_put_together(project: Path) -> None:
    with Client(project, "modern") as client:
        first = client.call("hand__ask_two")
        assert len(first["inputRequests"]) == 2
        half = dict.fromkeys([*first["inputRequests"]][:1], YES)
        second = again(client, "hand__ask_two", first, half)
        assert second["resultType"] == "input_required"
        assert len(second["inputRequests"]) >= 1


def test_an_answer_left_out_is_asked_for_again(project: Path) -> None:
    with Client(project, "modern") as client:
        first = client.call("hand__ask")
        second = again(client, "hand__ask", first, {"strange": YES})
        assert second["resultType"] == "input_required"
        (key,) = second["inputRequests"]
        assert list(text_of(again(client, "hand__ask", second, {key: YES})).values()) == [YES]


@pytest.mark.parametrize("change", ["tampered", "arguments", "other tool", "other child", "shape"])
def test_a_state_is_good_for_the_request_it_was_given_for_only(project: Path, change: str) -> None:
    with Client(project, "modern") as client:
        first = client.call("hand__ask")
        (key,) = first["inputRequests"]
        name, more, responses = "hand__ask", {}, {key: YES}
        if change == "tampered":
            first["requestState"] += "A"
        elif change == "arguments":
            more = {"arguments": {"x": 1}}
        elif change == "other tool":
            name = "hand__sample"
        elif change == "other child":
            name = "other__ask"
        else:
            responses = {key: [1]}
        sent = client.send(
            "tools/call",
            {"name": name, "arguments": {}, "inputResponses": responses, "requestState": first["requestState"], **more},
        )
        with pytest.raises(CallFailed) as caught:
            client.wait_for(sent)
        assert caught.value.error["code"] == -32602


def test_a_modern_client_is_not_asked_for_what_it_did_not_declare(tmp_path: Path) -> None:
    project = over(tmp_path / "made", {"hand": hand_made("legacy")})
    with Client(project, "modern", {"elicitation": {}}) as client:
        assert text_of(client.call("hand__sample"))["word"]["error"]["code"] == -32601
        assert client.call("hand__ask")["resultType"] == "input_required"


def test_the_error_that_wants_a_page_visited_first_is_a_question_in_the_modern_era(tmp_path: Path) -> None:
    project = over(tmp_path / "made", {"hand": hand_made("legacy")})
    with Client(project, "modern") as client:
        first = client.call("hand__url_first")
        ((key, question),) = first["inputRequests"].items()
        assert question["params"] == {"message": "Go there", "mode": "url", "url": "https://example.com/"}
        assert text_of(again(client, "hand__url_first", first, {key: {"action": "accept"}})) == "visited"
    with Client(project, "modern", {"elicitation": {}}) as client, pytest.raises(CallFailed) as caught:
        client.call("hand__url_first")
    assert caught.value.error["code"] == -32021
    with Client(project, "legacy") as client, pytest.raises(CallFailed) as caught:
        client.call("hand__url_first")
    assert caught.value.error["code"] == -32042


# -- calls of legacy children that are held


@pytest.fixture
def legacy(tmp_path: Path) -> Path:
    return over(tmp_path / "legacy", {"hand": hand_made("legacy")})


def test_a_held_calls_state_serves_once(legacy: Path) -> None:
    with Client(legacy, "modern") as client:
        first = client.call("hand__ask")
        (key,) = first["inputRequests"]
        again(client, "hand__ask", first, {key: YES})
        with pytest.raises(CallFailed) as caught:
            again(client, "hand__ask", first, {key: YES})
        assert caught.value.error["code"] == -32602


def test_a_child_that_did_not_wait_has_its_answer_kept_for_the_caller(legacy: Path) -> None:
    with Client(legacy, "modern") as client:
        first = client.call("hand__ask_and_go_on")
        assert first["resultType"] == "input_required"
        client.call("hand__number")
        assert text_of(again(client, "hand__ask_and_go_on", first, dict.fromkeys(first["inputRequests"], YES))) == (
            "went on"
        )


def test_the_answer_of_a_child_that_ended_meanwhile_is_that_it_ended(legacy: Path) -> None:
    with Client(legacy, "modern") as client:
        first = client.call("hand__ask")
        assert client.call("hand__end")["isError"] is True
        result = again(client, "hand__ask", first, dict.fromkeys(first["inputRequests"], YES))
        assert result["isError"] is True
        assert result["_meta"]["mcpgen/error"]["reason"] == "child_disconnected"


def test_a_question_that_may_be_anothers_is_shown_to_nobody(legacy: Path) -> None:
    declared = {"io.modelcontextprotocol/clientCapabilities": ASKABLE}
    with HttpServer(stub(legacy, "python3")) as server, server.wire() as wire:
        message, headers = modern(call(1, "hand__slow"), **declared)
        wire.send(server.bytes_of(message, headers))
        # A call that is known to be under way once a later one was answered: the child reads in order.
        message, headers = modern(call(2, "hand__number"), **declared)
        assert server.post(message, headers).json["result"]["content"][0]["text"] == "7"
        message, headers = modern(call(3, "hand__ask"), **declared)
        got = json.loads(server.post(message, headers).json["result"]["content"][0]["text"])
        assert got["who"]["error"]["code"] == -32603
        assert "several callers" in got["who"]["error"]["message"]
    assert "asked elicitation/create, and was refused" in server.stderr


def test_a_question_without_any_call_is_refused(legacy: Path) -> None:
    with Client(legacy) as client:
        client.request("resources/subscribe", {"uri": "file:///t/ask"})
        client.until_noted("asked elicitation/create, and was refused: no call is under way")
        (said,) = client.until_seen("hand", lambda seen: [each for each in seen["seen"] if each["method"] == "said"])
        assert said["params"]["error"]["code"] == -32603
        assert client.requests == []


def test_a_held_call_is_given_up_when_nobody_comes_back() -> None:
    given_up: list[int] = []

    class Waiting:
        def expire(self) -> None:
            given_up.append(1)

    held = Held()
    handle, number = held.keep("", Waiting(), "ada", 100.0)
    assert held.sweep(100.0) == 100.0 + HELD_SECONDS
    assert held.take(handle, number, "bob") is None, "another principal"
    assert held.sweep(100.0 + HELD_SECONDS) is None
    assert given_up == [1]
    assert held.take(handle, number, "ada") is None


def test_the_number_of_held_calls_is_bounded_in_all_and_for_each_principal() -> None:
    held = Held()
    passages = [held.keep("", None, "ada", 0.0) for _ in range(MAX_HELD_EACH + 1)]
    assert passages[-1] is None
    others = [held.keep("", None, f"p{n}", 0.0) for n in range(MAX_HELD)]
    assert sum(each is not None for each in [*passages, *others]) == MAX_HELD == len(held)
    handle, number = passages[0]
    assert held.keep(handle, None, "ada", 0.0) == (handle, number + 1), "what is held already may go on"
    assert held.take(handle, number, "ada") is None, "a state of an earlier round"


def test_half_of_a_childs_places_are_not_held_for_people(tmp_path: Path) -> None:
    project = over(tmp_path / "made", {"hand": hand_made("legacy", limits={"max_concurrent": 2})})
    with Client(project, "modern", ALL) as client:
        assert client.call("hand__ask")["resultType"] == "input_required"
        refused = text_of(client.call("hand__ask"))
        assert "Too many calls wait" in refused["who"]["error"]["message"]
        assert client.call("hand__whoami")["structuredContent"]["params"]["name"] == "whoami"


def test_tasks_of_the_extension_are_not_offered_to_legacy_clients(tmp_path: Path) -> None:
    project = over(tmp_path / "made", {"hand": hand_made("modern")})
    with Client(project, "legacy", ALL) as client:
        assert text_of(client.call("hand__job")) == "done at once"


@pytest.mark.parametrize(
    ("method", "params", "said"),
    [
        ("elicitation/create", None, "it has no params"),
        ("elicitation/create", {"message": 5, "requestedSchema": FORM}, "it has no text as its message"),
        ("elicitation/create", {"message": "Who?", "mode": "phone"}, "its mode is unknown"),
        ("elicitation/create", {"message": "Who?", "mode": "url"}, "it has no url"),
        ("elicitation/create", {"message": "Who?", "requestedSchema": {"type": "array"}}, "that of no object"),
        (
            "sampling/createMessage",
            {"messages": [{"role": "user", "content": {"type": "text"}}], "maxTokens": 1},
            "text",
        ),
        ("sampling/createMessage", {"messages": [], "maxTokens": "all"}, "no whole number as its maxTokens"),
        ("sampling/createMessage", {"messages": [], "maxTokens": 1, "systemPrompt": 5}, "as its systemPrompt"),
        ("sampling/createMessage", {"messages": [], "maxTokens": 1, "metadata": {"a": 1e400}}, "that is too large"),
    ],
)
def test_what_no_client_can_be_asked_is_no_question(method: str, params: object, said: str) -> None:
    assert said in question_fault(method, params)


def test_a_question_with_all_that_clients_know_is_one() -> None:
    block = {"type": "text", "text": "a", "annotations": {"priority": 1}}
    used = {"type": "tool_use", "id": "1", "name": "t", "input": {}}
    messages = [{"role": "user", "content": block}, {"role": "assistant", "content": [used, block]}]
    sampling = {"messages": messages, "maxTokens": 1, "modelPreferences": {"hints": [{"name": "a"}]}, "x": 1}
    assert question_fault("sampling/createMessage", sampling) == ""
    assert question_fault("elicitation/create", {"message": "Who?", "requestedSchema": FORM}) == ""
    assert question_fault("roots/list", None) == ""
