"""Who is let in over HTTP: hosts, origins, kinds of content, tokens and scopes; and what the options say."""

from __future__ import annotations

import json
import os
import socket
import subprocess

import pytest

from generator.runtime.server.options import UsageError, read
from tests.asgi_servers import SERVERS
from tests.http_client import HttpServer, call, modern, request

from .http_behaviour import TOKENS, bearer, guarded_server, tokens_file

PING = request(1, "ping")


@pytest.fixture(scope="module")
def argv(tmp_path_factory):
    return guarded_server(tmp_path_factory.mktemp("admission"))


@pytest.fixture(scope="module", params=SERVERS)
def server(argv, request):
    options = ("--allow-origin", "https://app.example", "--allow-host", "tools.example", "--path", "/tools/v1")
    with request.param(argv, *options) as running:
        yield running


@pytest.fixture(scope="module", params=SERVERS)
def closed(argv, tmp_path_factory, request):
    with request.param(argv, "--tokens", tokens_file(tmp_path_factory.mktemp("tokens"))) as running:
        yield running


def post(server, message, headers=None, path="/tools/v1"):
    body = json.dumps(message).encode()
    with server.wire() as wire:
        wire.send(server.head("POST", path, {"Content-Length": str(len(body)), **(headers or {})}) + body)
        return wire.answer()


# -- hosts and origins


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("LOCALHOST:1", 200),
        ("127.0.0.1", 200),
        ("[::1]:80", 200),
        ("tools.example", 200),
        ("tools.example:8443", 200),
        ("evil.example", 421),
        ("localhost.evil.example", 421),
        ("localhost:80@evil.example", 421),
        ("127.0.0.2", 421),
        ("192.0.2.1", 421),
        ("localhost:x", 421),
        ("", 421),
    ],
)
def test_only_names_of_this_server_are_answered(server, host, status):
    assert post(server, PING, {"Host": host}).status == status


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://localhost:3000", 200),
        ("https://127.0.0.1", 200),
        ("http://[::1]:5", 200),
        ("https://app.example", 200),
        ("https://app.example:444", 403),
        ("http://app.example", 403),
        ("https://app.example.evil.example", 403),
        ("http://localhost.evil.example", 403),
        ("ftp://localhost", 403),
        ("null", 403),
        ("", 403),
        ("localhost", 403),
    ],
)
def test_pages_of_other_origins_may_not_ask(server, origin, status):
    assert post(server, PING, {"Origin": origin}).status == status


def test_a_page_reads_answers_only_where_the_operator_said_so(server):
    allowed = post(server, PING, {"Origin": "https://app.example"})
    assert allowed.headers["access-control-allow-origin"] == "https://app.example"
    assert "mcp-session-id" in allowed.headers["access-control-expose-headers"]
    assert allowed.headers["vary"] == "Origin"
    local = post(server, PING, {"Origin": "http://localhost:3000"})
    assert "access-control-allow-origin" not in local.headers


@pytest.mark.parametrize(
    ("method", "path", "more", "status"),
    [
        ("PUT", "/tools/v1", {}, 405),
        ("POST", "/health", {}, 405),
        ("GET", "/elsewhere", {}, 404),
        ("POST", "/tools/v1", {"Content-Type": "text/plain"}, 415),
        ("POST", "/tools/v1", {"Content-Type": "application/json; charset=latin-1"}, 415),
        ("POST", "/tools/v1", {"Accept": "text/html"}, 406),
        ("POST", "/tools/v1", {}, 411),
    ],
)
def test_an_allowed_page_may_read_why_it_is_refused(server, method, path, more, status):
    answer = server.get(path, {"Origin": "https://app.example", **more}, method=method)
    assert answer.status == status
    assert answer.headers["access-control-allow-origin"] == "https://app.example"
    local = server.get(path, {"Origin": "http://localhost:3000", **more}, method=method)
    assert local.status == status
    assert "access-control-allow-origin" not in local.headers


