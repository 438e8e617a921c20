"""Handler processes behind the HTTP server (`--workers`): what runs where, lost calls, replacement, the end."""

from __future__ import annotations

import json
import os
import signal
import time

import pytest

from tests.http_client import HttpServer, call, modern, request

from .dying import HAS_PROC, are_ready, ask, dying_server, is_alive, result_of, text, wait_until, workers_of

LOST_SECONDS = 1.0 + 2.0
"""In which the end of a worker is told, with a margin for a machine that does other things as well."""

pytestmark = pytest.mark.skipif(not HAS_PROC, reason="workers are looked up in /proc")


@pytest.fixture(scope="module")
def argv(tmp_path_factory):
    return dying_server(tmp_path_factory.mktemp("dying"))


@pytest.fixture(scope="module")
def server(argv):
    with HttpServer(argv, "--workers", "2") as running:
        yield running


# -- what runs where


def test_user_code_runs_in_workers_and_never_in_front(server):
    for _ in range(3):
        assert int(ask(server, "pid")) in workers_of(server)
    contents = result_of(server.post(request(1, "resources/read", {"uri": "pid://worker"})))["contents"]
    assert int(contents[0]["text"]) in workers_of(server)
    got = result_of(server.post(request(1, "prompts/get", {"name": "greeting", "arguments": {"name": "Ada"}})))
    assert int(got["messages"][0]["content"]["text"].split()[0]) in workers_of(server)


def test_calls_are_spread_over_the_workers(server):
    wires = [server.wire() for _ in range(8)]
    for number, wire in enumerate(wires):
        wire.send(server.bytes_of(call(number, "nap", {"seconds": 0.3})))
    pids = {ask(server, "pid") for _ in range(4)}
    for wire in wires:
        assert text(wire.answer()) == "rested"
        wire.close()
    assert {int(pid) for pid in pids} <= set(workers_of(server))
    assert len(workers_of(server)) == 2


def test_every_digit_of_a_number_reaches_a_worker(server):
    body = json.dumps(call(1, "exact", {"amount": "@"})).replace('"@"', "0.1000000000000000000000000000000001").encode()
    assert text(server.post(body)) == "0.1000000000000000000000000000000001"


def test_arguments_that_are_wrong_are_told_as_ever(server):
    assert text(server.post(call(1, "nap", {"secs": 1}))).startswith("2 problems with the arguments of nap:")


def test_a_batch_is_answered_by_workers(server):
    session = server.session("2025-03-26")
    batch = [call(1, "pid"), request(2, "ping"), call(3, "nap", {"seconds": 0}), call(4, "exact", {"amount": 1.5})]
    answers = {each["id"]: each["result"] for each in server.post(batch, session).json}
    assert set(answers) == {1, 2, 3, 4}
    assert answers[4]["content"][0]["text"] == "1.5"


def test_the_command_line_in_a_worker_is_the_servers(server):
    assert json.loads(ask(server, "asks"))[1:] == ["--http", "--port", "0", "--workers", "2"]


def test_the_token_of_the_server_is_kept_from_tools(argv):
    environment = {**os.environ, "SERVER_TOKEN": "s3cret", "OTHER": "seen"}
    with HttpServer(argv, "--workers", "1", "--token-env", "SERVER_TOKEN", env=environment) as server:
        bearer = {"Authorization": "Bearer s3cret"}
        assert text(server.post(call(1, "environment", {"name": "SERVER_TOKEN"}), bearer)) == "none"
        assert text(server.post(call(1, "environment", {"name": "OTHER"}), bearer)) == "seen"


# -- the end of a worker


@pytest.mark.parametrize("how", ["exit", "crash", "kill", "closes", "scribbles"])
def test_a_call_whose_worker_ends_is_told_at_once_and_others_go_on(server, how):
    begun = time.monotonic()
    result = result_of(server.post(call(1, "dies", {"how": how})))
    assert time.monotonic() - begun < LOST_SECONDS
    assert result["isError"] is True
    assert result["_meta"]["mcpgen/error"]["code"] == "M-RUN-004"
    assert ask(server, "nap", {"seconds": 0}) == "rested"
    assert wait_until(lambda: len(workers_of(server)) == 2)


