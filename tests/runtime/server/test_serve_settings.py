"""What the settings say of serving: filled from the environment at the start, and under the command line's words."""

from __future__ import annotations

import json
import os
import subprocess

import pytest

from generator.runtime.server import http_limits
from generator.runtime.server.options import read
from generator.runtime.server.serve_settings import HTTP_LIMITS, WIRE_LIMITS, SettingsError, settle
from generator.runtime.wire import limits as wire_limits
from tests.http_client import HttpServer, call, request

from .serving import serve_of, server_words

BARE = {"PATH": os.environ.get("PATH", ""), "HOME": os.environ.get("HOME", "")}
PING = request(1, "ping")


def settled(words, serve, **environment):
    options = read(words, "weather", "1", transport=serve.get("transport", "stdio"))
    settle(options, serve, {name.encode(): value.encode() for name, value in environment.items()})
    return options


# -- filling


@pytest.mark.requirement("R129")
def test_variables_are_filled_and_checked():
    serve = {"transport": "http", "host": "${A}.example", "port": "${PORT}", "path": "/${A}${B}", "workers": "${N}"}
    options = settled([], serve, A="a", B="b", PORT="81", N="2")
    assert (options.http, options.host, options.port, options.path) == (True, "a.example", 81, "/ab")
    assert options.workers == 2


@pytest.mark.requirement("R129")
def test_all_missing_variables_are_told_together_with_what_they_are_for():
    tokens = [{"name": "a", "token": "${ONE}"}, "${TWO}"]
    serve = {"transport": "http", "port": "${PORT}", "path": "/${ONE}", "tokens": tokens, "allow_hosts": ["${HOST}"]}
    with pytest.raises(SettingsError) as error:
        settled([], serve, TWO="", HOST="h")
    text = str(error.value)
    assert "PORT (for port)" in text
    assert "ONE (for path, tokens)" in text
    assert "TWO (for tokens)" in text
    assert "HOST" not in text


@pytest.mark.parametrize(
    ("serve", "said"),
    [
        ({"port": "${X}"}, "port is a number from 0 to 65535"),
        ({"workers": "${X}"}, "workers is a number from 0 to 64"),
        ({"path": "${X}"}, "path begins with a slash"),
        ({"resource": "${X}"}, "resource is an http or https URL"),
        ({"authorization_servers": ["${X}"]}, "authorization_servers are http or https URLs"),
        ({"allow_origins": ["${X}"]}, "allow_origins are schemes and hosts"),
    ],
)
def test_what_came_of_a_variable_is_checked_and_not_shown(serve, said):
    with pytest.raises(SettingsError) as error:
        settled(["--http"], serve, X='secret" value')
    assert said in str(error.value)
    assert "secret" not in str(error.value)


def test_everything_that_is_wrong_is_told_at_once():
    with pytest.raises(SettingsError) as error:
        settled(["--http"], {"port": "${X}", "path": "${X}"}, X="x")
    assert "port" in str(error.value)
    assert "path" in str(error.value)


# -- the command line


@pytest.mark.requirement("R120")
@pytest.mark.parametrize(
    ("words", "transport", "http"),
    [
        ([], "stdio", False),
        ([], "http", True),
        (["--mcp"], "http", False),
        (["--stdio"], "http", False),
        (["--http"], "stdio", True),
        (["--port", "0"], "http", True),
        (["--mcp", "--http"], "stdio", True),
    ],
)
def test_the_settings_say_which_transport_unless_the_command_line_does(words, transport, http):
    assert settled(words, {"transport": transport}).http is http


def test_words_of_the_command_line_win_and_their_settings_need_no_variables():
    serve = {"host": "${HOST}", "port": "${PORT}", "path": "${P}", "tokens": "${FILE}", "allow_hosts": ["${H}"]}
    words = ["--http", "--host", "localhost", "--port", "1", "--path", "/x", "--token-env", "T", "--allow-host", "y"]
    options = settled(words, serve)
    assert (options.host, options.port, options.path) == ("localhost", 1, "/x")
    assert (options.tokens, options.token_env, options.allow_host) == (None, "T", ["y"])
    assert "tokens" not in options.serve


