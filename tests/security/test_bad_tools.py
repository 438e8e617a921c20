"""Every function of bad_tools.py is called once in a server of its own, which goes on and ends in time."""

from __future__ import annotations

import ast
import json
import os
import signal
import sys
import time

import pytest

from tests.stdio_client import StdioServer, stub

from .conftest import ATTACKS

SOURCE = ATTACKS / "tools" / "bad_tools.py"
NEEDS_A_PROCESS = {"os_exit", "segfault", "abort", "kills_self"}
"""What no server survives in its own process; workers of their own come with `--workers`."""

NAMES = [node.name for node in ast.parse(SOURCE.read_bytes()).body if isinstance(node, ast.FunctionDef)]
SURVIVED = [name for name in NAMES if name not in NEEDS_A_PROCESS]

QUIET = ("print_stdout", "write_fd1", "child_stdout", "thread_noise", "log_noise")
STREAMS = ("closes_stdout", "replaces_stdout", "closes_fd1")
RAISES = {
    "sys_exit": "SystemExit: 3",
    "raises": "RuntimeError: boom secret token=***",
    "raises_base": "BaseException: base",
    "raises_kbd": "KeyboardInterrupt",
    "raises_genexit": "GeneratorExit",
    "raises_unprintable": "Evil (its message cannot be read)",
    "raises_stopiter": "StopIteration",
    "recursion": "RecursionError",
    "memory": "MemoryError",
    "reads_stdin": "EOFError",
}
UNSENDABLE = {
    "returns_nan": "NaN",
    "returns_cycle": "result[0]",
    "returns_deep": "nested too deeply",
    "returns_surrogate": "lone surrogate",
    "returns_generator": "the generator yields more than 100000 items",
    "returns_intkeys": "a key of type NoneType",
    "returns_wrong_type": "expected integer, got string",
}
CONVERTED = {"returns_set": [1, 2], "returns_bytes": "/wA=", "returns_coroutine": 1}
LASTING = ("sets_limit", "mutates_json", "deletes_builtins", "chdir", "sig_handler", "forks", "nondaemon_thread")
ENDLESS = ("infinite", "sleeps")

END_SECONDS = 2.0 + 1.0
"""In which a server ends after its input did, with a margin for a machine that does other things as well."""

SETTINGS = "[tools.infinite]\ntimeout = 0.5\n[tools.sleeps]\ntimeout = 0.5\n"


@pytest.fixture(scope="module")
def argv(served):
    return stub(served("bad_tools", SOURCE, SETTINGS), sys.executable)


@pytest.fixture(scope="module")
def outcome(argv):
    """Call a function once, see that the server goes on, and keep the result."""
    kept = {}

    def call(name):
        if name not in kept:
            kept[name] = once(argv, name)
        return kept[name]

    return call


def once(argv, name):
    server = StdioServer(argv)
    with server:
        server.initialize()
        result = server.call(name, {"x": "v"})
        assert server.request("ping") == {}
        after = server.call("print_stdout", {"x": "after"})
        assert after["structuredContent"] == {"result": "after"}
        begun = time.monotonic()
        assert server.close() == 0
        assert time.monotonic() - begun < END_SECONDS
    assert "Traceback" not in server.stderr
    return result, server


def text(result):
    return "\n".join(block["text"] for block in result["content"])


@pytest.mark.parametrize("name", SURVIVED)
def test_the_server_goes_on_and_ends_in_time(outcome, name):
    result, _ = outcome(name)
    assert "Traceback" not in text(result)
    assert ".py" not in text(result)


def test_each_function_is_expected_to_do_something(outcome):
    expected = {*QUIET, *STREAMS, *RAISES, *UNSENDABLE, *CONVERTED, *LASTING, *ENDLESS, "returns_huge"}
    assert expected | NEEDS_A_PROCESS == set(NAMES)


@pytest.mark.requirement("R158")
@pytest.mark.parametrize("name", QUIET)
def test_what_a_tool_prints_goes_to_standard_error(outcome, name):
    result, server = outcome(name)
    assert result["structuredContent"] == {"result": "v"}
    assert "POLLUTION" in server.stderr  # the client refuses every line of output that is no message


