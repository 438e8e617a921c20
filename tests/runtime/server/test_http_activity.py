"""The calls of a server as they come: who may see them, how the page is kept harmless, that nobody is waited for."""

from __future__ import annotations

import base64
import hashlib
import os
import re

import pytest

from generator.runtime.server import activity_page, http_limits
from generator.runtime.server.http_activity import Activity
from generator.runtime.server.http_head import Head
from generator.runtime.server.http_request import Request
from generator.runtime.server.http_rules import Verdict
from tests.http_client import HttpServer, call, request

from .http_behaviour import bearer
from .serving import server_words, waited_for

SERVE = """activity = true
tokens = [
  { name = "ann", token = "${ANN}", scopes = ["weather:read"] },
  { name = "bob", token = "${BOB}", scopes = ["mcpgen:activity"] },
]
"""
ENVIRONMENT = {**os.environ, "ANN": "ann-token", "BOB": "bob-token"}
STREAM = {"Accept": "text/event-stream"}
PING = request(1, "ping")


@pytest.fixture(scope="module")
def argv(tmp_path_factory):
    return server_words(tmp_path_factory.mktemp("activity"), SERVE)


@pytest.fixture
def server(argv):
    with HttpServer(argv, env=ENVIRONMENT) as running:
        yield running


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    """A server of this machine alone, without tokens."""
    with HttpServer(server_words(tmp_path_factory.mktemp("open")), "--activity") as running:
        yield running


def basic(token):
    return {"Authorization": "Basic " + base64.b64encode(f"anybody:{token}".encode()).decode()}


def add(server, number, headers=None, **arguments):
    answer = server.post(call(number, "add", {"a": 1, "b": 2, **arguments}), headers)
    assert answer.status == 200


class Reader:
    """A stream of calls."""

    def __init__(self, server, headers=None):
        self.wire = server.wire()
        self.wire.send(server.head("GET", "/activity", {**STREAM, **(headers or {})}))
        self.head = self.wire.head()
        self._events = self.wire.events()
        assert next(self._events).retry == http_limits.RETRY_MS

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.wire.close()

    def next(self):
        return next(event for event in self._events if event.data is not None)


@pytest.mark.requirement("R095", "R186")
def test_a_stream_brings_the_calls_that_were_and_those_that_come(opened):
    add(opened, 101)
    with Reader(opened) as first, Reader(opened) as second:
        assert first.head.headers["content-type"] == "text/event-stream"
        add(opened, 102, b="wrong")
        for reader in (first, second):
            found = {}
            while {101, 102} - found.keys():
                event = reader.next()
                found[event.json["request_id"]] = event.json["status"], event.id
            assert (found[101][0], found[102][0]) == ("success", "rejected")
        last = found[102][1]
    add(opened, 103)
    with Reader(opened, {"Last-Event-ID": last}) as later:
        assert later.next().json["request_id"] == 103
    with Reader(opened, {"Last-Event-ID": "9" * 14}) as after_a_restart:
        assert after_a_restart.next().id is not None


@pytest.mark.requirement("R095")
def test_it_needs_a_token_as_the_endpoint_does(server):
    for headers in ({}, STREAM, bearer("wrong"), basic("wrong"), {"Authorization": "Basic !"}, basic("")):
        answer = server.get("/activity", headers)
        assert answer.status == 401
        kinds = [value.split()[0] for name, value in answer.pairs if name == "WWW-Authenticate"]
        assert kinds == ["Bearer", "Basic"]
    assert server.get("/activity?token=ann-token").status == 401
    assert server.get("/activity", bearer("ann-token")).status == 200
    assert server.get("/activity", basic("ann-token")).status == 200
    assert server.post(PING, basic("ann-token")).status == 401


def test_a_token_sees_its_own_calls_and_one_with_the_scope_sees_all(server):
    add(server, 1, bearer("bob-token"))
    add(server, 2, bearer("ann-token"))
    with Reader(server, bearer("ann-token")) as reader:
        assert reader.next().json["request_id"] == 2
    with Reader(server, basic("bob-token")) as reader:
        principals = [reader.next().json["principal"] for _ in range(2)]
    assert sorted(principals) == ["ann", "bob"]  # a call is told of after its answer, so two may change places


