"""One line for each call, in the form the operator chose."""

from __future__ import annotations

import json
import os

import pytest

from generator.runtime.server import logs, outcome

FINE = {"content": []}


@pytest.fixture
def call(bench):
    return bench.call(bench.tool(lambda: None), {"city": "topsecret"})


@pytest.mark.requirement("R189")
def test_a_text_line_has_tool_state_time_and_id(call, log):
    logs.call(call, FINE, 0.01234)
    logs.call(call, outcome.busy(call), 0.5)
    logs.call(call, None, 1)
    assert log() == [
        "call forecast ok 12.3ms id=7",
        "call forecast failed 500.0ms id=7 error=M-RUN-002",
        "call forecast failed 1000.0ms id=7 error=cancelled",
    ]


@pytest.mark.requirement("R189")
@pytest.mark.requirement("R196")
def test_a_json_line_has_the_same_as_members(call, log):
    log(log_format="json")
    logs.call(call, FINE, 0.0011)
    logs.call(call, outcome.busy(call), 0)
    first, second = map(json.loads, log())
    assert first == {"level": "info", "msg": "call", "tool": "forecast", "ok": True, "id": 7, "ms": 1.1}
    assert (second["level"], second["ok"], second["error"]) == ("error", False, "M-RUN-002")


def test_nothing_is_written_when_the_log_is_off_except_warnings(call, log):
    log(enabled=False)
    logs.call(call, FINE, 0)
    logs.note(call, "coerced")
    assert log() == []
    logs.warning("two\nlines")
    assert log() == ["warning: two lines"]


def test_a_clients_id_cannot_break_a_line(bench, log):
    call = bench.call(bench.tool(lambda: None), request_id="a\nerror forged\x1b[2J" + "b" * 100)
    logs.call(call, FINE, 0)
    (line,) = log()
    assert "\x1b" not in line
    assert len(line) < 80


def test_arguments_are_never_logged(bench, log):
    log(dev=True)
    tool = bench.tool(lambda city: 1, properties={"city": {"type": "integer"}}, settings={"coerce": False})
    call = bench.call(tool, {"city": "topsecret"})
    logs.call(call, FINE, 0)
    assert "topsecret" not in str(log())


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_closed_descriptor_ends_no_call(call, form):
    reading, writing = os.pipe()
    os.close(reading)
    os.close(writing)
    logs.configure(log_format=form)
    logs.options.descriptor = writing
    try:
        logs.call(call, FINE, 0)
        logs.warning("x")
        logs.fault(call, "abc123", "text", "stack")
    finally:
        logs.configure()


def test_the_log_file_is_the_owners_only_and_appended_to(tmp_path):
    path = tmp_path / "log"
    for _ in range(2):
        logs.configure(log_file=str(path))
        logs.warning("x")
        os.close(logs.options.descriptor)
    logs.configure()
    assert path.read_text(encoding="utf-8") == "warning: x\n" * 2
    assert path.stat().st_mode & 0o077 == 0


def test_held_lines_leave_together_and_before_later_ones(call, log):
    for seconds in (0.001, 0.002):
        logs.call(call, FINE, seconds, hold=True)
    assert log() == []
    logs.flush()
    assert log() == ["call forecast ok 1.0ms id=7", "call forecast ok 2.0ms id=7"]
    logs.call(call, FINE, 0.003, hold=True)
    logs.warning("x")
    assert log()[2:] == ["call forecast ok 3.0ms id=7", "warning: x"]


def test_a_reader_that_stopped_reading_blocks_nothing(call):
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    while True:
        try:
            os.write(writing, b"." * 4096)
        except BlockingIOError:
            break
    os.set_blocking(writing, True)
    logs.options.descriptor = writing
    try:
        logs.warning("nobody can read this")
        os.read(reading, 8192)  # room for a part of the next line
        logs.fault(call, "abc123", "text", "stack " * 10_000)
    finally:
        logs.configure()
        os.close(reading)
        os.close(writing)
