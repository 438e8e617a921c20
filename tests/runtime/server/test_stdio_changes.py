"""Changes over a pipe: what comes without being asked for, in each era, and how listening ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time

import pytest

from tests.http_client import META
from tests.stdio_client import StdioServer

from .changing import NOW, SUBSCRIPTION, changing_server, memory_of

SECONDS = 20.0


@pytest.fixture(scope="module")
def argv(tmp_path_factory):
    return changing_server(tmp_path_factory.mktemp("changing"))


def methods(server):
    return [each["method"] for each in server.notifications]


def test_a_client_with_a_handshake_is_told_on_the_pipe(argv):
    with StdioServer(argv) as server:
        stated = server.initialize()["capabilities"]
        assert stated["tools"] == stated["prompts"] == {"listChanged": True}
        assert stated["resources"] == {"listChanged": True, "subscribe": True}
        server.call("change", {"kinds": ["tools", "prompts", "resources"]})
        server.call("update", {"uri": NOW})
        assert methods(server) == [f"notifications/{kind}/list_changed" for kind in ("tools", "prompts", "resources")]
        server.request("resources/subscribe", {"uri": NOW})
        server.call("update", {"uri": NOW, "times": 3})
        assert methods(server)[3:] == ["notifications/resources/updated"] * 3
        server.request("resources/unsubscribe", {"uri": NOW})
        server.call("update", {"uri": NOW})
        assert len(server.notifications) == 6


def test_a_client_without_one_is_told_what_it_listens_to(argv):
    with StdioServer(argv) as server:
        server.discover()
        server.call("change", {"kinds": ["tools"]})
        assert server.notifications == []
        first = server.send("subscriptions/listen", {"notifications": {"toolsListChanged": True}})
        other = server.send("subscriptions/listen", {"notifications": {"resourceSubscriptions": [NOW]}})
        server.call("change", {"kinds": ["tools", "prompts"]})
        server.call("update", {"uri": NOW})
        told = [(each["method"], each["params"]["_meta"][SUBSCRIPTION]) for each in server.notifications]
        assert told == [
            ("notifications/subscriptions/acknowledged", first),
            ("notifications/subscriptions/acknowledged", other),
            ("notifications/tools/list_changed", first),
            ("notifications/resources/updated", other),
        ]
        server.notify("notifications/cancelled", {"requestId": first})
        server.call("change", {"kinds": ["tools"]})
        server.call("update", {"uri": NOW})
        assert [each["params"]["_meta"][SUBSCRIPTION] for each in server.notifications[4:]] == [other]
        server.close()
        assert server._answers[other]["result"]["_meta"][SUBSCRIPTION] == other
        assert first not in server._answers


def test_a_change_is_told_after_its_call_too(argv):
    with StdioServer(argv) as server:
        server.initialize()
        server.request("resources/subscribe", {"uri": NOW})
        server.call("later", {"uri": NOW})
        until = time.monotonic() + SECONDS
        while not server.notifications:
            assert time.monotonic() < until
            server.request("ping")
        assert server.notifications[0]["params"] == {"uri": NOW}


def test_letting_go_of_the_stream_is_nothing_on_a_pipe(argv):
    with StdioServer(argv) as server:
        server.initialize()
        assert server.call("polls")["content"][0]["text"] == "polled"


def test_a_server_that_is_stopped_answers_those_who_listen(argv):
    process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    params = {"_meta": META, "notifications": {"promptsListChanged": True}}
    message = {"jsonrpc": "2.0", "id": "l", "method": "subscriptions/listen", "params": params}
    with process:
        process.stdin.write(json.dumps(message).encode() + b"\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["method"] == "notifications/subscriptions/acknowledged"
        process.send_signal(signal.SIGTERM)
        answer = json.loads(process.stdout.readline())
        assert process.wait(SECONDS) == 143
    assert (answer["id"], answer["result"]["resultType"]) == ("l", "complete")


def test_a_pipe_that_nobody_reads_costs_no_memory(argv):
    """A change that cannot be written holds up whoever tells of it; nothing is collected meanwhile."""
    process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    uris = [f"changing://one/{number}" for number in range(256)]
    params = {"_meta": META, "notifications": {"resourceSubscriptions": uris}}
    listening = {"jsonrpc": "2.0", "id": "l", "method": "subscriptions/listen", "params": params}
    floods = [
        {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": "flood", "_meta": META}}
        for number in range(40)
    ]
    with process:
        process.stdin.write(b"".join(json.dumps(each).encode() + b"\n" for each in (listening, *floods)))
        process.stdin.flush()
        os.read(process.stdout.fileno(), 100)  # it is at work
        sizes = []
        until = time.monotonic() + 1.0
        while time.monotonic() < until:
            sizes.append(memory_of(process))
        process.stdin.close()
        lines = process.stdout.read().splitlines()[1:]
        assert process.wait(SECONDS) == 0
    assert max(sizes) < 60_000
    answers = [json.loads(line) for line in lines if b'"result"' in line or b'"error"' in line]
    assert {each["id"] for each in answers} == {"l", *range(40)}
