"""`mcpgen gateway` and `mcpgen registry serve`: what is written, refused and told, in processes of their own."""

import json
import subprocess
import sys

import pytest

from tests.command import ROOT, built, mcpgen
from tests.stdio_client import StdioServer

CLOCK = '''
def noon() -> dict[str, int]:
    """Return the middle of the day."""
    return {"hour": 12, "minute": 0}
'''

LOUD = '''
def shout(text: str) -> str:
    """Say it louder."""
    return text.upper()
'''


@pytest.fixture(scope="module")
def servers(tmp_path_factory):
    """Two projects, built once; tests only read them."""
    folder = tmp_path_factory.mktemp("servers")
    for name, source in (("clock", CLOCK), ("loud", LOUD)):
        (folder / name).mkdir()
        built(folder / name, name, source)
    return folder


@pytest.fixture
def run(servers, tmp_path):
    (tmp_path / ".git").mkdir()

    def ran(*words, **env):
        return mcpgen(*words, cwd=tmp_path, env={"NO_COLOR": "1", "COLUMNS": "100", **env})

    return ran


@pytest.fixture
def clock(servers):
    return str(servers / "clock" / "project")


@pytest.fixture
def loud(servers):
    return str(servers / "loud" / "project")


def files(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def catalog(folder):
    (path,) = folder.glob("*/catalog.json")
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.requirement("R064", "R068")
def test_one_host_entry_is_enough_for_every_server(run, clock, loud, tmp_path):
    done = run("gateway", clock, loud, "-o", "out/gateway")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0].startswith("gateway  2 servers, 2 tools")
    assert done.stdout.splitlines()[-1].startswith("next: mcpgen verify ")
    configuration = json.loads((tmp_path / "out/gateway/.mcp.json").read_text(encoding="utf-8"))
    assert list(configuration["mcpServers"]) == ["gateway"]
    with StdioServer([sys.executable, "-I", "-S", str(tmp_path / "out/gateway/server.py")]) as server:
        server.initialize()
        assert server.call("loud__shout", {"text": "hi"})["content"][0]["text"] == "HI"
        assert server.call("clock.noon")["structuredContent"] == {"hour": 12, "minute": 0}


def test_why_a_server_could_not_be_asked_is_said_to_its_end(run, tmp_path):
    script = tmp_path / ("deep" * 5) / "server.py"
    words = f"{sys.executable} {script}"
    code = "raise SystemExit('the last line says ' + 'at length ' * 12 + 'what is wrong')"
    done = run("gateway", f"gone={words}", f'bad={sys.executable} -c "{code}"', "-o", "out")
    assert done.returncode == 2
    assert f"cli_unavailable: {script}, which its command names, is not there" in done.stderr
    assert "at length what is wrong" in done.stderr  # an interpreter's own words may be cut, with a long path in them


def test_the_same_servers_give_the_same_bytes_wherever_they_are(run, servers, tmp_path):
    import shutil

    trees = []
    for place in ("here", "elsewhere/deep"):
        folder = tmp_path / place
        shutil.copytree(servers / "clock" / "project", folder / "clock-mcp")
        done = mcpgen("gateway", "clock-mcp", "-o", "gateway", cwd=folder)
        assert done.returncode == 0, done.stderr
        trees.append(files(folder / "gateway"))
    assert trees[0] == trees[1]
    assert not any(str(tmp_path).encode() in content for content in trees[0].values())


