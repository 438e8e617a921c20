"""Variables that the servers of a gateway get: passed on or set, refused where programs obey them, or told of."""

import json
import sys

import pytest

from tests.command import built, mcpgen
from tests.stdio_client import StdioServer

SEEN = '''
import os

def seen(name: str) -> str:
    """Return a variable of the environment."""
    return os.environ.get(name, "not set")
'''


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    return built(tmp_path_factory.mktemp("seen"), "seen", SEEN)


@pytest.fixture
def run(project, tmp_path):
    """Render a gateway over the server as a command of others, with a table of settings for it."""
    (tmp_path / ".git").mkdir()

    def ran(settings, *words):
        command = json.dumps([sys.executable, "-I", "-S", str(project / "server.py")])
        text = f"[gateway.servers.far]\ncommand = {command}\n{settings}\n"
        (tmp_path / "mcpgen.toml").write_text(text, encoding="utf-8")
        return mcpgen("gateway", "-o", "out", *words, cwd=tmp_path, env={"NO_COLOR": "1", "COLUMNS": "100"})

    return ran


def row(tmp_path):
    return json.loads((tmp_path / "out/gateway/catalog.json").read_text(encoding="utf-8"))["gateway"]["servers"]["far"]


def test_a_table_of_values_reaches_the_server(run, tmp_path):
    done = run('env = { MODE = "fast ${HOME}" }', "--env", "far:OTHER")
    assert (done.returncode, done.stderr) == (0, "")
    assert row(tmp_path)["values"] == {"MODE": "fast ${HOME}"}
    assert row(tmp_path)["env"] == ["OTHER"]
    stub = [sys.executable, "-I", "-S", str(tmp_path / "out/server.py")]
    with StdioServer(stub, env={"MODE": "the user's", "OTHER": "passed on"}) as server:
        server.initialize()
        told = [server.call("far__seen", {"name": name})["content"][0]["text"] for name in ("MODE", "OTHER")]
    assert told == ["fast ${HOME}", "passed on"]


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ('API_KEY = "abc-very-private"', "API_KEY"),
        ('DATABASE_URL = "postgres://me:very-private@db/x"', "DATABASE_URL"),
        ('CRM = "ghp_0123456789very-private89"', "CRM"),
        ('TOKEN_LIMIT = "4000"', None),
        ('MONKEY = "abc-very-private"', None),
    ],
)
def test_a_value_that_looks_like_a_secret_is_told_of_and_never_shown(run, value, told):
    done = run(f"env = {{ {value} }}")
    assert done.returncode == 0, done.stderr
    assert ("MG540" in done.stderr) == (told is not None)
    assert told is None or f"`{told}`" in done.stderr
    assert "very-private" not in done.stderr + done.stdout


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ('env = { LD_PRELOAD = "/x.so" }', ()),
        ('env = { PATH = "/x" }', ()),
        ('env = ["PYTHONPATH"]', ()),
        ("", ("--env", "far:NODE_OPTIONS")),
    ],
)
def test_a_variable_that_programs_obey_has_to_be_allowed(run, tmp_path, settings, words):
    done = run(settings, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert "MG506" in done.stderr
    name = next(each for each in ("LD_PRELOAD", "PATH", "PYTHONPATH", "NODE_OPTIONS") if f"`{each}`" in done.stderr)
    assert f"--allow-env {name}" in done.stderr
    assert not (tmp_path / "out").exists()
    assert run(settings, *words, "--allow-env", name).returncode == 0


@pytest.mark.parametrize(
    "settings",
    ['env = { "NO NAME" = "x" }', "env = { MODE = 5 }", 'env = { MODE = "\\u0000" }', 'env = "MODE"', "env = [5]"],
)
def test_what_is_no_environment_is_refused(run, settings):
    done = run(settings)
    assert done.returncode == 2
    assert "gateway.servers.far.env" in done.stderr


def test_values_for_an_address_are_refused(run, tmp_path):
    (tmp_path / "mcpgen.toml").write_text(
        '[gateway.servers.web]\nurl = "http://127.0.0.1:9/mcp"\nenv = { MODE = "fast" }\n', encoding="utf-8"
    )
    done = mcpgen("gateway", "-o", "out", cwd=tmp_path, env={"NO_COLOR": "1", "COLUMNS": "100"})
    assert done.returncode == 2
    assert "MG547" in done.stderr


def told(folder, *words):
    environment = {"NO_COLOR": "1", "COLUMNS": "100", "MCPGEN_REGISTRY": str(folder / "registry.json")}
    done = mcpgen("gateway", *words, "-o", "out", cwd=folder, env=environment)
    assert done.returncode == 2, done.stdout
    assert not (folder / "out").exists()
    return done.stderr


def test_a_variable_that_nothing_would_pass_on_is_refused(tmp_path):
    said = told(tmp_path, "web=http://127.0.0.1:9/mcp", "--env", "web:MODE")
    assert "MG547" in said
    assert "`web` is reached over HTTP" in said


def test_a_header_that_nothing_would_send_is_refused(project, tmp_path):
    said = told(tmp_path, f"far={project}", "--header", "far:X-Key=${KEY}")
    assert "MG547" in said
    assert "the header `X-Key` for `far` is not sent" in said
    assert "`--env far:VARIABLE`" in said
    entry = {"command": [sys.executable, "-I", "-S", str(project / "server.py")], "cwd": str(tmp_path)}
    registry = tmp_path / "registry.json"
    registry.write_text(json.dumps({"version": 1, "clis": {"known": entry}}), encoding="utf-8")
    registry.chmod(0o600)
    said = told(tmp_path, "known", "--header", "known:X-Key=${KEY}")
    assert "the registry says how that server is reached" in said


def test_a_misspelt_name_of_the_registry_is_told_with_the_nearest(project, tmp_path):
    registry = tmp_path / "registry.json"
    registry.write_text(json.dumps({"version": 1, "clis": {"tracker": {"command": ["/x"]}}}), encoding="utf-8")
    registry.chmod(0o600)
    assert "= hint: Did you mean `tracker`?" in told(tmp_path, "trakcer")
