"""The HTTP cases of the attack corpus, sent to an emitted server and judged as their `.expect.json` says."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import time

import pytest

from tests.asgi_servers import Hypercorn, Uvicorn
from tests.http_client import MODERN, HttpServer, call, modern, request
from tests.stdio_client import stub

from .conftest import ATTACKS

CASES = ATTACKS / "http"
NAMES = sorted(path.stem for path in CASES.glob("*.http"))
RECIPES = json.loads((CASES / "RECIPES.json").read_bytes())
TOKEN = "T"
BEARER = {"Authorization": f"Bearer {TOKEN}"}

CHOSEN = {"accept-missing": 200}
"""Where the corpus leaves a choice, ours: a request without `Accept` is answered with JSON."""

FRAMING = {"header-obs-fold", "http09"}
"""Cases about the bytes of HTTP itself, which an ASGI server answers or not, before the application is asked."""

SLOW_CONNECTIONS = 200
GOOD_SECONDS = 1.0
"""What a good request may take meanwhile; the corpus says 0.1, on a machine that does nothing else."""


def tokens_file(folder, **scopes):
    place = folder / "tokens.json"
    digest = hashlib.sha256(TOKEN.encode()).hexdigest()
    place.write_text(json.dumps([{"name": "tests", "sha256": digest, **scopes}]), encoding="utf-8")
    return str(place)


@pytest.fixture(scope="module")
def argv(echo_project):
    return stub(echo_project, sys.executable)


@pytest.fixture(scope="module")
def server(argv, tmp_path_factory):
    with HttpServer(argv, "--tokens", tokens_file(tmp_path_factory.mktemp("tokens"))) as running:
        yield running


@pytest.fixture(scope="module", params=[Uvicorn, Hypercorn])
def asgi(argv, tmp_path_factory, request):
    with request.param(argv, "--tokens", tokens_file(tmp_path_factory.mktemp("tokens"))) as running:
        yield running


def expected(name):
    return json.loads((CASES / f"{name}.http.expect.json").read_bytes())["expect"]


def statuses(expect, name):
    """Return the statuses that are right: those named, or our own choice among them."""
    named = {int(each) for each in re.findall(r"\d{3}", str(expect["status"]))}
    return {CHOSEN[name]} if name in CHOSEN else named - {100}


def test_every_case_is_run():
    assert len(NAMES) == 30


@pytest.mark.parametrize("name", NAMES)
def test_a_request_is_answered_as_expected_and_the_next_one_too(server, name):
    expect = expected(name)
    with server.wire() as wire:
        wire.send((CASES / f"{name}.http").read_bytes().replace(b"PORT", str(server.port).encode()))
        answer = wire.answer()
        if str(expect["status"]).startswith("100"):
            assert answer.status == 100
            answer = wire.answer()
        assert answer.status in statuses(expect, name), answer
        assert "access-control-allow-origin" not in answer.headers
        if "header" in expect:
            assert expect["header"].lower() in answer.headers
        if "error" in expect:
            assert answer.code == expect["error"]
        if expect.get("connection") == "closed":
            assert wire.is_closed()
    assert server.post(request(1, "ping"), BEARER).json["result"] == {}


@pytest.mark.parametrize("name", [name for name in NAMES if name not in FRAMING])
def test_a_request_that_reaches_the_application_is_answered_as_expected(asgi, name):
    expect = expected(name)
    with asgi.wire() as wire:
        wire.send((CASES / f"{name}.http").read_bytes().replace(b"PORT", str(asgi.port).encode()))
        answer = wire.answer()
        while answer.status == 100:
            answer = wire.answer()
        assert answer.status in statuses(expect, name), answer
        assert "access-control-allow-origin" not in answer.headers
        if "header" in expect:
            assert expect["header"].lower() in answer.headers
        if "error" in expect:
            assert answer.code == expect["error"]
    assert asgi.post(request(1, "ping"), BEARER).json["result"] == {}


def test_no_token_is_ever_written_down(server):
    server.post(call(1, "echo", {"x": 1}), BEARER)
    server.post(call(1, "echo", {"x": 1}), {"Authorization": "Bearer wrong-and-secret"})
    server.get(f"/mcp?token={TOKEN}-in-url")
    words = re.findall(r"[\w-]+", server.stderr)
    assert "echo" in words
    assert not {TOKEN, "wrong-and-secret", f"{TOKEN}-in-url", "Bearer"} & set(words)


@pytest.mark.requirement("R126")
@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_no_other_machine_is_served_without_a_token(argv, host):
    words = [*argv, "--http", "--port", "0", "--host", host]
    done = subprocess.run(words, capture_output=True, timeout=20, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"--tokens FILE" in done.stderr
    assert b"Traceback" not in done.stderr
    assert RECIPES["bind-all"].startswith("--host 0.0.0.0 without a token: refuses to start, exit 2")


def test_with_a_token_it_is_served_by_address_but_not_by_any_name(argv, tmp_path):
    with HttpServer(argv, "--host", "0.0.0.0", "--tokens", tokens_file(tmp_path)) as server:
        assert server.post(request(1, "ping"), {**BEARER, "Host": "192.0.2.1"}).status == 200
        assert server.post(request(1, "ping"), {**BEARER, "Host": "evil.example"}).status == 421
        assert server.post(request(1, "ping")).status == 401


@pytest.mark.alone
def test_slow_headers_hold_nobody_up_and_are_cut(server):
    slow = [server.wire() for _ in range(SLOW_CONNECTIONS)]
    try:
        for wire in slow:
            wire.send(b"P")
        begun = time.monotonic()
        for _ in range(5):
            sent = time.monotonic()
            assert server.post(request(1, "ping"), BEARER).status == 200
            assert time.monotonic() - sent < GOOD_SECONDS
        last = slow[-1]
        assert last.answer().status == 408  # after ten seconds
        assert 9.0 < time.monotonic() - begun < 19.0
        assert last.is_closed()
    finally:
        for wire in slow:
            wire.close()


def test_refusals_without_a_token_do_not_slow_good_requests_much(server):
    def seconds(*, flooded):
        good = server.wire()
        bad = server.wire()
        with good, bad:
            begun = time.monotonic()
            for number in range(100):
                good.send(server.bytes_of(request(number, "ping"), BEARER))
                if flooded:
                    bad.send(server.bytes_of(request(number, "ping")))
                    assert bad.answer().status == 401
                assert good.answer().status == 200
            return time.monotonic() - begun

    seconds(flooded=False)
    alone = min(seconds(flooded=False) for _ in range(3))
    assert min(seconds(flooded=True) for _ in range(3)) < 4 * alone + 0.1  # both requests are waited for


@pytest.mark.requirement("R137")
def test_a_client_that_leaves_cancels_its_call(server):
    message, headers = modern(call(7, "nap", {"seconds": 30}))
    with server.wire() as wire:
        wire.send(server.bytes_of(message, {**headers, **BEARER}))
    until = time.monotonic() + 10
    while "call nap failed" not in server.stderr and time.monotonic() < until:
        assert server.post(request(1, "ping"), BEARER).status == 200
    assert "id=7" in server.stderr
    assert MODERN in str(message)
