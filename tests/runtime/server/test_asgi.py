"""The ASGI application by itself, driven event by event, and under real servers where those matter."""

from __future__ import annotations

import asyncio
import importlib
import json
import sys
import time

import pytest

from generator.runtime.server.asgi_head import head_of
from generator.runtime.server.http_problem import HttpProblem
from tests.asgi_servers import Hypercorn, Uvicorn
from tests.command import built
from tests.http_client import call, modern, request
from tests.stdio_client import stub

from .http_behaviour import MODULE, bearer, tokens_file

SECONDS = 20.0
LOCAL, REMOTE = ("127.0.0.1", 5000), ("192.0.2.7", 5000)
HEADERS = {"host": "localhost", "content-type": "application/json", "accept": "application/json, text/event-stream"}
LOG = {"io.modelcontextprotocol/logLevel": "info"}


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    return built(tmp_path_factory.mktemp("asgi"), "hosted", MODULE)


@pytest.fixture
def app(project, monkeypatch):
    """The application, imported anew so that it reads the environment of this test."""
    monkeypatch.syspath_prepend(str(project))
    module = importlib.import_module("hosted_mcp.asgi")
    yield importlib.reload(module).app
    for name in [name for name in sys.modules if name.partition(".")[0] == "hosted_mcp"]:
        del sys.modules[name]


def scope_of(method="POST", path="/mcp", headers=HEADERS, **more):
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    return {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "http_version": "1.1",
        "headers": pairs,
        "client": LOCAL,
        **more,
    }


class Exchange:
    """One request given to an application on the running loop, and what it sends."""

    def __init__(self, app, message=None, headers=None, **scope):
        body = b"" if message is None else json.dumps(message).encode()
        sized = {"content-length": str(len(body))} if message is not None else {}
        self._come = asyncio.Queue()
        self._come.put_nowait({"type": "http.request", "body": body, "more_body": False})
        self.sent = asyncio.Queue()
        scope = scope_of(headers={**HEADERS, **sized, **{k.lower(): v for k, v in (headers or {}).items()}}, **scope)
        self.task = asyncio.ensure_future(app(scope, self._come.get, self.sent.put))

    def leave(self):
        self._come.put_nowait({"type": "http.disconnect"})

    async def next(self):
        return await asyncio.wait_for(self.sent.get(), SECONDS)

    async def answer(self):
        """Return status, headers and body of a whole answer."""
        await asyncio.wait_for(self.task, SECONDS)
        start, body = await self.next(), b""
        while not self.sent.empty():
            body += (await self.next())["body"]
        return start["status"], dict(start["headers"]), body


def on_loop(coroutine):
    return asyncio.run(coroutine)


# -- who is served


@pytest.mark.alone
def test_a_call_is_answered_and_its_tool_runs_beside_the_loop(app):
    async def talk():
        slow = Exchange(app, call(1, "nap", {"seconds": 0.3}))
        begun = time.monotonic()
        status, headers, body = await Exchange(app, request(2, "ping")).answer()
        assert time.monotonic() - begun < 0.3
        assert (status, headers[b"content-type"], json.loads(body)["result"]) == (200, b"application/json", {})
        assert b"rested" in (await slow.answer())[2]

    on_loop(talk())


@pytest.mark.requirement("R126")
def test_without_a_token_other_machines_are_refused_but_may_probe(app):
    async def talk():
        for client, status in ((REMOTE, 403), (LOCAL, 200), (("::1", 1), 200), (None, 200)):
            assert (await Exchange(app, request(1, "ping"), client=client).answer())[0] == status
        assert (await Exchange(app, method="GET", path="/health", client=REMOTE).answer())[0] == 200

    on_loop(talk())


def test_with_tokens_other_machines_are_served(app, monkeypatch, tmp_path):
    monkeypatch.setenv("MCPGEN_TOKENS", tokens_file(tmp_path))

    async def talk():
        host = {"Host": "192.0.2.1"}
        assert (await Exchange(app, request(1, "ping"), {**bearer("reader"), **host}, client=REMOTE).answer())[0] == 200
        status, headers, _ = await Exchange(app, request(1, "ping"), host, client=REMOTE).answer()
        assert (status, b"www-authenticate" in headers) == (401, True)

    on_loop(talk())


