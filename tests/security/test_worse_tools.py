"""Tools that misbehave in further ways: called once each, in a server of their own, which goes on and ends in time."""

from __future__ import annotations

import ast
import json
import os
import shlex
import signal
import subprocess
import sys
import time

import pytest

from tests.stdio_client import StdioServer, stub

from .conftest import ATTACKS
from .processes import running, send
from .wire import call

SOURCE = ATTACKS / "tools" / "worse_tools.py"
HARMLESS = {"fine", "fine_async", "prints"}
NAMES = [
    node.name
    for node in ast.parse(SOURCE.read_bytes()).body
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name not in HARMLESS
]

LIMITS = {
    "exhausts_threads": "ulimit -v 1500000",
    "exhausts_memory": "ulimit -v 600000",
    "exhausts_descriptors": "ulimit -n 64",
}
"""What is set before a server starts whose tool takes all there is."""

SHORT = ("blocks_loop", "ignores_cancel", "generator_blocks", "agenerator_slow")
SETTINGS = "[settings]\ntimeout = 5\n" + "".join(f"[tools.{name}]\ntimeout = 0.5\n" for name in SHORT)

NO_IMPORTS = {"clears_modules", "clears_path", "poisons_modules", "exhausts_descriptors"}
NO_LOOP = {"exhausts_threads", "exhausts_memory", "patches_time", *NO_IMPORTS}
"""After these no event loop can be started: an asynchronous tool is refused, by an answer."""

BROKEN_PRINTS = {"clears_modules"}
"""After these other tools may fail, by an answer."""

RAISES = {
    "raises_hostile": "Hostile",
    "raises_long_chain": "ValueError: 4999",
    "raises_huge": "ValueError: zzz",
    "raises_group": "BaseExceptionGroup: many",
    "raises_class_lie": "Lie: x",
    "raises_surrogate": "ValueError: \ufffd \ufffd \ufffd[2J",
    "raises_odd_args": "KeyError",
    "raises_strange": "Strange",
    "raises_timeout": "TimeoutError: mine",
    "raises_cancelled": "CancelledError",
    "araises_cancelled": "CancelledError",
    "araises_exit": "SystemExit: 5",
    "araises_kbd": "KeyboardInterrupt",
    "generator_raises": "RuntimeError: half way",
    "generator_exits": "SystemExit: 4",
}
END_SECONDS = 2.0 + 1.0


@pytest.fixture(scope="module")
def argv(served):
    return stub(served("worse_tools", SOURCE, SETTINGS), sys.executable)


@pytest.fixture(scope="module")
def outcome(argv):
    kept = {}

    def once(name):
        if name not in kept:
            kept[name] = attacked(argv, name)
        return kept[name]

    return once


def attacked(argv, name):
    """Call a function once, see that every kind of request is still answered, and return the result."""
    limit = LIMITS.get(name)
    words = argv if limit is None else ["sh", "-c", f"{limit}; exec {shlex.join(argv)}"]
    with running(words, stderr=subprocess.DEVNULL) as server:
        send(server, call(1, name, x="v"))
        result = answer(server, 1)["result"]
        send(server, call(2, "prints", x="after"))
        prints = answer(server, 2)["result"]
        send(server, call(3, "fine_async", x="after"))
        loop = answer(server, 3)["result"]
        send(server, b'{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"finne"}}\n')
        assert answer(server, 4)["error"]["code"] == -32602
        send(server, b'{"jsonrpc":"2.0","id":5,"method":"ping"}\n')
        assert answer(server, 5)["result"] == {}
        begun = time.monotonic()
        server.stdin.close()
        assert server.stdout.read() == b""
        assert server.wait(20) == 0
        assert time.monotonic() - begun < END_SECONDS
    assert prints.get("isError", False) is (name in BROKEN_PRINTS)
    assert loop.get("isError", False) is (name in NO_LOOP)
    return result


