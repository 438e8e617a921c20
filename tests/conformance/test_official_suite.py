"""The official conformance suite against one annotated module, built by the command line and served over HTTP.

`.ci/clients` installs the suite, pinned; the `shared` folder's script runs it. Each leg is one of its sets of
scenarios: the two revisions with frozen requirements, every scenario it ships, the stable release, and two older
revisions.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import ROOT, built
from tests.http_client import HttpServer, modern, request
from tests.stdio_client import stub

FIXTURE = ROOT / "tests" / "conformance" / "fixture.py"
LEGS = {
    "2025-11-25": 83,
    "2026-07-28": 196,
    "all": 233,
    "stable": 46,
    "suite:2025-06-18": 56,
    "suite:2025-03-26": 3,
}
"""Checks that pass in each leg; none fails, and the scenarios of the skills extension are skipped for everyone."""

SECONDS = 280
"""For one leg; it takes 10 to 20 on a machine that does nothing else."""


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Path:
    return built(tmp_path_factory.mktemp("official"), "fixture", FIXTURE)


@pytest.fixture(scope="module")
def server(project):
    with HttpServer(stub(project, sys.executable)) as running:
        yield running
        assert "Traceback" not in running.stderr


@pytest.fixture(scope="module")
def suite(shared, clients, node):
    """Run one leg and return its table and how it ended."""
    kept = clients / "conformance"
    if not (kept / "conf-alpha").exists() or not (kept / "conf-stable").exists():
        pytest.skip("needs the official suite: run .ci/clients, or name its folder with MCPGEN_CLIENTS")
    script = shared / "protocol" / "run-conformance.sh"

    def run(url: str, leg: str, folder: Path) -> subprocess.CompletedProcess[str]:
        path = os.pathsep.join([str(Path(node).parent), os.environ["PATH"]])
        environment = {**os.environ, "PATH": path, "CONF_DIR": str(kept), "OUT": str(folder)}
        words = ["bash", str(script), url, leg]
        return subprocess.run(words, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False)

    return run


def test_the_module_offers_what_the_suite_asks_for(server):
    names = {"tools": 35, "resources": 3, "prompts": 5}
    for name, count in names.items():
        listed = server.post(request(1, f"{name}/list")).json["result"][name]
        assert len({each["name"] for each in listed}) == count
    templates = server.post(*modern(request(1, "resources/templates/list"))).json["result"]["resourceTemplates"]
    assert [each["uriTemplate"] for each in templates] == ["test://template/{id}/data"]


@pytest.mark.timeout(SECONDS + 20)
@pytest.mark.parametrize("leg", LEGS)
def test_every_check_of_the_suite_passes(server, suite, leg, tmp_path):
    done = suite(f"http://localhost:{server.port}/mcp", leg, tmp_path)
    said = done.stdout + done.stderr
    total = re.search(r"Total: (\d+) passed, (\d+) failed", said)
    assert total is not None, said
    assert (int(total[1]) >= LEGS[leg], int(total[2]), done.returncode) == (True, 0, 0), failures(tmp_path) or said


def failures(folder: Path) -> str:
    """Return what failed, in the suite's own words."""
    checks = [
        check
        for path in sorted(folder.rglob("checks.json"))
        for check in json.loads(path.read_text(encoding="utf-8"))
        if check["status"] == "FAILURE"
    ]
    return "\n".join(f"{check['id']}: {check.get('errorMessage')}" for check in checks)
