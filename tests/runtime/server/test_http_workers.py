"""Handler processes behind the HTTP server (`--workers`): lost calls, replacement, lanes, what passes both ways."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

from tests.command import built
from tests.http_client import HttpServer, call, initialize, modern, request
from tests.stdio_client import stub

LOST_SECONDS = 1.0 + 2.0
"""In which the end of a worker is told, with a margin for a machine that does other things as well."""

PATIENCE_SECONDS = 20.0
"""Longest wait for something that happens by itself."""

MODULE = '''"""Die, hang and wait."""

import asyncio
import ctypes
import os
import signal
import subprocess
import sys
import time
from decimal import Decimal
from typing import Annotated

from mcpgen import Context, Param, SyncContext, prompt, resource, tool


def pid(seconds: float = 0.0) -> int:
    """Say which process this is."""
    time.sleep(seconds)
    return os.getpid()


def dies(how: str = "exit") -> str:
    """End the process."""
    if how == "exit":
        os._exit(7)
    if how == "crash":
        ctypes.string_at(0)
    if how == "closes":
        for number in range(3, 4096):
            try:
                os.close(number)
            except OSError:
                pass
        time.sleep(60)
    if how == "scribbles":
        for number in range(3, 4096):
            try:
                os.write(number, b"POLLUTION")
            except OSError:
                pass
        time.sleep(60)
    if how == "stops":
        signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
        os.kill(os.getpid(), signal.SIGSTOP)
    os.kill(os.getpid(), signal.SIGKILL)
    return how


def nap(seconds: float) -> str:
    """Sleep."""
    time.sleep(seconds)
    return "rested"


@tool(timeout=0.5)
def hogs() -> str:
    """Never give the interpreter's lock back."""
    ctypes.pythonapi.sleep(60)
    return "never"


async def talks(ctx: Context) -> str:
    """Say how far it is, until it is cancelled."""
    await ctx.info("begun")
    try:
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        print("CANCELLED", file=sys.stderr)
        raise
    return "never"


def exact(amount: Decimal) -> str:
    """Give every digit back."""
    return str(amount)


@tool(max_concurrent=1)
def alone(seconds: float) -> list[float]:
    """Be the only one."""
    begun = time.time()
    time.sleep(seconds)
    return [begun, time.time()]


def child() -> int:
    """Leave a process behind."""
    return subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]).pid


@tool(read_only=True)
async def confirms(ctx: Context) -> str:
    """Ask before it goes on."""
    first = await ctx.elicit("first", "Go on?", schema=bool)
    second = await ctx.elicit("second", "Really?", schema=bool)
    return f"{first} {second}"


async def announces(ctx: Context) -> str:
    """Tell of a change."""
    await ctx.tools_changed()
    return "told"


def environment(name: str) -> str:
    """Read a variable."""
    return os.environ.get(name, "none")


def asks() -> list[str]:
    """Say what this process was started as."""
    return sys.argv


@resource("pid://worker")
def worker() -> str:
    """Say which process reads."""
    return str(os.getpid())


@prompt
def greeting(name: str) -> str:
    """Greet."""
    return f"{os.getpid()} greets {name}"
