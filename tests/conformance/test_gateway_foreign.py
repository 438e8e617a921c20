"""A gateway over servers of ours and servers that nobody here wrote, used by the official clients.

`.ci/servers` installs the others, pinned: the official time, fetch and git servers, FastMCP, and the TypeScript
everything-server. Every tool of all of them is called through one connection.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.command import ROOT, mcpgen
from tests.http_client import HttpServer

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent
SECONDS = 120


@pytest.fixture(scope="module")
def servers() -> Path:
    """The folder with the servers of others."""
    named = os.environ.get("MCPGEN_SERVERS")
    folder = Path(named) if named else ROOT / ".venv" / "servers"
    if not (folder / ".stamp").exists():
        pytest.skip("needs the servers of others: run .ci/servers, or name their folder with MCPGEN_SERVERS")
    return folder


class Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = b"<html><body><p>A page from nearby.</p></body></html>" if self.path == "/page" else b""
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Keep the test's output quiet."""


@pytest.fixture(scope="module")
def page() -> Iterator[str]:
    """The address of a page to fetch, on this machine."""
    serving = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    thread = threading.Thread(target=serving.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{serving.server_port}/page"
    serving.shutdown()
    serving.server_close()
    thread.join()


@pytest.fixture(scope="module")
def repository(tmp_path_factory) -> Path:
    """A git repository with two commits and a change."""
    folder = tmp_path_factory.mktemp("repository")
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]

    def git(*words: str) -> None:
        subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True, timeout=SECONDS)

    git("init", "-q", "-b", "trunk")
    git("config", "user.name", "a")
    git("config", "user.email", "a@example.org")
    for number in (1, 2):
        (folder / "file.txt").write_text(f"line {number}\n", encoding="utf-8")
        git("add", "file.txt")
        git("commit", "-q", "-m", f"commit {number}")
    (folder / "file.txt").write_text("changed\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def gateway(tmp_path_factory, servers) -> Path:
    """The project folder of a gateway over two samples and five servers of others."""
    folder = tmp_path_factory.mktemp("gateway")
    for sample in ("weather", "text_tools"):
        done = mcpgen("build", str(ROOT / "samples" / sample / f"{sample}.py"), "-o", f"{sample}-mcp", cwd=folder)
        assert done.returncode == 0, done.stderr
    official, node = servers / "official" / "bin", shutil.which("node")
    done = mcpgen(
        "gateway",
        "weather-mcp",
        "text_tools-mcp",
        f"time={official / 'mcp-server-time'} --local-timezone Etc/UTC",
        f"fetch={official / 'mcp-server-fetch'} --ignore-robots-txt --allow-private-ips",
        f"git={official / 'mcp-server-git'}",
        f"shelf={servers / 'fastmcp' / 'bin' / 'python'} {HERE / 'fastmcp_server.py'}",
        f"everything={node} {servers / 'node_modules' / '.bin' / 'mcp-server-everything'} stdio",
        "-o",
        "made",
        cwd=folder,
    )
    assert done.returncode == 0, done.stderr
    return folder / "made"


def calls(page: str, repository: Path) -> list[tuple[str, dict, str]]:
    """Return a call of every tool, and what its answer says."""
    there = {"repo_path": str(repository)}
    return [
        ("weather__stations", {"country": "NO"}, "NO"),
        ("weather__forecast", {"city": "Oslo"}, "Oslo"),
        ("weather__compare", {"cities": ["Oslo"], "days": 2}, "Oslo"),
        ("weather__convert", {"temperature": 0, "to": "fahrenheit"}, "32"),
        ("text_tools__statistics", {"text": "one two"}, "2"),
        ("text_tools__slug", {"title": "A Title"}, "a-title"),
        ("text_tools__frequent_words", {"text": "one one two"}, "one"),
        ("text_tools__replace_all", {"text": "ab", "replacements": {"a": "b"}}, "bb"),
        ("text_tools__wrap_quote", {"text": "said"}, "> said"),
        ("time__get_current_time", {"timezone": "Etc/UTC"}, "Etc/UTC"),
        (
            "time__convert_time",
            {"source_timezone": "Etc/UTC", "time": "12:00", "target_timezone": "Asia/Tokyo"},
            "21:00",
        ),
        ("fetch__fetch", {"url": page}, "A page from nearby."),
        ("git__git_status", there, "file.txt"),
        ("git__git_diff_unstaged", there, "changed"),
        ("git__git_add", {**there, "files": ["file.txt"]}, "staged"),
        ("git__git_diff_staged", there, "changed"),
        ("git__git_commit", {**there, "message": "commit 3"}, "committed"),
        ("git__git_diff", {**there, "target": "HEAD~1"}, "changed"),
        ("git__git_log", there, "commit 3"),
        ("git__git_show", {**there, "revision": "HEAD"}, "commit 3"),
        ("git__git_create_branch", {**there, "branch_name": "side"}, "side"),
        ("git__git_checkout", {**there, "branch_name": "side"}, "side"),
        ("git__git_branch", {**there, "branch_type": "local"}, "trunk"),
        ("git__git_reset", there, "reset"),
        ("shelf__find_book", {"title": "Emma", "copies": 2}, "Emma"),
        ("shelf__lend", {"title": "Emma"}, "lent Emma"),
        ("everything__echo", {"message": "hello"}, "hello"),
        ("everything__get-annotated-message", {"messageType": "success"}, "success"),
        ("everything__get-env", {}, "PATH"),
        ("everything__get-resource-links", {"count": 2}, "resource links"),
        ("everything__get-resource-reference", {}, "demo://"),
        ("everything__get-structured-content", {"location": "Chicago"}, "temperature"),
        ("everything__get-sum", {"a": 1, "b": 2}, "3"),
        ("everything__get-tiny-image", {}, "image"),
        ("everything__gzip-file-as-resource", {"data": "data:text/plain,abc", "outputType": "resourceLink"}, ""),
        ("everything__toggle-simulated-logging", {}, "logging"),
        ("everything__toggle-subscriber-updates", {}, "pdates"),
        ("everything__trigger-sampling-request", {"prompt": "say"}, "sampled"),
        ("everything__trigger-elicitation-request", {}, "Ada"),
        ("everything__get-roots-list", {}, "somewhere"),
        ("everything__trigger-url-elicitation", {"url": "https://example.com/form"}, "accept"),
        ("everything__trigger-long-running-operation", {"duration": 0.2, "steps": 2}, "completed"),
    ]


BEYOND = {"everything__simulate-research-query"}
"""Tools that run as tasks of 2025-11-25 only, which neither the gateway nor the other official servers know."""


CHANGING = {"git__git_commit", "git__git_create_branch", "git__git_add", "git__git_reset", "git__git_checkout"}
"""Calls that cannot be made twice in one repository with the same outcome."""


def words_of(gateway: Path) -> list[str]:
    return [sys.executable, "-I", "-S", str(gateway / "server.py")]


def drive(clients: Path, mode: str, target: list[str], wanted: list[tuple[str, dict, str]]) -> dict:
    """Return what the official Python client found and was answered."""
    words = [str(clients / "venv" / "bin" / "python"), str(HERE / "call_many.py"), mode, *target]
    sent = json.dumps([[tool, arguments] for tool, arguments, _ in wanted])
    done = subprocess.run(words, input=sent, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def check(said: dict, wanted: list[tuple[str, dict, str]]) -> None:
    """Find every listed tool called, and every answer right."""
    assert {tool for tool, _, _ in wanted} | BEYOND == set(said["tools"])
    assert "shelf://books" in said["resources"]
    assert {"shelf__review", "fetch__fetch", "everything__args-prompt"} <= set(said["prompts"])
    assert len(said["calls"]) == len(wanted)
    for answer, (tool, _, part) in zip(said["calls"], wanted, strict=True):
        assert not answer["error"], answer
        assert part in answer["text"], (tool, answer)


@pytest.mark.timeout(SECONDS)
def test_the_official_client_calls_all_of_them_over_stdio_with_a_handshake(gateway, clients, page, repository):
    wanted = calls(page, repository)
    check(drive(clients, "legacy", words_of(gateway), wanted), wanted)


@pytest.mark.timeout(SECONDS)
def test_the_official_client_calls_all_of_them_over_http_without_a_handshake(gateway, clients, page, repository):
    wanted = [each for each in calls(page, repository) if each[0] not in CHANGING]
    with HttpServer(words_of(gateway)) as serving:
        said = drive(clients, "auto", [f"http://127.0.0.1:{serving.port}/mcp"], wanted)
    assert said["negotiated"] == "2026-07-28"
    assert all(not answer["error"] for answer in said["calls"]), said["calls"]


@pytest.mark.timeout(SECONDS)
@pytest.mark.parametrize(
    ("program", "mode"), [("ts_sdk1_stdio.mjs", []), ("ts_client2.mjs", ["auto"])], ids=["typescript-1", "typescript-2"]
)
def test_the_typescript_clients_list_and_call_through_it(gateway, clients, node, shared, program, mode):
    for tool, arguments in {
        "time__get_current_time": {"timezone": "Etc/UTC"},
        "shelf__lend": {"title": "Emma"},
    }.items():
        script = clients / program
        if not script.exists():
            shutil.copy(shared / "protocol" / "clients" / program, script)
        environment = {**os.environ, "TOOL": tool, "TOOL_ARGS": json.dumps(arguments)}
        words = [node, str(script), *mode, *words_of(gateway)]
        done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False)
        assert done.returncode == 0, done.stderr
        assert next(iter(arguments.values())) in done.stdout
