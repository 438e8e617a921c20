"""`mcpgen registry`: what it says of what it did not do, did not ask, or would rather not have written down."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.command import built
from tests.http_client import HttpServer
from tests.runtime.registry.packages import make
from tests.stdio_client import stub

PYTHON = str(Path(sys.executable).absolute())

CLOCK = '''
def noon() -> int:
    """Return the middle of the day."""
    return 12
'''


@pytest.fixture
def place(tmp_path, monkeypatch):
    path = tmp_path / "home" / "registry.json"
    monkeypatch.setenv("MCPGEN_REGISTRY", str(path))
    return path


def write(place, content):
    place.parent.mkdir(exist_ok=True, mode=0o700)
    place.write_text(json.dumps(content), encoding="utf-8")
    place.chmod(0o600)


def test_an_address_that_was_not_asked_is_not_called_well(run, place):
    write(place, {"version": 1, "clis": {"crm": {"url": "http://127.0.0.1:9/mcp"}, "tool": {"command": [PYTHON]}}})
    ended = run("registry", "doctor")
    first, second, _, closing = ended.out.splitlines()
    assert (ended.code, first, second) == (0, "skip  crm   not asked", "ok    tool  as registered")
    assert closing.startswith("1 of 2 can be used, 1 was not asked (--ask asks); ")
    ended = run("registry", "doctor", "--ask")
    assert (ended.code, ended.out.splitlines()[0]) == (1, "fail  crm   MG538 unreachable-server")
    assert "`crm` did not answer: it could not be reached" in ended.err


def test_an_address_is_asked_what_it_has(run, place, tmp_path):
    project = built(tmp_path, "clock", CLOCK)
    with HttpServer(stub(project, sys.executable)) as server:
        write(place, {"version": 1, "clis": {"weather": {"url": server.url}}})
        ended = run("registry", "doctor", "--ask")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines()[0] == "ok  weather  answers: 1 tool"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--env", "API_KEY=sk-abc", "--", PYTHON], "= hint: Say only its name, as in `--env API_KEY`"),
        (["--env", f"HOOK=https://u:{'p' * 8}@a.example", "--", PYTHON], "the value of `HOOK` for `a` looks like"),
        (["--", PYTHON, "--api-key=abc"], "as in `--env API_KEY`"),
    ],
)
def test_a_secret_that_is_written_down_is_told_of_and_not_shown(run, place, words, said):
    ended = run("registry", "add", "a", *words)
    assert (ended.code, "MG540" in ended.err, said in ended.err) == (0, True, True), ended.err
    assert not [secret for secret in ("sk-abc", "pppppppp", "=abc") if secret in ended.err + ended.out]
    assert "MG540 literal-secret" in run("registry", "doctor").out
    assert "=abc" not in run("registry", "list").out


def test_values_of_switches_and_limits_are_no_secrets(run, place):
    assert run("registry", "add", "a", "--env", "TOKEN_LIMIT=8000", "--env", "MODE=x", "--", PYTHON).err == ""


def test_nothing_is_written_beside_a_file_that_is_no_registry(run, place, tmp_path):
    host = tmp_path / "host" / "mcp.json"
    write(host, {"mcpServers": {"tool": {"command": PYTHON}}})
    ended = run("registry", "import", str(host))
    assert (ended.code, ended.out) == (2, "")
    assert f"`{host}` is no registry: it has no `version`" in ended.err
    assert "`mcpgen registry add`" in ended.err
    assert [path.name for path in host.parent.iterdir()] == ["mcp.json"]


def test_an_import_says_what_became_of_each_entry(run, place, tmp_path):
    run("registry", "add", "tool", "--", PYTHON)
    run("registry", "add", "other", "--", PYTHON)
    file = tmp_path / "theirs" / "registry.json"
    entries = {"tool": {"command": [PYTHON]}, "other": {"command": [PYTHON, "x"]}, "gone": {"command": ["nowhere-x"]}}
    write(file, {"version": 1, "clis": entries})
    assert run("registry", "import", str(file)).out == (
        f"imported 0 of 3 to {place}; 1 there already as they are: tool; "
        "1 under names of other servers there (--replace takes them over); 1 that cannot be used, as told above\n"
    )
    write(file, {"version": 1, "clis": {}})
    assert run("registry", "import", str(file)).out == f"imported 0 of 0 to {place}; no entry was found\n"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["a", "--url", "foo"], 2, "= hint: Correct that on the command line; nothing was registered."),
        (["a", "--env", "1X", "--", PYTHON], 2, "--env: '1X' cannot be the name of a variable"),
        (["B!", "--", PYTHON], 2, "= hint: Choose another one: a letter, then a-z"),
        (["PROJECT", "--name", "B!"], 2, "= hint: Give it another one with `--name`: a letter, then a-z"),
        (["taken", "--", PYTHON, "other"], 3, "= hint: Choose another name, or take this one over with --replace."),
        (["a", "trasport=stdio", f"command={PYTHON}"], 2, "'trasport=stdio' is none of transport=..."),
        (["a", "transport=stdoi", f"command={PYTHON}"], 2, "transport=stdoi is none of stdio, http"),
        (["a", "transport=stdio"], 2, "'transport=stdio' names neither a command nor a URL"),
    ],
)
def test_what_cannot_be_added_is_refused_with_an_action_that_can_be_taken(run, place, tmp_path, words, code, said):
    project = make(tmp_path / "weather-mcp").parent
    run("registry", "add", "taken", "--", PYTHON)
    ended = run("registry", "add", *(str(project) if word == "PROJECT" else word for word in words))
    assert (ended.code, said in " ".join(ended.err.split())) == (code, True), ended.err
    assert list(json.loads(place.read_bytes())["clis"]) == ["taken"]


def test_a_server_that_is_not_there_yet_is_registered_and_told_of(run, place, tmp_path):
    ended = run("registry", "add", "a", "--", str(tmp_path / "later"))
    assert (ended.code, f"its program is not there: `{tmp_path / 'later'}`" in ended.err) == (0, True), ended.err
    ended = run("registry", "add", "b", "--cwd", str(tmp_path / "later"), "--", PYTHON)
    assert (ended.code, "warning[MG508]" in ended.err, "its working folder" in ended.err) == (0, True, True)
    assert run("registry", "add", "c", "--", PYTHON).err == ""
    assert list(json.loads(place.read_bytes())["clis"]) == ["a", "b", "c"]


def test_a_file_that_was_named_is_not_confused_with_the_registry(run, place, tmp_path):
    run("registry", "add", "tool", "--", PYTHON)
    folder = tmp_path / "file" / "x"
    folder.parent.write_text("", encoding="utf-8")
    ended = run("registry", "export", "--milo", str(folder))
    assert (ended.code, "cannot be written" in ended.err) == (2, True), ended.err
    assert "name another file with --milo." in ended.err
    ended = run("registry", "import", str(tmp_path))
    assert (ended.code, "name another file as FILE." in ended.err) == (2, True), ended.err
    assert "MCPGEN_REGISTRY" not in ended.err