def answer(server, identity):
    message = json.loads(server.stdout.readline())
    assert message["jsonrpc"] == "2.0"
    assert message["id"] == identity
    return message


def text(result):
    return "\n".join(block["text"] for block in result["content"])


@pytest.mark.parametrize("name", NAMES)
def test_the_server_goes_on_and_ends_in_time(outcome, name):
    result = outcome(name)
    assert "Traceback" not in text(result)
    assert "POLLUTION" not in text(result)


@pytest.mark.parametrize("name", sorted(RAISES))
def test_whatever_is_raised_is_told_in_bounds(outcome, name):
    result = outcome(name)
    assert result["isError"] is True
    assert text(result).startswith(RAISES[name])
    assert len(text(result)) < 2_100


@pytest.mark.parametrize("name", SHORT)
def test_what_never_ends_times_out(outcome, name):
    assert text(outcome(name)).startswith(f"[M-RUN-001] {name} timed out")


@pytest.mark.parametrize(
    "name",
    [
        "returns_grim",
        "returns_list_of_grim",
        "returns_lying_class",
        "returns_metaclass_lie",
        "returns_module",
        "returns_function",
        "returns_file",
        "returns_lock",
        "returns_type",
        "returns_notimplemented",
        "returns_shared",
        "returns_negative_zero",
        "agenerator_endless",
        "generator_ignores_close",
    ],
)
def test_what_is_no_value_is_an_error_or_has_a_form_and_never_ends_the_server(outcome, name):
    result = outcome(name)
    assert "0x" not in text(result), "an address tells nobody anything"
    assert result.get("isError") is True or text(result)


def test_a_flood_on_a_standard_error_that_nobody_reads_holds_up_nothing(argv):
    with running(argv) as server:
        begun = time.monotonic()
        send(server, call(1, "stderr_flood", x="v") + call(2, "stdout_flood", x="v") + call(3, "prints", x="v"))
        found = {json.loads(server.stdout.readline())["id"] for _ in range(3)}
        assert found == {1, 2, 3}
        assert time.monotonic() - begun < 10
        server.stdin.close()
        assert server.wait(10) == 0


def test_output_comes_through_again_once_standard_error_is_read(argv):
    with running(argv) as server:
        send(server, call(1, "stderr_flood", x="v"))
        assert answer(server, 1)["result"]["structuredContent"] == {"result": "v"}
        heard = bytearray()
        deadline = time.monotonic() + 20
        number = 2
        os.set_blocking(server.stderr.fileno(), False)
        while b"some output was dropped" not in heard and time.monotonic() < deadline:
            heard += server.stderr.read() or b""
            send(server, call(number, "fine_async", x="v"))
            answer(server, number)
            number += 1
        assert b"some output was dropped" in heard


def test_the_protocol_survives_a_tool_that_closes_every_descriptor_it_can_think_of(argv):
    with StdioServer(argv) as server:
        assert server.call("closes_many", {"x": "v"})["structuredContent"] == {"result": "v"}
        assert server.call("closes_standard_three", {"x": "v"})["structuredContent"] == {"result": "v"}
        assert server.call("prints", {"x": "v"})["structuredContent"] == {"result": "v"}


def test_asynchronous_tools_go_on_beside_loops_that_others_blocked(argv):
    with StdioServer(argv) as server:
        for _ in range(2):
            assert server.call("blocks_loop", {"x": "v"})["isError"]
            assert server.call("fine_async", {"x": "v"})["structuredContent"] == {"result": "v"}


def test_a_signal_ends_a_server_whose_tools_took_signals_and_session(argv):
    server = StdioServer(argv)
    for name in ("masks_signals", "new_session", "closes_many", "deletes_many_builtins"):
        server.call(name, {"x": "v"})
    os.kill(server._process.pid, signal.SIGTERM)
    begun = time.monotonic()
    assert server.close() in (0, 143)
    assert time.monotonic() - begun < END_SECONDS
