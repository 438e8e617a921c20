"""Scopes of tools, tokens that a function judges, and what a server tells of how it is protected."""

from __future__ import annotations

import math
import os
import subprocess
import threading
import time

import pytest

from generator.runtime.server import http_limits
from generator.runtime.server.http_problem import HttpProblem
from generator.runtime.server.http_verify import Verifier
from generator.runtime.server.http_waiting import Verifying
from tests.http_client import HttpServer, call, initialize, modern, request

from .http_behaviour import bearer
from .serving import server_words, waited_for

PING = request(1, "ping")
RESOURCE = "https://weather.example/mcp"
WHERE = "https://weather.example/.well-known/oauth-protected-resource/mcp"
SERVE = f"""verify = "weather:verify"
tokens = [{{ name = "desk", token = "${{DESK_TOKEN}}", scopes = ["weather:read"] }}]
authorization_servers = ["https://auth.example"]
resource = "{RESOURCE}"
filter_lists = true
allow_origins = ["https://app.example"]
"""
ENVIRONMENT = {**os.environ, "DESK_TOKEN": "desk-token"}


@pytest.fixture(scope="module")
def argv(tmp_path_factory):
    return server_words(tmp_path_factory.mktemp("authorization"), SERVE)


@pytest.fixture(scope="module")
def server(argv):
    with HttpServer(argv, env=ENVIRONMENT) as running:
        yield running


# -- metadata and challenges