def test_pages_of_other_origins_and_names_do_not_get_it(opened):
    assert opened.get("/activity", {"Origin": "https://evil.example"}).status == 403
    assert opened.get("/activity", {"Host": "evil.example"}).status == 421
    assert opened.get("/activity", method="DELETE").status == 405
    local = opened.get("/activity", {"Origin": "http://localhost:3000"})
    assert "access-control-allow-origin" not in local.headers


def test_it_is_not_there_unless_it_is_asked_for(tmp_path):
    with HttpServer(server_words(tmp_path)) as running:
        assert running.get("/activity", STREAM).status == 404


@pytest.mark.requirement("R095", "R186")
def test_the_page_runs_its_own_script_and_nothing_else(opened):
    answer = opened.get("/activity", {"Accept": "text/html"})
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["x-content-type-options"] == "nosniff"
    policy = dict(part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert "unsafe" not in answer.headers["content-security-policy"]
    text = answer.body.decode("ascii")
    for element, directive in (("script", "script-src"), ("style", "style-src")):
        (content,) = re.findall(f"<{element}>(.*?)</{element}>", text, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert policy[directive] == f"'sha256-{digest}'"
    assert not re.search(r"(?:src|href|action)\s*=|https?:|url\(|@import| on\w+=", text)
    assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|eval|Function", activity_page.SCRIPT)
    assert opened.get("/activity", method="HEAD").headers["content-length"] == str(len(answer.body))


def test_markup_in_a_name_or_an_argument_stays_data(opened):
    hostile = '</script><img src=x onerror="alert(1)">\r\n\r\nevent: call\ndata: {}\u2028'
    opened.post(call(201, hostile, {hostile: hostile}))
    with Reader(opened) as reader:
        found = None
        while found is None or found["request_id"] != 201:
            event = reader.next()
            assert "\n" not in event.data
            found = event.json
    assert found["tool"] == hostile
    assert hostile[:60] in found["arguments"]


def test_readers_are_counted(opened):
    readers = [Reader(opened) for _ in range(http_limits.MAX_READERS)]
    answer = opened.get("/activity", STREAM)
    assert (answer.status, answer.headers["retry-after"]) == (503, "5")
    for reader in readers:
        reader.wire.close()
    assert waited_for(lambda: status_of_stream(opened) == 200)


def status_of_stream(server):
    with server.wire() as wire:
        wire.send(server.head("GET", "/activity", STREAM))
        return wire.head().status


class Clogged:
    """A connection whose client takes nothing."""

    def __init__(self):
        self.unsent, self.dropped, self.occupant = 0, False, None

    def begin_stream(self, *_):
        self.unsent = 0

    def push(self, data):
        assert not self.dropped
        self.unsent += len(data)

    def drop(self):
        self.dropped = True
        self.occupant.lost()


def test_a_reader_that_reads_nothing_is_dropped_and_holds_nobody_up():
    activity, connection = Activity(lambda function, *arguments: function(*arguments)), Clogged()
    head = Head("GET", "/activity", 1, {"accept": "text/event-stream"}, frozenset())
    activity.answer(connection, Request(head, Verdict(json=True, events=True, cors=(), place="activity"), None))
    for _ in range(2 * http_limits.MAX_READER_BYTES // 1000):
        activity.take({}, b"x" * 1000)
    assert connection.dropped
    assert connection.unsent <= http_limits.MAX_READER_BYTES + 2000


def test_streams_end_with_the_server(argv):
    with HttpServer(argv, env=ENVIRONMENT) as server:
        reader = Reader(server, bearer("ann-token"))
        status, seconds = server.stop()
        assert (status, seconds < 5) == (143, True)
        assert list(reader._events) == []
        reader.wire.close()
