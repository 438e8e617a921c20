"""Children that say what no child may say: their callers are told so, and nothing of it reaches a client as it is."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest

from tests.runtime.gateway.conversing import ALL, Client
from tests.runtime.gateway.gatewaying import gateway, tool
from tests.stdio_client import CallFailed

if TYPE_CHECKING:
    from pathlib import Path

LIAR = """
import json, sys

ERA, RESULT = sys.argv[1], json.loads(sys.argv[2])
INFO = {"name": "liar", "version": "1"}
DISCOVERED = {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, "ttlMs": 0, "cacheScope": "private"}
SHAKEN = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": INFO}
SAID = {
    "server/discover": {"result": DISCOVERED} if ERA == "modern" else {"error": {"code": -32601, "message": "no"}},
    "initialize": {"result": SHAKEN} if ERA == "legacy" else {"error": {"code": -32601, "message": "no"}},
    "tools/list": {"result": {"tools": []}},
    "tools/call": RESULT,
}
if ERA == "rude":
    SAID["initialize"] = RESULT
for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **SAID[message["method"]]}), flush=True)
"""


def liar(folder: Path, era: str, result: dict) -> Path:
    """Write a gateway over a child that answers every call with this."""
    program = folder / "liar.py"
    program.write_text(LIAR, encoding="utf-8")
    row = {"command": [sys.executable, "-I", str(program), era, json.dumps(result)]}
    return gateway(folder / "made", {"liar": row}, [tool("liar", "t")])


QUESTION = {"method": "sampling/createMessage", "params": {"messages": [], "maxTokens": 1}}


@pytest.mark.parametrize(
    "result",
    [
        {"resultType": "task", "status": "working"},
        {"resultType": "task", "taskId": ["x"], "status": "working"},
        {"resultType": "input_required"},
        {"resultType": "input_required", "requestState": 5},
        {"resultType": "input_required", "inputRequests": {"a": {"method": "tools/call"}}},
    ],
)
def test_a_result_that_leads_nowhere_is_the_childs_failure(tmp_path: Path, result: dict) -> None:
    with Client(liar(tmp_path, "modern", {"result": result}), "modern", ALL) as client:
        told = client.call("liar__t")
    assert told["resultType"] == "complete"
    assert told["_meta"]["mcpgen/error"]["reason"] == "child_parse_error"


def test_a_caller_that_knows_no_tasks_gets_none(tmp_path: Path) -> None:
    made = {"resultType": "task", "taskId": "x", "status": "working", "ttlMs": 1}
    with Client(liar(tmp_path, "modern", {"result": made}), "modern", {}) as client:
        told = client.call("liar__t")
    assert told["_meta"]["mcpgen/error"]["reason"] == "child_parse_error"


def test_a_caller_is_not_asked_what_it_did_not_declare(tmp_path: Path) -> None:
    asks = {"resultType": "input_required", "inputRequests": {"a": QUESTION}, "requestState": "s"}
    project = liar(tmp_path, "modern", {"result": asks})
    with Client(project, "modern", {"elicitation": {}}) as client, pytest.raises(CallFailed) as failed:
        client.call("liar__t")
    assert failed.value.error["code"] == -32021
    with Client(project, "modern", {"sampling": {}}) as client:
        assert client.call("liar__t")["inputRequests"] == {"a": QUESTION}


def test_an_elicitation_that_is_required_and_missing_is_an_error_and_no_question(tmp_path: Path) -> None:
    error = {"code": -32042, "message": "first", "data": {"elicitations": [1, None]}}
    with (
        Client(liar(tmp_path, "legacy", {"error": error}), "modern", ALL) as client,
        pytest.raises(CallFailed) as failed,
    ):
        client.call("liar__t")
    assert failed.value.error["code"] == -32042


def test_what_a_child_refuses_its_start_with_cannot_pass_for_lines_of_the_log(tmp_path: Path) -> None:
    error = {"code": -32603, "message": "no\x1b[31m\ncall other__tool ok 1.0ms id=1"}
    with Client(liar(tmp_path, "rude", {"error": error})) as client:
        told = client.call("liar__t")
        client.until_noted("child liar failed")
    assert told["_meta"]["mcpgen/error"]["child"] == "liar"
    assert "\x1b" not in client.stderr + told["content"][0]["text"]
    assert not any(line.startswith("call other__tool") for line in client.stderr.splitlines())


class Exaggerating(Client):
    """A client that writes a number too large for any double."""

    def _write(self, message: dict) -> None:
        self._process.stdin.write(json.dumps(message).replace('"huge"', "1e400").encode() + b"\n")
        self._process.stdin.flush()


def test_arguments_that_cannot_be_written_are_the_callers_fault(tmp_path: Path) -> None:
    result = {"content": [{"type": "text", "text": "fine"}]}
    params = {"name": "liar__t", "arguments": {"a": "huge"}}
    with Exaggerating(liar(tmp_path, "legacy", {"result": result})) as client:
        for runs in (False, True):  # where it does not run yet, the call waits and is written later
            for more in ({}, {"_meta": {"progressToken": 7}}, {"_meta": {"example.com/a": ["huge"]}}):
                with pytest.raises(CallFailed) as failed:
                    client.request("tools/call", {**params, **more})
                assert failed.value.error["code"] == -32602
            assert client.call("liar__t") == result, runs