def test_calls_of_a_worker_that_ends_are_lost_with_it_and_those_of_others_are_not(argv):
    with HttpServer(argv, "--workers", "2") as server:
        assert wait_until(lambda: are_ready(server))
        wires = [server.wire() for _ in range(4)]
        for number, wire in enumerate(wires):
            wire.send(server.bytes_of(call(number, "nap", {"seconds": 1.0})))
        deadly = result_of(server.post(call("x", "dies")))
        assert "ended with exit status 7" in deadly["content"][0]["text"]
        answers = [text(wire.answer()) for wire in wires]
        for wire in wires:
            wire.close()
        assert sorted("M-RUN-004" in answer for answer in answers) == [False, False, True, True]
        assert "and 3 calls with it" in server.stderr


def test_many_ends_in_a_row_are_survived(argv):
    with HttpServer(argv, "--workers", "1") as server:
        for number in range(10):
            assert "M-RUN-004" in text(server.post(call(number, "dies")))
        assert ask(server, "nap", {"seconds": 0}) == "rested"


def test_a_session_outlives_the_workers(server):
    session = server.session()
    assert "M-RUN-004" in text(server.post(call(1, "dies"), session))
    assert text(server.post(call(2, "nap", {"seconds": 0}), session)) == "rested"
    assert server.get("/mcp", {**session}, method="DELETE").status == 200


def test_a_worker_that_a_call_never_leaves_is_replaced(argv):
    with HttpServer(argv, "--workers", "1") as server:
        before = int(ask(server, "pid"))
        assert "M-RUN-001" in text(server.post(call(1, "hogs")))
        assert wait_until(lambda: not is_alive(before))
        assert int(ask(server, "pid")) != before
        assert "holds a call that should have ended" in server.stderr


def test_a_worker_that_was_stopped_holds_up_no_call_of_others(argv):
    with HttpServer(argv, "--workers", "2") as server, server.wire() as stopped:
        assert wait_until(lambda: are_ready(server))
        stopped.send(server.bytes_of(*modern(call(1, "dies", {"how": "stops"}))))
        for _ in range(5):
            assert ask(server, "nap", {"seconds": 0.4}) == "rested"


def test_workers_that_end_as_they_start_leave_the_server_up(argv, tmp_path):
    (tmp_path / "sitecustomize.py").write_text(
        "import os, sys\nif 'farm_child' in str(sys.orig_argv): os._exit(9)\n", encoding="utf-8"
    )
    words = [argv[0], *[word for word in argv[1:] if word not in ("-I", "-S")]]
    with HttpServer(words, "--workers", "1", env={**os.environ, "PYTHONPATH": str(tmp_path)}) as server:
        answer = result_of(server.post(call(1, "pid")))
        assert answer["_meta"]["mcpgen/error"]["reason"] == "no_worker"
        assert server.post(request(2, "ping")).json["result"] == {}
        assert server.get("/health").status == 200
        assert server.get("/ready").status == 503
        assert server.stderr.count("before it was ready") < 10
        (tmp_path / "sitecustomize.py").unlink()
        assert wait_until(lambda: server.get("/ready").status == 200)
        assert int(ask(server, "pid")) in workers_of(server)


# -- the end of the server


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("busy", ["nap", "hogs"])
def test_no_worker_outlives_the_server(argv, number, busy):
    server = HttpServer(argv, "--workers", "2")
    with server.wire() as wire:
        left = int(ask(server, "child")) if number == signal.SIGTERM else 0
        assert wait_until(lambda: are_ready(server))
        wire.send(server.bytes_of(call(1, busy, {"seconds": 60} if busy == "nap" else {})))
        assert ask(server, "nap", {"seconds": 0.1}) == "rested"
        pids = workers_of(server)
        assert len(pids) == 2
        server.stop(number)
    assert wait_until(lambda: not any(map(is_alive, pids)))
    assert wait_until(lambda: not left or not is_alive(left))
