"""The straight path over stdio beside the general one: the same answers and lines in the log, and who takes it."""

from __future__ import annotations

import contextlib
import json
import os
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.runtime.server import brief, logs, stdio_straight
from generator.runtime.server.session import Session
from generator.runtime.server.stdio import Stdio
from tests.http_client import LEGACY, META

from .straight_bench import PATIENCE, catalog_in
from .test_http_straight import VALUES, messages

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from generator.runtime.server.call import Call
    from generator.runtime.server.ticket import Ticket

ADD = {"name": "add", "arguments": {"a": 1, "b": 2}}
VERSIONS = ["2024-11-05", "2025-03-26", "2025-06-18", LEGACY]


class Bench:
    """A server of which this thread reads; its tools count as quick."""

    def __init__(self, folder: Path, *, straight: bool) -> None:
        folder.mkdir(exist_ok=True)
        self._answers, sink = os.pipe()
        self._source, self.input = os.pipe()
        os.set_blocking(self._answers, False)
        self.session = Session(catalog_in(folder))
        self.stdio = Stdio(self.session, self._source, sink)
        self.runner = self.stdio._runner
        if not straight:
            self.runner.straighten = lambda: None
        self.runner._load()
        for tool in self.session.catalog.tools.values():
            tool.prepare()
            self.runner._quick.add(tool)
        self.stdio._role.hold()

    def ask(self, line: bytes) -> bytes:
        """Return what is written for a line, once it is answered."""
        self.stdio._line(line)
        self.runner.flush()
        until = time.monotonic() + PATIENCE
        while (self.session.open or self.runner.answering) and time.monotonic() < until:
            time.sleep(0)  # a batch, whose calls run elsewhere
        self.runner.flush()
        try:
            return os.read(self._answers, 1 << 20)
        except BlockingIOError:
            return b""

    def begin(self, version: str) -> None:
        """Shake hands anew."""
        about = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        self.ask(line_of({"jsonrpc": "2.0", "id": "0", "method": "initialize", "params": about}))


@pytest.fixture(scope="module")
def benches(tmp_path_factory):
    """A server with a straight path, and one without."""
    return [Bench(tmp_path_factory.mktemp(str(each)), straight=each) for each in (True, False)]


@pytest.fixture(autouse=True)
def ran(monkeypatch):
    """Return how many calls came to be answered by the straight path."""
    found: list[Any] = []
    answer = stdio_straight.Straight._answer

    def counted(self: stdio_straight.Straight, *given: Any) -> None:
        found.append(given)
        answer(self, *given)

    monkeypatch.setattr(stdio_straight.Straight, "_answer", counted)
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


def line_of(message: Any) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode()


def call(number: Any, params: dict[str, Any], **more: Any) -> bytes:
    return line_of({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params, **more})


def logged(log: Path) -> list[str]:
    """Return the lines of the log without times, and forget them."""
    logs.flush()
    text = log.read_text(encoding="utf-8", errors="replace")
    log.write_text("", encoding="utf-8")
    return [" ".join(word for word in line.split() if not word.endswith("ms")) for line in text.splitlines()]


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(version=st.sampled_from([*VERSIONS, LEGACY, LEGACY]), first=messages(), second=messages(), spaced=st.booleans())
def test_nobody_can_tell_the_paths_apart(benches, log, version, first, second, spaced):
    seen = []
    for bench in benches:
        bench.begin(version)
        logged(log)
        answers = []
        for message in (first, first, second, first, second):  # the words about a client are known from the second on
            text = json.dumps(message) if spaced else json.dumps(message, separators=(",", ":"))
            answers.append(bench.ask(text.encode()))
        seen.append((answers, logged(log)))
        assert not bench.session.open
        assert not bench.session.running
    assert seen[0] == seen[1]


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(spoil=VALUES, cut=st.integers(0, 120), text=st.sampled_from([b"", b'{"', b"}", b',"x":{"y":1', b'"', b"\\"]))
def test_a_line_that_ends_with_the_known_words_says_no_more_than_it_does(benches, spoil, cut, text):
    good = call(1, {**ADD, "_meta": META})
    head, found, words = good.partition(b',"_meta":')
    bad = head[:cut] + text + head[cut:] + found + words
    odd = line_of({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "x": spoil, "params": {**ADD, "_meta": META}})
    answers = []
    for bench in benches:
        bench.begin(LEGACY)
        answers.append([bench.ask(line) for line in (good, good, bad, good, odd)])
    assert answers[0] == answers[1]


