"""Promises of the requirement rows that only the whole shows: command line, emitted server, client."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import built, mcpgen
from tests.stdio_client import CallFailed, StdioServer, stub

MODULE = '''"""Count and remember."""

import time

from mcpgen import SyncContext, tool

LOG = []


class Calc:
    """A calculator."""

    def add(self, a: int, b: int) -> int:
        """Add two numbers."""
        return a + b


calc = Calc()


@tool(output_schema={"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]})
def by_hand(n: int) -> dict:
    """Answer in a form given by hand."""
    return {"n": n} if n else {"m": n}


def climb(steps: int, ctx: SyncContext) -> str:
    """Take a while and say how far it is."""
    for step in range(steps):
        ctx.progress(step + 1, steps)
        time.sleep(0.01)
    return "up"


def grow() -> str:
    """Try to offer more while the server runs."""
    globals()["more"] = grow
    LOG.append(1)
    return str(len(LOG))


def main() -> None:
    """Do nothing that is a tool's business."""
'''
SETTINGS = 'expose = ["calc.*", "*"]\n'


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Path:
    return built(tmp_path_factory.mktemp("promises"), "promises", MODULE, SETTINGS)


@pytest.fixture
def server(project):
    with StdioServer(stub(project, sys.executable)) as running:
        running.initialize()
        yield running


@pytest.mark.requirement("R120", "R141")
@pytest.mark.parametrize("words", [[], ["mcp"], ["--mcp"], ["--stdio"]])
def test_a_server_is_a_program_that_serves_a_message_a_line_until_its_input_ends(project, words):
    environment = {**os.environ, "PYTHONPATH": str(project)}
    with StdioServer([sys.executable, "-m", "promises_mcp", *words], env=environment) as running:
        running.initialize()
        assert running.call("calc_add", {"a": 1, "b": 2})["structuredContent"] == {"result": 3}


@pytest.mark.requirement("R122", "R147")
def test_names_are_joined_with_an_underscore_and_fit_every_client(server):
    names = [tool["name"] for tool in server.tools()]
    assert "calc_add" in names
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name) for name in names)


@pytest.mark.requirement("R122")
@pytest.mark.parametrize("name", ["\u00e9t\u00e9", "a" * 65, "\u4e2d\u6587"], ids=ascii)
def test_a_name_that_clients_refuse_is_an_error_with_a_way_out(tmp_path, name):
    source = (
        f'"""M."""\n\n\ndef {name}(n: int) -> int:\n    """F."""\n    return n\n\n\ndef g() -> int:\n    """G."""\n'
    )
    (tmp_path / "m.py").write_text(source, encoding="utf-8")
    done = mcpgen("build", "m.py", "-o", "project", cwd=tmp_path)
    assert done.returncode == 0
    assert "clients accept [A-Za-z0-9_-]{1,64} only" in done.stderr
    assert f'hide = ["{name}"]' in done.stderr
    with StdioServer(stub(tmp_path / "project", sys.executable)) as running:
        assert [tool["name"] for tool in running.tools()] == ["g"]


@pytest.mark.requirement("R147")
def test_two_functions_of_one_name_are_an_error(tmp_path):
    (tmp_path / "m.py").write_text(MODULE + '\n\ndef calc_add(a: int) -> int:\n    """Add."""\n', encoding="utf-8")
    (tmp_path / "mcpgen.toml").write_text(SETTINGS, encoding="utf-8")
    done = mcpgen("build", "m.py", "--strict", cwd=tmp_path)
    assert done.returncode == 2
    assert "name-collision: there is another tool called `calc_add`" in done.stderr


@pytest.mark.requirement("R150")
def test_an_output_schema_by_hand_is_sent_as_written_and_checked(server):
    (tool,) = [tool for tool in server.tools() if tool["name"] == "by_hand"]
    assert tool["outputSchema"] == {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    assert server.call("by_hand", {"n": 5})["structuredContent"] == {"n": 5}
    wrong = server.call("by_hand", {"n": 0})
    assert wrong["isError"] is True
    assert "[M-OUT-001]" in wrong["content"][0]["text"]


@pytest.mark.requirement("R154")
@pytest.mark.parametrize("name", ["help", "--help", "version", "--version", "mcp", "schema", "completion", "invoke"])
def test_what_the_command_line_offers_is_no_tool(server, name):
    with pytest.raises(CallFailed) as refused:
        server.call(name)
    assert refused.value.error["code"] == -32602
    assert refused.value.error["data"]["errorCode"] == "M-CMD-001"


@pytest.mark.requirement("R159")
def test_a_package_runs_its_tools_in_a_users_test(project):
    program = (
        "import json, promises_mcp\n"
        "print(json.dumps([promises_mcp.invoke('calc_add', {'a': 1, 'b': 2}), promises_mcp.invoke('by_hand', {})]))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=project, capture_output=True, timeout=60, check=True)
    right, wrong = json.loads(done.stdout)
    assert right["structuredContent"] == {"result": 3}
    assert wrong["isError"] is True
    assert "[M-INP-004] /n" in wrong["content"][0]["text"]


@pytest.mark.requirement("R160")
def test_a_long_call_reports_how_far_it_is_before_it_answers(server):
    params = {"name": "climb", "arguments": {"steps": 3}, "_meta": {"progressToken": "t"}}
    assert server.request("tools/call", params)["structuredContent"] == {"result": "up"}
    told = [one["params"] for one in server.notifications]
    assert told == [{"progressToken": "t", "progress": step, "total": 3} for step in (1, 2, 3)]


@pytest.mark.requirement("R185")
def test_what_a_server_offers_does_not_change_while_it_runs(project):
    with StdioServer(stub(project, sys.executable)) as running:
        assert "listChanged" not in running.initialize()["capabilities"]["tools"]
        before = running.tools()
        assert running.call("grow")["structuredContent"] == {"result": "1"}
        assert running.tools() == before
        with pytest.raises(CallFailed):
            running.call("more")
        assert running.notifications == []


@pytest.mark.requirement("R124")
@pytest.mark.parametrize(
    ("name", "content"),
    [("m.py", "def f(:\n"), ("m.py", "\x00"), ("mcpgen.toml", "expose = [\n"), ("mcpgen.toml", "exposed = ['f']\n")],
    ids=["no Python", "a NUL", "no TOML", "an unknown key"],
)
def test_broken_input_is_refused_with_its_place_before_anything_is_written(tmp_path, name, content):
    (tmp_path / "m.py").write_text('def f() -> int:\n    """F."""\n', encoding="utf-8")
    (tmp_path / name).write_text(content, encoding="utf-8")
    done = mcpgen("build", "m.py", cwd=tmp_path)
    assert done.returncode == 2
    assert re.search(rf"--> {re.escape(name)}:\d+:\d+", done.stderr)
    assert "Traceback" not in done.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"m.py", name}
