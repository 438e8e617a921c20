"""A server of HTTP operations as a process: what only shows over its standard streams."""

from __future__ import annotations

import json
import os
import sys

import pytest

from tests.stdio_client import CallFailed, StdioServer

from .made import PACKAGE, Api, Tools, json_answer, operation

ANSWERS = {
    "/fast": lambda seen: json_answer({"target": seen["target"]}),
    "/wait": "wait",
    "/hang": "hang",
    "/huge": lambda _: json_answer([{"i": number} for number in range(20_000)]),
}


@pytest.fixture
def api():
    made = Api(dict(ANSWERS))
    yield made
    made.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    tools = Tools(limits={"timeout": 10, "retries": 0, "breaker": False})
    for path in ANSWERS:
        tools.add(path[1:], operation(path))
    tools.add("bounded", operation("/hang", method="PUT"), limits={"timeout": 2})
    tools.add("brief", operation("/hang", method="POST"), limits={"timeout": 0.3})
    return tools.write_server(tmp_path_factory.mktemp("http"))


@pytest.fixture
def server(folder, api):
    environment = {**os.environ, "PETSTORE_BASE_URL": api.url, "XDG_CONFIG_HOME": str(folder)}
    with StdioServer([sys.executable, "-m", PACKAGE], cwd=folder, env=environment) as running:
        yield running


def test_a_call_is_answered_by_the_api(server):
    assert server.initialize()["capabilities"] == {"logging": {}, "resources": {}, "tools": {}}
    assert server.call("fast")["structuredContent"] == {"target": "/fast"}


def test_calls_overlap(server, api):
    server.initialize()
    waiting = [server.send("tools/call", {"name": "wait", "arguments": {}}) for _ in range(8)]
    assert api.arrived(8)
    api.release.set()
    assert [server.wait_for(each)["structuredContent"] for each in waiting] == [{"waited": True}] * 8


def test_a_cancelled_call_closes_its_connection_and_gets_no_answer(server, api):
    server.initialize()
    asked = server.send("tools/call", {"name": "hang", "arguments": {}})
    assert api.arrived(1)
    server.notify("notifications/cancelled", {"requestId": asked})
    assert api.broken.wait(10)
    assert server.call("fast")["structuredContent"] == {"target": "/fast"}


def test_a_call_over_its_time_closes_its_connection(server, api):
    server.initialize()
    server.call("fast")  # what all calls need is imported now
    result = server.call("bounded")
    assert result["_meta"]["mcpgen/error"]["code"] == "M-RUN-001"
    assert api.broken.wait(10)


def test_threads_of_calls_that_were_given_up_come_back(server, api):
    server.initialize()
    for _ in range(70):  # more than may be left behind
        server.send("tools/call", {"name": "brief", "arguments": {}})
    last = server.send("tools/call", {"name": "brief", "arguments": {}})
    assert server.wait_for(last)["_meta"]["mcpgen/error"]["code"] == "M-RUN-001"
    assert server.call("fast")["structuredContent"] == {"target": "/fast"}


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_what_did_not_fit_is_read_as_a_resource(server, era):
    server.initialize() if era == "legacy" else server.discover()
    link = server.call("huge")["content"][-1]
    listed = server.request("resources/list", {})
    assert [each["uri"] for each in listed["resources"]] == [link["uri"]]
    (whole,) = server.request("resources/read", {"uri": link["uri"]})["contents"]
    assert json.loads(whole["text"]) == [{"i": number} for number in range(20_000)]
    (part,) = server.request("resources/read", {"uri": f"{link['uri']}?offset=200000"})["contents"]
    assert part["text"] == whole["text"][200_000:]
    assert server.request("resources/templates/list", {})["resourceTemplates"] == []
    if era == "modern":
        assert (listed["resultType"], listed["ttlMs"], listed["cacheScope"]) == ("complete", 0, "private")


@pytest.mark.parametrize(("era", "code"), [("legacy", -32002), ("modern", -32602)])
def test_an_unknown_resource_is_said_as_the_revision_wants(server, era, code):
    server.initialize() if era == "legacy" else server.discover()
    with pytest.raises(CallFailed) as failed:
        server.request("resources/read", {"uri": "petstore://answers/1-none/x"})
    assert failed.value.error["code"] == code
    assert failed.value.error["data"] == {"uri": "petstore://answers/1-none/x"}


def test_a_dry_run_sends_nothing(server, api):
    server.initialize()
    result = server.request("tools/call", {"name": "fast", "arguments": {}, "_meta": {"mcpgen/dryRun": True}})
    assert json.loads(result["content"][0]["text"])["url"] == f"{api.url}/fast"
    assert api.requests == []