def test_words_are_those_of_params_alone(benches, ran):
    words = b',"_meta":' + line_of(META) + b"}}"
    body = b'"jsonrpc":"2.0","id":1,"method":"tools/call"'
    inside = b'"params":{"name":"add","arguments":{"a":1,"b":2}'
    lines = [
        b"{%b,%b%b" % (body, inside, words),
        b'{%b,%b},"x":{"y":1%b' % (body, inside, words),  # another member ends so
        b'{%b,%b,"_meta":{}%b' % (body, inside, words),  # the last of two counts
        b'{%b,"params":{},%b%b' % (body, inside, words),
        b'{%b,%b},"params":{"name":"says"%b' % (body, inside, words),
        b'{%b,"params":{"name":"both","arguments":{"z":1%b}' % (body, words),  # they end the arguments
    ]
    told = []
    for bench in benches:
        bench.begin(LEGACY)
        told.append([bench.ask(line) for line in [lines[0], *lines]])
    assert told[0] == told[1]
    assert len(ran) >= 2


def test_usual_calls_take_it(benches, ran):
    bench = benches[0]
    bench.begin(LEGACY)
    for number, line in enumerate([call(1, ADD), call("one", ADD), *[call(2, {**ADD, "_meta": META})] * 2], start=1):
        assert b'"3"' in bench.ask(line)
        assert len(ran) == number


@pytest.mark.parametrize(
    "params",
    [
        {"name": "nothing", "arguments": {}},  # there is nothing to tell
        {"name": "fails", "arguments": {"text": "x"}},
        {"name": "add", "arguments": {"a": "x"}},
        {**ADD, "_meta": {"mcpgen/idempotencyKey": "k"}},
        {**ADD, "_meta": {"io.modelcontextprotocol/protocolVersion": LEGACY}},
        {**ADD, "requestState": "s"},
        {**ADD, "task": {}},
    ],
)
def test_what_needs_a_second_look_is_answered_by_the_general_path(benches, ran, params):
    benches[0].begin(LEGACY)
    answers = [bench.ask(call(7, params)) for bench in benches[::-1]]
    assert answers[0] == answers[1]
    assert not ran


def test_a_tool_that_could_not_be_imported_at_first_takes_it_later(tmp_path, ran, monkeypatch):
    bench = Bench(tmp_path, straight=True)
    bench.begin(LEGACY)
    tool = bench.session.catalog.tools["add"]
    plan, tool.plan = tool.plan, None
    with monkeypatch.context() as broken:
        broken.setattr(type(tool), "prepare", lambda _: 1 / 0)
        assert b'"isError":true' in bench.ask(call(1, ADD))
    tool.plan = plan
    assert b'"3"' in bench.ask(call(2, ADD))
    assert len(ran) == 1


def test_older_revisions_take_the_general_path(benches, ran):
    for version in VERSIONS[:-1]:
        benches[0].begin(version)
        assert b'"3"' in benches[0].ask(call(1, ADD))
    assert not ran


