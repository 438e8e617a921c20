"""A gateway over a good child and a bad one: the good one is served, the bad one's calls fail by name, none stays."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
import uuid
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.http_client import HttpServer, call, request
from tests.runtime.gateway.gatewaying import gateway, marked, tool
from tests.security.conftest import ATTACKS
from tests.stdio_client import StdioServer, stub

if TYPE_CHECKING:
    from collections.abc import Callable

# The faults of other gateways looked for here: a child whose standard error nobody reads stops it (B17), and one
# that hangs stops all (B19).

MARK = "GATEWAY_TEST_MARK"
"""A variable of the gateway that its children get: every process that has it is theirs."""

START, CALL = 1.5, 2.0
"""Seconds a child may take to start, and for a call."""

LISTED = 1.0
"""Seconds until the tools are listed."""

GOOD_CALLS = 40
LIVELY = 0.5
"""Seconds one good call may take while the other child misbehaves: a bound of liveness, the ratio is a benchmark's."""

ENDED = 5.0
"""Seconds until nothing is left after the end."""

MOST_SAID = 64 * 1024
"""Bytes of log that one bad child may cause in a few calls."""

MOST_MEMORY = 160 * 1024
"""KiB at most: a message may have 10 MiB, and is held twice when it is parsed."""

ANSWERS = "answers"
REASONS = {
    "child_closes_stdout": ("child_disconnected", "child_timeout"),
    "child_dies_mid_call": ("child_disconnected",),
    "child_dies_on_start": ("child_disconnected",),
    "child_double_answer": ("child_transport_error",),
    "child_endless_pages": (ANSWERS,),
    "child_garbage": ("child_parse_error", "child_disconnected"),
    "child_grandchild": ("child_timeout",),
    "child_huge_line": ("child_parse_error",),
    "child_ignores_term": ("child_timeout",),
    "child_list_changed_storm": (ANSWERS,),
    "child_server_request": (ANSWERS,),
    "child_shadow_tool": (ANSWERS,),
    "child_silent": ("child_timeout",),
    "child_slow_init": ("child_timeout",),
    "child_stderr_flood": ("child_timeout",),
    "child_stdout_flood": ("child_timeout",),
    "child_wrong_id": ("child_parse_error",),
}
"""Why a call of each bad child fails; some answer with something."""

GOOD = '''"""A child."""


def add(a: int, b: int) -> int:
    """Add."""
    return a + b
'''

FILES = sorted(ATTACKS.glob("gateway/child_*.py"))


def test_every_bad_child_is_here() -> None:
    assert [path.stem for path in FILES] == sorted(REASONS)


@pytest.fixture(scope="session")
def good(served: Callable[..., Path]) -> dict:
    """The row of a child that works."""
    project = served(
        "worker", '"""A child."""\n\n\ndef add(a: int, b: int) -> int:\n    """Add."""\n    return a + b\n'
    )
    return {"command": ["${python}", "-I", "-S", str(project / "server.py")]}


def _gateway(folder: Path, good: dict, bad: Path) -> Path:
    limits = {"start_timeout": START, "timeout": CALL}
    servers = {
        "good": {**good, "env": [MARK]},
        "bad": {"command": ["${python}", "-I", str(bad)], "env": [MARK], "limits": limits},
    }
    tools = [tool("good", "add"), tool("bad", "t", limits={"timeout": CALL})]
    return gateway(folder / "made", servers, tools)


@pytest.mark.alone
@pytest.mark.requirement("R112", "R117")
@pytest.mark.parametrize("bad", FILES, ids=lambda path: path.stem)
def test_a_bad_child_over_stdio_harms_no_other(tmp_path: Path, good: dict, bad: Path) -> None:
    mark = uuid.uuid4().hex
    begun = time.monotonic()
    with StdioServer(
        stub(_gateway(tmp_path, good, bad), sys.executable), env={**os.environ, MARK: mark}, timeout=10
    ) as server:
        server.initialize()
        assert [each["name"] for each in server.tools()] == ["good__add", "bad__t"]
        assert time.monotonic() - begun < LISTED
        server.call("good__add", {"a": 1, "b": 1})  # it runs
        asked = time.monotonic()
        waiting = server.send("tools/call", {"name": "bad__t", "arguments": {}})
        _good_calls_go_on(lambda a: server.call("good__add", {"a": a, "b": 1}))
        _judged(server.wait_for(waiting, timeout=CALL + 1.0), time.monotonic() - asked, bad)
        _judged(server.call("bad__t"), 0.0, bad)
        _good_calls_go_on(lambda a: server.call("good__add", {"a": a, "b": 1}))
        assert _peak(server.pid) < MOST_MEMORY
        assert len(marked(f"{MARK}={mark}")) > 1, "the gateway and a child"
        ends = time.monotonic()
    _nothing_is_left(mark, ends)
    assert len(server.stderr) < MOST_SAID


@pytest.mark.alone
@pytest.mark.requirement("R112", "R117")
@pytest.mark.parametrize("bad", FILES, ids=lambda path: path.stem)
def test_a_bad_child_over_http_harms_no_other(tmp_path: Path, good: dict, bad: Path) -> None:
    mark = uuid.uuid4().hex
    with HttpServer(stub(_gateway(tmp_path, good, bad), sys.executable), env={**os.environ, MARK: mark}) as server:
        begun = time.monotonic()
        assert len(server.post(request(1, "tools/list")).json["result"]["tools"]) == 2
        assert time.monotonic() - begun < LISTED
        server.post(call(2, "good__add", {"a": 1, "b": 1}))
        asked = time.monotonic()
        found: list[dict] = []
        asking = threading.Thread(target=lambda: found.append(server.post(call(3, "bad__t")).json["result"]))
        asking.start()
        _good_calls_go_on(lambda a: server.post(call(4, "good__add", {"a": a, "b": 1})).json["result"])
        asking.join(CALL + 1.0)
        _judged(found[0], time.monotonic() - asked, bad)
        ends = time.monotonic()
    _nothing_is_left(mark, ends)
    assert len(server.stderr) < MOST_SAID


def _good_calls_go_on(add: Callable[[int], dict]) -> None:
    for number in range(GOOD_CALLS):
        begun = time.monotonic()
        assert add(number)["structuredContent"] == {"result": number + 1}
        assert time.monotonic() - begun < LIVELY


def _judged(result: dict, seconds: float, bad: Path) -> None:
    """Check the answer to a call of the bad child."""
    expected = REASONS[bad.stem]
    assert seconds < CALL + 1.0
    if not result.get("isError"):
        assert ANSWERS in expected
        return
    facts = result["_meta"]["mcpgen/error"]
    assert facts["child"] == "bad", facts
    assert facts["reason"] in (*expected, "cli_unavailable", "child_result_error"), facts
    text = result["content"][0]["text"]
    assert "bad" in text
    assert text.endswith(".")
    assert "garbage" not in json.dumps(result)


def _peak(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(status.partition("VmHWM:")[2].split()[0])


def _nothing_is_left(mark: str, ends: float) -> None:
    """Wait for the end of all processes that have the mark."""
    while left := marked(f"{MARK}={mark}"):
        assert time.monotonic() - ends < ENDED, left
        time.sleep(0.02)
