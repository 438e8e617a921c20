"""A registry of its own for each test, and entries to put into it."""

from __future__ import annotations

import json
import sys

import pytest


@pytest.fixture
def place(tmp_path, monkeypatch):
    """The path of the registry file, in a folder that is not there yet."""
    path = tmp_path / "home" / ".mcpgen" / "registry.json"
    monkeypatch.setenv("MCPGEN_REGISTRY", str(path))
    return path


@pytest.fixture
def write(place):
    """Write a registry file as it is meant to be; bytes, or a value for JSON."""

    def put(content, mode=0o600):
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        place.chmod(mode)
        return place

    return put


@pytest.fixture
def command():
    """A command that any machine with the tests has."""
    return [sys.executable, "-I", "-c", "pass"]
