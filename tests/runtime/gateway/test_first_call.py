"""A gateway lists its tools without any child (B19), and passes a call through to one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.asgi_servers import Uvicorn
from tests.http_client import HttpServer, call, modern, request
from tests.runtime.gateway.gatewaying import gateway, tool
from tests.stdio_client import StdioServer, stub

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ("add", "echo", "rest", "fails", "dies", "number")


@pytest.fixture
def project(tmp_path: Path, child: dict) -> Path:
    return gateway(tmp_path / "made", {"worker": child}, [tool("worker", name) for name in NAMES])


@pytest.mark.requirement("R066")
@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_lists_are_answered_without_a_child_and_a_call_reaches_one(project: Path, era: str) -> None:
    with StdioServer(stub(project, sys.executable)) as server:
        (server.discover if era == "modern" else server.initialize)()
        assert [each["name"] for each in server.tools()] == [f"worker__{name}" for name in NAMES]
        assert "child" not in server.stderr
        assert server.call("worker__add", {"a": 1, "b": 2})["structuredContent"] == {"result": 3}
        assert server.call("worker.echo", {"text": "é"})["content"] == [{"type": "text", "text": "é"}]
        assert server.call("worker__fails")["isError"] is True
        number = server.call("worker__number")["structuredContent"]["result"]
        assert server.call("worker__number")["structuredContent"]["result"] == number, "the child lives on"
    assert "child worker started" in server.stderr


def test_a_burst_of_calls_is_answered_call_by_call(project: Path) -> None:
    with StdioServer(stub(project, sys.executable)) as server:
        server.initialize()
        sent = {
            server.send("tools/call", {"name": "worker__add", "arguments": {"a": n, "b": 1}}): n for n in range(500)
        }
        for identity, number in sent.items():
            assert server.wait_for(identity)["structuredContent"] == {"result": number + 1}


@pytest.mark.parametrize("kind", [HttpServer, Uvicorn], ids=["own", "uvicorn"])
def test_calls_reach_the_child_over_http(project: Path, kind: type[HttpServer]) -> None:
    with kind(stub(project, sys.executable)) as server:
        message, headers = modern(call(1, "worker__add", {"a": 4, "b": 5}))
        assert server.post(message, headers).json["result"]["structuredContent"] == {"result": 9}
        assert server.post(request(2, "tools/list")).json["result"]["tools"][0]["name"] == "worker__add"
        assert server.post(call(3, "worker__fails")).json["result"]["isError"] is True


def test_a_gateway_refuses_worker_processes_and_says_why(project: Path) -> None:
    done = subprocess.run(
        [*stub(project, sys.executable), "--http", "--port", "0", "--workers", "2"],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == 2
    assert "its tools run in the processes of the servers behind it" in done.stderr


def test_events_tell_the_server_and_the_tools_own_name(project: Path, tmp_path: Path) -> None:
    events = tmp_path / "events.jsonl"
    with StdioServer([*stub(project, sys.executable), "--events", os.fspath(events)]) as server:
        server.initialize()
        server.call("worker.add", {"a": 1, "b": 2})
    (event,) = [json.loads(line) for line in events.read_text(encoding="utf-8").splitlines()]
    assert (event["tool"], event["server"], event["original"]) == ("worker__add", "worker", "add")
    assert event["status"] == "success"
