"""What the command line of a gateway says of the servers behind it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.command import built, mcpgen
from tests.runtime.gateway.gatewaying import gateway, marked, tool
from tests.runtime.server.serving import waited_for
from tests.stdio_client import StdioServer, stub

if TYPE_CHECKING:
    from pathlib import Path

PROMISED = {
    "add": {
        "description": "Add.",
        "inputSchema": {
            "type": "object",
            "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
            "required": ["a", "b"],
        },
    },
}


def said(project: Path, *words: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    argv = [*stub(project, sys.executable), *words]
    return subprocess.run(
        argv, capture_output=True, text=True, timeout=60, check=False, env={**os.environ, **(env or {})}
    )


@pytest.fixture
def project(tmp_path: Path, child: dict) -> Path:
    servers = {
        "worker": {**child, "env": ["MARK"]},
        "gone": {"command": ["/nowhere/python", "server.py"]},
        "crm": {"url": "https://crm.example/mcp", "headers": {"Authorization": "Bearer ${CRM_TOKEN}"}},
    }
    return gateway(tmp_path / "made", servers, [tool("worker", "add"), tool("worker", "echo"), tool("gone", "x")])


@pytest.mark.requirement("R067")
def test_list_names_the_servers_and_starts_none(project: Path) -> None:
    done = said(project, "--list", env={"MARK": "list-test"})
    assert done.returncode == 0
    heading, worker, gone, crm = done.stdout.splitlines()
    assert heading == "gateway 1.0.0: 3 servers"
    assert worker.split()[:4] == ["worker", "stdio", "2", "tools"]
    assert gone.split()[:4] == ["gone", "stdio", "1", "tool"]
    assert crm.split() == ["crm", "http", "nothing", "https://crm.example/mcp"]
    assert "CRM_TOKEN" not in done.stdout
    assert worker.split()[4] == sys.executable, "what will be run, with nothing left to be filled in"
    found = json.loads(said(project, "--list", "--json").stdout)
    assert [(each["name"], each["transport"], each["tools"]) for each in found["servers"]] == [
        ("worker", "stdio", 2),
        ("gone", "stdio", 1),
        ("crm", "http", 0),
    ]


def test_list_shows_what_will_be_run_and_no_value_of_a_variable(tmp_path: Path) -> None:
    row = {"command": ["${python}", "-I", "${base}/../a b/server.py", "--key=${KEY}"]}
    project = gateway(tmp_path / "made", {"odd": row}, [tool("odd", "x")])
    done = said(project, "--list", env={"KEY": "secret"})
    shown = f"{sys.executable} -I '{tmp_path}/a b/server.py' '--key=${{KEY}}'"
    assert done.stdout.splitlines()[1] == f"  odd  stdio  1 tool  {shown}"
    assert json.loads(said(project, "--list", "--json").stdout)["servers"][0]["command"] == shown


def test_list_shows_no_secret_that_was_written_into_a_command_or_an_address(tmp_path: Path) -> None:
    rows = {"a": {"command": ["x", "--token", "hunter2"]}, "b": {"url": "https://x.example/mcp?api_key=hunter2"}}
    project = gateway(tmp_path / "made", rows, [tool("a", "x")])
    for words in (["--list"], ["--list", "--json"]):
        assert "hunter2" not in said(project, *words).stdout


@pytest.mark.requirement("R067")
def test_doctor_says_what_is_wrong_with_each_server_and_what_to_do(project: Path) -> None:
    done = said(project, "--doctor", "--json", env={"MARK": "doctor-test"})
    assert done.returncode == 1
    worker, gone, crm = json.loads(done.stdout)["servers"]
    assert (worker["state"], worker["era"]) == ("warn", "modern")
    assert "tools 'add' changed (description, inputSchema" in worker["text"]
    assert "tools 'number' new" in worker["differences"]
    assert (gone["state"], gone["text"]) == (
        "fail",
        "cli_unavailable: /nowhere/python could not be started: no such file or directory.",
    )
    assert crm["text"] == "cli_unavailable: the environment variable CRM_TOKEN is not set."
    assert all(each["hint"].endswith(".") for each in (worker, gone, crm))
    assert not marked("MARK=doctor-test"), "nothing is left running"


def test_doctor_is_content_with_a_server_that_is_what_the_table_says(tmp_path: Path, child: dict) -> None:
    live = said(gateway(tmp_path / "probe", {"worker": child}, []), "--doctor", "--json")
    (worker,) = json.loads(live.stdout)["servers"]
    assert (worker["state"], live.returncode) == ("ok", 0), "new tools are no fault"
    assert "tools 'add' new" in worker["differences"]


def test_doctor_tells_of_values_that_a_server_behind_it_needs_and_does_not_get(tmp_path: Path) -> None:
    settings = '[config.token]\nenv = "CLUB_TOKEN"\nsensitive = true\n'
    built(tmp_path, "club", "def members() -> int:\n    return 1\n", settings)
    assert mcpgen("gateway", "club=project", "-o", "made", "--quiet", cwd=tmp_path).returncode == 0
    argv = [sys.executable, "-I", "-S", str(tmp_path / "made" / "server.py"), "--doctor"]

    def said(**variables: str) -> subprocess.CompletedProcess[str]:
        env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), **variables}
        return subprocess.run(argv, capture_output=True, text=True, timeout=60, check=False, env=env)

    done = said()
    assert (done.returncode, done.stdout.splitlines()[1][:4]) == (0, "warn"), done.stdout
    assert "1 tool; CLUB_TOKEN is not set, and calls that need that are refused" in done.stdout
    assert "or in ~/.config/mcpgen/club/config.json" in done.stdout
    assert said(CLUB_TOKEN="x").stdout.splitlines()[1].startswith("ok ")
    file = tmp_path / ".config/mcpgen/club/config.json"
    file.parent.mkdir(parents=True)
    file.write_text('{"token": "x"}', encoding="utf-8")
    file.chmod(0o600)
    assert said().stdout.splitlines()[1].startswith("ok ")


def test_doctor_does_not_say_of_an_address_where_nothing_answers_that_it_did(tmp_path: Path) -> None:
    made = gateway(tmp_path / "made", {"crm": {"url": "http://127.0.0.1:9/mcp"}}, [tool("crm", "x")])
    (crm,) = json.loads(said(made, "--doctor", "--json").stdout)["servers"]
    assert crm["text"].startswith("child_transport_error: 127.0.0.1:9 could not be reached")
    assert crm["hint"] == "Check that the server runs, and where: no answer came, or none that a server of MCP gives."


@pytest.mark.parametrize("words", [("--list", "--doctor"), ("--status", "--http"), ("--json",)])
def test_words_that_do_not_go_together_are_refused(project: Path, words: tuple[str, ...]) -> None:
    done = said(project, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert "give one of --list, --status, --doctor" in done.stderr


def test_help_tells_of_both_halves(project: Path) -> None:
    shown = said(project, "--help").stdout
    assert "--http" in shown
    assert "gateway --list | --doctor | --status [--json]" in shown
    assert "--workers" not in shown, "a gateway refuses it"


@pytest.mark.requirement("R112")
def test_status_tells_of_running_processes_and_forgets_those_that_are_gone(tmp_path: Path, child: dict) -> None:
    folder = tmp_path / "state"
    variables = {"MCPGEN_RUNTIME_DIR": os.fspath(folder)}
    tools = [tool("worker", "add"), tool("gone", "x")]
    project = gateway(tmp_path / "made", {"worker": child, "gone": {"command": ["/nowhere/x"]}}, tools)
    assert "0 running processes" in said(project, "--status", env=variables).stdout
    with StdioServer(stub(project, sys.executable), env={**os.environ, **variables}) as server:
        server.initialize()
        server.call("worker__add", {"a": 1, "b": 1})
        assert server.call("gone__x")["isError"] is True

        def states() -> dict | None:
            processes = json.loads(said(project, "--status", "--json", env=variables).stdout)["processes"]
            known = [each for each in processes if {"worker", "gone"} <= each["servers"].keys()]
            failed = [each for each in known if each["servers"]["gone"]["failures"]]
            return failed[0] if failed else None  # it is written a moment after something changed

        found = waited_for(states)
        assert found["pid"] == server.pid
        assert (found["servers"]["worker"]["state"], found["servers"]["worker"]["failures"]) == ("ready", 0)
        assert found["servers"]["gone"]["failures"] == 1
        assert "could not be started" in found["servers"]["gone"]["last"]
        assert (folder.stat().st_mode & 0o777, len(list(folder.iterdir()))) == (0o700, 1)
    assert list(folder.iterdir()) == []


def test_the_state_of_a_killed_gateway_is_forgotten(tmp_path: Path, child: dict) -> None:
    folder = tmp_path / "state"
    variables = {"MCPGEN_RUNTIME_DIR": os.fspath(folder)}
    project = gateway(tmp_path / "made", {"worker": child}, [tool("worker", "add")])
    server = StdioServer(stub(project, sys.executable), env={**os.environ, **variables})
    server.initialize()
    server.call("worker__add", {"a": 1, "b": 1})
    os.kill(server.pid, signal.SIGKILL)
    server.close()
    assert len(list(folder.iterdir())) == 1
    assert json.loads(said(project, "--status", "--json", env=variables).stdout) == {"processes": []}
    assert list(folder.iterdir()) == []


def test_a_terminal_obeys_nothing_that_a_table_says(tmp_path: Path) -> None:
    project = gateway(tmp_path / "made", {"odd": {"command": ["/nowhere/\x1b[31m\x9b2J"]}}, [tool("odd", "x")])
    for words in (["--list"], ["--doctor"]):
        shown = said(project, *words).stdout
        assert "/nowhere/" in shown
        assert all(char.isprintable() or char == "\n" for char in shown), words
