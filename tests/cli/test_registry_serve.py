"""`mcpgen registry serve` in processes of its own: one gateway over what is registered, whoever starts it and how."""

import json
import os
import shlex
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from generator.cli import registry_host
from tests.command import ROOT, built, mcpgen
from tests.http_client import HttpServer, initialize
from tests.stdio_client import StdioServer

SEEN = '''
import os

def seen(name: str) -> str:
    """Return a variable of the environment."""
    return os.environ.get(name, "not set")
'''

LOUD = '''
def shout(text: str) -> str:
    """Say it louder."""
    return text.upper()
'''

SERVE = [sys.executable, "-c", "from generator.cli.app import main; main()", "registry", "serve"]

HUNG = """
import os, sys, time
with open(sys.argv[1] + ".new", "w") as stream:
    stream.write(str(os.getpid()))
os.rename(sys.argv[1] + ".new", sys.argv[1])
time.sleep(600)
"""

SECONDS = 30


@pytest.fixture(scope="module")
def projects(tmp_path_factory):
    folder = tmp_path_factory.mktemp("projects")
    for name, source in (("seen", SEEN), ("loud", LOUD)):
        (folder / name).mkdir()
        built(folder / name, name, source)
    return folder


@pytest.fixture
def where(tmp_path):
    """The environment of a user whose registry and cache are a test's own."""
    named = {"MCPGEN_REGISTRY": str(tmp_path / "own" / "registry.json"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    return {**os.environ, "PYTHONPATH": str(ROOT), **named}


@pytest.fixture
def run(tmp_path, where):
    (tmp_path / ".git").mkdir()
    return lambda *words: mcpgen(*words, cwd=tmp_path, env={"NO_COLOR": "1", "COLUMNS": "100", **where})


@pytest.fixture
def seen(projects):
    """A command that tells which variables it got; for a gateway it is a server of others."""
    return [sys.executable, "-I", "-S", str(projects / "seen" / "project" / "server.py")]


@pytest.fixture
def loud(run, projects, tmp_path):
    """A project of our own, registered, that a test may change."""
    import shutil

    shutil.copytree(projects / "loud" / "project", tmp_path / "loud-mcp")
    agreed(run, "add", str(tmp_path / "loud-mcp"))
    return tmp_path / "loud-mcp"


def agreed(run, *words):
    done = run("registry", *words)
    assert done.returncode == 0, done.stderr


def listed(where, *words):
    """Return the names of the tools, and what was said on standard error."""
    with StdioServer([*SERVE, *words], env=where) as server:
        server.initialize()
        return [tool["name"] for tool in server.tools()], server.stderr


def folders(tmp_path):
    return [each for each in (tmp_path / "cache/mcpgen/gateways").iterdir() if each.is_dir()]


def test_values_of_an_entry_reach_the_server_as_they_are(run, where, seen):
    agreed(run, "add", "seen", "--env", "MODE=fast", "--env", "API_TOKEN=${HOME}", "--env", "PASSED", "--", *seen)
    own = {"MODE": "the user's own", "OTHER": "not named", "PASSED": "on"}
    with StdioServer([*SERVE, "--mcp"], env={**where, **own}) as server:
        server.initialize()
        told = [server.call("seen__seen", {"name": name}) for name in ("MODE", "API_TOKEN", "OTHER", "PASSED")]
        assert [each["content"][0]["text"] for each in told] == ["fast", "${HOME}", "not set", "on"]
        assert "MG540" not in server.stderr, "nobody else reads this folder"


def test_a_variable_that_programs_obey_is_served_only_when_it_is_allowed(run, where, seen, loud):
    agreed(run, "add", "seen", "--env", "PYTHONPATH=/somewhere", "--allow-env", "PYTHONPATH", "--", *seen)
    names, said = listed(where)
    assert names == ["loud__shout"]
    assert "MG506" in said
    assert "`--allow-env PYTHONPATH`" in said
    names, said = listed(where, "--allow-env", "PYTHONPATH", "--mcp")
    assert sorted(names) == ["loud__shout", "seen__seen"]
    assert said == ""


def test_a_server_that_changed_is_left_out_until_it_is_agreed_to(run, where, loud, seen):
    """The table is kept, and its server is ours: only a look at its files shows that they are others (B22)."""
    agreed(run, "add", "seen", "--", *seen)
    assert listed(where)[0] == ["loud__shout", "seen__seen"]
    with (loud / "loud_mcp/loud.py").open("a", encoding="utf-8") as stream:
        stream.write("\n# another\n")
    for _ in range(2):
        names, said = listed(where)
        assert names == ["seen__seen"]
        assert "MG509" in said
        assert "mcpgen registry add loud" in said
    agreed(run, "add", "loud")
    assert listed(where) == (["loud__shout", "seen__seen"], "")


def test_when_every_server_changed_there_is_nothing_to_serve(run, loud):
    (loud / "loud_mcp/loud.py").unlink()
    done = run("registry", "serve", "--mcp")
    assert (done.returncode, done.stdout) == (2, "")
    assert "MG509" in done.stderr
    assert "no registered server can be used" in done.stderr
    assert "mcpgen registry doctor" in done.stderr


def test_what_is_left_out_is_told_of_also_when_nothing_else_can_be_served(run, loud):
    agreed(run, "add", "flaky", "--", sys.executable, "-c", "raise SystemExit(1)")
    (loud / "loud_mcp/loud.py").unlink()
    done = run("registry", "serve", "--mcp")
    assert (done.returncode, done.stdout) == (2, "")
    assert "MG509" in done.stderr
    assert "MG538" in done.stderr


def test_many_clients_start_it_at_once(where, loud, run, seen, tmp_path):
    agreed(run, "add", "seen", "--", *seen)
    servers = [StdioServer([*SERVE, "--mcp"], env=where) for _ in range(6)]
    try:
        for server in servers:
            server.initialize()
            assert [tool["name"] for tool in server.tools()] == ["loud__shout", "seen__seen"]
            assert server.call("loud__shout", {"text": "hi"})["content"][0]["text"] == "HI"
            assert "[MG" not in server.stderr, server.stderr
    finally:
        for server in servers:
            server.close()
    assert len(folders(tmp_path)) == 1


@pytest.mark.skipif(os.name != "posix", reason="rights are bits on POSIX only")
def test_the_table_is_the_users_alone_whatever_the_umask(run, where, seen, tmp_path):
    agreed(run, "add", "seen", "--env", "API_TOKEN=very-secret", "--", *seen)
    before = os.umask(0)
    try:
        assert run("registry", "serve", "--version").returncode == 0
    finally:
        os.umask(before)
    made = (tmp_path / "cache", *(tmp_path / "cache").rglob("*"))
    kept = [path for path in made if "__pycache__" not in path.parts]
    assert any(b"very-secret" in path.read_bytes() for path in kept if path.is_file())
    assert {path: oct(path.stat().st_mode) for path in kept if stat.S_IMODE(path.stat().st_mode) & 0o077} == {}


@pytest.mark.skipif(os.name != "posix", reason="rights are bits on POSIX only")
@pytest.mark.parametrize("which", ["above", "itself"])
def test_a_folder_that_others_may_write_is_not_run(run, loud, tmp_path, which):
    assert run("registry", "serve", "--version").returncode == 0
    (made,) = folders(tmp_path)
    folder = made if which == "itself" else made.parent
    folder.chmod(0o777)
    done = run("registry", "serve", "--version")
    assert (done.returncode, done.stdout) == (2, "")
    assert "MG503" in done.stderr
    assert str(folder) in done.stderr


def test_a_cache_that_cannot_be_made_is_told(run, where, loud, tmp_path):
    (tmp_path / "cache").write_text("a file", encoding="utf-8")
    done = run("registry", "serve", "--version")
    assert (done.returncode, done.stdout) == (2, "")
    assert str(tmp_path / "cache") in done.stderr
    assert "XDG_CACHE_HOME" in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="SIGINT is for POSIX")
def test_ctrl_c_waits_for_no_server_that_never_answers(run, where, tmp_path):
    (tmp_path / "hung.py").write_text(HUNG, encoding="utf-8")
    agreed(run, "add", "hung", "--", sys.executable, str(tmp_path / "hung.py"), str(tmp_path / "pid"))
    with subprocess.Popen(
        SERVE, env=where, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        until = time.monotonic() + SECONDS
        while not (tmp_path / "pid").exists():
            assert time.monotonic() < until
            time.sleep(0.01)
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=SECONDS)
        assert time.monotonic() - begun < SECONDS / 3
    assert (process.returncode, *said) == (130, b"", b"")
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text(encoding="utf-8")), 0)


