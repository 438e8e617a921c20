"""Calls that wait for a child when it ends are written for the one that takes its place."""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path
from typing import Any

import pytest

from generator.runtime.gateway.peer import LEGACY, MODERN
from tests.runtime.gateway.conversing import PROTOCOL, Client
from tests.runtime.gateway.gatewaying import gateway, tool

PROGRAM = Path(__file__).with_name("changing_child.py")


@pytest.mark.parametrize("first", [LEGACY, MODERN])
def test_a_call_that_waited_is_written_for_the_era_of_the_next_child(tmp_path: Path, first: str) -> None:
    changed = tmp_path / "changed"
    command = ["${python}", "-I", "-S", str(PROGRAM), first, os.fspath(changed)]
    row = {"command": command, "limits": {"max_concurrent": 1}}
    project = gateway(tmp_path / "gateway", {"worker": row}, [tool("worker", name) for name in ("line", "change")])
    with Client(project, "modern") as client:
        assert is_modern(client.call("worker__line")) == (first == MODERN)
        client.begin("worker__change")
        waiting = [client.begin("worker__line") for _ in range(3)]
        client.request("server/discover", {})  # what was sent before it has been read
        changed.touch()
        for number in waiting:
            assert is_modern(client.wait_for(number)) == (first == LEGACY)


def is_modern(result: dict[str, Any]) -> bool:
    """Say whether a request is one of 2026-07-28, by the line that a child got."""
    line = json.loads(base64.b64decode(result["content"][0]["text"]))
    return f"{PROTOCOL}protocolVersion" in line["params"].get("_meta", {})
