"""The probes: every operation of eleven documents called over a real server against an echo API, by their own driver.

`drive.py` compares each request, or each result, with the exact one of `cases.json`.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys

import pytest

from tests.command import ROOT
from tests.echo_api import PROBES, echo_api

PORT = 8765
"""Where the documents of the probes say that their server is."""

SECONDS = 240
"""Eleven builds and eleven servers on a loaded machine."""


@pytest.fixture
def command(tmp_path) -> str:
    """The command line as one word, which is what the driver starts."""
    script = tmp_path / "mcpgen"
    code = "from generator.cli.app import main; main()"
    script.write_text(f"#!/bin/sh\nPYTHONPATH='{ROOT}' exec '{sys.executable}' -c '{code}' \"$@\"\n", encoding="utf-8")
    script.chmod(0o755)
    return str(script)


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


@pytest.mark.timeout(SECONDS + 20)
def test_every_probe_is_exact(command, tmp_path):
    assert is_free(PORT), f"something else listens on port {PORT}"
    work = tmp_path / "work"
    work.mkdir()
    with echo_api(work, PORT):
        done = subprocess.run(
            [sys.executable, str(PROBES / "drive.py"), "mcpgen"],
            env={**os.environ, "PROBE_WORK": str(work), "MCPGEN": command, "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=SECONDS,
            check=False,
        )
    assert done.returncode == 0, done.stdout + done.stderr
    result = json.loads((work / "results" / "mcpgen.json").read_text(encoding="utf-8"))
    assert result["summary"] == {"exact": len(json.loads((PROBES / "cases.json").read_text(encoding="utf-8")))}
    assert all(not spec["error"] and not spec["stdout_junk"] for spec in result["specs"].values())
    assert len(set(result["specs"]["naming30"]["names"])) == 20


def test_the_copies_are_those_of_the_corpus(shared):
    given = shared / "cases" / "openapi"
    names = sorted(path.relative_to(given) for path in given.rglob("*") if path.is_file() and path.suffix != ".pyc")
    ours = sorted(
        path.relative_to(PROBES.parent) for path in PROBES.parent.rglob("*") if path.is_file() and path.suffix != ".pyc"
    )
    assert ours == names
    assert [name for name in names if (given / name).read_bytes() != (PROBES.parent / name).read_bytes()] == []