def test_one_token_may_come_from_the_environment(app, monkeypatch):
    monkeypatch.setenv("MCPGEN_TOKEN", "s3cret")

    async def talk():
        for token, status in (("s3cret", 200), ("other", 401)):
            assert (await Exchange(app, request(1, "ping"), bearer(token)).answer())[0] == status

    on_loop(talk())


@pytest.mark.parametrize(
    ("version", "framing", "closes"),
    [
        ("1.1", {"Content-Length": "1000000"}, True),
        ("1.1", {"Content-Length": "10"}, False),
        ("1.1", {"Transfer-Encoding": "chunked"}, True),
        ("2", {"Content-Length": "1000000"}, False),
    ],
)
def test_a_refused_body_that_is_long_ends_the_connection_where_there_is_one(app, monkeypatch, version, framing, closes):
    monkeypatch.setenv("MCPGEN_TOKEN", "s3cret")

    async def talk():
        status, headers, _ = await Exchange(app, headers=framing, http_version=version).answer()
        assert (status, headers.get(b"connection") == b"close") == (401, closes)

    on_loop(talk())


def test_a_host_or_origin_of_elsewhere_is_refused_unless_the_environment_allows_it(app, monkeypatch):
    monkeypatch.setenv("MCPGEN_ALLOW_HOSTS", "tools.example, other.example")
    monkeypatch.setenv("MCPGEN_ALLOW_ORIGINS", "https://app.example")

    async def talk():
        for headers, status in (
            ({"Host": "evil.example"}, 421),
            ({"Host": "other.example"}, 200),
            ({"Origin": "https://evil.example"}, 403),
            ({"Origin": "https://app.example"}, 200),
        ):
            assert (await Exchange(app, request(1, "ping"), headers).answer())[0] == status

    on_loop(talk())


@pytest.mark.parametrize(
    ("path", "root", "status"),
    [
        ("/mcp", "", 200),
        ("/weather/mcp", "/weather", 200),
        ("/weather", "/weather", 200),
        ("/weather/", "/weather/", 200),
        ("/weather/x", "/weather", 404),
        ("/m%63p", "", 404),
        ("/weatherx/mcp", "/weather", 404),
    ],
)
def test_an_application_may_be_mounted_below_a_path(app, path, root, status):
    async def talk():
        assert (await Exchange(app, request(1, "ping"), path=path, root_path=root).answer())[0] == status

    on_loop(talk())


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ([(b"host", b"a"), (b"host", b"b")], 400),
        ([(b"host", b"a\x00")], 400),
        ([(b"ho st", b"a")], 400),
        ([(b"x", b"y")], 400),
        ([(b"host", b"a"), (b"content-length", b"1"), (b"transfer-encoding", b"chunked")], 400),
        ([(b"host", b"a")] * 101, 400),
        ([(b"host", b"a"), *[(b"x", b"y")] * 101], 431),
        ([(b"host", b"a"), (b"x", b"y" * 40_000)], 431),
    ],
)
def test_a_head_that_servers_could_read_in_two_ways_is_refused(headers, status):
    with pytest.raises(HttpProblem) as problem:
        head_of({**scope_of(), "headers": headers}, "/mcp")
    assert problem.value.status == status


def test_later_versions_of_http_need_no_length():
    head = head_of({**scope_of(), "http_version": "2"}, "/mcp")
    assert (head.chunked, head.length) == (True, None)


# -- the client's leaving


def test_a_client_that_leaves_cancels_its_call_in_the_era_without_sessions(app, capfd):
    async def talk():
        exchange = Exchange(app, *modern(call(1, "waits", {"seconds": 60}), **LOG))
        assert (await exchange.next())["status"] == 200
        while b"begun" not in (await exchange.next())["body"]:
            pass
        exchange.leave()
        await asyncio.wait_for(exchange.task, SECONDS)
        until = time.monotonic() + SECONDS
        said = ""
        while "error=cancelled" not in said and time.monotonic() < until:
            said += capfd.readouterr().err
            await asyncio.sleep(0.01)
        assert "error=cancelled" in said

    on_loop(talk())


