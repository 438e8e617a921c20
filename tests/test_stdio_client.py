"""The client of the other tests is itself strict, bounded and leaves no process behind."""

from __future__ import annotations

import sys

import pytest

from tests.stdio_client import CallFailed, ProtocolProblem, StdioServer

ECHO = """
import json, sys
for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m: continue
    if m["method"] == "fail":
        print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "error": {"code": -1, "message": "no"}}), flush=True)
        continue
    print(json.dumps({"jsonrpc": "2.0", "method": "notifications/x"}), flush=True)
    print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": m.get("params", {})}), flush=True)
print("bye", file=sys.stderr)
"""


def server(code: str, **options) -> StdioServer:
    return StdioServer([sys.executable, "-I", "-c", code], **options)


def test_requests_are_answered_and_the_rest_is_kept() -> None:
    with server(ECHO) as running:
        assert running.initialize()["protocolVersion"] == "2025-11-25"
        assert running.request("x", {"a": 1}) == {"a": 1}
        with pytest.raises(CallFailed) as caught:
            running.request("fail")
    assert caught.value.error["code"] == -1
    assert [one["method"] for one in running.notifications] == ["notifications/x"] * 2
    assert running.stderr == "bye\n"


def test_requests_of_the_modern_era_carry_their_own_metadata() -> None:
    with server(ECHO) as running:
        running.discover()
        sent = running.request("x", {"_meta": {"progressToken": 1}})["_meta"]
    assert sent["io.modelcontextprotocol/protocolVersion"] == "2026-07-28"
    assert sent["progressToken"] == 1


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("input(); print('hello')", "not a JSON-RPC line"),
        ("input(); print('[]')", "not a JSON-RPC message"),
        ('input(); print(\'{"jsonrpc": "2.0", "id": 99, "result": {}}\')', "not an answer"),
        ("input()", "closed its output"),
        ("import time; time.sleep(60)", "no line came"),
    ],
)
def test_what_breaks_the_protocol_is_a_problem(code: str, message: str) -> None:
    running = server(code, timeout=20)
    with pytest.raises(ProtocolProblem, match=message):
        running.request("x", timeout=10 if "sleep" not in code else 0.2)
    running._process.kill()
    running.close()


def test_a_server_that_fails_at_its_end_is_a_problem() -> None:
    with pytest.raises(ProtocolProblem, match="ended with 3"), server("import sys; sys.stdin.read(); sys.exit(3)"):
        pass


def test_a_server_that_does_not_end_is_killed() -> None:
    running = server("import time\ntime.sleep(60)", timeout=0.3)
    with pytest.raises(ProtocolProblem, match="did not end"):
        running.close()
    assert running._process.poll() is not None