def test_a_preflight_is_answered_where_the_operator_said_so(server):
    asks = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "mcp-param-region, x-other"}
    answer = server.get("/tools/v1", {"Origin": "https://app.example", **asks}, method="OPTIONS")
    assert (answer.status, answer.body) == (200, b"")
    assert answer.headers["access-control-allow-origin"] == "https://app.example"
    allowed = answer.headers["access-control-allow-headers"]
    assert "mcp-param-region" in allowed
    assert "authorization" in allowed
    assert "x-other" not in allowed
    other = server.get("/tools/v1", {"Origin": "http://localhost:3000", **asks}, method="OPTIONS")
    assert other.status == 405
    assert "access-control-allow-origin" not in other.headers


# -- paths and content


@pytest.mark.requirement("R083", "R128")
def test_the_endpoint_and_the_probes_are_all_there_is(server):
    assert (server.get("/health").json, server.get("/ready").json) == ({"status": "ok"}, {"status": "ready"})
    head = server.get("/health", method="HEAD")
    assert (head.status, head.headers["content-length"]) == (200, "16")
    assert server.get("/health", method="DELETE").status == 405
    for path in ("/", "/mcp", "/tools/v1/", "/tools//v1", "/tools/%76%31", "/health/", "/metrics"):
        assert post(server, PING, path=path).status == 404, path


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("application/json", 200),
        ("Application/JSON; charset=UTF-8", 200),
        ('application/json;charset="utf-8"', 200),
        ("application/json; charset=latin-1", 415),
        ("application/jsonp", 415),
        ("text/plain", 415),
        ("application/x-www-form-urlencoded", 415),
        ("", 415),
        (None, 415),
    ],
)
def test_the_content_of_a_post_is_json(server, kind, status):
    assert post(server, PING, {"Content-Type": kind}).status == status


@pytest.mark.parametrize(
    ("accept", "status"),
    [
        (None, 200),
        ("*/*", 200),
        ("application/json", 200),
        ("application/*;q=0.5", 200),
        ("text/event-stream", 200),
        ("text/html", 406),
        ("application/json;q=0", 406),
        ("", 406),
    ],
)
def test_what_a_client_accepts_is_read_leniently(server, accept, status):
    assert post(server, PING, {"Accept": accept}).status == status


def test_a_post_says_how_long_it_is(server):
    with server.wire() as wire:
        wire.send(server.head("POST", "/tools/v1"))
        assert wire.answer().status == 411


# -- tokens


@pytest.mark.requirement("R128")
@pytest.mark.parametrize(
    "authorization",
    [
        None,
        "",
        "Bearer",
        "Bearer ",
        "Bearer wrong",
        "Basic cGxhaW46",
        "plain",
        "Bearer plain, Bearer plain",
        "Bearer ä",
    ],
)
def test_a_request_without_a_known_token_is_refused(closed, authorization):
    answer = closed.post(PING, {"Authorization": authorization})
    assert answer.status == 401
    assert answer.json["error"] == "unauthorized"
    assert answer.json["errorCode"] == "M-AUTH-001"
    assert answer.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize("authorization", ["Bearer plain", "bearer plain", "BEARER  plain"])
def test_a_known_token_is_let_in(closed, authorization):
    assert closed.post(PING, {"Authorization": authorization}).status == 200


def test_the_probes_need_no_token_and_a_host(closed):
    assert closed.get("/health").status == 200
    assert closed.get("/health", {"Host": "evil.example"}).status == 421


def test_who_has_no_token_is_refused_before_the_body_is_read(closed):
    with closed.wire() as wire:
        wire.send(closed.head(headers={"Content-Length": "1000000"}))
        assert wire.answer().status == 401
        assert wire.is_closed()


def test_a_refused_body_that_is_short_is_skipped_and_the_connection_goes_on(closed):
    with closed.wire() as wire:
        for _ in range(3):
            wire.send(closed.bytes_of(PING))
            assert wire.answer().status == 401
        wire.send(closed.bytes_of(PING, bearer("plain")))
        assert wire.answer().status == 200


def test_a_session_belongs_to_the_token_that_opened_it(closed):
    opened = closed.post(request(0, "initialize", {}), bearer("reader")).headers["mcp-session-id"]
    session = {"Mcp-Session-Id": opened}
    assert closed.post(PING, {**session, **bearer("reader")}).status == 200
    for method in ("POST", "GET", "DELETE"):
        other = {**session, **bearer("writer"), "Accept": "text/event-stream"}
        answer = closed.post(PING, other) if method == "POST" else closed.get("/mcp", other, method=method)
        assert answer.status == 404
    assert closed.post(PING, {**session, **bearer("reader")}).status == 200


