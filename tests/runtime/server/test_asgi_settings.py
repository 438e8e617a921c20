"""The settings of serving under an ASGI server: tokens, scopes, metadata, events, all but where it listens."""

from __future__ import annotations

import importlib
import json
import re
import sys

import pytest

from generator.runtime.wire import limits as wire_limits
from tests.command import built
from tests.http_client import call, request

from .http_behaviour import bearer
from .serving import MODULE, SETTINGS, events_in, waited_for
from .test_asgi import REMOTE, Exchange, on_loop

SERVE = """[serve]
transport = "http"
host = "${NO_HOST}"
port = "${NO_PORT}"
workers = "${NO_WORKERS}"
tokens = [{ name = "desk", token = "${DESK}", scopes = ["weather:read"] }]
verify = "weather:verify"
authorization_servers = ["https://auth.example"]
resource = "https://weather.example/mcp"
filter_lists = true
rate_limit = { per_second = 0.001, burst = 20 }
events = "${EVENTS}"
activity = true
limits = { max_nesting = 9 }
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    return built(tmp_path_factory.mktemp("asgi-settings"), "weather", MODULE, SETTINGS + SERVE)


@pytest.fixture
def app(project, monkeypatch, tmp_path):
    monkeypatch.setenv("DESK", "desk-token")
    monkeypatch.setenv("EVENTS", str(tmp_path / "events.jsonl"))
    monkeypatch.syspath_prepend(str(project))
    yield importlib.import_module("weather_mcp.asgi").app
    for name in [name for name in sys.modules if name.partition(".")[0] == "weather_mcp"]:
        del sys.modules[name]


async def said(app, message=None, headers=None, **scope):
    status, found, body = await Exchange(app, message, headers, **scope).answer()
    return status, {name.decode(): value.decode() for name, value in found.items()}, body


def test_whoever_has_a_token_is_served_as_its_scopes_say(app, tmp_path):
    async def talk():
        status, headers, _ = await said(app, request(1, "ping"))
        assert status == 401
        assert "resource_metadata=" in headers["www-authenticate"]
        assert (await said(app, request(1, "ping"), bearer("nobody")))[0] == 401
        assert (await said(app, request(1, "ping"), bearer("bob"), client=REMOTE))[0] == 200
        assert (await said(app, call(1, "record", {"city": "x"}), bearer("bob")))[0] == 200
        assert (await said(app, call(2, "record", {"city": "x"}), bearer("desk-token")))[0] == 403
        listed = json.loads((await said(app, request(3, "tools/list"), bearer("desk-token")))[2])["result"]["tools"]
        assert "record" not in {each["name"] for each in listed}
        told = json.loads((await said(app, method="GET", path="/.well-known/oauth-protected-resource"))[2])
        assert told["resource"] == "https://weather.example/mcp"

    on_loop(talk())
    events = waited_for(lambda: found if len(found := events_in(tmp_path / "events.jsonl")) == 2 else None)
    assert {event["status"] for event in events} == {"success", "rejected"}


def test_too_many_requests_are_refused(app):
    async def talk():
        statuses = [(await said(app, request(1, "ping"), bearer("desk-token")))[0] for _ in range(22)]
        assert statuses == [200] * 20 + [429] * 2

    on_loop(talk())


def test_the_activity_is_shown(app):
    async def talk():
        await said(app, call(1, "add", {"a": 1, "b": 2}), bearer("bob"))
        page = {**bearer("bob"), "Accept": "text/html"}
        status, headers, body = await said(app, None, page, method="GET", path="/activity")
        assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert "sha256-" in headers["content-security-policy"]
        assert body.startswith(b"<!doctype html>")
        more = {**bearer("bob"), "Accept": "text/event-stream"}
        reading = Exchange(app, None, more, method="GET", path="/activity")
        text = b""
        while b"data:" not in text:
            text += (await reading.next()).get("body", b"")
        assert re.search(rb'"tool":"add","status":"success"', text)
        reading.leave()
        await reading.task

    on_loop(talk())


def test_what_is_missing_is_told_when_it_starts(app, monkeypatch):
    monkeypatch.delenv("DESK")
    with pytest.raises(Exception, match=r"DESK \(for tokens\)") as error:
        on_loop(said(app, request(1, "ping")))
    assert "NO_" not in str(error.value)


def test_limits_are_those_of_the_package_and_of_no_other(app):
    assert wire_limits.MAX_NESTING == 200  # this process has a copy of its own
    on_loop(said(app, request(1, "ping")))
    own = sys.modules["weather_mcp._runtime.wire.limits"]
    assert (own.MAX_NESTING, wire_limits.MAX_NESTING) == (9, 200)
