"""The digest's odd HTTP requests, sent by its own program: each gets the right-hand answer of its table."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.command import ROOT, built
from tests.http_client import HttpServer
from tests.stdio_client import stub

SECONDS = 60

RIGHT = {
    "GET no session": (405, None),
    "DELETE no session": (405, None),
    "PUT": (405, None),
    "parse error": (400, -32700),
    "batch legacy": (400, -32600),
    "batch modern": (400, -32600),
    "no session tools/list": (200, None),  # served statelessly (decision 12)
    "bad session": (404, -32600),
    "text/plain": (415, None),
    "accept json only (legacy init)": (200, None),
    "accept json only (modern)": (200, None),
    "evil origin": (403, None),
    "evil host": (421, None),
    "modern notification": (202, None),
    "modern, version header missing": (400, -32020),
    "modern unknown tool": (400, -32602),
    "modern bad arg type": (400, -32602),  # the tool it calls is the fixture's, unknown here
    "id null": (400, -32600),
    "bad logLevel": (400, -32602),
    "bad cursor": (400, -32602),
    "dup Mcp-Method": (400, -32020),
    "init w/ unknown version": (200, None),
    "init w/ 2026-07-28": (200, None),
}


@pytest.fixture(scope="module")
def said(shared, tmp_path_factory):
    """Run the probe once and return what it says of each request: status and JSON-RPC error code."""
    project = built(tmp_path_factory.mktemp("edges"), "weather", ROOT / "samples" / "weather" / "weather.py")
    probe = str(shared / "protocol" / "clients" / "edge_probe.py")
    with HttpServer(stub(project, sys.executable)) as server:
        words = [sys.executable, probe, str(server.port)]
        done = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS, check=True)
    found = {}
    for line in done.stdout.splitlines()[1:]:
        name, status, text = re.fullmatch(r"(.{1,34}?) +(\d{3}|EXC) (.*)", line).groups()
        code = re.search(r'"code":(-\d+)', text)
        found[name] = (int(status), int(code[1]) if code else None)
    return found


def test_every_request_of_the_probe_is_judged(said):
    assert said.keys() == RIGHT.keys()


@pytest.mark.parametrize("name", RIGHT)
def test_an_odd_request_gets_the_right_answer(said, name):
    assert said[name] == RIGHT[name]
