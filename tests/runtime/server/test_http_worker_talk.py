"""What passes between workers and clients: cancellations, questions, changes, tasks of their own, the log."""

from __future__ import annotations

import json
import re
from itertools import pairwise

import pytest

from tests.http_client import HttpServer, call, initialize, modern

from .dying import ask, dying_server, result_of, text, wait_until


@pytest.fixture(scope="module")
def argv(tmp_path_factory):
    return dying_server(tmp_path_factory.mktemp("dying"))


@pytest.fixture(scope="module")
def server(argv):
    with HttpServer(argv, "--workers", "2") as running:
        yield running


# -- what passes


def test_a_call_that_is_cancelled_is_cancelled_in_its_worker(argv):
    with HttpServer(argv, "--workers", "1") as server:
        with server.wire() as wire:
            message, headers = modern(call(1, "talks"), **{"io.modelcontextprotocol/logLevel": "info"})
            wire.send(server.bytes_of(message, headers))
            wire.head()
            assert next(wire.events()).json["params"]["data"] == "begun"
        assert wait_until(lambda: "CANCELLED" in server.stderr)


def test_a_question_of_a_worker_reaches_the_client_and_the_answer_the_worker(server):
    hello = initialize()
    hello["params"]["capabilities"] = {"elicitation": {}}
    session = {"Mcp-Session-Id": server.post(hello).headers["mcp-session-id"]}
    with server.wire() as wire:
        wire.send(server.bytes_of(call(1, "confirms"), session))
        wire.head()
        events = (each.json for each in wire.events() if each.data)
        for approved in (True, False):
            question = next(events)
            assert question["method"] == "elicitation/create"
            name = next(iter(question["params"]["requestedSchema"]["properties"]))
            result = {"action": "accept", "content": {name: approved}}
            assert server.post({"jsonrpc": "2.0", "id": question["id"], "result": result}, session).status == 202
        assert next(events)["result"]["content"][0]["text"] == "True False"


def test_a_replay_is_taken_up_by_any_worker(server):
    capable = {"io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}}
    more = {}
    for approved in (True, False):
        message, headers = modern(call(1, "confirms", {}, **more), **capable)
        assert "M-RUN-004" in text(server.post(call(2, "dies")))
        result = result_of(server.post(message, headers))
        assert result["resultType"] == "input_required"
        ((key, question),) = result["inputRequests"].items()
        name = next(iter(question["params"]["requestedSchema"]["properties"]))
        answer = {"action": "accept", "content": {name: approved}}
        more = {"requestState": result["requestState"], "inputResponses": {key: answer}}
    message, headers = modern(call(1, "confirms", {}, **more), **capable)
    assert text(server.post(message, headers)) == "True False"


def test_a_change_in_a_worker_is_told_to_whoever_listens(server):
    headers = server.session()
    with server.wire() as wire:
        wire.send(server.head("GET", headers={**headers, "Accept": "text/event-stream"}))
        wire.head()
        events = wire.events()
        next(events)
        assert ask(server, "announces") == "told"
        assert next(events).json["method"] == "notifications/tools/list_changed"


@pytest.mark.requirement("R120")
def test_a_tool_that_is_alone_is_alone_across_workers(server):
    wires = [server.wire() for _ in range(4)]
    for number, wire in enumerate(wires):
        wire.send(server.bytes_of(call(number, "alone", {"seconds": 0.1})))
    spans = sorted(json.loads(text(wire.answer())) for wire in wires)
    for wire in wires:
        wire.close()
    assert all(earlier[1] <= later[0] for earlier, later in pairwise(spans))


def test_what_workers_print_goes_to_the_servers_standard_error(argv):
    with HttpServer(argv, "--workers", "1", "--log-format", "json") as server:
        assert "M-RUN-004" in text(server.post(call(1, "dies")))
        server.stop()  # fails if anything came on standard output
        lines = [json.loads(line) for line in server.stderr.splitlines()]
        assert [line["error"] for line in lines if line["msg"] == "call"] == ["M-RUN-004"]
        assert any(re.search("ended with exit status 7", line.get("warning", "")) for line in lines)
