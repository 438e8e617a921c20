"""The gateway's client half under the client scenarios of the official conformance suite.

The suite plays a server for each scenario and runs `gateway_client.py` against it. Left out are the scenarios
`auth/*`: each of them has the client find an authorization server after a 401 and run a grant (authorization code,
client credentials, JWT bearer, DPoP). The gateway has no such flows: the credentials of a child come from its
operator's environment and are sent as they are, and a 401 is the operator's matter. `sep-2640-*` are about skills,
which a gateway does not load.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import ROOT

SCENARIOS = {
    ("initialize", "2025-06-18"): 1,
    ("initialize", "2025-11-25"): 1,
    ("tools_call", "2025-06-18"): 2,
    ("tools_call", "2025-11-25"): 2,
    ("tools_call", "2026-07-28"): 2,
    ("request-metadata", "2026-07-28"): 8,
    ("http-standard-headers", "2026-07-28"): 9,
    ("http-custom-headers", "2026-07-28"): 18,
    ("http-invalid-tool-headers", "2026-07-28"): 12,
    ("json-schema-ref-no-deref", "2026-07-28"): 1,
    ("json-schema-2020-12-preservation", "2025-11-25"): 9,
    ("json-schema-2020-12-preservation", "2026-07-28"): 9,
    ("sep-2322-client-request-state", "2026-07-28"): 5,
    ("sse-retry", "2025-11-25"): 3,
    ("elicitation-sep1034-client-defaults", "2025-11-25"): 5,
}
"""Checks that each scenario passes, at the revision it is run for."""

SECONDS = 60
"""For one scenario; most take one or two."""


@pytest.fixture(scope="module")
def run(clients, node):
    """Run one scenario and return its checks and how the suite ended."""
    suite = clients / "conformance" / "conf-alpha" / "node_modules" / "@modelcontextprotocol" / "conformance"
    if not suite.exists():
        pytest.skip("needs the official suite: run .ci/clients, or name its folder with MCPGEN_CLIENTS")
    client = f"{sys.executable} {ROOT / 'tests' / 'conformance' / 'gateway_client.py'}"
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PATH": f"{Path(node).parent}{os.pathsep}{os.environ['PATH']}",
    }

    def scenario(name: str, revision: str, folder: Path) -> tuple[list[dict], subprocess.CompletedProcess[str]]:
        words = [node, str(suite / "dist" / "index.js"), "client", "--command", client]
        words += ["--scenario", name, "--spec-version", revision, "-o", str(folder)]
        done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False)
        found = [json.loads(path.read_text(encoding="utf-8")) for path in folder.rglob("checks.json")]
        return [check for checks in found for check in checks], done

    return scenario


@pytest.mark.requirement("R013")
@pytest.mark.parametrize(("name", "revision"), SCENARIOS)
def test_every_check_of_the_scenario_passes(run, name, revision, tmp_path):
    checks, done = run(name, revision, tmp_path)
    said = done.stdout + done.stderr
    bad = [
        f"{check['id']}: {check.get('errorMessage')}" for check in checks if check["status"] in ("FAILURE", "WARNING")
    ]
    assert bad == [], said
    passed = sum(check["status"] == "SUCCESS" for check in checks)
    assert (passed >= SCENARIOS[name, revision], done.returncode) == (True, 0), said
