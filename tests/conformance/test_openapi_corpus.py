"""A fixed sample of real, tricky, split and invalid descriptions of others; the benchmark runs the whole corpus.

Every operation is served or named with its reason. What is emitted for some of them is imported, checked for types and
lint, listed by an official client and by the Inspector, which finds every schema portable.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from tests.command import ROOT, mcpgen
from tests.stdio_client import StdioServer, stub

from .test_clients import inspected

SECONDS = 100

SAMPLE = [
    "real/redocly-cafe-3.2.yaml",
    "real/scalar-galaxy.yaml",
    "real/firecracker.json",
    "real/apig-mastodon.json",
    "real/apig-googleapis-gmail.json",
    "real/box-v2025.json",
    "real/apig-notion.json",
    "real/apig-stripe.json",
    "real/asana-app-components.yaml",
    "multifile/swparser-issue-1886",
    "multifile/goopenapi-1851",
    "multifile/oai-petstore-separate",
    "multifile/redocly-bundle-bundle-oas3_2",
    "tricky/malicious-yamlbomb",
    "tricky/ogen-additional_operations",
    "tricky/heyapi-2.0-full",
    "invalid/dmcg-dangling_component_ref.yaml",
    "invalid/swparser-bad_format.yaml",
    "invalid/redocly-resources-petstore-with-errors.yaml",
    "invalid/kin-issue235-typo.yml",
]
"""Names of the index, or their beginnings."""

SERVED = ["redocly-cafe-3.2.yaml", "firecracker.json", "apig-mastodon.json", "box-v2025.json", "jupyter-server.yaml"]
"""Real documents whose packages are looked at closely: 3.2, 3.0 and 2.0, JSON and YAML."""


@pytest.fixture(scope="module")
def corpus(shared) -> Path:
    return shared / "corpus" / "openapi"


@pytest.fixture(scope="module")
def measured(corpus):
    """Every document of the sample, generated as the benchmark does it."""
    sys.path.insert(0, str(ROOT / "benchmarks"))
    try:
        benchmark = import_module("openapi_corpus")
    finally:
        sys.path.remove(str(ROOT / "benchmarks"))
    outcomes = [benchmark.run(entry) for entry in benchmark.entries(corpus, SAMPLE)]
    sys.modules.pop("openapi_corpus")
    return outcomes


@pytest.mark.timeout(3 * SECONDS)
def test_the_sample_is_served_or_refused_with_reasons(measured):
    assert len(measured) >= len(SAMPLE)
    assert [(one.entry.name, one.trouble) for one in measured if one.trouble] == []
    assert [one.entry.name for one in measured if one.code == 0 and one.tools == 0] == []
    assert [one.entry.name for one in measured if one.code == 2 and not one.skipped] == []


def test_nearly_all_operations_of_real_documents_are_served(measured):
    real = [one for one in measured if one.entry.name.startswith("real/")]
    served, operations = sum(one.tools for one in real), sum(one.entry.operations for one in real)
    assert served / operations >= 0.98
    assert [one.entry.name for one in real if one.tools + one.left_out < one.entry.operations] == []


def test_stripes_list_has_all_form_fields_and_stays_small(measured):
    (stripe,) = [one for one in measured if one.entry.name == "real/apig-stripe.json"]
    assert (stripe.tools, stripe.listing < 1_500_000) == (452, True)


@pytest.fixture(scope="module", params=SERVED)
def project(request, corpus, tmp_path_factory) -> Path:
    """The package of one real document, types included."""
    folder = tmp_path_factory.mktemp("real")
    words = ["--name", "real", "-o", "real-mcp", "--base-url", "http://127.0.0.1:9", "--models", "typeddict", "--quiet"]
    done = mcpgen("from-openapi", str(corpus / "real" / request.param), *words, cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / "real-mcp"


def run(*words: str, cwd: Path) -> None:
    command = [sys.executable, "-m", *words]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.timeout(2 * SECONDS)
def test_what_is_emitted_is_typed_formatted_and_free_of_lint(project, tmp_path):
    run("compileall", "-q", "real_mcp", cwd=project)
    made = [str(path.relative_to(project)) for path in project.glob("real_mcp/*.py")]
    assert {"real_mcp/models.py", "real_mcp/handlers.py"} <= set(made)
    run("ruff", "check", "--isolated", "--no-cache", "--line-length=100", "--extend-select=B,I,UP", *made, cwd=project)
    run("ruff", "format", "--isolated", "--no-cache", "--line-length=100", "--check", *made, cwd=project)
    run("mypy", "--strict", "--config-file=", f"--cache-dir={tmp_path}", *made, cwd=project)


def test_every_tool_is_listed_and_every_call_answered(project):
    with StdioServer(stub(project, sys.executable), cwd=project) as server:
        server.initialize()
        tools = server.tools()
        assert tools
        for tool in tools[:20]:  # nothing listens where they lead: what matters is that each is answered
            result = server.call(tool["name"], {}, timeout=SECONDS)
            assert result["content"]


@pytest.mark.timeout(2 * SECONDS)
def test_official_clients_list_it_and_the_inspector_finds_every_schema_portable(
    project,
    clients,  # the fixture
    node,  # the fixture
    shared,
    tmp_path,
):
    server = stub(project, sys.executable)
    done = inspected(node, clients, tmp_path, "auto", "--method", "tools/list", "--strict", server=server)
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    listed = [tool["name"] for tool in json.loads(done.stdout)["result"]["tools"]]
    client = [str(clients / "venv" / "bin" / "python"), str(shared / "protocol" / "clients" / "py_client.py"), "auto"]
    environment = {**os.environ, "TOOL": listed[0], "TOOL_ARGS": "{}"}
    found = subprocess.run([*client, *server], env=environment, capture_output=True, timeout=SECONDS, check=False)
    assert found.returncode == 0, found.stderr.decode("utf-8", "replace")[-3_000:]
    assert json.loads(found.stdout.splitlines()[-1])["tools"] == len(listed)
