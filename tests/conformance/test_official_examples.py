"""The 129 example messages of the specification of 2026-07-28, with a server that has what they ask for.

What a client sends is sent: requests are answered by a result, notifications met with silence. What a server sends to
clients is no request to one. Everything is one of its type, and comes out of our reader and writer as it went in.
"""

from __future__ import annotations

import json
import sys

import pytest

from generator.runtime.wire import jsonrpc
from tests import official_schema as official
from tests.command import ROOT, built
from tests.http_client import MODERN, HttpServer, modern
from tests.security.wire import exchange
from tests.stdio_client import StdioServer, stub

PLACE = official.SPECIFICATION / MODERN / "examples"
EXAMPLES = sorted(PLACE.glob("*/*.json"))
IDS = [f"{path.parent.name}/{path.stem}" for path in EXAMPLES]
OURS = ("CreateMessageRequest", "ElicitRequest", "ListRootsRequest")
"""Requests that only servers send."""

REQUESTS = [p for p in EXAMPLES if p.parent.name.endswith("Request") and p.parent.name not in OURS]
NOTIFICATIONS = [p for p in EXAMPLES if p.parent.name.endswith("Notification")]

pytestmark = pytest.mark.skipif(not official.is_there(), reason="needs the official examples of the `shared` folder")


def message(path) -> dict:
    return json.loads(path.read_bytes())


@pytest.fixture(scope="module")
def argv(tmp_path_factory):
    source = ROOT / "tests" / "conformance" / "example_server.py"
    return stub(built(tmp_path_factory.mktemp("examples"), "examples", source), sys.executable)


@pytest.fixture(scope="module")
def http(argv):
    with HttpServer(argv) as server:
        yield server


def test_all_examples_are_looked_at():
    assert len(EXAMPLES) == 129
    assert (len(REQUESTS), len(NOTIFICATIONS)) == (10, 8)


@pytest.mark.parametrize("path", EXAMPLES, ids=IDS)
def test_an_example_is_of_its_type_and_comes_out_as_it_went_in(path):
    found = jsonrpc.parse(path.read_bytes())
    assert official.problems(MODERN, path.parent.name, found) == []
    assert jsonrpc.parse(jsonrpc.encode(found)) == found == message(path)
    assert jsonrpc.parse(jsonrpc.text(found).encode()) == found


def answer_is_right(path, answer: dict) -> None:
    method = message(path)["method"]
    name = official.RESULTS[method]
    assert official.problems(MODERN, name, answer["result"]) == []
    assert answer["id"] == message(path)["id"]
    whole = f"{name}Response"
    assert official.problems(MODERN, whole, answer) == []


@pytest.mark.parametrize("path", REQUESTS, ids=lambda path: path.stem)
def test_a_request_over_pipes_is_answered_by_a_result(argv, path):
    if path.parent.name == "SubscriptionsListenRequest":
        with StdioServer(argv) as server:
            server.discover()
            asked = message(path)["params"]["notifications"]
            server.send("subscriptions/listen", {"notifications": asked})
            server.call("get_weather", {"location": "Oslo"})
            methods = [each["method"] for each in server.notifications]
            assert methods[0] == "notifications/subscriptions/acknowledged"
            assert {"notifications/tools/list_changed", "notifications/resources/updated"} <= set(methods)
        return
    said = exchange(argv, json.dumps(message(path)).encode() + b"\n")
    answer_is_right(path, {"jsonrpc": "2.0", **said.the(message(path)["id"])})


@pytest.mark.parametrize("path", REQUESTS, ids=lambda path: path.stem)
def test_a_request_over_http_is_answered_by_a_result(http, path):
    sent, headers = modern(message(path), **message(path)["params"]["_meta"])
    with http.wire() as wire:
        wire.send(http.bytes_of(sent, headers))
        if path.parent.name == "SubscriptionsListenRequest":
            assert wire.head().headers["content-type"] == "text/event-stream"
            first = next(event for event in wire.events() if event.data)
            assert first.json["method"] == "notifications/subscriptions/acknowledged"
            assert first.json["params"]["notifications"] == sent["params"]["notifications"]
            return
        answer = wire.answer()
    assert answer.status == 200
    answer_is_right(path, answer.json)


@pytest.mark.parametrize("name", OURS)
def test_what_only_servers_ask_is_no_method_of_one(argv, http, name):
    (path,) = PLACE.glob(f"{name}/*.json")
    asked = {"jsonrpc": "2.0", "id": "asked", **message(path)}
    asked["params"] = {**asked.get("params", {}), "_meta": modern(asked)[0]["params"]["_meta"]}
    assert exchange(argv, json.dumps(asked).encode() + b"\n").code(asked["id"]) == jsonrpc.METHOD_NOT_FOUND
    answer = http.post(*modern(asked))
    assert (answer.status, answer.code) == (404, jsonrpc.METHOD_NOT_FOUND)


@pytest.mark.parametrize("path", NOTIFICATIONS, ids=lambda path: path.stem)
def test_a_notification_is_accepted_in_silence(argv, http, path):
    said = exchange(argv, json.dumps(message(path)).encode() + b"\n")
    assert (said.answers, said.nameless, said.notifications) == ({}, [], [])
    for headers in ({}, {"MCP-Protocol-Version": MODERN, "Mcp-Method": message(path)["method"]}):
        answer = http.post(message(path), headers)
        assert (answer.status, answer.body) == (202, b"")
