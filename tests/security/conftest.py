"""Servers that the security tests attack, each built once by the real command line."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.command import ROOT, built
from tests.stdio_client import stub

if TYPE_CHECKING:
    from collections.abc import Callable

ATTACKS = ROOT / "tests" / "cases" / "attacks"

ECHO = '''"""Give back what comes in."""

import time


def echo(x: object) -> object:
    """Return x."""
    return x


def nap(seconds: float) -> str:
    """Sleep."""
    time.sleep(seconds)
    return "rested"


def typed(
    number: int = 0,
    fraction: float = 0.0,
    rows: list[list[int]] | None = None,
    table: dict[str, object] | None = None,
    text: str = "",
) -> str:
    """Take arguments that strings can be coerced to."""
    return f"{number} {fraction} {rows} {table} {text}"[:100]
'''


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Build the server of a module, given as text or by its path, and return its project."""

    def build(name: str, source: str | Path, settings: str = "") -> Path:
        return built(tmp_path_factory.mktemp(name), name, source, settings)

    return build


@pytest.fixture(scope="session")
def echo_project(served: Callable[..., Path]) -> Path:
    """The server that the wire cases are sent to."""
    return served("echo", ECHO)


@pytest.fixture(scope="session")
def echo(echo_project: Path) -> list[str]:
    """The words that start it."""
    return stub(echo_project, sys.executable)
