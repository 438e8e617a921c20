"""Children and tools that attack: verify says what they did, in bounded time, and leaves nothing of them behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from generator.verify.run import run
from generator.verify.subject import of_command, of_folder
from tests.command import ROOT, mcpgen

ATTACKS = ROOT / "tests/cases/attacks"
CHILDREN = sorted(path.name for path in (ATTACKS / "gateway").glob("child_*.py"))

FAULTS = {
    "child_closes_stdout.py": "standard output was closed",
    "child_dies_mid_call.py": "status 9",
    "child_dies_on_start.py": "status 1",
    "child_double_answer.py": "second answer",
    "child_endless_pages.py": "does not end",
    "child_garbage.py": "garbage 0",
    "child_grandchild.py": "no answer to initialize",
    "child_huge_line.py": "more than 32 MiB",
    "child_ignores_term.py": "no answer to initialize",
    "child_list_changed_storm.py": "",
    "child_server_request.py": "second answer",
    "child_shadow_tool.py": "listed twice",
    "child_silent.py": "no answer to initialize",
    "child_slow_init.py": "no answer to initialize",
    "child_stderr_flood.py": "came on standard error",
    "child_stdout_flood.py": "messages came instead",
    "child_wrong_id.py": "id other",
}
"""What is told of each."""

TIMEOUT = 3.0
MOST = 60.0
"""Seconds for all checks of one of them, on a loaded machine."""


@pytest.mark.parametrize("name", CHILDREN)
def test_an_attacking_child_is_a_failure_with_its_cause(name):
    begun = time.monotonic()
    report = run(of_command((sys.executable, str(ATTACKS / "gateway" / name))), timeout=TIMEOUT)
    assert time.monotonic() - begun < MOST
    assert report.status == "fail"
    told = " ".join(text for _, finding in report.findings for text in (finding.message, *finding.details))
    assert FAULTS[name] in told
    assert "it does not know" not in told  # an exception of ours
    assert all(finding.action for _, finding in report.findings if finding.status in ("warn", "fail"))
    assert _processes_of(name) == []


def _processes_of(name: str) -> list[str]:
    """Return the command lines of what is left of an attack."""
    listed = subprocess.run(["ps", "-eo", "stat=,args="], capture_output=True, text=True, timeout=10, check=True).stdout
    return [line for line in listed.splitlines() if f"gateway/{name}" in line and not line.startswith("Z")]


def test_every_attacking_child_is_known_here():
    assert set(CHILDREN) == set(FAULTS)


def test_little_is_kept_of_a_child_that_floods():
    """A child of ours verifies the flood and reads its own peak; `ru_maxrss` would begin with that of this process."""
    program = (
        "import sys\nfrom pathlib import Path\n"
        "from generator.verify.run import run\nfrom generator.verify.subject import of_command\n"
        "report = run(of_command((sys.executable, sys.argv[1])), timeout=3, only={'mcp_transport'})\n"
        "peak = Path('/proc/self/status').read_text().partition('VmHWM:')[2].split()[0]\n"
        "print(report.status, int(peak) // 1024)"
    )
    for name in ("child_stdout_flood.py", "child_huge_line.py", "child_stderr_flood.py"):
        done = subprocess.run(
            [sys.executable, "-c", program, str(ATTACKS / "gateway" / name)],
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        status, megabytes = done.stdout.split()
        assert (status, int(megabytes) < 400) == ("fail", True), (name, done.stdout)


BAD_TOOLS = {
    "print_stdout": True,
    "write_fd1": True,
    "child_stdout": True,
    "log_noise": True,
    "closes_stdout": True,
    "replaces_stdout": True,
    "closes_fd1": True,
    "chdir": True,
    "sig_handler": False,
    "sets_limit": True,
    "mutates_json": True,
    "deletes_builtins": True,
    "returns_generator": False,
    "sys_exit": False,
    "raises": False,
    "raises_base": False,
    "raises_kbd": False,
    "raises_unprintable": False,
    "recursion": False,
    "memory": False,
    "returns_nan": False,
    "returns_cycle": False,
    "returns_deep": False,
    "returns_wrong_type": False,
}
"""Tools and whether their calls go well."""

ENDING = ("os_exit", "segfault", "abort")
"""Tools that end the process of a server that runs them in it."""


@pytest.fixture(scope="module")
def bad_tools(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("bad")
    (folder / "bad_tools.py").write_bytes((ATTACKS / "tools/bad_tools.py").read_bytes())
    done = mcpgen("build", "bad_tools.py", "-o", "project", "--quiet", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / "project"


def test_tools_that_misbehave_do_not_reach_the_wire(bad_tools, check):
    calls = [{"tool": name, "arguments": {"x": "1"}, "error": not good} for name, good in BAD_TOOLS.items()]
    (bad_tools / "verify.json").write_text(json.dumps({"calls": calls}), encoding="utf-8")
    done = mcpgen("verify", ".", "--only", "golden_calls", "--timeout", "30", "--format", "json", cwd=bad_tools)
    (found,) = json.loads(done.stdout)["checks"]
    assert (found["status"], found["details"]) == ("ok", []), found
    assert done.returncode == 0


@pytest.mark.parametrize("name", ENDING)
def test_a_tool_that_ends_the_server_is_told_with_the_status(bad_tools, name):
    (bad_tools / "verify.json").write_text(json.dumps({"calls": [{"tool": name, "arguments": {"x": "1"}}]}))
    done = mcpgen("verify", ".", "--only", "golden_calls", "--timeout", "30", cwd=bad_tools)
    assert (done.returncode, "the process ended with status" in done.stdout) == (1, True), done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_the_whole_run_over_bad_tools_ends_without_an_exception(bad_tools):
    (bad_tools / "verify.json").unlink(missing_ok=True)
    report = run(of_folder(bad_tools, sys.executable), timeout=20)
    assert {check.id: finding.message for check, finding in report.findings if finding.status == "fail"} == {}
