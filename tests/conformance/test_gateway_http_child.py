"""The official conformance suite through a gateway whose child is the suite's fixture behind a URL.

The same as over standard streams, with the other kind of link: requests and answers, streams, questions and sessions
all pass over HTTP twice.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.command import built, mcpgen
from tests.http_client import HttpServer
from tests.stdio_client import stub

from .test_gateway_suite import judge
from .test_official_suite import FIXTURE, SECONDS, suite

__all__ = ["suite"]


@pytest.fixture(scope="module")
def child(tmp_path_factory):
    folder = tmp_path_factory.mktemp("child")
    with HttpServer(stub(built(folder, "fixture", FIXTURE), sys.executable)) as running:
        yield running
        assert "Traceback" not in running.stderr


def gateway(folder: Path, child: HttpServer, era: str) -> Path:
    """Build a gateway over the child, which it takes for one of this era."""
    url = f"fixture=http://127.0.0.1:{child.port}/mcp"
    done = mcpgen("gateway", url, "-o", "gateway", "--prefix", "fixture=", "--quiet", cwd=folder)
    assert done.returncode == 0, done.stderr
    table = folder / "gateway" / "gateway" / "catalog.json"
    catalog = json.loads(table.read_text(encoding="utf-8"))
    catalog["gateway"]["servers"]["fixture"]["era"] = era
    table.write_text(json.dumps(catalog), encoding="utf-8")
    (table.parent / "catalog.cache.jsonl").unlink()
    return folder / "gateway"


@pytest.mark.timeout(SECONDS + 40)
@pytest.mark.requirement("R132", "R199")
@pytest.mark.parametrize(
    ("era", "leg"),
    [("modern", "2026-07-28"), ("modern", "2025-11-25"), ("legacy", "2025-11-25"), ("legacy", "suite:2025-06-18")],
)
def test_every_check_of_the_suite_passes_with_a_child_behind_a_url(child, suite, era, leg, tmp_path):
    project = gateway(tmp_path, child, era)
    with HttpServer(stub(project, sys.executable)) as running:
        judge(suite(f"http://localhost:{running.port}/mcp", leg, tmp_path / "out"), leg, tmp_path / "out")
        assert "Traceback" not in running.stderr
        assert f"({era})" in running.stderr
