"""Questions over HTTP: on the stream of a POST with answers in POSTs of their own, or as rounds of requests."""

from __future__ import annotations

import pytest

from tests.http_client import LEGACY, HttpServer, call, initialize, modern

from .asking_server import asking_server
from .http_behaviour import bearer, tokens_file

CAPABILITIES = {"elicitation": {}, "roots": {}}
ABLE = {"io.modelcontextprotocol/clientCapabilities": CAPABILITIES}
TOOLS = pytest.mark.parametrize("tool", ["greet", "agreet"])


@pytest.fixture(scope="module")
def argv(tmp_path_factory):
    return asking_server(tmp_path_factory.mktemp("asking"))


@pytest.fixture(scope="module", params=[(), ("--workers", "2")], ids=["one process", "workers"])
def server(argv, request):
    with HttpServer(argv, *request.param) as running:
        yield running


def session(server, capabilities=CAPABILITIES, headers=None):
    message = initialize()
    message["params"]["capabilities"] = capabilities
    answer = server.post(message, headers)
    return {"Mcp-Session-Id": answer.headers["mcp-session-id"], "MCP-Protocol-Version": LEGACY, **(headers or {})}


def answer_to(request, **content):
    result = {"action": "accept", "content": content}
    return {"jsonrpc": "2.0", "id": request["id"], "result": result}


def messages(wire):
    """Yield the messages of a stream."""
    assert wire.head().headers["content-type"] == "text/event-stream"
    for event in wire.events():
        if event.data:
            yield event.json


@TOOLS
def test_a_question_comes_on_the_calls_stream_and_its_answer_in_a_post(server, tool):
    headers = session(server)
    with server.wire() as wire:
        wire.send(server.bytes_of(call(1, tool), headers))
        said = messages(wire)
        request = next(said)
        assert request["method"] == "elicitation/create"
        accepted = server.post(answer_to(request, who="Ada"), headers)
        assert (accepted.status, accepted.body) == (202, b"")
        assert next(said)["result"]["content"][0]["text"] == "hello Ada"
        assert next(said, None) is None
    assert server.post(answer_to(request, who="again"), headers).status == 202


@TOOLS
def test_an_answer_in_another_session_is_accepted_and_goes_nowhere(server, tool):
    headers, other = session(server), session(server)
    with server.wire() as wire:
        wire.send(server.bytes_of(call(1, tool), headers))
        said = messages(wire)
        request = next(said)
        assert server.post(answer_to(request, who="Eve"), other).status == 202
        assert server.post(answer_to(request, who="Eve")).status == 202
        server.post(answer_to(request, who="Ada"), headers)
        assert next(said)["result"]["content"][0]["text"] == "hello Ada"


@TOOLS
def test_without_a_session_nobody_can_be_asked(server, tool):
    answer = server.post(call(1, tool))
    assert answer.json["result"]["isError"]
    assert answer.json["result"]["content"][0]["text"].startswith("[M-ASK-002] The client cannot be asked")


def test_a_client_that_reads_no_stream_cannot_be_asked(server):
    headers = {**session(server), "Accept": "application/json"}
    answer = server.post(call(1, "greet"), headers)
    assert answer.json["result"]["content"][0]["text"].startswith("[M-ASK-002]")


@TOOLS
def test_a_client_that_lost_its_stream_finds_the_question_when_it_resumes(server, tool):
    headers = session(server)
    with server.wire() as wire:
        wire.send(server.bytes_of(call(1, tool), headers))
        wire.head()
        events = wire.events()
        first, question = next(events), next(events)
        assert question.json["method"] == "elicitation/create"
    with server.wire() as wire:
        wire.send(server.head("GET", headers={**headers, "Accept": "text/event-stream", "Last-Event-ID": first.id}))
        said = messages(wire)
        request = next(each for each in said if each.get("method") == "elicitation/create")
        server.post(answer_to(request, who="Ada"), headers)
        assert next(each for each in said if "result" in each)["result"]["content"][0]["text"] == "hello Ada"