def test_on_standard_input_only_what_matters_there_is_filled():
    options = settled([], {"port": "${PORT}", "tokens": "${FILE}", "events": "${EVENTS}"}, EVENTS="e.jsonl")
    assert options.events == "e.jsonl"
    assert options.serve.keys() == {"events"}


def test_a_listed_variable_alone_is_a_token_with_every_scope():
    serve = {"tokens": ["${ADMIN}", {"name": "a", "token": "${A}", "scopes": ["read"]}]}
    assert settled(["--http"], serve, ADMIN="x", A="y").serve["tokens"] == [
        {"name": "ADMIN", "token": "x", "scopes": ["*"]},
        {"name": "a", "token": "y", "scopes": ["read"]},
    ]


def test_every_limit_of_the_settings_is_a_constant_with_a_reason():
    assert all(hasattr(wire_limits, name) for name in WIRE_LIMITS.values())
    assert all(hasattr(http_limits, name) for name in HTTP_LIMITS.values())


# -- with a real server

SERVE = """transport = "http"
port = "${WEATHER_PORT}"
path = "/weather"
tokens = [{ name = "desk", token = "${DESK_TOKEN}", scopes = ["weather:read"] }, "${OPERATOR_TOKEN}"]
limits = { max_message_bytes = 5000, max_nesting = 10, max_result_bytes = 40 }
"""


@pytest.fixture(scope="module")
def argv(tmp_path_factory):
    return server_words(tmp_path_factory.mktemp("settings"), SERVE)


@pytest.mark.requirement("R129")
def test_a_server_whose_variables_are_missing_ends_with_2_and_names_them_all(argv):
    done = subprocess.run(argv, env=BARE, capture_output=True, timeout=20, check=False, stdin=subprocess.DEVNULL)
    assert (done.returncode, done.stdout) == (2, b"")
    for name in (b"WEATHER_PORT", b"DESK_TOKEN", b"OPERATOR_TOKEN"):
        assert name in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.requirement("R120", "R129")
def test_one_package_with_settings_for_http_serves_over_both(argv):
    environment = {**BARE, "WEATHER_PORT": "0", "DESK_TOKEN": "desk-token", "OPERATOR_TOKEN": "operator-token"}
    words = [argv, "--mcp"]
    done = subprocess.run(
        [*argv, "--mcp"],
        input=json.dumps(PING).encode() + b"\n",
        env=BARE,
        capture_output=True,
        timeout=20,
        check=False,
    )
    assert json.loads(done.stdout)["result"] == {}, words
    with HttpServer(argv, env=environment) as server:
        message = {**call(1, "forecast", {"city": "Oslo"})}
        wire = {"Authorization": "Bearer desk-token"}
        body = json.dumps(message).encode()
        with server.wire() as connection:
            head = server.head("POST", "/weather", {"Content-Length": str(len(body)), **wire})
            connection.send(head + body)
            assert connection.answer().json["result"]["content"][0]["text"] == "sunny in Oslo"


def test_no_secret_is_in_what_was_built(argv):
    serve = serve_of(argv)
    assert serve["tokens"] == [
        {"name": "desk", "token": "${DESK_TOKEN}", "scopes": ["weather:read"]},
        "${OPERATOR_TOKEN}",
    ]


def test_limits_hold_on_standard_input_too(argv):
    def answered(line):
        done = subprocess.run(
            [*argv, "--mcp"], input=line + b"\n", env=BARE, capture_output=True, timeout=20, check=False
        )
        return json.loads(done.stdout)

    assert answered(json.dumps({**PING, "params": {"x": "y" * 6000}}).encode())["error"]["code"] == -32600
    deep = b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":' + b"[" * 11 + b"]" * 11 + b"}}"
    assert answered(deep)["error"]["code"] == -32700
    long = answered(json.dumps(call(1, "forecast", {"city": "a" * 200})).encode())["result"]["content"][0]["text"]
    assert len(long) < 200


def test_hosts_are_told_to_ask_for_standard_input(argv):
    from pathlib import Path

    project = Path(argv[-1]).parent
    assert json.loads((project / ".mcp.json").read_bytes())["mcpServers"]["weather"]["args"][-1] == "--mcp"
    assert json.loads((project / "weather_mcp" / "registry-entry.json").read_bytes())["command"][-1] == "--mcp"
