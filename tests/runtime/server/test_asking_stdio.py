"""Questions over standard streams, in both eras, with a process of its own."""

from __future__ import annotations

import contextlib

import pytest

from tests.stdio_client import MODERN, CallFailed, StdioServer

from .asking_server import asking_server

CAPABILITIES = {"elicitation": {}, "roots": {}}
MORE_THAN_THREADS = 40
META = {"io.modelcontextprotocol/clientCapabilities": CAPABILITIES}


@pytest.fixture(scope="module")
def argv(tmp_path_factory):
    return asking_server(tmp_path_factory.mktemp("asking"))


@pytest.fixture
def legacy(argv):
    with StdioServer(argv) as server:
        server.initialize(capabilities=CAPABILITIES)
        yield server


@pytest.fixture
def modern(argv):
    with StdioServer(argv) as server:
        server.era = MODERN
        yield server


def answer(server, request, result=None, **content):
    result = result or {"action": "accept", "content": content}
    server._write({"jsonrpc": "2.0", "id": request["id"], "result": result})


def asked(server, count=1):
    """Wait for requests of the server and return them."""
    while len(server.requests) < count:
        server._take(server.timeout, "a request")
    found = server.requests[:count]
    del server.requests[:count]
    return found


def text(result):
    return result["content"][0]["text"]


@pytest.mark.parametrize("tool", ["greet", "agreet"])
def test_a_legacy_client_is_asked_by_a_request(legacy, tool):
    number = legacy.send("tools/call", {"name": tool, "arguments": {}})
    (request,) = asked(legacy)
    assert request["method"] == "elicitation/create"
    assert isinstance(request["id"], str)
    assert legacy.request("ping") == {}  # the server listens while it waits
    answer(legacy, request, who="Ada")
    assert text(legacy.wait_for(number)) == "hello Ada"


def test_calls_that_wait_for_answers_hold_no_others_up(legacy):
    waiting = [legacy.send("tools/call", {"name": "greet", "arguments": {}}) for _ in range(MORE_THAN_THREADS)]
    requests = asked(legacy, MORE_THAN_THREADS)
    assert text(legacy.call("reads", {"uri": "ask://plain"})).endswith("=text")
    for request in requests:
        answer(legacy, request, who="Ada")
    assert [text(legacy.wait_for(number)) for number in waiting] == ["hello Ada"] * MORE_THAN_THREADS
    assert text(legacy.call("reads", {"uri": "ask://plain"})).endswith("=text")


def test_a_tool_that_ran_on_the_reading_thread_may_ask_later(legacy):
    for _ in range(3):
        assert text(legacy.call("quick", {"ask": False})) == "nobody"
    number = legacy.send("tools/call", {"name": "quick", "arguments": {"ask": True}})
    (request,) = asked(legacy)
    answer(legacy, request, who="Ada")
    assert text(legacy.wait_for(number)) == "hello Ada"


def test_many_calls_wait_beside_each_other(legacy):
    numbers = [legacy.send("tools/call", {"name": tool, "arguments": {}}) for tool in ("greet", "agreet") * 8]
    for count, request in enumerate(asked(legacy, 16)):
        answer(legacy, request, who=str(count))
    assert sorted(text(legacy.wait_for(number)) for number in numbers) == sorted(f"hello {n}" for n in range(16))


def test_questions_asked_at_once_are_answered_in_any_order(legacy):
    number = legacy.send("tools/call", {"name": "both", "arguments": {}})
    first, second = asked(legacy, 2)
    answer(legacy, second, {"roots": [{"uri": "file:///x"}]})
    answer(legacy, first, who="Ada")
    assert text(legacy.wait_for(number)) == "Ada file:///x"


@pytest.mark.parametrize("tool", ["greet", "agreet"])
def test_a_call_that_is_cancelled_while_it_waits_asks_no_more(legacy, tool):
    number = legacy.send("tools/call", {"name": tool, "arguments": {}})
    (request,) = asked(legacy)
    legacy.notify("notifications/cancelled", {"requestId": number})
    while not any(each["method"] == "notifications/cancelled" for each in legacy.notifications):
        legacy._take(legacy.timeout, "the server's cancellation")
    answer(legacy, request, who="late")
    assert legacy.request("ping") == {}
    assert number not in legacy._answers


def test_a_tool_waits_no_longer_than_its_time(legacy):
    number = legacy.send("tools/call", {"name": "impatient", "arguments": {}})
    (request,) = asked(legacy)
    assert text(legacy.wait_for(number)).startswith("[M-RUN-001] impatient timed out")
    answer(legacy, request, who="late")
    assert legacy.request("ping") == {}


def test_a_server_whose_client_leaves_while_it_waits_ends(argv):
    with StdioServer(argv) as server:
        server.initialize(capabilities=CAPABILITIES)
        for tool in ("greet", "agreet"):
            server.send("tools/call", {"name": tool, "arguments": {}})
        asked(server, 2)