@pytest.mark.parametrize("name", STREAMS)
def test_a_tool_that_ruins_its_output_is_answered_and_others_print_again(outcome, name):
    result, server = outcome(name)
    assert result["structuredContent"] == {"result": "v"}
    assert "POLLUTION" in server.stderr


@pytest.mark.parametrize("name", sorted(RAISES))
def test_whatever_a_tool_raises_is_told_by_class_and_message(outcome, name):
    result, _ = outcome(name)
    assert result["isError"] is True
    assert text(result).startswith(RAISES[name])
    assert len(text(result)) < 200


def test_what_looks_like_a_secret_or_a_path_is_masked(outcome):
    message = text(outcome("raises")[0])
    assert "SECRET123" not in message
    assert "/home/user" not in message


@pytest.mark.parametrize("name", sorted(UNSENDABLE))
def test_a_value_that_is_no_json_is_an_error_that_says_where(outcome, name):
    result, _ = outcome(name)
    assert result["isError"] is True
    assert text(result).startswith(f"[M-OUT-001] {name} returned a wrong result")
    assert UNSENDABLE[name] in text(result)
    assert "structuredContent" not in result


@pytest.mark.parametrize("name", sorted(CONVERTED))
def test_other_values_have_a_documented_form(outcome, name):
    result, _ = outcome(name)
    assert not result.get("isError")
    value = text(result) if isinstance(CONVERTED[name], str) else json.loads(text(result))
    assert value == CONVERTED[name]


def test_a_huge_text_is_cut_with_a_note(outcome):
    result, _ = outcome("returns_huge")
    assert sum(len(block["text"]) for block in result["content"]) < 11_000_000
    assert "The result was cut" in result["content"][-1]["text"]


@pytest.mark.parametrize("name", LASTING)
def test_what_a_tool_does_to_the_process_does_not_last(outcome, name):
    result, _ = outcome(name)
    assert text(result) == "v" or "ValueError: signal only works in main thread" in text(result)


@pytest.mark.parametrize("name", ENDLESS)
def test_a_call_that_never_ends_times_out_while_others_go_on(argv, name):
    with StdioServer(argv) as server:
        server.initialize()
        server.call("print_stdout", {"x": "warm"})
        number = server.send("tools/call", {"name": name, "arguments": {"x": "v"}})
        assert server.request("ping", timeout=5) == {}  # how quickly is measured in benchmarks
        result = server.wait_for(number, timeout=10)
        assert result["isError"] is True
        assert "timed out" in text(result)


@pytest.mark.parametrize("name", ENDLESS)
def test_a_cancelled_call_that_never_ends_is_silent_and_holds_up_nothing(argv, name):
    with StdioServer(argv) as server:
        server.initialize()
        number = server.send("tools/call", {"name": name, "arguments": {"x": "v"}})
        server.notify("notifications/cancelled", {"requestId": number})
        assert server.request("ping") == {}
        assert server.call("print_stdout", {"x": "after"})["structuredContent"] == {"result": "after"}
        begun = time.monotonic()
        assert server.close() == 0
        assert time.monotonic() - begun < END_SECONDS
        assert number in server._asked


@pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows has no fork")
def test_a_forked_copy_neither_reads_nor_answers(argv):
    with StdioServer(argv) as server:
        server.initialize()
        for _ in range(3):
            assert server.call("forks", {"x": "v"})["structuredContent"] == {"result": "v"}
        for _ in range(20):
            assert server.request("ping") == {}


def test_a_terminating_signal_ends_the_process_whatever_tools_ran_before(argv):
    server = StdioServer(argv)
    server.initialize()
    for name in ("sig_handler", "sets_limit", "deletes_builtins", "closes_fd1", "infinite"):
        server.call(name, {"x": "v"})
    os.kill(server._process.pid, signal.SIGTERM)
    begun = time.monotonic()
    assert server.close() in (0, 143)
    assert time.monotonic() - begun < END_SECONDS


@pytest.mark.parametrize("name", sorted(NEEDS_A_PROCESS))
def test_what_kills_the_process_is_seen_as_its_end_at_once(argv, name):
    server = StdioServer(argv)
    server.initialize()
    server.send("tools/call", {"name": name, "arguments": {"x": "v"}})
    begun = time.monotonic()
    assert server._process.wait(20) != 0
    assert time.monotonic() - begun < END_SECONDS + 2
    server.close()