def test_check_diff_and_dry_run_compare_and_an_edited_file_is_kept(run, clock, tmp_path):
    out = tmp_path / "gateway"
    assert run("gateway", clock, "--dry-run").returncode == 0
    assert not out.exists()
    assert run("gateway", clock).returncode == 0
    assert run("gateway", clock, "--check").returncode == 0
    denied = run("gateway", clock, "--prefix", "clock=c_", "--check")
    assert denied.returncode == 4
    assert '"name": "c_noon"' in denied.stdout
    shown = run("gateway", clock, "--prefix", "clock=c_", "--diff")
    assert shown.returncode == 0
    assert "# tool removed: clock__noon" in shown.stdout or "clock__noon" in shown.stdout
    (out / "README.md").write_text("mine", encoding="utf-8")
    assert run("gateway", clock, "--prefix", "clock=c_").returncode == 3
    assert (out / "README.md").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        ((), 2, "there is no server to put behind a gateway"),
        (("nothing-there",), 2, "is no folder of a server, and no name in the registry"),
        (("No Such",), 2, "cannot be a server's name"),
        (("x=ftp://a",), 2, "the address of `x` is not acceptable: it must be an http or https URL"),
        (("x=no-such-program-anywhere",), 2, "`no-such-program-anywhere` was looked for in the folders of PATH: "),
        (("x=https://user:pw@a",), 2, "must not hold a user or a password"),
        (("x='unclosed",), 2, "cannot be taken apart"),
        (("CLOCK", "--prefix", "c"), 2, "is not NAME=PREFIX"),
        (("CLOCK", "--prefix", "clok=c_"), 2, "`clok` is no server of this gateway"),
        (("CLOCK", "--header", "clock"), 2, "is not NAME:Header=Value"),
        (("CLOCK", "--env", "clock:1X"), 2, "is not NAME:VARIABLE"),
        (("CLOCK", "--separator", "~"), 2, "--separator is not"),
        (("CLOCK", "--deny", "*"), 2, "nothing is left that a client could use"),
        (("CLOCK", "CLOCK"), 2, "two servers are called `clock`"),
        (("a=CLOCK", "a=CLOCK"), 2, "another name, for example `a2=/"),
        (("--registered",), 2, "--registered takes all that `mcpgen registry list` shows"),
        (("CLOCK", "--name", "json"), 0, ""),
        (("CLOCK", "--package", "json"), 2, "is a module of Python's standard library"),
        (("CLOCK", "--deny", "clock.x*"), 0, "matches no tool"),
        (("CLOCK", "--deny", "clock.x*", "--strict"), 2, "--strict lets no error and no warning pass"),
    ],
)
def test_what_cannot_be_meant_is_told_with_what_to_do(run, clock, tmp_path, words, code, told):
    registry = {"MCPGEN_REGISTRY": str(tmp_path / "registry.json")}
    done = run("gateway", *(word.replace("CLOCK", clock) for word in words), "-o", "out", **registry)
    assert (done.returncode, told in done.stderr) == (code, True), done.stderr
    assert (tmp_path / "out").exists() is (code == 0)


def test_a_secret_is_told_of_and_never_shown_and_a_variable_is_not(run, clock, tmp_path):
    # Nothing listens there: what matters is said before the server is asked.
    words = ("gateway", clock, "crm=http://127.0.0.1:9/mcp", "-o", "out")
    done = run(*words, "--header", "crm:Authorization=Bearer hunter2")
    assert "literal-secret" in done.stderr
    assert "hunter2" not in done.stdout + done.stderr
    done = run(*words, "--header", "crm:Authorization=Bearer ${CRM_TOKEN}", CRM_TOKEN="hunter2")
    assert "literal-secret" not in done.stderr
    assert done.returncode == 2


def test_a_header_from_the_environment_is_sent_and_only_its_name_is_written(run, servers, tmp_path):
    import os

    from tests.http_client import HttpServer

    stub = servers / "loud" / "project" / "server.py"
    environment = {**os.environ, "LOUD_TOKEN": "hunter2hunter2hunter2"}
    with HttpServer([sys.executable, "-I", "-S", str(stub)], "--token-env", "LOUD_TOKEN", env=environment) as server:
        words = ("gateway", f"far=http://127.0.0.1:{server.port}/mcp", "-o", "out")
        assert run(*words).returncode == 2
        header = "far:Authorization=Bearer ${LOUD_TOKEN}"
        done = run(*words, "--header", header, LOUD_TOKEN="hunter2hunter2hunter2")
        assert (done.returncode, done.stderr) == (0, "")
    row = catalog(tmp_path / "out")["gateway"]["servers"]["far"]
    assert row["headers"] == {"Authorization": "Bearer ${LOUD_TOKEN}"}
    assert not any(b"hunter2" in content for content in files(tmp_path / "out").values())
    entry = json.loads((tmp_path / "out/gateway/registry-entry.json").read_text(encoding="utf-8"))
    assert "LOUD_TOKEN" in entry["env"]


