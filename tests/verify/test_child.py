"""Processes that are checked: bounded, read strictly, and ended with their group."""

from __future__ import annotations

import sys
import threading
import time

import pytest

from generator.verify import child as bounds
from generator.verify.child import Child
from generator.verify.conversation import Broken, Conversation
from generator.verify.groups import living_members


def started(program: str) -> Child:
    return Child([sys.executable, "-I", "-S", "-c", program], cwd=None, env=None)


def test_lines_come_as_they_were_written_whatever_pieces_they_come_in():
    program = "import os, time\nos.write(1, b'a'); os.write(1, b'b\\nc\\n\\n'); os.write(1, b'last')"
    with started(program) as child:
        until = time.monotonic() + 20
        lines = [child.next_line(until) for _ in range(5)]
    assert lines == [b"ab\n", b"c\n", b"\n", b"last", None]


def test_what_a_child_wrote_before_its_end_is_read_though_the_reader_is_late(monkeypatch):
    read, ended = Child._read_lines, threading.Event()
    monkeypatch.setattr(Child, "_read_lines", lambda child, stream: (ended.wait(20.0), read(child, stream)))
    with started("print(1.0)") as child:
        child.close_input()
        assert child.wait(20.0) is not None
        threading.Timer(0.05, ended.set).start()
        assert child.first_line(20.0) == b"1.0\n"
        assert child.first_line(20.0) is None


def test_a_line_without_an_end_is_a_flood(monkeypatch):
    monkeypatch.setattr(bounds, "MAX_LINE", 1000)
    with started("import os\nwhile True: os.write(1, b'a' * 500)") as child:
        assert child.next_line(time.monotonic() + 20) is None
        assert child.flood is not None


def test_what_waits_to_be_read_is_bounded(monkeypatch):
    monkeypatch.setattr(bounds, "MAX_PENDING", 10_000)
    with started("import os\nwhile True: os.write(1, b'a' * 99 + b'\\n')") as child:
        assert child.next_line(time.monotonic() + 20) is not None
        deadline = time.monotonic() + 20
        while child._pending < 10_000 and time.monotonic() < deadline:
            child.wait(0.01)
        assert child.wait(0.2) is None  # it waits for us
        assert child._pending < 10_000 + 65_536 + 200


def test_a_group_is_ended_whatever_its_members_ignore():
    program = (
        "import os, signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nos.fork()\n"
        "os.write(1, b'up\\n')\ntime.sleep(3600)"
    )
    with started(program) as child:
        assert child.next_line(time.monotonic() + 20) == b"up\n"
        assert living_members(child._process.pid) >= 1
    assert living_members(child._process.pid) == 0


def test_a_child_that_reads_nothing_does_not_hold_the_writer_up():
    with started("import time; time.sleep(3600)") as child:
        begun = time.monotonic()
        assert not child.write(b"x" * (4 << 20), time.monotonic() + 0.5)
        assert time.monotonic() - begun < 10


LINES = {
    "{": "is not JSON",
    "[]": "is no JSON object",
    "5": "is no JSON object",
    '{"jsonrpc": "2.0", "id": 1, "result": NaN}': "is not JSON",
    '{"jsonrpc": "2.0", "id": 1}': "exactly one",
    '{"jsonrpc": "2.0", "id": 1, "result": {}, "error": {}}': "exactly one",
    '{"id": 1, "result": {}}': "jsonrpc",
    '{"jsonrpc": "2.0", "id": true, "result": {}}': "an id that",
    '{"jsonrpc": "2.0", "id": [1], "result": {}}': "an id that",
    '{"jsonrpc": "2.0", "method": 5}': "wrong type",
    "\\xff": "is not UTF-8",
    "[" * 100_000: "is not JSON",
}


@pytest.mark.parametrize(("line", "told"), LINES.items(), ids=[line[:40] for line in LINES])
def test_a_line_that_is_no_message_is_a_fault_and_the_answer_after_it_is_taken(line, told):
    answer = '{"jsonrpc": "2.0", "id": 1, "result": {"a": 1}}'
    noise = line.encode() if not line.startswith("\\x") else b"\xff"
    program = (
        f"import sys\nsys.stdin.readline()\nsys.stdout.buffer.write({noise!r} + b'\\n' + {answer.encode()!r} + b'\\n')"
    )
    with Conversation(started(program), 20) as conversation:
        assert conversation.request("ping") == {"a": 1}
        assert len(conversation.faults) == len(conversation.impure) == 1
        assert told in conversation.faults[0]


def test_an_answer_with_an_id_of_another_type_is_no_answer():
    program = 'import sys\nsys.stdin.readline()\nprint(\'{"jsonrpc": "2.0", "id": "1", "result": {}}\', flush=True)'
    with (
        Conversation(started(program), 5) as conversation,
        pytest.raises(Broken, match="answer to nothing that was asked"),
    ):
        conversation.request("ping")


def test_requests_of_the_server_are_answered_as_a_client_does():
    program = (
        "import json, sys\nasked = json.loads(sys.stdin.readline())\n"
        "def ask(n, method):\n"
        "    print(json.dumps({'jsonrpc': '2.0', 'id': n, 'method': method, 'params': {}}), flush=True)\n"
        "    return json.loads(sys.stdin.readline())\n"
        "found = [ask('a', 'ping'), ask('b', 'roots/list'), ask('c', 'sampling/createMessage')]\n"
        "print(json.dumps({'jsonrpc': '2.0', 'id': asked['id'], 'result': {'found': found}}), flush=True)"
    )
    with Conversation(started(program), 20) as conversation:
        ping, roots, sampling = conversation.request("tools/call")["found"]
    assert (ping["result"], roots["result"], sampling["error"]["code"]) == ({}, {"roots": []}, -32601)
