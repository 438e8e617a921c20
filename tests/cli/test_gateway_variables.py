"""Variables that the servers of a gateway get: passed on or set, refused where programs obey them, or told of."""

import json
import re
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


def test_a_value_that_looks_filled_in_and_is_not_is_told_of(run):
    done = run('env = { API_KEY = "${MY_KEY}" }')
    assert (done.returncode, "MG540" in done.stderr) == (0, False)
    assert "given `API_KEY` as it stands: no `${NAME}` is filled in" in done.stderr


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


API = """
openapi: 3.1.0
info: {title: Pets, version: "1"}
servers: [{url: "https://pets.example/v1"}]
components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}
security: [{key: []}]
paths: {/pets: {get: {operationId: listPets, responses: {"200": {description: ok}}}}}
"""


@pytest.fixture(scope="module")
def servers(tmp_path_factory):
    """The server of an API with a key, that of a module with one value it needs and one it does not, and a gateway."""
    folder = tmp_path_factory.mktemp("needing")
    (folder / ".git").mkdir()
    (folder / "api.yaml").write_text(API, encoding="utf-8")
    (folder / "seen.py").write_text(SEEN, encoding="utf-8")
    config = '[config.token]\nenv = "TOKEN"\n[config.unit]\nenv = "UNIT"\nrequired = false\n'
    made = [mcpgen("from-openapi", "api.yaml", "-o", "pets", "--quiet", cwd=folder)]
    (folder / "mcpgen.toml").write_text(config, encoding="utf-8")
    made.append(mcpgen("build", "seen.py", "-o", "seen", "--quiet", cwd=folder))
    (folder / "mcpgen.toml").unlink()
    made.append(mcpgen("gateway", f"p={folder}/pets", f"s={folder}/seen", "-o", "both", "--quiet", cwd=folder))
    assert [done.returncode for done in made] == [0, 0, 0], made
    return folder


def named_for_a_host(folder, *words):
    """Return the variables of the printed line, of the command in the README, and of its first JSON snippet."""
    (folder / ".git").mkdir(exist_ok=True)
    done = mcpgen("gateway", *words, "-o", "out", cwd=folder, env={"NO_COLOR": "1"})
    assert done.returncode == 0, done.stderr
    readme = (folder / "out/README.md").read_text(encoding="utf-8")
    lines = (done.stdout.splitlines()[-1], next(each for each in readme.splitlines() if "claude mcp add g" in each))
    snippet = json.loads(readme.partition("```json\n")[2].partition("```")[0])["mcpServers"]["gateway"]
    options = [re.findall(r"-e (\w+)=your-value", each) for each in lines]
    return [*options, list(snippet.get("env", {}))]


@pytest.mark.parametrize("source", ["p={0}/pets s={0}/seen", "all={0}/both"])
def test_a_host_is_told_of_what_the_servers_need_and_of_nothing_else(servers, tmp_path, source):
    assert named_for_a_host(tmp_path, *source.format(servers).split()) == [["PETS_KEY", "TOKEN"]] * 3


def test_a_variable_that_has_its_value_is_not_asked_for(servers, tmp_path):
    settings = f'[gateway.servers.p]\npath = "{servers}/pets"\nenv = {{ PETS_KEY = "${{X}}" }}\n'
    (tmp_path / "mcpgen.toml").write_text(settings, encoding="utf-8")
    assert named_for_a_host(tmp_path, "p", f"s={servers}/seen") == [["TOKEN"]] * 3


def test_a_variable_that_one_server_needs_and_another_may_have_is_asked_for(servers, tmp_path):
    words = ("s=" + str(servers / "seen"), f"far={sys.executable} {servers}/seen/server.py", "--env", "far:UNIT")
    assert named_for_a_host(tmp_path, *words) == [["TOKEN", "UNIT"]] * 3


def test_the_entry_for_all_that_is_registered_names_what_the_servers_need(servers, tmp_path):
    where = {"MCPGEN_REGISTRY": str(tmp_path / "own" / "registry.json"), "NO_COLOR": "1"}
    far = ("--env", "FAR=1", "--", sys.executable, str(servers / "seen/server.py"))
    for words in ((str(servers / "both"),), ("far", *far), ("near", "--env", "NEAR", *far[2:])):
        assert mcpgen("registry", "add", *words, cwd=tmp_path, env=where).returncode == 0
    last = mcpgen("registry", "list", cwd=tmp_path, env=where).stdout.splitlines()[-1]
    assert re.findall(r"-e (\w+)=your-value", last) == ["PETS_KEY", "TOKEN", "NEAR"]