def test_a_client_without_the_capability_is_not_asked(argv):
    with StdioServer(argv) as server:
        server.initialize()
        assert text(server.call("greet")).startswith("[M-ASK-001]")
        assert text(server.call("purge", {"days": 1})).startswith("[M-ASK-001] purge was not run")
        assert server.requests == []


def round_trip(server, method, params, **content):
    """Answer whatever is asked until the result is complete; return it and the questions."""
    questions = []
    more = {}
    for _ in range(5):
        result = server.request(method, {**params, **more, "_meta": META})
        if result["resultType"] != "input_required":
            return result, questions
        questions += [(key, request["params"]["message"]) for key, request in result["inputRequests"].items()]
        responses = {
            key: {"action": "accept", "content": {name: content[name] for name in content}}
            for key in result["inputRequests"]
        }
        more = {"inputResponses": responses, "requestState": result["requestState"]}
    raise AssertionError(questions)


@pytest.mark.parametrize("tool", ["greet", "agreet"])
def test_a_modern_client_sends_the_call_again(modern, tool):
    result, questions = round_trip(modern, "tools/call", {"name": tool, "arguments": {}}, who="Ada")
    assert text(result) == "hello Ada"
    assert questions == [("who", "Who?")]
    assert modern.requests == []


def test_prompts_and_resources_may_ask_as_well(modern):
    result, questions = round_trip(
        modern, "prompts/get", {"name": "letter", "arguments": {"to": "Bo"}}, **{"from": "Ada"}
    )
    assert result["messages"][0]["content"]["text"] == "Dear Bo, yours Ada"
    assert questions == [("from", "Who writes?")]
    result, questions = round_trip(modern, "resources/read", {"uri": "ask://who"}, reader="Ada")
    assert result["contents"][0]["text"] == "read by Ada"
    assert "ttlMs" in result
    first = modern.request("resources/read", {"uri": "ask://who", "_meta": META})
    assert "ttlMs" not in first


def test_prompts_and_resources_ask_legacy_clients_too(legacy):
    number = legacy.send("prompts/get", {"name": "letter", "arguments": {"to": "Bo"}})
    (request,) = asked(legacy)
    answer(legacy, request, **{"from": "Ada"})
    assert legacy.wait_for(number)["messages"][0]["content"]["text"] == "Dear Bo, yours Ada"


@pytest.mark.requirement("R030", "R103")
def test_a_confirmation_and_a_repaired_argument(modern):
    result, questions = round_trip(modern, "tools/call", {"name": "purge", "arguments": {"day": 3}}, confirm=True)
    assert text(result) == "purged 3"
    assert questions == [("mcpgen.confirm", "Run Purge (purge)? It may destroy something.\ndays: 3")]


@pytest.mark.parametrize("tool", ["reads", "areads"])
def test_a_tool_reads_resources_of_its_own_server(modern, tool):
    def read(uri):
        return text(modern.request("tools/call", {"name": tool, "arguments": {"uri": uri}, "_meta": META}))

    assert read("ask://plain") == "text/plain=text"
    assert read("ask://bytes/7") == "application/octet-stream=b'\\x00\\x07'"
    assert read("ask://schema").startswith('application/json={"server":')
    assert read("ask://nothing") == "There is no resource ask://nothing"
    assert read("ask://broken").startswith("resource broken failed (id ")
    result, questions = round_trip(modern, "tools/call", {"name": tool, "arguments": {"uri": "ask://who"}}, reader="Bo")
    assert text(result) == "text/plain=read by Bo"
    assert questions == [("reader", "Who reads?")]


def test_each_request_says_anew_what_its_client_can(modern):
    with pytest.raises(CallFailed) as failed:
        modern.call("greet")
    assert failed.value.error["code"] == -32021
    assert failed.value.error["data"] == {"requiredCapabilities": {"elicitation": {"form": {}}}}
    result, _ = round_trip(modern, "tools/call", {"name": "greet", "arguments": {}}, who="Ada")
    assert text(result) == "hello Ada"


def test_replicas_with_the_same_key_take_each_others_state(argv, monkeypatch):
    def both(env):
        with contextlib.ExitStack() as stack:
            first, second = (stack.enter_context(StdioServer(argv, env=env)) for _ in range(2))
            first.era = second.era = MODERN
            params = {"name": "greet", "arguments": {}, "_meta": META}
            state = first.request("tools/call", params)["requestState"]
            responses = {"who": {"action": "accept", "content": {"who": "Ada"}}}
            return second.request("tools/call", {**params, "inputResponses": responses, "requestState": state})

    assert text(both({"MCPGEN_STATE_KEY": "0123456789abcdef" * 4})) == "hello Ada"
    with pytest.raises(CallFailed) as failed:
        both({})
    assert failed.value.error["code"] == -32602