@pytest.mark.skipif(os.name != "posix", reason="SIGINT is for POSIX")
def test_ctrl_c_ends_what_is_served_while_its_input_is_open(where, loud):
    with subprocess.Popen(
        SERVE, env=where, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdin.write(json.dumps(initialize()).encode() + b"\n")
        process.stdin.flush()
        assert b'"serverInfo"' in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        status = process.wait(SECONDS)
        assert process.stdout.read() == b""
        assert b"Traceback" not in process.stderr.read()
    assert status in (0, 130, -signal.SIGINT)


def test_it_is_served_over_http_as_well(where, loud):
    with HttpServer(SERVE, env=where) as server:
        headers = server.session()
        answer = server.post({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}, headers)
        assert [tool["name"] for tool in answer.json["result"]["tools"]] == ["loud__shout"]
        assert server.stop(signal.SIGINT)[1] < SECONDS / 3


@pytest.mark.requirement("R068")
def test_the_list_ends_with_the_one_entry_that_a_host_needs(run, where, loud, seen, tmp_path):
    agreed(run, "add", "seen", "--env", "MODE=fast", "--", *seen)
    last = run("registry", "list").stdout.splitlines()[-1]
    assert last.startswith("next: claude mcp add mcpgen -e MCPGEN_REGISTRY=")
    words = shlex.split(last.removeprefix("next: "))
    start = words[words.index("--") + 1 :]
    entry = json.loads(run("registry", "list", "--format", "json").stdout)["host"]["mcpServers"]["mcpgen"]
    assert [entry["command"], *entry["args"]] == start
    assert entry["env"] == {"MCPGEN_REGISTRY": where["MCPGEN_REGISTRY"]}
    assert Path(start[0]).is_absolute()
    assert start[-3:] == ["registry", "serve", "--mcp"]
    # A host has another folder and another environment than the shell.
    bare = {"PATH": os.defpath, "HOME": str(tmp_path), "PYTHONPATH": str(ROOT), **entry["env"]}
    (tmp_path / "elsewhere").mkdir()
    with StdioServer([*SERVE, *start[-1:]], cwd=tmp_path / "elsewhere", env=bare) as server:
        server.initialize()
        assert server.call("loud__shout", {"text": "hi"})["content"][0]["text"] == "HI"
        assert server.call("seen__seen", {"name": "MODE"})["content"][0]["text"] == "fast"


def test_the_entry_names_the_script_or_else_the_module_and_only_what_a_host_lacks(tmp_path, monkeypatch):
    script = tmp_path / "mcpgen"
    script.write_text("#!/bin/sh\n", encoding="utf-8")
    script.chmod(0o755)
    monkeypatch.setenv("HOME", str(tmp_path))
    usual = str(tmp_path / ".mcpgen" / "registry.json")
    monkeypatch.setattr(sys, "argv", [str(script)])
    assert registry_host.host_entry(usual) == {"command": str(script), "args": ["registry", "serve", "--mcp"]}
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "else.py")])
    made = registry_host.host_entry(str(tmp_path / "a b.json"), ("LD_PRELOAD",))
    module = ["-P", "-m", "mcpgen", "registry", "serve", "--allow-env", "LD_PRELOAD", "--mcp"]
    assert made == {"command": sys.executable, "args": module, "env": {"MCPGEN_REGISTRY": str(tmp_path / "a b.json")}}
    assert f"-e 'MCPGEN_REGISTRY={tmp_path}/a b.json' -- " in registry_host.claude_code(made)


@pytest.mark.parametrize(("refresh", "patience"), [(False, 15.0), (True, None)])
def test_a_server_is_not_waited_for_longer_than_hosts_wait_for_the_gateway(
    run, where, seen, monkeypatch, refresh, patience
):
    """Whoever asks for it waits as long as it takes."""
    from generator.gateways import cache, pipeline

    agreed(run, "add", "far", "--", *seen)
    asked = []
    monkeypatch.setattr(pipeline, "build_gateway", lambda request: asked.extend(request.sources) or stopped())

    def stopped():
        raise cache.GatewayProblem(())

    for name in ("MCPGEN_REGISTRY", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, where[name])
    with pytest.raises(cache.GatewayProblem):
        cache.prepared(refresh=refresh)
    assert [(each.text, each.start_timeout) for each in asked] == [("far", patience)]