@pytest.mark.parametrize("name", sorted(TOKENS))
def test_a_tool_with_a_scope_is_called_by_tokens_that_have_it(closed, name):
    for message, headers in (modern(call(5, "guarded")), (call(5, "guarded"), {})):
        answer = closed.post(message, {**headers, **bearer(name)})
        if name == "writer":
            assert answer.json["result"]["content"][0]["text"] == "let in"
            continue
        assert (answer.status, answer.json["id"], answer.code) == (403, 5, -32603)
        assert 'error="insufficient_scope", scope="write"' in answer.headers["www-authenticate"]
        assert answer.json["error"]["data"]["missing"] == ["write"]
    assert closed.post(call(6, "add", {"a": 1, "b": 1}), bearer(name)).status == 200


def test_a_call_that_was_refused_leaves_its_id_free(closed):
    session = closed.post(request(0, "initialize", {}), bearer("reader")).headers["mcp-session-id"]
    headers = {"Mcp-Session-Id": session, **bearer("reader")}
    for _ in range(2):
        assert closed.post(call(1, "guarded"), headers).status == 403


def test_a_token_in_the_environment_has_every_scope(argv):
    environment = {**os.environ, "TALKS_TOKEN": "from-the-environment"}
    with HttpServer(argv, "--token-env", "TALKS_TOKEN", env=environment) as server:
        assert server.post(PING).status == 401
        assert server.post(call(1, "guarded"), bearer("from-the-environment")).status == 200


GOOD = "0" * 64


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{}",
        "[1]",
        "nonsense",
        '[{"name": "a"}]',
        '[{"name": "a", "token": "secret"}]',
        '[{"name": "a", "sha256": "secret"}]',
        json.dumps([{"name": "", "sha256": GOOD}]),
        json.dumps([{"name": "a", "sha256": "g" * 64}]),
        json.dumps([{"name": "a", "sha256": GOOD, "scopes": "write"}]),
        None,
    ],
)
def test_a_tokens_file_that_cannot_be_used_ends_with_2_and_says_why(argv, tmp_path, content):
    place = tmp_path / "tokens.json"
    if content is not None:
        place.write_text(content, encoding="utf-8")
    done = subprocess.run([*argv, "--http", "--tokens", str(place)], capture_output=True, timeout=20, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"--tokens" in done.stderr
    assert b"secret" not in done.stderr
    assert b"Traceback" not in done.stderr


# -- options


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--host", "::1"], "--host goes with --http"),
        (["--http", "--stdio"], "exclude each other"),
        (["--http", "--port", "65536"], "--port is a number"),
        (["--http", "--port", "-1"], "--port is a number"),
        (["--http", "--port"], "--port needs a value"),
        (["--http", "--path", "mcp"], "--path begins with a slash"),
        (["--http", "--path", "/m?x"], "--path begins with a slash"),
        (["--http", "--path", "/ready"], "answers probes"),
        (["--http", "--allow-origin", "app.example"], "--allow-origin is a scheme and a host"),
        (["--http", "--tokens", "a", "--token-env", "B"], "exclude each other"),
        (["--http", "--workers", "65"], "--workers is a number from 0 to 64"),
        (["--workers", "2"], "--workers goes with --http"),
    ],
)
def test_options_that_make_no_sense_are_refused(words, said):
    with pytest.raises(UsageError) as error:
        read(words, "talks", "1")
    assert said in str(error.value)


def test_options_may_be_repeated_and_written_with_an_equals_sign():
    options = read(["--mcp", "--http", "--port=0", "--allow-host=a", "--allow-host", "b"], "talks", "1")
    assert (options.http, options.port, options.allow_host) == (True, 0, ["a", "b"])


@pytest.mark.parametrize(("words", "said"), [(["--host", "no.such.host.invalid"], b"--host"), ([], b"--port")])
def test_an_address_that_cannot_be_used_ends_with_2_and_says_why(argv, words, said):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = subprocess.run([*argv, "--http", "--port", port, *words], capture_output=True, timeout=20, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert said in done.stderr
    assert b"Traceback" not in done.stderr
