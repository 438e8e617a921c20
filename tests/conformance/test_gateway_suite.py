"""The official conformance suite through a gateway: the suite's fixture is a child over standard streams.

With an empty prefix the child's names are the gateway's, so the suite finds what it looks for; what it checks goes
through both halves of the gateway.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.command import built, mcpgen
from tests.http_client import HttpServer
from tests.stdio_client import stub

from .test_official_suite import FIXTURE, SECONDS, failures, suite

__all__ = ["suite"]

LEGS = {
    "2025-11-25": 80,
    "2026-07-28": 196,
    "all": 230,
    "stable": 43,
    "suite:2025-06-18": 56,
    "suite:2025-03-26": 3,
}
"""Checks that pass in each leg. The three of server-sse-polling are skipped where the suite's own server has them: a
child on a pipe has no stream to let go of, and so nothing to tell the gateway."""


@pytest.fixture(scope="module")
def gateway(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("gateway")
    built(folder, "fixture", FIXTURE)
    done = mcpgen("gateway", "fixture=project", "-o", "gateway", "--prefix", "fixture=", "--quiet", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / "gateway"


@pytest.fixture(scope="module")
def over_legacy(gateway, tmp_path_factory) -> Path:
    """Return a gateway that takes the fixture for a child with a handshake, as older servers are."""
    project = tmp_path_factory.mktemp("legacy") / "gateway"
    shutil.copytree(gateway, project, symlinks=True)
    table = project / "gateway" / "catalog.json"
    catalog = json.loads(table.read_text(encoding="utf-8"))
    row = catalog["gateway"]["servers"]["fixture"]
    row["era"] = "legacy"
    row["command"] = [word.replace("${base}/..", str(gateway.parent)) for word in row["command"]]
    table.write_text(json.dumps(catalog), encoding="utf-8")
    (project / "gateway" / "catalog.cache.jsonl").unlink()
    return project


@pytest.fixture(scope="module")
def server(gateway):
    with HttpServer(stub(gateway, sys.executable)) as running:
        yield running
        assert "Traceback" not in running.stderr


@pytest.mark.timeout(SECONDS + 20)
@pytest.mark.requirement("R113")
@pytest.mark.parametrize("leg", LEGS)
def test_every_check_of_the_suite_passes_through_the_gateway(server, suite, leg, tmp_path):
    judge(suite(f"http://localhost:{server.port}/mcp", leg, tmp_path), leg, tmp_path)


@pytest.mark.timeout(SECONDS + 20)
@pytest.mark.requirement("R113")
@pytest.mark.parametrize("leg", ["2025-11-25", "suite:2025-06-18"])
def test_every_check_passes_with_a_child_of_the_older_era(over_legacy, suite, leg, tmp_path):
    with HttpServer(stub(over_legacy, sys.executable)) as running:
        judge(suite(f"http://localhost:{running.port}/mcp", leg, tmp_path), leg, tmp_path)
        assert "(legacy)" in running.stderr


def judge(done, leg: str, folder: Path) -> None:
    """Fail unless as many checks passed as are to, and none failed."""
    said = done.stdout + done.stderr
    total = re.search(r"Total: (\d+) passed, (\d+) failed", said)
    assert total is not None, said
    assert (int(total[1]) >= LEGS[leg], int(total[2]), done.returncode) == (True, 0, 0), failures(folder) or said