'''


pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="workers are looked up in /proc")


@pytest.fixture(scope="module")
def argv(tmp_path_factory):
    return stub(built(tmp_path_factory.mktemp("dying"), "dying", MODULE), sys.executable)


@pytest.fixture(scope="module")
def server(argv):
    with HttpServer(argv, "--workers", "2") as running:
        yield running


def result_of(answer):
    assert answer.status == 200, answer
    return answer.json["result"]


def text(answer):
    return result_of(answer)["content"][0]["text"]


def ask(server, name, arguments=None):
    return text(server.post(call(1, name, arguments)))


def status_of(pid):
    """Return a process's state and parent, None when there is no such process."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return None
    return fields[0], int(fields[1])


def is_alive(pid):
    status = status_of(pid)
    return status is not None and status[0] != "Z"


def wait_until(found):
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until:
        if found():
            return True
        time.sleep(0.01)
    return False


def workers_of(server):
    """Return the processes whose parent the server is."""
    pids = [int(each.name) for each in Path("/proc").iterdir() if each.name.isdigit()]
    return [pid for pid in pids if is_alive(pid) and status_of(pid)[1:] == (server.process.pid,)]


def are_ready(server):
    """Say whether two calls at once run on two workers."""
    with server.wire() as one, server.wire() as other:
        for wire in (one, other):
            wire.send(server.bytes_of(call(1, "pid", {"seconds": 0.1})))
        return text(one.answer()) != text(other.answer())


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


# -- what passes


def test_a_call_that_is_cancelled_is_cancelled_in_its_worker(argv):
    with HttpServer(argv, "--workers", "1") as server:
        with server.wire() as wire:
            message, headers = modern(call(1, "talks"), **{"io.modelcontextprotocol/logLevel": "info"})
            wire.send(server.bytes_of(message, headers))
            wire.head()
            assert next(wire.events()).json["params"]["data"] == "begun"
        assert wait_until(lambda: "CANCELLED" in server.stderr)


def test_a_question_of_a_worker_reaches_the_client_and_the_answer_the_worker(server):
    hello = initialize()
    hello["params"]["capabilities"] = {"elicitation": {}}
    session = {"Mcp-Session-Id": server.post(hello).headers["mcp-session-id"]}
    with server.wire() as wire:
        wire.send(server.bytes_of(call(1, "confirms"), session))
        wire.head()
        events = (each.json for each in wire.events() if each.data)
        for approved in (True, False):
            question = next(events)
            assert question["method"] == "elicitation/create"
            name = next(iter(question["params"]["requestedSchema"]["properties"]))
            result = {"action": "accept", "content": {name: approved}}
            assert server.post({"jsonrpc": "2.0", "id": question["id"], "result": result}, session).status == 202
        assert next(events)["result"]["content"][0]["text"] == "True False"


def test_a_replay_is_taken_up_by_any_worker(server):
    capable = {"io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}}
    more = {}
    for approved in (True, False):
        message, headers = modern(call(1, "confirms", {}, **more), **capable)
        assert "M-RUN-004" in text(server.post(call(2, "dies")))
        result = result_of(server.post(message, headers))
        assert result["resultType"] == "input_required"
        ((key, question),) = result["inputRequests"].items()
        name = next(iter(question["params"]["requestedSchema"]["properties"]))
        answer = {"action": "accept", "content": {name: approved}}
        more = {"requestState": result["requestState"], "inputResponses": {key: answer}}
    message, headers = modern(call(1, "confirms", {}, **more), **capable)
    assert text(server.post(message, headers)) == "True False"


def test_a_change_in_a_worker_is_told_to_whoever_listens(server):
    headers = server.session()
    with server.wire() as wire:
        wire.send(server.head("GET", headers={**headers, "Accept": "text/event-stream"}))
        wire.head()
        events = wire.events()
        next(events)
        assert ask(server, "announces") == "told"
        assert next(events).json["method"] == "notifications/tools/list_changed"


@pytest.mark.requirement("R120")
def test_a_tool_that_is_alone_is_alone_across_workers(server):
    wires = [server.wire() for _ in range(4)]
    for number, wire in enumerate(wires):
        wire.send(server.bytes_of(call(number, "alone", {"seconds": 0.1})))
    spans = sorted(json.loads(text(wire.answer())) for wire in wires)
    for wire in wires:
        wire.close()
    assert all(earlier[1] <= later[0] for earlier, later in pairwise(spans))


def test_what_workers_print_goes_to_the_servers_standard_error(argv):
    with HttpServer(argv, "--workers", "1", "--log-format", "json") as server:
        assert "M-RUN-004" in text(server.post(call(1, "dies")))
        server.stop()  # fails if anything came on standard output
        lines = [json.loads(line) for line in server.stderr.splitlines()]
        assert [line["error"] for line in lines if line["msg"] == "call"] == ["M-RUN-004"]
        assert any(re.search("ended with exit status 7", line.get("warning", "")) for line in lines)
