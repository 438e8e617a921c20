"""However a gateway ends, nothing that it started is left five seconds later, and nothing is left half dead."""

from __future__ import annotations

import os
import signal
import sys
import time
import uuid
from typing import TYPE_CHECKING

import pytest

from tests.asgi_servers import Uvicorn
from tests.http_client import HttpServer, call
from tests.runtime.gateway.gatewaying import gateway, marked, tool, zombies
from tests.runtime.server.serving import waited_for
from tests.stdio_client import StdioServer, stub

if TYPE_CHECKING:
    from pathlib import Path

MARK = "GATEWAY_TEST_MARK"
SECONDS = 5.0

STUBBORN = """
import json, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
subprocess.Popen([sys.executable, "-c", "from signal import *; signal(SIGTERM, SIG_IGN); pause(); pause()"])
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    told = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}
    result = told if message["method"] == "initialize" else {"content": [{"type": "text", "text": "still here"}]}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
time.sleep(3600)
"""
"""A child that ends for nobody, with a child of its own that does neither."""


@pytest.fixture
def project(tmp_path: Path, child: dict) -> Path:
    script = tmp_path / "stubborn.py"
    script.write_text(STUBBORN, encoding="utf-8")
    servers = {
        "worker": {**child, "env": [MARK]},
        **{
            f"stubborn{number}": {"command": ["${python}", str(script)], "env": [MARK], "era": "legacy"}
            for number in range(3)
        },
    }
    tools = [tool("worker", "rest"), *(tool(f"stubborn{number}", "t") for number in range(3))]
    return gateway(tmp_path / "made", servers, tools)


def _all_started(server: StdioServer) -> None:
    server.initialize()
    for number in range(3):
        assert server.call(f"stubborn{number}__t")["content"][0]["text"] == "still here"
    server.call("worker__rest", {"seconds": 0})


def _gone(mark: str, since: float) -> None:
    waited_for(lambda: not marked(f"{MARK}={mark}"), SECONDS - (time.monotonic() - since))


@pytest.mark.requirement("R111")
@pytest.mark.parametrize("way", ["end of input", "SIGTERM", "SIGKILL", "end of input with a call in hand"])
def test_nothing_outlives_a_gateway_over_stdio(project: Path, way: str) -> None:
    mark = uuid.uuid4().hex
    server = StdioServer(stub(project, sys.executable), env={**os.environ, MARK: mark})
    _all_started(server)
    assert len(marked(f"{MARK}={mark}")) >= 8, "the gateway, four children and three grandchildren"
    if way == "end of input with a call in hand":
        server.send("tools/call", {"name": "worker__rest", "arguments": {"seconds": 60}})
    since = time.monotonic()
    if way.startswith("SIG"):
        os.kill(server.pid, getattr(signal, way))
        _gone(mark, since)
    status = server.close()
    assert time.monotonic() - since < SECONDS
    assert status == {"SIGTERM": 143, "SIGKILL": -9}.get(way, 0)
    _gone(mark, since)


@pytest.mark.requirement("R111")
@pytest.mark.parametrize("kind", [HttpServer, Uvicorn], ids=["own", "uvicorn"])
def test_nothing_outlives_a_gateway_over_http(project: Path, kind: type[HttpServer]) -> None:
    mark = uuid.uuid4().hex
    with kind(stub(project, sys.executable), env={**os.environ, MARK: mark}) as server:
        for number in range(3):
            answer = server.post(call(number, f"stubborn{number}__t")).json["result"]
            assert answer["content"][0]["text"] == "still here"
        _, seconds = server.stop()
        since = time.monotonic() - seconds
    _gone(mark, since)


def test_children_that_end_leave_no_zombies(tmp_path: Path, child: dict) -> None:
    limits = {"idle": 0.2}
    project = gateway(
        tmp_path / "made", {"worker": {**child, "limits": limits}}, [tool("worker", "dies"), tool("worker", "number")]
    )
    with StdioServer(stub(project, sys.executable)) as server:
        server.initialize()
        numbers = set()
        for _ in range(3):
            numbers.add(server.call("worker__number")["structuredContent"]["result"])
            assert server.call("worker__dies")["isError"] is True
        assert len(numbers) == 3
        numbers.add(server.call("worker__number")["structuredContent"]["result"])
        waited_for(lambda: "nobody called it" in server.stderr)
        waited_for(lambda: not zombies(server.pid))