def test_a_call_of_a_session_goes_on_and_its_stream_is_resumed(app):
    async def talk():
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        _, headers, _ = await Exchange(app, request(0, "initialize", hello)).answer()
        session = {"Mcp-Session-Id": headers[b"mcp-session-id"].decode()}
        exchange = Exchange(app, call(1, "waits", {"seconds": 0.3}), session)
        text = ""
        await exchange.next()
        while "begun" not in text:
            text += (await exchange.next())["body"].decode()
        last = [line.removeprefix("id: ") for line in text.split("\n") if line.startswith("id: ")][-1]
        exchange.leave()
        await asyncio.wait_for(exchange.task, SECONDS)
        resumed = Exchange(app, None, {**session, "Last-Event-ID": last, "Accept": "text/event-stream"}, method="GET")
        assert b'"waited"' in (await resumed.answer())[2]
        assert (await Exchange(app, None, session, method="DELETE").answer())[0] == 200
        assert (await Exchange(app, request(2, "ping"), session).answer())[0] == 404

    on_loop(talk())


def test_a_body_that_is_too_large_or_never_complete_is_not_waited_for(app, monkeypatch):
    monkeypatch.setenv("MCPGEN_MAX_MESSAGE_BYTES", "5000")

    async def talk():
        assert (await Exchange(app, call(1, "big", {"size": 1, "x": "y" * 6000})).answer())[0] == 413
        coming, sent = asyncio.Queue(), asyncio.Queue()
        coming.put_nowait({"type": "http.request", "body": b'{"jsonrpc"', "more_body": True})
        coming.put_nowait({"type": "http.disconnect"})
        scope = scope_of(headers={**HEADERS, "content-length": "100"})
        await asyncio.wait_for(app(scope, coming.get, sent.put), SECONDS)
        assert sent.empty()

    on_loop(talk())


# -- the server's life


def lifespan(app, coming):
    async def live():
        queue, sent = asyncio.Queue(), []
        for kind in coming:
            queue.put_nowait({"type": f"lifespan.{kind}"})

        async def send(event):
            sent.append(event)

        await asyncio.wait_for(app({"type": "lifespan"}, queue.get, send), SECONDS)
        return sent

    return on_loop(live())


def test_it_begins_and_ends_with_the_server(app):
    sent = lifespan(app, ["startup", "shutdown"])
    assert [event["type"] for event in sent] == ["lifespan.startup.complete", "lifespan.shutdown.complete"]


def test_a_server_with_wrong_settings_does_not_start_and_says_why(app, monkeypatch):
    monkeypatch.setenv("MCPGEN_TOKENS", "/nowhere/tokens.json")
    (failed,) = lifespan(app, ["startup"])
    assert failed["type"] == "lifespan.startup.failed"
    assert "--tokens cannot be read" in failed["message"]


def test_an_application_serves_one_loop_after_another(app):
    for _ in range(2):

        async def talk():
            assert (await Exchange(app, call(1, "add", {"a": 1, "b": 2})).answer())[0] == 200

        on_loop(talk())


def test_what_is_no_http_is_turned_away(app):
    async def talk():
        sent = asyncio.Queue()

        async def receive():
            return {"type": "websocket.connect"}

        await app({"type": "websocket"}, receive, sent.put)
        assert (await sent.get())["type"] == "websocket.close"
        with pytest.raises(ValueError, match="is not served"):
            await app({"type": "telnet"}, receive, sent.put)

    on_loop(talk())


@pytest.mark.parametrize("kind", [Uvicorn, Hypercorn])
def test_a_real_server_refuses_to_start_with_wrong_settings(project, kind):
    with (
        pytest.raises(AssertionError, match="--tokens cannot be read"),
        kind(stub(project, sys.executable), "--tokens", "/nowhere/tokens.json"),
    ):
        pass
