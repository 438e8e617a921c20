"""The recipes of the attack corpus: streams too big to store, and hosts that treat the process badly."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from .conftest import ATTACKS
from .processes import memory, running, seconds_until_end, send
from .wire import ALIVE, HANDSHAKE, call, exchange, read, request

CAP = 10 * 1024 * 1024
"""Bytes of one line."""

PROMPT = 2.0
"""Seconds in which a server has to end."""

MARGIN = 1.5
"""More on a machine that does other things as well."""

ON_LINUX = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from Linux's /proc")


def test_every_recipe_has_a_test():
    recipes = json.loads((ATTACKS / "wire-raw" / "RECIPES.json").read_text(encoding="utf-8"))
    assert set(recipes) == {
        "no-newline-flood",
        "big-valid",
        "many",
        "parallel",
        "stdout-closed",
        "stdin-slow",
        "sigterm",
        "sigint",
        "sigpipe-mid-call",
        "fd-limit",
        "low-mem",
        "no-home",
        "closed-stderr",
    }


@ON_LINUX
def test_a_line_without_an_end_costs_bounded_memory_and_the_next_one_is_answered(echo):
    with running(echo) as server:
        piece = b"a" * (1 << 20)
        for _ in range(300):
            server.stdin.write(piece)
        send(server, b"\n" + ALIVE)
        answer = json.loads(server.stdout.readline())
        assert answer["error"]["code"] == -32600
        assert str(CAP) in answer["error"]["message"]
        assert json.loads(server.stdout.readline()) == {"jsonrpc": "2.0", "id": "alive", "result": {}}
        assert memory(server, "VmHWM") < (CAP + 60 * 1024 * 1024) / 1024


def test_a_message_just_below_the_cap_is_served_and_one_above_is_told_the_cap(echo):
    big, too_big = "b" * (9 << 20), "c" * (11 << 20)
    (server_side,) = [exchange(echo, HANDSHAKE + call(1, "echo", x=big) + ALIVE)]
    assert server_side.the(1)["result"]["content"] == [{"type": "text", "text": big}]
    done = subprocess.run(echo, input=call(2, "echo", x=too_big) + ALIVE, capture_output=True, timeout=60, check=True)
    found = read(done.stdout)
    assert set(found.answers) == {"alive"}
    (refusal,) = found.nameless
    assert str(CAP) in refusal["error"]["message"]


def test_the_cap_is_the_operators_to_change(echo):
    environment = {**os.environ, "MCPGEN_MAX_MESSAGE_BYTES": "5000"}
    sent = call(1, "echo", x="y" * 6_000) + ALIVE
    done = subprocess.run(echo, input=sent, capture_output=True, timeout=60, check=True, env=environment)
    found = read(done.stdout)
    assert "5000 bytes" in found.nameless[0]["error"]["message"]
    for nonsense in ("", "lots", "-5", "7", "1e9"):
        environment["MCPGEN_MAX_MESSAGE_BYTES"] = nonsense
        assert exchange(echo, sent, env=environment).the(1)["result"]["content"][0]["text"] == "y" * 6_000


@ON_LINUX
def test_many_calls_leave_no_memory_behind(echo):
    half = 10_000
    with running(echo, stderr=subprocess.DEVNULL) as server:
        first = many(server, range(half))
        before = memory(server)
        second = many(server, range(half, 2 * half))
        assert memory(server) - before < 5 * 1024
    for numbers, lines in ((range(half), first), (range(half, 2 * half), second)):
        found = read(b"".join(lines))
        assert {number: found.the(number)["result"]["content"][0]["text"] for number in numbers} == {
            number: str(number) for number in numbers
        }


def many(server: subprocess.Popen[bytes], numbers: range) -> list[bytes]:
    """Send calls at once while the answers are read."""
    lines = b"".join(call(number, "echo", x=number) for number in numbers)
    writer = threading.Thread(target=send, args=(server, lines))
    writer.start()
    answers = [server.stdout.readline() for _ in numbers]
    writer.join()
    return answers


def test_a_thousand_slow_calls_at_once_are_answered_and_others_do_not_starve(echo):
    slow = b"".join(call(number, "nap", seconds=0.01) for number in range(1_000))
    with running(echo, stderr=subprocess.DEVNULL) as server:
        answers = []
        reader = threading.Thread(target=lambda: answers.extend(server.stdout.readlines()))
        reader.start()
        send(server, slow + ALIVE)
        server.stdin.close()
        assert server.wait(60) == 0
        reader.join(60)
    found = read(b"".join(answers))
    assert sorted(set(found.answers) - {"alive"}) == list(range(1_000))
    assert all(len(each) == 1 for each in found.answers.values())
    assert [strict_id(line) for line in answers].index("alive") < 500


def strict_id(line: bytes) -> object:
    return json.loads(line)["id"]


def test_a_reader_that_takes_one_line_and_goes_ends_the_server_quietly(echo):
    command = f"yes '{ALIVE.decode().strip()}' | head -n 20000 | {shlex.join(echo)} | head -n 1"
    script = f'{command}; echo "status ${{PIPESTATUS[2]}}"'
    done = subprocess.run(["bash", "-c", script], capture_output=True, timeout=60, check=True)
    first, status = done.stdout.splitlines()
    assert json.loads(first)["result"] == {}
    assert status in (b"status 0", b"status 141")
    assert done.stderr == b""


def test_bytes_that_trickle_in_are_read(echo):
    with running(echo) as server:
        for byte in ALIVE:
            send(server, bytes([byte]))
            time.sleep(0.001)
        assert json.loads(server.stdout.readline())["result"] == {}


@pytest.mark.parametrize(("name", "codes"), [("SIGTERM", {0, 143, -signal.SIGTERM}), ("SIGINT", {130})])
def test_a_signal_ends_the_server_while_a_tool_runs(echo, name, codes):
    with running(echo) as server:
        send(server, call(1, "nap", seconds=600) + ALIVE)
        assert strict_id(server.stdout.readline()) == "alive"
        server.send_signal(getattr(signal, name))
        assert seconds_until_end(server) < PROMPT + MARGIN
        assert server.returncode in codes
        assert b"Traceback" not in server.stderr.read()


def test_a_client_that_stops_reading_while_a_tool_runs_ends_the_server(echo):
    with running(echo) as server:
        send(server, call(1, "nap", seconds=600) + ALIVE)
        assert strict_id(server.stdout.readline()) == "alive"
        server.stdout.close()
        assert seconds_until_end(server) < PROMPT + MARGIN
        assert server.returncode == 0
        assert b"Traceback" not in server.stderr.read()


SERVED = HANDSHAKE + request(1, "tools/list") + call(2, "echo", x=1) + ALIVE


def right(found) -> None:
    assert [tool["name"] for tool in found.the(1)["result"]["tools"]] == ["echo", "nap", "typed"]
    assert found.the(2)["result"]["content"] == [{"type": "text", "text": "1"}]


@pytest.mark.parametrize(
    "limit",
    [
        "ulimit -n 16",
        "ulimit -n 12",
        "ulimit -v 200000",
        "ulimit -s 512",
        "ulimit -c 0; umask 777",
        "cd /; ulimit -f 0",
    ],
)
def test_a_server_needs_few_resources(echo, limit):
    right(exchange(["sh", "-c", f"{limit}; exec {shlex.join(echo)} 2>/dev/null"], SERVED))


@pytest.mark.parametrize("redirect", ["2>&-", "2>/dev/full", "2>/dev/null"])
def test_a_server_needs_no_standard_error(echo, redirect):
    right(exchange(["sh", "-c", f"exec {shlex.join(echo)} {redirect}"], SERVED))


def test_a_server_without_standard_output_says_so(echo):
    done = subprocess.run(
        ["sh", "-c", f"exec {shlex.join(echo)} >&-"], input=ALIVE, stderr=subprocess.PIPE, timeout=60, check=False
    )
    assert done.returncode == 2
    assert b"no standard output" in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_server_without_standard_input_ends(echo):
    done = subprocess.run(["sh", "-c", f"exec {shlex.join(echo)} <&-"], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.requirement("R004")
@pytest.mark.parametrize("words", [[], ["--mcp"], ["mcp"]])
def test_a_server_needs_no_home_and_no_environment(echo_project, words):
    command = ["env", "-i", sys.executable, "-m", "echo_mcp", *words]
    right(exchange(command, SERVED, cwd=echo_project))


@pytest.mark.parametrize("locale", ["C", "POSIX", "en_US.ISO-8859-1", "nonsense"])
def test_a_locale_changes_no_byte(echo, locale):
    environment = {"LC_ALL": locale, "LANG": locale, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    found = exchange(echo, HANDSHAKE + call(1, "echo", x="grüße, 你好 \U0001f600") + ALIVE, env=environment)
    assert found.the(1)["result"]["content"][0]["text"] == "grüße, 你好 \U0001f600"


@pytest.mark.alone
def test_an_idle_server_ends_at_once_with_its_input(echo):
    begun = time.monotonic()
    done = subprocess.run(echo, input=b"", capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, b"")
    assert time.monotonic() - begun < 0.5 + MARGIN
