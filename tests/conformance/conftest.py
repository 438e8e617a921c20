"""Where the official clients and the official suite are: what `.ci/clients` installs, and a Node that runs it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.command import ROOT

OLDEST_NODE = (22, 19)
"""What the Inspector needs, the suite less; `.ci/clients` brings one where the system's is older."""

SECONDS = 60


@pytest.fixture(scope="session")
def clients() -> Path:
    """The folder with the clients and the suite."""
    named = os.environ.get("MCPGEN_CLIENTS")
    folder = Path(named) if named else ROOT / ".venv" / "clients"
    if not (folder / "venv").exists() or not (folder / "node_modules").exists():
        pytest.skip("needs the official clients: run .ci/clients, or name their folder with MCPGEN_CLIENTS")
    return folder


@pytest.fixture(scope="session")
def node(clients) -> str:
    """A Node that is new enough: the system's, or the one installed beside the clients."""
    brought = [str(place) for place in sorted(clients.glob("node_modules/node-linux-*/bin/node"))]
    for candidate in (shutil.which("node"), *brought):
        if candidate is not None and version_of(candidate) >= OLDEST_NODE:
            return candidate
    pytest.skip(f"needs Node {'.'.join(map(str, OLDEST_NODE))} or newer: run .ci/clients")


def version_of(node: str) -> tuple[int, ...]:
    """Return major and minor version."""
    said = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=SECONDS, check=True).stdout
    return tuple(int(part) for part in said.strip().removeprefix("v").split(".")[:2])
