"""Official clients talk over standard streams and HTTP to an emitted sample: each lists its tools and calls one.

`.ci/clients` installs them, pinned, and MCPGEN_CLIENTS names the folder: an environment `venv` with the Python SDK and
`node_modules` with both TypeScript SDKs and the Inspector. Their programs are read from the `shared` folder.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.asgi_servers import Uvicorn
from tests.command import ROOT, mcpgen
from tests.http_client import HttpServer
from tests.stdio_client import stub

SECONDS = 100
"""For one client on a loaded machine: the SDKs take seconds to start."""

MODERN, LATEST = "2026-07-28", "2025-11-25"
CITY = {"city": "Oslo", "days": 2}
TOOLS = ["stations", "forecast", "compare", "convert"]


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Path:
    """The weather sample, built by the command line; its folder's name has a space."""
    folder = tmp_path_factory.mktemp("clients")
    source = str(ROOT / "samples" / "weather" / "weather.py")
    done = mcpgen("build", source, "-o", "a place", "--quiet", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / "a place"


@pytest.fixture(scope="module")
def http(project):
    """The URL of the server over HTTP."""
    with HttpServer(stub(project, sys.executable)) as server:
        yield server.url


@pytest.fixture(scope="module")
def workers(project):
    """The URL of one whose tools run in processes of their own."""
    with HttpServer(stub(project, sys.executable), "--workers", "2") as server:
        yield server.url


@pytest.fixture(scope="module")
def asgi(project):
    """The URL of the application under uvicorn."""
    with Uvicorn(stub(project, sys.executable)) as server:
        yield server.url


@pytest.fixture(scope="module", params=["stub", "module", "http", "workers", "asgi"])
def server(request, project) -> list[str]:
    """Both ways hosts start a server, and the URLs of those that run."""
    if request.param == "stub":
        return stub(project, sys.executable)
    if request.param in ("http", "workers", "asgi"):
        return [request.getfixturevalue(request.param)]
    return ["env", f"PYTHONPATH={project}", sys.executable, "-m", "weather_mcp"]


@pytest.fixture(scope="module")
def programs(shared, clients, tmp_path_factory) -> Path:
    """The clients' programs in a folder from which the installed packages are found."""
    folder = tmp_path_factory.mktemp("programs")
    for path in (shared / "protocol" / "clients").glob("*"):
        if path.suffix in (".mjs", ".py"):
            (folder / path.name).write_bytes(path.read_bytes())
    (folder / "node_modules").symlink_to((clients / "node_modules").resolve(), target_is_directory=True)
    return folder


def said(command: list[str], arguments: dict) -> dict:
    """Run a client's program for a call of `forecast` and return the JSON it prints."""
    environment = {**os.environ, "TOOL": "forecast", "TOOL_ARGS": json.dumps(arguments)}
    done = subprocess.run(command, env=environment, capture_output=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")[-3_000:]
    return json.loads(done.stdout.splitlines()[-1])


def forecast_is_right(text: str) -> None:
    forecast = json.loads(text)
    assert (forecast["city"], forecast["unit"], len(forecast["days"])) == ("Oslo", "celsius", 2)


@pytest.mark.parametrize(("mode", "negotiated"), [("legacy", LATEST), ("auto", MODERN), (MODERN, MODERN)])
def test_the_python_client_lists_and_calls(clients, programs, server, mode, negotiated):
    python = str(clients / "venv" / "bin" / "python")
    found = said([python, str(programs / "py_client.py"), mode, *server], CITY)
    assert (found["negotiated"], found["tools"]) == (negotiated, len(TOOLS))
    assert found["server"] == (None if mode == MODERN else "weather")  # a pinned client asks nobody who it is
    forecast_is_right(found["text"])
    assert found["structured"] == json.loads(found["text"])
    assert not found["is_error"]


def test_the_python_client_reads_an_argument_error(clients, programs, project):
    python = str(clients / "venv" / "bin" / "python")
    server = stub(project, sys.executable)
    found = said([python, str(programs / "py_client.py"), "auto", *server], {"city": "Oslo", "days": "many"})
    assert found["is_error"] is True
    assert found["text"].startswith("1 problem with the arguments of forecast:\n- [M-INP-006] /days")


def test_the_first_typescript_client_lists_and_calls(node, programs, server):
    found = said([node, str(programs / "ts_sdk1_stdio.mjs"), *server], CITY)
    assert (found["server"]["name"], found["tools"]) == ("weather", len(TOOLS))
    forecast_is_right(found["text"])


@pytest.mark.parametrize(("mode", "negotiated"), [("legacy", LATEST), ("auto", MODERN), ("modern", MODERN)])
def test_the_second_typescript_client_lists_and_calls(node, programs, server, mode, negotiated):
    found = said([node, str(programs / "ts_client2.mjs"), mode, *server], CITY)
    assert (found["negotiated"], found["server"]["name"], found["tools"]) == (negotiated, "weather", len(TOOLS))
    forecast_is_right(found["text"])


def inspected(node: str, clients: Path, folder: Path, era: str, *words: str, server: list[str]):
    """Run the Inspector's command line; it finds nothing of the user's."""
    program = clients / "node_modules" / "@modelcontextprotocol" / "inspector" / "clients" / "launcher" / "build"
    environment = {**os.environ, "HOME": str(folder), "MCP_CATALOG_PATH": str(folder / "catalog.json")}
    before, behind = ([*server, "--transport", "http"], []) if server[0].startswith("http") else ([], ["--", *server])
    options = ["--protocol-era", era, "--format", "json", *words]
    return subprocess.run(
        [node, str(program / "index.js"), "--cli", *before, *options, *behind],
        env=environment,
        cwd=folder,
        capture_output=True,
        timeout=SECONDS,
        check=False,
    )


ERAS = ["legacy", "auto", "modern"]


@pytest.fixture(scope="module", params=["stub", "http"])
def inspectable(request, project) -> list[str]:
    """A server over each transport."""
    return stub(project, sys.executable) if request.param == "stub" else [request.getfixturevalue("http")]


@pytest.mark.requirement("R017")
@pytest.mark.parametrize("era", ERAS)
def test_the_inspector_finds_every_schema_portable(node, clients, inspectable, tmp_path, era):
    server = inspectable
    done = inspected(node, clients, tmp_path, era, "--method", "tools/list", "--strict", server=server)
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    tools = json.loads(done.stdout)["result"]["tools"]
    assert [tool["name"] for tool in tools] == TOOLS
    assert all(tool["inputSchema"]["type"] == "object" and tool["description"] for tool in tools)


@pytest.mark.requirement("R019")
@pytest.mark.parametrize("era", ERAS)
def test_the_inspector_calls_a_tool(node, clients, inspectable, tmp_path, era):
    words = ["--method", "tools/call", "--tool-name", "forecast", "--tool-arg", "city=Oslo", "days=2"]
    done = inspected(node, clients, tmp_path, era, *words, server=inspectable)
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    result = json.loads(done.stdout)["result"]
    forecast_is_right(result["content"][0]["text"])
    assert result["structuredContent"] == json.loads(result["content"][0]["text"])


@pytest.mark.parametrize("era", ERAS)
def test_the_inspector_sees_a_tool_error_as_one(node, clients, project, tmp_path, era):
    words = ["--method", "tools/call", "--tool-name", "forecast", "--tool-arg", "city=Atlantis"]
    done = inspected(node, clients, tmp_path, era, *words, server=stub(project, sys.executable))
    assert done.returncode == 5
    assert b"no station in Atlantis" in done.stdout + done.stderr