@pytest.mark.requirement("R005")
def test_a_command_with_a_path_is_started_from_the_folder_it_was_named_in(run, servers, tmp_path):
    script = tmp_path / "bin" / "clock"
    script.parent.mkdir()
    stub = servers / "clock" / "project" / "server.py"
    script.write_text(f"#!/bin/sh\nexec {sys.executable} -I -S {stub}\n", encoding="utf-8")
    script.chmod(0o755)
    done = run("gateway", "mine=./bin/clock", "-o", "out/gateway")
    assert (done.returncode, done.stderr) == (0, "")
    row = catalog(tmp_path / "out/gateway")["gateway"]["servers"]["mine"]
    assert (row["command"], row["cwd"]) == (["${base}/../../bin/clock"], "${base}/../..")
    with StdioServer([sys.executable, "-I", "-S", str(tmp_path / "out/gateway/server.py")]) as server:
        server.initialize()
        assert server.call("mine__noon")["structuredContent"] == {"hour": 12, "minute": 0}


def test_a_gateway_is_a_server_behind_another(run, clock, loud, tmp_path):
    assert run("gateway", clock, "-o", "inner").returncode == 0
    done = run("gateway", "all=inner", loud, "-o", "outer")
    assert (done.returncode, done.stderr) == (0, "")
    assert [tool["definition"]["name"] for tool in catalog(tmp_path / "outer")["tools"]] == [
        "all__clock__noon",
        "loud__shout",
    ]
    with StdioServer([sys.executable, "-I", "-S", str(tmp_path / "outer/server.py")]) as server:
        server.initialize()
        assert server.call("all__clock__noon")["structuredContent"] == {"hour": 12, "minute": 0}


@pytest.mark.requirement("R065", "R181")
def test_the_banner_says_which_servers_are_behind(run, clock, loud, tmp_path):
    assert run("gateway", clock, loud, "-o", "out").returncode == 0
    words = [sys.executable, "-I", "-S", str(tmp_path / "out/server.py"), "--verbose"]
    done = subprocess.run(words, input=b"", capture_output=True, timeout=30, check=True)
    text = done.stderr.decode()
    assert "  CLIs:      2 (clock, loud)\n" in text
    assert "  Tools:     2 (clock__noon, loud__shout)\n" in text
    assert "Protocol:" in text


def registered(run, place, *projects):
    where = {"MCPGEN_REGISTRY": str(place / "registry.json"), "XDG_CACHE_HOME": str(place / "cache")}
    for project in projects:
        done = run("registry", "add", project, **where)
        assert done.returncode == 0, done.stderr
    return where


def test_a_folder_that_has_a_registered_servers_name_but_no_catalog_does_not_hide_it(run, clock, tmp_path):
    where = registered(run, tmp_path, clock)
    (tmp_path / "clock").mkdir()
    (tmp_path / "clock/clock.py").write_text(CLOCK, encoding="utf-8")
    done = run("gateway", "clock", "-o", "out/gateway", **where)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0].startswith("gateway  1 server, 1 tool")


def test_a_registered_server_may_have_another_name_here_as_the_finding_of_two_equal_ones_says(run, clock, tmp_path):
    where = registered(run, tmp_path, clock)
    done = run("gateway", clock, "clock", "-o", "out", **where)
    assert "for example `clock2=clock`" in done.stderr
    (tmp_path / "clock").mkdir()
    done = run("gateway", clock, "clock2=clock", "-o", "out", **where)
    assert (done.returncode, done.stderr) == (0, "")
    assert list(catalog(tmp_path / "out")["gateway"]["servers"]) == ["clock", "clock2"]


@pytest.mark.requirement("R064")
def test_names_in_the_registry_are_servers_and_so_is_everything_in_it(run, clock, loud, tmp_path):
    where = registered(run, tmp_path, clock, loud)
    done = run("gateway", "clock", "-o", "one", **where)
    assert (done.returncode, done.stderr) == (0, "")
    row = catalog(tmp_path / "one")["gateway"]["servers"]["clock"]
    assert row["command"][-1].endswith("/clock/project/clock_mcp/__main__.py")
    assert row["command"][-1].startswith("/")
    done = run("gateway", "--registered", "-o", "all", **where)
    assert (done.returncode, done.stderr) == (0, "")
    assert list(catalog(tmp_path / "all")["gateway"]["servers"]) == ["clock", "loud"]


