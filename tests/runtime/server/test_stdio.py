"""The stdio shell with a real process: what stays alive, what is answered, how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.runtime.server.behaviour import TOOLS, call, line, piped, text
from tests.stdio_client import StdioServer


@pytest.mark.requirement("R009", "R172")
def test_piped_requests_are_all_answered_before_the_end(argv):
    data = (
        line(0, "initialize")
        + b"".join(call(i, "add", a=i, b=1) for i in range(1, 200))
        + call(500, "anap", seconds=0.1)
    )
    code, answers, _ = piped(argv, data)
    assert code == 0
    assert sorted(answer["id"] for answer in answers) == [*range(200), 500]
    assert {
        answer["id"]: answer["result"]["structuredContent"]["sum"] for answer in answers if 0 < answer["id"] < 200
    } == {i: i + 1 for i in range(1, 200)}


def test_nothing_in_nothing_out(argv):
    code, answers, seconds = piped(argv, b"")
    assert (code, answers) == (0, [])
    assert seconds < 5


@pytest.mark.alone
def test_ping_is_answered_while_tools_loop_and_the_loop_times_out(argv):
    with StdioServer(argv) as server:
        looping = [server.send("tools/call", {"name": "loop", "arguments": {}}) for _ in range(3)]
        for _ in range(20):
            assert server.request("ping", timeout=2) == {}
        for number in looping:
            result = server.wait_for(number, timeout=10)
            assert result["isError"]
            assert "M-RUN-001" in text(result)
        assert server.call("add", {"a": 1, "b": 2})["structuredContent"] == {"sum": 3}


@pytest.mark.alone
def test_slow_calls_overlap(argv):
    with StdioServer(argv) as server:
        server.call("add", {"a": 1, "b": 1})
        begun = time.monotonic()
        for number in [server.send("tools/call", {"name": "nap", "arguments": {"seconds": 0.5}}) for _ in range(16)]:
            assert text(server.wait_for(number)) == "rested"
        assert time.monotonic() - begun < 0.5 * 16 / 2


@pytest.mark.alone
def test_a_tool_that_was_quick_and_turns_slow_does_not_hold_up_others(argv):
    with StdioServer(argv) as server:
        for _ in range(5):
            assert text(server.call("sometimes", {"seconds": 0})) == "done"
        slow = server.send("tools/call", {"name": "sometimes", "arguments": {"seconds": 1.5}})
        begun = time.monotonic()
        assert server.request("ping") == {}
        assert server.call("add", {"a": 1, "b": 2})["structuredContent"] == {"sum": 3}
        assert time.monotonic() - begun < 1.0
        assert text(server.wait_for(slow)) == "done"


def test_a_limited_tool_runs_one_call_at_a_time(argv):
    with StdioServer(argv) as server:
        numbers = [server.send("tools/call", {"name": "alone", "arguments": {"seconds": 0.05}}) for _ in range(5)]
        last = [server.wait_for(number) for number in numbers][-1]
        assert json.loads(text(last)) == ["in", "out"] * 5


def test_a_thousand_calls_at_once_are_each_answered_once(argv):
    data = b"".join(call(i, "nap", seconds=0.01) for i in range(1000))
    code, answers, _ = piped(argv, data + line("end", "ping"), seconds=60)
    assert code == 0
    assert sorted(answer["id"] for answer in answers if answer["id"] != "end") == list(range(1000))


@pytest.mark.requirement("R158")
def test_whatever_a_tool_prints_or_reads_never_touches_the_protocol(argv):
    with StdioServer(argv) as server:
        assert text(server.call("noisy")) == "quiet"
        assert server.call("reads")["isError"]
        assert server.request("ping") == {}
    assert server.stderr.count("POLLUTION") == 4


def test_answers_may_go_to_a_file_while_prints_go_to_standard_error(argv, tmp_path):
    path = tmp_path / "answers.jsonl"
    with path.open("wb") as out:
        done = subprocess.run(
            argv, input=call(1, "reencode"), stdout=out, stderr=subprocess.PIPE, timeout=20, check=True
        )
    assert text(json.loads(path.read_bytes())["result"]) == "done"
    assert b"PRINTED" in done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows has no fork")
def test_a_forked_child_neither_answers_nor_reads(argv):
    with StdioServer(argv) as server:
        assert text(server.call("fork")) == "parent"
        assert server.request("ping") == {}


def test_a_batch_of_2025_03_26_is_answered_by_one_array(argv):
    calls = [json.loads(call(number, "nap", seconds=0.01)) for number in range(2, 6)]
    data = line(1, "initialize", protocolVersion="2025-03-26") + json.dumps(calls).encode() + b"\n" + line(9, "ping")
    code, answers, _ = piped(argv, data)
    assert code == 0
    arrays = [answer for answer in answers if isinstance(answer, list)]
    assert [sorted(answer["id"] for answer in array) for array in arrays] == [[2, 3, 4, 5]]
    assert {answer["id"] for answer in answers if isinstance(answer, dict)} == {1, 9}


def test_a_cancelled_call_stays_silent(argv):
    data = (
        call(1, "nap", seconds=0.3)
        + json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}).encode()
    )
    code, answers, _ = piped(argv, data + b"\n" + line(2, "ping"))
    assert (code, [answer["id"] for answer in answers]) == (0, [2])


def test_a_busy_server_ends_soon_after_its_input_and_answers_what_is_open(argv):
    code, answers, seconds = piped(argv, call(1, "nap", seconds=60) + call(2, "stays"))
    assert code == 0
    assert {answer["id"] for answer in answers} == {1, 2}
    assert seconds < 5 + 4


def test_exit_handlers_of_user_code_run(argv, tmp_path):
    mark = tmp_path / "left.txt"
    code, _, _ = piped(argv, call(1, "leaves", path=str(mark)))
    assert code == 0
    assert mark.read_text(encoding="utf-8") == "left"


@pytest.mark.parametrize(("name", "code"), [("SIGTERM", 143), ("SIGINT", 130)])
def test_signals_end_the_process_quietly_even_while_a_tool_runs(argv, name, code):
    process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdin.write(call(1, "ignore_term") + call(2, "nap", seconds=60) + line(3, "ping"))
    process.stdin.flush()
    while b'"id":3' not in process.stdout.readline():
        pass
    process.send_signal(getattr(signal, name))
    assert process.wait(10) == code
    _, errors = process.communicate()
    assert b"Traceback" not in errors


def test_a_server_whose_parent_died_ends_though_the_pipe_is_open(argv):
    source, sink = os.pipe()
    os.write(sink, line(1, "ping"))
    script = (
        "import subprocess\n"
        f"server = subprocess.Popen({argv!r}, stdin={source}, stdout=subprocess.PIPE)\n"
        "server.stdout.readline()\n"
        "print(server.pid)\n"
    )
    command = [sys.executable, "-W", "ignore", "-c", script]
    done = subprocess.run(command, pass_fds=[source], stdout=subprocess.PIPE, timeout=20, check=True)
    pid = int(done.stdout.split()[0])
    deadline = time.monotonic() + 15
    while time.monotonic() < deadline and Path(f"/proc/{pid}").exists():
        os.sched_yield()
    assert not Path(f"/proc/{pid}").exists()
    os.close(source)
    os.close(sink)


def test_a_client_that_stops_reading_ends_the_server_quietly(argv):
    process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    process.stdin.write(line(1, "ping"))
    process.stdin.flush()
    errors = process.stderr.read()
    assert process.wait(10) == 0
    assert b"Traceback" not in errors
    process.stdin.close()
    process.stderr.close()


@pytest.mark.parametrize("descriptor", ["2>&-", "2>/dev/full"])
def test_it_serves_without_a_usable_stderr(argv, descriptor):
    command = f"exec {' '.join(argv)} {descriptor}"
    code, answers, _ = piped(["sh", "-c", command], line(1, "ping") + call(2, "noisy"))
    assert code == 0
    assert {answer["id"] for answer in answers} == {1, 2}


@pytest.mark.parametrize("limit", ["ulimit -n 16", "ulimit -v 400000"])
def test_it_starts_with_few_resources(argv, limit):
    code, answers, _ = piped(["sh", "-c", f"{limit}; exec {' '.join(argv)}"], line(1, "tools/list"))
    assert code == 0
    assert len(answers[0]["result"]["tools"]) == len(TOOLS)


def test_it_starts_without_an_environment(argv):
    code, answers, _ = piped(argv, line(1, "ping"), env={})
    assert (code, answers) == (0, [{"jsonrpc": "2.0", "id": 1, "result": {}}])


def test_bytes_that_come_one_at_a_time_are_read(argv):
    process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for byte in line(1, "ping"):
        process.stdin.write(bytes([byte]))
        process.stdin.flush()
    assert json.loads(process.stdout.readline()) == {"jsonrpc": "2.0", "id": 1, "result": {}}
    process.communicate(timeout=10)


def test_a_message_over_the_bound_is_named_and_the_next_one_is_answered(argv):
    big, too_big = "x" * (9 << 20), "x" * (11 << 20)
    data = (
        call(1, "sometimes", seconds=0, pad=big)
        + call(2, "sometimes", pad=too_big)
        + b"a" * (30 << 20)
        + b"\n"
        + line(3, "ping")
    )
    code, answers, _ = piped(argv, data, seconds=60)
    assert code == 0
    by_id = {answer["id"]: answer for answer in answers}
    assert set(by_id) == {1, None, 3}
    assert sum(answer["id"] is None for answer in answers) == 2
    assert "10485760 bytes" in by_id[None]["error"]["message"]
