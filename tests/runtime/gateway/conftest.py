"""A child that was built once, for all tests of the gateway; and clocks that end with their test."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from generator.runtime.gateway import children
from generator.runtime.gateway.alarm import Alarm
from tests.command import built

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CHILD = '''"""A child."""

import asyncio
import os
import time

from mcpgen import ToolError, tool


def add(a: int, b: int) -> int:
    """Add."""
    return a + b


def echo(text: str) -> str:
    """Echo."""
    return text


async def rest(seconds: float) -> str:
    """Rest."""
    await asyncio.sleep(seconds)
    return "rested"


def fails() -> str:
    """Fail."""
    raise ToolError("it does not work")


@tool(name="dies")
def end_the_process() -> str:
    """End the process."""
    os._exit(9)


@tool(name="dies_once", annotations={"readOnlyHint": True})
def end_the_process_once(path: str) -> str:
    """End the process unless the file is there."""
    if not os.path.exists(path):
        open(path, "w").close()
        os._exit(9)
    return "alive"


def number() -> int:
    """Return the number of the process."""
    return os.getpid()
'''


@pytest.fixture(scope="session")
def child(tmp_path_factory: pytest.TempPathFactory) -> dict:
    """Return the row of a child that works."""
    folder: Path = tmp_path_factory.mktemp("child")
    project = built(folder, "worker", CHILD)
    return {"command": ["${python}", "-I", "-S", str(project / "server.py")], "era": "dual"}


@pytest.fixture(autouse=True)
def ended_clocks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """End the clocks of children in this process: what is due later would be in the log of another test."""
    clocks: list[Alarm] = []

    def clock() -> Alarm:
        clocks.append(Alarm())
        return clocks[-1]

    monkeypatch.setattr(children, "Alarm", clock)
    yield
    for each in clocks:
        if each._started:
            each.at(0.0, sys.exit)