def test_everything_registered_is_served_and_the_table_is_made_once(run, clock, loud, tmp_path):
    where = registered(run, tmp_path, clock, loud)
    words = [sys.executable, "-c", "from generator.cli.app import main; main()", "registry", "serve", "--mcp"]
    import os

    environment = {**os.environ, "PYTHONPATH": str(ROOT), **where}
    stamps = []
    for _ in range(2):
        with StdioServer(words, env=environment) as server:
            server.initialize()
            assert [tool["name"] for tool in server.tools()] == ["clock__noon", "loud__shout"]
            assert server.call("loud__shout", {"text": "hi"})["content"][0]["text"] == "HI"
        (made,) = (path.parent for path in (tmp_path / "cache/mcpgen/gateways").glob("*/gateway"))
        stamps.append((made.name, (made / "gateway/catalog.json").stat().st_mtime_ns))
    assert stamps[0] == stamps[1]


def test_a_registered_server_that_is_gone_is_told_of_and_does_not_keep_the_others(run, clock, tmp_path):
    where = registered(run, tmp_path, clock)
    gone = run("registry", "add", "gone", "--command", f"{sys.executable} {tmp_path}/gone.py", **where)
    assert gone.returncode == 0, gone.stderr
    done = run("registry", "serve", "--version", **where)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("gateway ")
    assert "`gone`" in done.stderr
    (made,) = (path.parent for path in (tmp_path / "cache/mcpgen/gateways").glob("*/gateway"))
    assert list(catalog(made)["gateway"]["servers"]) == ["clock"]


def test_an_empty_registry_has_nothing_to_serve_and_says_how_to_fill_it(run, tmp_path):
    done = run("registry", "serve", **registered(run, tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert "mcpgen registry add" in done.stderr


def test_a_registered_package_that_was_changed_is_told_of_and_not_served(run, clock, servers, tmp_path):
    import shutil

    copy = shutil.copytree(servers / "loud" / "project", tmp_path / "loud-mcp")
    where = registered(run, tmp_path, clock, str(copy))
    assert run("registry", "serve", "--version", **where).stderr == ""
    with (copy / "loud_mcp" / "loud.py").open("a", encoding="utf-8") as module:
        module.write("\nprint('something else')\n")
    done = run("registry", "serve", "--version", **where)
    assert done.returncode == 0, done.stderr
    assert "drifted-server" in done.stderr
    assert "mcpgen registry add" in done.stderr
    newest = max((tmp_path / "cache/mcpgen/gateways").iterdir(), key=lambda each: each.stat().st_mtime_ns)
    assert list(catalog(newest)["gateway"]["servers"]) == ["clock"]


def test_values_of_a_registry_entry_reach_the_server_and_secrets_among_them_are_told_of(run, servers, tmp_path):
    where = registered(run, tmp_path)
    stub = servers / "clock" / "project" / "server.py"
    script = tmp_path / "asks.sh"
    script.write_text(f'[ "$CLOCK_WORD" = tick ] || exit 1\nexec {sys.executable} -I -S {stub}\n', encoding="utf-8")
    told = {"description": "d", "version": "1"}
    entry = {
        "command": ["/bin/sh", str(script), "--api-key=abc-private-1"],
        **told,
        "env": {"CLOCK_WORD": "tick", "CLOCK_TOKEN": "t1ck-t0ck-0042"},
    }
    registry = tmp_path / "registry.json"
    registry.write_text(json.dumps({"version": 1, "clis": {"asks": entry}}), encoding="utf-8")
    registry.chmod(0o600)
    done = run("gateway", "asks", "-o", "out", **where)
    assert done.returncode == 0, done.stderr
    assert "the value of `CLOCK_TOKEN` for `asks` looks like a secret" in done.stderr
    assert "the command of `asks` in the registry has a secret in it" in done.stderr
    assert "abc-private-1" not in done.stderr + done.stdout
    with StdioServer([sys.executable, "-I", "-S", str(tmp_path / "out/server.py")]) as server:
        server.initialize()
        assert server.call("asks__noon")["structuredContent"] == {"hour": 12, "minute": 0}
