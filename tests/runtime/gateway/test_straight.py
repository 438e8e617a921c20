"""The straight path of a gateway beside the general one: the same answers and lines, and the same told to children."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.runtime.gateway import straight
from generator.runtime.server import logs
from generator.runtime.server.catalog import Catalog
from generator.runtime.server.session import Session
from generator.runtime.server.stdio import Stdio
from tests.http_client import LEGACY, META
from tests.runtime.gateway.gatewaying import gateway, tool
from tests.runtime.gateway.mirroring_child import NAMES
from tests.runtime.server.test_http_straight import messages

if TYPE_CHECKING:
    from collections.abc import Iterator

CHILD = Path(__file__).with_name("mirroring_child.py")
VERSIONS = ["2024-11-05", "2025-03-26", "2025-06-18", LEGACY]
SECONDS = 20.0
ADD = {"name": "add", "arguments": {"a": 1, "b": 2}}


class Bench:
    """A gateway over one child, of which this thread reads."""

    def __init__(self, folder: Path, era: str, *, straight: bool, **limits: Any) -> None:
        command = [sys.executable, "-I", "-S", str(CHILD), era]
        tools = [tool("m", name, name=name, limits=limits) for name in NAMES]
        made = gateway(folder, {"m": {"command": command, "era": era}}, tools)
        self._answers, sink = os.pipe()
        source, self.input = os.pipe()
        os.set_blocking(self._answers, False)
        self.session = Session(Catalog("gateway", str(made / "gateway")))
        self.stdio = Stdio(self.session, source, sink)
        self.runner = self.stdio._runner
        if not straight:
            self.runner.straighten = lambda: None
        self.stdio._role.hold()
        self.begin(LEGACY)
        self.ask(line_of(1, ADD))  # the child is there now

    def ask(self, line: bytes) -> bytes:
        """Return what is written for a line, once it is answered."""
        self.stdio._line(line)
        self.runner.flush()
        until = time.monotonic() + SECONDS
        while (self.session.open or self.runner.answering) and time.monotonic() < until:
            time.sleep(0)
        self.runner.flush()
        try:
            return os.read(self._answers, 1 << 20)
        except BlockingIOError:
            return b""

    def begin(self, version: str) -> None:
        """Shake hands anew."""
        about = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        self.ask(line_of("0", about, "initialize"))

    def close(self) -> None:
        children = self.runner.gateway.children
        self.runner.gateway.close()
        assert children.wait_closed(SECONDS)
        children.alarm.at(0.0, sys.exit)  # ends the clock's thread, which has nothing more to do


@pytest.fixture(scope="module", params=["legacy", "modern"])
def benches(tmp_path_factory, request):
    """A gateway with a straight path, and one without."""
    found = [Bench(tmp_path_factory.mktemp(str(each)), request.param, straight=each) for each in (True, False)]
    yield found
    for bench in found:
        bench.close()


@pytest.fixture(autouse=True)
def taken(monkeypatch):
    """Return what took the straight path, and how it was answered."""
    found: list[str] = []
    begin, told = straight.Straight._begin, straight.Straight._told

    def began(self: straight.Straight, *given: Any) -> None:
        found.append("sent")
        begin(self, *given)

    def answered(self: straight.Straight, *given: Any) -> None:
        found.append("answered")
        told(self, *given)

    monkeypatch.setattr(straight.Straight, "_begin", began)
    monkeypatch.setattr(straight.Straight, "_told", answered)
    return found


@pytest.fixture(autouse=True)
def log(tmp_path) -> Iterator[Path]:
    """Return the log."""
    path = tmp_path / "log"
    path.touch()
    logs.configure(log_file=str(path))
    yield path
    logs.flush()
    os.close(logs.options.descriptor)
    logs.configure()


def line_of(number: Any, params: dict[str, Any], method: str = "tools/call") -> bytes:
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    return json.dumps(message, separators=(",", ":")).encode()


def logged(log: Path) -> list[str]:
    """Return the log's lines about calls without times, and forget all; what it says of the child comes at any time."""
    logs.flush()
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    log.write_text("", encoding="utf-8")
    calls = [line for line in lines if line.startswith("call ")]
    return [" ".join(word for word in line.split() if not word.endswith("ms")) for line in calls]


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(version=st.sampled_from([*VERSIONS, LEGACY, LEGACY]), first=messages(), second=messages())
def test_nobody_can_tell_the_paths_apart(benches, log, version, first, second):
    seen = []
    for bench in benches:
        bench.begin(version)
        logged(log)
        answers = [bench.ask(json.dumps(message).encode()) for message in (first, second, first)]
        seen.append((answers, logged(log)))
        assert not bench.session.open
        assert not bench.session.running
    assert seen[0] == seen[1]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("meta", [None, {}, {"x": [1, True]}, META, {**META, "traceparent": "00-1-2-01"}])
def test_children_are_told_the_same(benches, taken, name, meta):
    params = {"name": name, "arguments": {"a": 1.5, "é": ["\ud800", None]}}
    if meta is not None:
        params["_meta"] = meta
    answers = []
    for bench in benches:
        bench.begin(LEGACY)
        answers.append([bench.ask(line_of(number, params)) for number in (1, "two")])
    assert answers[0] == answers[1]
    plain = name in ("add", "both", "nothing")
    assert taken == (["sent", "answered"] if plain else ["sent"]) * 2


@pytest.mark.parametrize(
    "more",
    [
        {"requestState": "s"},
        {"task": {}},
        {"_meta": {"progressToken": 1}},
        {"_meta": {"mcpgen/idempotencyKey": "k"}},
        {"_meta": {**META, "io.modelcontextprotocol/logLevel": "loud"}},
    ],
)
def test_what_needs_a_second_look_takes_the_general_path(benches, taken, more):
    answers = []
    for bench in benches:
        bench.begin(LEGACY)
        answers.append(bench.ask(line_of(1, {**ADD, **more})))
    assert answers[0] == answers[1]
    assert not taken


def test_arguments_that_cannot_be_written_are_refused(benches, taken):
    line = line_of(1, {"name": "both", "arguments": {"a": 0}}).replace(b'"a":0', b'"a":1e400')
    assert benches[0].ask(line) == benches[1].ask(line)
    assert taken == ["sent"]
    assert not benches[0].session.open


def test_limits_of_a_tool_take_the_general_path(tmp_path, taken):
    bench = Bench(tmp_path, "modern", straight=True, max_concurrent=1)
    try:
        assert b'"result":3' in bench.ask(line_of(2, ADD))
    finally:
        bench.close()
    assert not taken


def test_a_call_that_was_given_up_is_answered_no_more(benches, taken):
    bench = benches[0]
    bench.begin(LEGACY)
    bench.stdio._line(line_of(5, ADD))
    cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 5}}
    bench.stdio._line(json.dumps(cancelled).encode())
    assert not bench.session.open
    assert json.loads(bench.ask(line_of(6, ADD)))["id"] == 6
    assert taken == ["sent", "sent", "answered"]


def test_the_next_child_is_told_too(benches, taken):
    bench = benches[0]
    bench.begin(LEGACY)
    child = bench.runner.gateway.children.of("m")
    child.link.close()
    until = time.monotonic() + SECONDS
    while child.link is not None and time.monotonic() < until:
        time.sleep(0.001)
    assert b'"result":3' in bench.ask(line_of(1, ADD))  # it starts another one
    assert not taken
    assert b'"result":3' in bench.ask(line_of(1, ADD))
    assert taken == ["sent", "answered"]