def test_a_call_that_turns_out_slow_becomes_one_like_any_other(tmp_path, ran):
    bench = Bench(tmp_path, straight=True)
    bench.begin(LEGACY)
    plan, found = bench.session.catalog.tools["add"].plan, []
    handler = plan.handler

    def slow(*positional: Any, **keywords: Any) -> Any:
        running: Ticket = bench.stdio._role.running
        bench.runner.hand_over(running)  # as the watch does; another thread reads now
        made: Call = next(iter(bench.session.open))
        found.append((made.request_id, made.arguments, made.meta, made.dialect.modern, made.params["name"]))
        found.append(made in bench.session.running.values())
        os.write(bench.input, call(2, {"name": "says", "arguments": {"text": "meanwhile"}}) + b"\n")
        until = time.monotonic() + PATIENCE
        while not said() and time.monotonic() < until:
            time.sleep(0.001)
        return handler(*positional, **keywords)

    answers = bytearray()

    def said() -> bool:
        with contextlib.suppress(BlockingIOError):
            answers.extend(os.read(bench._answers, 1 << 16))
        return b"meanwhile" in answers

    plan.handler = slow
    try:
        is_held = bench.stdio._line(call(1, {**ADD, "_meta": META}))
    finally:
        plan.handler = handler
    assert not is_held
    assert found == [(1, ADD["arguments"], META, True, "add"), True]
    answers.extend(os.read(bench._answers, 1 << 16))
    first, second = (json.loads(line) for line in bytes(answers).splitlines())
    assert (first["id"], second["id"]) == (2, 1)
    assert second["result"]["content"][0]["text"] == "3"
    assert second["result"]["resultType"] == "complete"
    assert not bench.session.open
    os.close(bench.input)


def test_a_watch_that_comes_too_late_changes_nothing(benches, ran):
    bench = benches[0]
    bench.begin(LEGACY)
    ticket = bench.runner.straight._ticket
    assert b'"3"' in bench.ask(call(1, ADD))
    bench.runner.hand_over(ticket)
    assert ticket.call is None
    assert not bench.session.open
    assert bench.stdio._role.is_mine()
    assert b'"3"' in bench.ask(call(1, ADD))
    assert len(ran) == 2


def test_the_end_of_the_process_answers_the_call_that_runs(benches, log, monkeypatch):
    seen = []
    for bench in benches:
        bench.begin(LEGACY)
        bench.ask(call(0, ADD))
        logged(log)
        plan, runner = bench.session.catalog.tools["add"].plan, bench.runner
        monkeypatch.setattr(plan, "handler", lambda end=runner._give_up, **_: end())
        seen.append((bench.ask(call(1, {**ADD, "_meta": META})), logged(log)))
        assert not bench.session.open
        assert bench.stdio._role.running is None
    assert seen[0] == seen[1]
    assert seen[0][0].count(b"\n") == 1
    assert b"M-RUN-004" in seen[0][0]


def test_nothing_is_begun_any_more_once_the_process_ends(tmp_path):
    for straight in (True, False):
        bench = Bench(tmp_path / str(straight), straight=straight)
        bench.begin(LEGACY)
        assert b'"3"' in bench.ask(call(1, ADD))
        bench.runner.lifetime.end(143)
        assert not bench.stdio._line(call(2, ADD))
        assert bench.ask(line_of({"jsonrpc": "2.0", "id": 3, "method": "ping"})) == b""


def test_the_end_waits_for_an_answer_that_is_about_to_be_written(benches):
    bench = benches[0]
    ticket = bench.runner.straight._ticket
    bench.runner.answering.add(ticket)

    def answer() -> None:
        bench.runner.output.put(b"the answer")
        bench.runner.answering.discard(ticket)

    threading.Timer(0.01, answer).start()
    bench.runner._give_up()
    assert bench.ask(b" ") == b"the answer"


def test_a_call_that_cannot_be_logged_is_answered_once(benches, monkeypatch):
    def fail(*_: Any, **__: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(stdio_straight.Straight, "_made", fail)
    for bench in benches:
        bench.begin(LEGACY)
        bench.ask(call(0, ADD))
        monkeypatch.setattr(bench.runner, "_log", fail)
        answers = bench.ask(call("one", ADD))
        assert answers.count(b"\n") == 1
        assert json.loads(answers)["id"] == "one"


def test_a_result_that_changes_while_it_is_looked_at_gets_a_second_look(benches, monkeypatch):
    def changed(_: Any) -> bool:
        raise RuntimeError

    monkeypatch.setattr(brief, "is_plainly_flat", changed)
    answers = []
    for bench in benches:
        bench.begin(LEGACY)
        answers.append(bench.ask(call(1, {"name": "both", "arguments": {"a": 1}})))
    assert answers[0] == answers[1]
    assert b"isError" not in answers[0]