@TOOLS
def test_a_session_that_ends_while_a_call_waits_ends_the_call(server, tool):
    headers = session(server)
    with server.wire() as wire:
        wire.send(server.bytes_of(call(1, tool), headers))
        said = messages(wire)
        next(said)
        assert server.get("/mcp", headers, method="DELETE").status == 200
        assert [each for each in said if "id" in each] == []
    fresh = session(server)
    assert server.post(call(1, "quick", {"ask": False}), fresh).status == 200


def test_a_call_that_waits_is_cancelled_by_a_notification(server):
    headers = session(server)
    with server.wire() as wire:
        wire.send(server.bytes_of(call(7, "agreet"), headers))
        said = messages(wire)
        next(said)
        notification = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}
        assert server.post(notification, headers).status == 202
        assert [each for each in said if "result" in each or "error" in each] == []


def test_a_tool_waits_no_longer_than_its_time(server):
    headers = session(server)
    with server.wire() as wire:
        wire.send(server.bytes_of(call(1, "impatient"), headers))
        said = messages(wire)
        next(said)
        assert next(said)["result"]["content"][0]["text"].startswith("[M-RUN-001]")


def post_modern(server, message, headers=None, **meta):
    sent, own = modern(message, **{**ABLE, **meta})
    return server.post(sent, {**own, **(headers or {})})


@TOOLS
def test_a_modern_client_sends_the_call_again(server, tool):
    asked = post_modern(server, call(1, tool))
    assert (asked.status, asked.headers["content-type"]) == (200, "application/json")
    result = asked.json["result"]
    assert result["resultType"] == "input_required"
    responses = {"who": {"action": "accept", "content": {"who": "Ada"}}}
    more = {"inputResponses": responses, "requestState": result["requestState"]}
    done = post_modern(server, call(2, tool, **more))
    assert done.json["result"]["content"][0]["text"] == "hello Ada"
    tampered = post_modern(server, call(3, tool, **{**more, "requestState": result["requestState"] + "A"}))
    assert (tampered.status, tampered.code, tampered.json["id"]) == (400, -32602, 3)


@TOOLS
def test_a_missing_capability_is_an_error_with_status_400(server, tool):
    answer = post_modern(server, call(4, tool), **{"io.modelcontextprotocol/clientCapabilities": {"roots": {}}})
    assert (answer.status, answer.code, answer.json["id"]) == (400, -32021, 4)
    assert answer.json["error"]["data"] == {"requiredCapabilities": {"elicitation": {"form": {}}}}


def test_a_modern_response_in_a_post_is_no_request(server):
    message = {"jsonrpc": "2.0", "id": "mcpgen-1", "result": {"action": "accept"}}
    answer = server.post(message, {"MCP-Protocol-Version": "2026-07-28"})
    assert (answer.status, answer.code) == (400, -32600)


def test_one_principals_state_is_nothing_to_another(argv, tmp_path):
    with HttpServer(argv, "--tokens", tokens_file(tmp_path)) as server:
        asked = post_modern(server, call(1, "greet"), bearer("reader")).json["result"]
        responses = {"who": {"action": "accept", "content": {"who": "Ada"}}}
        more = {"inputResponses": responses, "requestState": asked["requestState"]}
        foreign = post_modern(server, call(2, "greet", **more), bearer("writer"))
        assert (foreign.status, foreign.code) == (400, -32602)
        own = post_modern(server, call(3, "greet", **more), bearer("reader"))
        assert own.json["result"]["content"][0]["text"] == "hello Ada"


def test_a_server_that_is_stopped_while_calls_wait_ends(argv):
    with HttpServer(argv) as server:
        headers = session(server)
        with server.wire() as wire:
            wire.send(server.bytes_of(call(1, "greet"), headers))
            said = messages(wire)
            next(said)
            status, seconds = server.stop()
    assert status == 143
    assert seconds < 10
