"""A call that is sent twice with one key is run once."""

from __future__ import annotations

import json
import sys

import pytest

from generator.runtime.server import repeats
from generator.runtime.server.call import REPEAT_KEY
from generator.runtime.server.repeats import Repeats
from tests.command import built
from tests.http_client import HttpServer, call, modern
from tests.stdio_client import CallFailed, StdioServer, stub

from .http_behaviour import bearer

MODULE = """'''Count.'''

import os
import time
from pathlib import Path

FILE = Path(os.environ["COUNTED"])


def order(item: str, seconds: float = 0) -> str:
    '''Order something.'''
    with FILE.open("a") as file:
        file.write(item + chr(10))
    time.sleep(seconds)
    return f"ordered {item}, {len(FILE.read_text().splitlines())} in all"


def verify(token: str) -> str:
    '''Believe everybody.'''
    return token
"""


@pytest.fixture(scope="module")
def argv(tmp_path_factory):
    project = built(tmp_path_factory.mktemp("repeats"), "shop", MODULE, '[serve]\nverify = "shop:verify"\n')
    return stub(project, sys.executable)


@pytest.fixture
def counted(tmp_path, monkeypatch):
    place = tmp_path / "orders"
    place.write_text("", encoding="utf-8")
    monkeypatch.setenv("COUNTED", str(place))
    return lambda: len(place.read_text(encoding="utf-8").splitlines())


def ordered(server, key, item="tea", who="ann", **arguments):
    meta = {} if key is None else {REPEAT_KEY: key}
    message, headers = modern(call(1, "order", {"item": item, **arguments}), **meta)
    return server.post(message, {**headers, **bearer(who)}).json


def code(result):
    return result["_meta"].get("mcpgen/error", {}).get("code")


@pytest.mark.requirement("R136")
@pytest.mark.parametrize("options", [(), ("--workers", "2")], ids=["threads", "workers"])
def test_a_call_that_is_sent_again_with_its_key_gets_the_first_result(argv, counted, options):
    with HttpServer(argv, *options) as server:
        first = ordered(server, "k1")["result"]
        assert first["content"][0]["text"] == "ordered tea, 1 in all"
        assert repeats.REPEATED not in first["_meta"]
        for _ in range(3):
            again = ordered(server, "k1")["result"]
            assert (again["content"], again["_meta"][repeats.REPEATED]) == (first["content"], True)
        assert counted() == 1
        assert code(ordered(server, "k1", item="milk")["result"]) == "M-INP-007"
        assert counted() == 1
        ordered(server, "k2")
        ordered(server, "k1", who="bob")
        ordered(server, None)
        assert counted() == 4


def test_while_it_runs_the_second_one_is_told_to_wait(argv, counted):
    with HttpServer(argv) as server, server.wire() as wire:
        message, headers = modern(call(1, "order", {"item": "tea", "seconds": 1.0}), **{REPEAT_KEY: "k"})
        wire.send(server.bytes_of(message, {**headers, **bearer("ann")}))
        while counted() == 0:
            pass
        assert code(ordered(server, "k", seconds=1.0)["result"]) == "M-RUN-002"
        assert "ordered tea" in wire.answer().json["result"]["content"][0]["text"]
        assert ordered(server, "k", seconds=1.0)["result"]["_meta"][repeats.REPEATED] is True
        assert counted() == 1


def test_what_never_ran_or_was_cancelled_may_run_with_the_same_key(argv, counted):
    with HttpServer(argv) as server:
        assert code(ordered(server, "k", seconds="long")["result"]) == "M-INP-006"
        assert "isError" not in ordered(server, "k")["result"]
        with server.wire() as leaving:
            message, headers = modern(call(1, "order", {"item": "tea", "seconds": 60}), **{REPEAT_KEY: "c"})
            leaving.send(server.bytes_of(message, {**headers, **bearer("ann")}))
            while counted() < 2:
                pass
        result = ordered(server, "c")["result"]
        while code(result) is not None:
            result = ordered(server, "c")["result"]
        assert counted() == 3


def test_on_standard_input_too_and_a_key_has_to_be_one(argv, counted):
    with StdioServer(argv) as server:
        server.initialize()
        sent = {"name": "order", "arguments": {"item": "tea"}, "_meta": {REPEAT_KEY: "k"}}
        assert server.request("tools/call", sent)["content"] == server.request("tools/call", sent)["content"]
        assert counted() == 1
        for wrong in ("", "k" * 201, 5, None):
            with pytest.raises(CallFailed) as error:
                server.request("tools/call", {**sent, "_meta": {REPEAT_KEY: wrong}})
            assert json.loads(str(error.value))["code"] == -32602


class Sent:
    """A call by hand."""

    session = None

    def __init__(self, key, now=0.0):
        self.meta, self.arguments, self.started = {REPEAT_KEY: key}, {}, now
        self.tool = type("Tool", (), {"name": "t", "entry": {"definition": {}}})
        self.repeat = None


def test_what_is_kept_is_what_was_sent_whatever_the_tool_does_to_it_then():
    kept, sent, live = Repeats(), Sent("k"), {"a": 1}
    kept.begin(sent)
    sent.repeat.end({"content": [], "structuredContent": live})
    live["a"] = 2
    assert kept.begin(Sent("k"))["structuredContent"] == {"a": 1}


def test_what_is_kept_is_bounded_in_number_bytes_and_time(monkeypatch):
    monkeypatch.setattr(repeats, "MAX_KEPT", 3)
    monkeypatch.setattr(repeats, "MAX_KEPT_BYTES", 1000)
    kept = Repeats()

    def run(key, result, now=0.0):
        sent = Sent(key, now)
        earlier = kept.begin(sent)
        if earlier is None:
            sent.repeat.end(result)
        return earlier

    for number in range(5):
        assert run(str(number), {"content": []}) is None
    assert run("4", {}) is not None
    assert run("0", {"content": []}) is None
    assert run("large", {"content": ["x" * 2000]}) is None
    assert run("large", {"content": ["x" * 2000]}) is None
    assert run("4", {}, now=repeats.KEPT_SECONDS + 1) is None
    assert run("nan", {"content": [float("nan")]}) is None
    assert run("nan", {"content": []}) is None