@pytest.mark.parametrize("path", ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"])
def test_the_server_tells_how_it_is_protected_to_whoever_asks(server, path):
    answer = server.get(path)
    assert answer.status == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.json == {
        "resource": RESOURCE,
        "authorization_servers": ["https://auth.example"],
        "scopes_supported": ["weather:read", "weather:write"],
        "bearer_methods_supported": ["header"],
        "resource_name": "weather",
    }
    assert server.get(path, method="HEAD").headers["content-length"] == str(len(answer.body))
    assert server.get(path, method="DELETE").status == 405
    assert server.get(path, {"Host": "evil.example"}).status == 421
    page = server.get(path, {"Origin": "https://app.example"})
    assert page.headers["access-control-allow-origin"] == "https://app.example"
    asks = {"Origin": "https://app.example", "Access-Control-Request-Method": "GET"}
    assert server.get(path, asks, method="OPTIONS").status == 200


def test_a_challenge_leads_to_the_metadata_and_says_which_scopes_there_are(server):
    expected = f'scope="weather:read weather:write", resource_metadata="{WHERE}"'
    assert server.post(PING).headers["www-authenticate"] == f'Bearer realm="mcp", {expected}'
    told = server.post(PING, bearer("unknown")).headers["www-authenticate"]
    assert told == f'Bearer realm="mcp", error="invalid_token", {expected}'


@pytest.mark.requirement("R097")
def test_a_missing_scope_is_told_with_all_that_the_tool_needs(server):
    for message, headers in (modern(call(5, "record", {"city": "Oslo"})), (call(5, "record", {"city": "Oslo"}), {})):
        answer = server.post(message, {**headers, **bearer("desk-token"), "Origin": "https://app.example"})
        assert (answer.status, answer.code) == (403, -32603)
        assert answer.json["error"]["data"] == {
            "errorCode": "M-AUTH-002",
            "reason": "insufficient_scope",
            "missing": ["weather:write"],
        }
        needed = 'error="insufficient_scope", scope="weather:read weather:write"'
        assert answer.headers["www-authenticate"] == f'Bearer realm="mcp", {needed}, resource_metadata="{WHERE}"'
        assert answer.headers["access-control-allow-origin"] == "https://app.example"


def test_without_a_resource_its_uri_is_made_of_the_host_that_was_asked(tmp_path):
    serve = 'token_env = "T"\nauthorization_servers = ["https://auth.example"]\npath = "/a/b"'
    with HttpServer(server_words(tmp_path, serve), env={**os.environ, "T": "t"}) as running:
        answer = running.get("/.well-known/oauth-protected-resource/a/b", {"Host": "localhost:99"})
        assert answer.json["resource"] == "http://localhost:99/a/b"
        told = running.get("/a/b", {"Host": "localhost:99"}).headers["www-authenticate"]
        assert 'resource_metadata="http://localhost:99/.well-known/oauth-protected-resource/a/b"' in told


def test_without_authorization_servers_there_is_no_metadata(tmp_path):
    with HttpServer(server_words(tmp_path), "--token-env", "T", env={**os.environ, "T": "t"}) as running:
        assert running.get("/.well-known/oauth-protected-resource").status == 404
        assert running.get("/activity").status == 404
        assert "resource_metadata" not in running.post(PING).headers["www-authenticate"]


# -- tokens that a function judges


@pytest.mark.parametrize(
    ("token", "read", "write"),
    [("desk-token", 200, 403), ("ann-1", 200, 403), ("bob", 200, 200), ("carl", 403, 403)],
)
def test_who_holds_a_token_may_do_what_its_scopes_say(server, token, read, write):
    assert server.post(PING, bearer(token)).status == 200
    assert server.post(call(1, "add", {"a": 1, "b": 1}), bearer(token)).status == 200
    assert server.post(call(1, "forecast", {"city": "x"}), bearer(token)).status == read
    assert server.post(call(1, "record", {"city": "x"}), bearer(token)).status == write


@pytest.mark.parametrize("token", ["nobody", "broken", "strange", "elsewhere", "late"])
def test_a_token_that_is_refused_breaks_or_was_made_for_another_server_lets_nobody_in(server, token):
    for _ in range(2):
        assert server.post(PING, bearer(token)).status == 401
    assert token not in server.stderr


def test_a_check_that_hangs_holds_nobody_up_and_lets_nobody_in(server):
    with server.wire() as waiting:
        begun = time.monotonic()
        waiting.send(server.bytes_of(PING, bearer("slow")) + server.bytes_of(PING, bearer("bob")))
        for _ in range(20):
            assert server.post(PING, bearer("bob")).status == 200
        assert time.monotonic() - begun < http_limits.VERIFY_SECONDS
        assert waiting.answer().status == 401
        assert http_limits.VERIFY_SECONDS - 1 < time.monotonic() - begun < http_limits.VERIFY_SECONDS + 10
        assert waiting.answer().status == 200


def test_a_client_that_leaves_while_its_token_is_judged_is_forgotten(server):
    with server.wire() as leaving:
        leaving.send(server.bytes_of(PING, bearer("ann-leaves")))
    assert server.post(PING, bearer("bob")).status == 200


def test_a_session_goes_on_with_the_next_token_of_the_same_name_only(server):
    session = {"Mcp-Session-Id": server.post(initialize(), bearer("ann-1")).headers["mcp-session-id"]}
    assert server.post(PING, {**session, **bearer("ann-2")}).status == 200
    assert server.post(PING, {**session, **bearer("bob")}).status == 404
    assert server.post(PING, {**session, **bearer("desk-token")}).status == 404


@pytest.mark.parametrize(
    ("target", "said"),
    [
        (".weather:nothing", b"has no `nothing`"),
        ("weather_auth:verify", b"weather_auth"),
        (".weather:__doc__", b"verify"),
    ],
)
def test_a_check_that_cannot_be_used_ends_the_start(tmp_path, target, said):
    """A build refuses the name of what is not there; what it cannot know is told at the start."""
    argv = server_words(tmp_path, 'verify = "weather:verify"')
    (package,) = (tmp_path / "project").glob("*_mcp")
    catalog = package / "catalog.json"
    catalog.write_bytes(catalog.read_bytes().replace(b'".weather:verify"', f'"{target}"'.encode()))
    (package / "catalog.cache.jsonl").unlink()
    done = subprocess.run([*argv, "--http", "--port", "0"], capture_output=True, timeout=20, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert said in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_check_alone_lets_a_server_be_reached_from_elsewhere(tmp_path):
    argv = server_words(tmp_path, 'verify = "weather:verify"')
    with HttpServer(argv, "--host", "0.0.0.0") as running:
        assert running.post(PING).status == 401
        assert running.post(PING, bearer("bob")).status == 200


def settle(verifier, token, mail, now=0.0):
    """Ask until the answer is there, as a connection does."""
    for _ in range(1000):
        try:
            return verifier.principal(token, now)
        except Verifying:
            while mail:
                function, *arguments = mail.pop(0)
                function(*arguments)
            time.sleep(0.005)
    raise AssertionError("the token was never judged")


def test_an_answer_is_kept_for_a_while_and_asked_for_again_afterwards():
    asked, mail = [], []
    verifier = Verifier(lambda token: asked.append(token) or "ann", lambda *what: mail.append(what))
    now = time.monotonic()
    assert settle(verifier, "t", mail, now).name == "ann"
    assert verifier.principal("t", now + http_limits.VERIFIED_SECONDS / 2).name == "ann"
    assert asked == ["t"]
    with pytest.raises(Verifying):
        verifier.principal("t", time.monotonic() + http_limits.VERIFIED_SECONDS + 1)


def test_a_token_is_believed_no_longer_than_it_says():
    mail = []
    verifier = Verifier(lambda _: {"sub": "a", "exp": time.time() + 2}, lambda *what: mail.append(what))
    assert settle(verifier, "t", mail, time.monotonic()).name == "a"
    with pytest.raises(Verifying):
        verifier.principal("t", time.monotonic() + 3)


@pytest.mark.parametrize("expires", [math.nan, -math.inf, 0, True, "soon", 10**400])
def test_an_expiry_that_is_not_ahead_lets_nobody_in(expires):
    mail = []
    verifier = Verifier(lambda _: {"sub": "a", "exp": expires}, lambda *what: mail.append(what))
    assert settle(verifier, "t", mail) is None


def test_nobody_is_taken_for_the_holder_of_a_known_token():
    mail = []
    taken = frozenset(["desk"])
    verifier = Verifier(lambda token: {"sub": token}, lambda *what: mail.append(what), taken=taken)
    assert settle(verifier, "desk", mail) is None
    assert settle(verifier, "ann", mail).name == "ann"


def test_too_many_tokens_at_once_are_refused_and_checks_that_hang_are_replaced(monkeypatch):
    monkeypatch.setattr("generator.runtime.server.http_verify.MAX_WAITING_TOKENS", 4)
    monkeypatch.setattr("generator.runtime.server.http_verify.MAX_VERIFYING", 2)
    mail, hung, gate = [], [], threading.Event()

    def judge(token):
        if token.startswith("h"):
            hung.append(token)
            gate.wait(30)
        return token

    verifier = Verifier(judge, lambda *what: mail.append(what))
    for token in ("h1", "h2", "c", "d"):
        with pytest.raises(Verifying):
            verifier.principal(token, 0.0)
    with pytest.raises(HttpProblem) as busy:
        verifier.principal("e", 0.0)
    assert busy.value.status == 503
    waited_for(lambda: len(hung) == 2)
    verifier.sweep(http_limits.VERIFY_SECONDS + 1)
    assert settle(verifier, "f", mail, time.monotonic()).name == "f"
    gate.set()


# -- lists


@pytest.mark.parametrize(
    ("token", "names"),
    [
        ("carl", ["add", "fails", "nap", "sign_in", "dies"]),
        ("ann-1", ["forecast", "add", "fails", "nap", "sign_in", "dies"]),
        ("bob", ["forecast", "record", "add", "fails", "nap", "sign_in", "dies"]),
    ],
)
def test_a_list_shows_what_a_token_may_call_and_is_its_own(server, token, names):
    for _ in range(2):
        message, headers = modern(request(1, "tools/list"))
        result = server.post(message, {**headers, **bearer(token)}).json["result"]
        assert [each["name"] for each in result["tools"]] == names
        assert result["cacheScope"] == "private"
    older = server.post(request(1, "tools/list"), {"MCP-Protocol-Version": "2025-03-26", **bearer(token)}).json
    assert [each["name"] for each in older["result"]["tools"]] == names
    message, headers = modern(request(2, "server/discover"))
    assert "tools" in server.post(message, {**headers, **bearer(token)}).json["result"]["capabilities"]
    assert len(server.post(request(3, "resources/list"), bearer(token)).json["result"]["resources"]) == 1


def test_pages_of_a_list_hold_what_a_token_may_call(tmp_path):
    serve = 'verify = "weather:verify"\nfilter_lists = true\n[settings]\npage_size = 3'
    with HttpServer(server_words(tmp_path, serve)) as running:
        first = running.post(request(1, "tools/list"), bearer("carl")).json["result"]
        rest = running.post(request(1, "tools/list", {"cursor": first["nextCursor"]}), bearer("carl")).json["result"]
        assert [each["name"] for each in (*first["tools"], *rest["tools"])] == [
            "add",
            "fails",
            "nap",
            "sign_in",
            "dies",
        ]
        assert "nextCursor" not in rest
