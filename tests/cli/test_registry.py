"""`mcpgen registry`: what it prints, what it writes and how it ends."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from generator.runtime.registry.entries import fingerprint
from generator.runtime.registry.reading import read
from tests.runtime.registry.packages import make

PYTHON = str(Path(sys.executable).absolute())


@pytest.fixture
def place(tmp_path, monkeypatch):
    path = tmp_path / "home" / "registry.json"
    monkeypatch.setenv("MCPGEN_REGISTRY", str(path))
    return path


@pytest.fixture
def project(tmp_path, place):
    """A project beside the working folder, which `run` makes."""
    return make(tmp_path / "weather-mcp").parent


def records(place):
    return json.loads(place.read_bytes())["clis"]


def write(place, content):
    place.parent.mkdir(exist_ok=True, mode=0o700)
    place.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    place.chmod(0o600)


def test_an_empty_registry_is_no_error(run, place):
    ended = run("registry", "list")
    assert (ended.code, ended.out, ended.err) == (0, f"no server is registered in {place}\n", "")
    assert run("registry", "doctor").code == 0
    assert json.loads(run("registry", "list", "--format", "json").out) == {"registry": str(place), "servers": []}
    assert not place.exists()


def test_help_names_the_verbs(run):
    ended = run("registry", "--help")
    assert ended.code == 0
    assert all(f"  {verb} " in ended.out for verb in ("list", "add", "remove", "doctor", "export", "import"))


@pytest.mark.requirement("R005", "R006")
@pytest.mark.parametrize("inside", [False, True])
def test_a_project_is_added_by_its_folder_or_its_packages(run, place, project, inside):
    ended = run("registry", "add", str(project / "weather_mcp" if inside else project.name))
    assert (ended.code, ended.out, ended.err) == (0, f"registered `weather` in {place}\n", "")
    entry = read(str(place)).entries["weather"]
    assert entry.package == str(project / "weather_mcp")
    assert entry.cwd == str(project)
    assert os.access(entry.command[0], os.X_OK)
    assert run("registry", "add", str(project)).out == f"`weather` is registered in {place} as it is\n"


def test_a_project_gets_another_name_and_python(run, place, project):
    ended = run("registry", "add", str(project), "--name", "second", "--python", sys.executable)
    assert ended.code == 0
    assert records(place)["second"]["command"][0] == sys.executable
    assert records(place)["second"]["python"] == ".".join(map(str, sys.version_info[:3]))
    assert run("registry", "add", str(project), "--python", "nowhere/at/all").code == 2


@pytest.mark.parametrize("where", ["empty", "nothing", "two"])
def test_a_folder_without_one_server_is_refused(run, place, tmp_path, where):
    (tmp_path / "empty").mkdir()
    if where == "two":
        make(tmp_path / "two")
        (tmp_path / "two" / "weather_mcp").rename(tmp_path / "two" / "other_mcp")
        make(tmp_path / "rest")
        (tmp_path / "rest" / "weather_mcp").rename(tmp_path / "two" / "weather_mcp")
    ended = run("registry", "add", where)
    assert (ended.code, ended.out) == (2, "")
    assert "error[MG505] invalid-entry" in ended.err
    assert not place.exists()


@pytest.mark.requirement("R116")
@pytest.mark.parametrize(
    "words",
    [
        ["--", "python", "-c", "a b"],
        ["--command", "python -c 'a b'"],
        ["transport=stdio", "command=python", "args=-c,a b"],
        ["command=python", "args=-c,a b"],
    ],
    ids=["after --", "one line", "inline", "inline without a transport"],
)
def test_any_server_is_added_by_its_command(run, place, tmp_path, monkeypatch, words):
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "python").write_text("#!/bin/sh\n", encoding="utf-8")
    (programs / "python").chmod(0o755)
    monkeypatch.setenv("PATH", str(programs))
    ended = run("registry", "add", "time", *words)
    assert (ended.code, ended.err) == (0, "")
    record = records(place)["time"]
    assert record["command"] == [str(programs / "python"), "-c", "a b"]
    assert (record["cwd"], record["transport"], record["env"]) == (str(tmp_path), "stdio", [])
    assert record["fingerprint"] == fingerprint(record["command"], record["project_root"])


@pytest.mark.requirement("R116", "R118")
@pytest.mark.parametrize(
    "words",
    [
        ["--url", "https://crm.example/mcp", "--header", "Authorization: Bearer ${CRM}"],
        ["transport=http", "url=https://crm.example/mcp", "header=Authorization: Bearer ${CRM}"],
        ["url=https://crm.example/mcp", "--header", "Authorization:Bearer ${CRM}"],
    ],
)
def test_a_server_is_added_by_its_url(run, place, words):
    assert run("registry", "add", "crm", *words).code == 0
    record = records(place)["crm"]
    assert record.pop("installed_at")
    assert record == {
        "url": "https://crm.example/mcp",
        "headers": {"Authorization": "Bearer ${CRM}"},
        "transport": "http",
        "description": "",
        "version": "",
    }


def test_variables_are_passed_on_or_set(run, place):
    assert run("registry", "add", "a", "--env", "KEY", "--env", "OTHER", "--", PYTHON).code == 0
    assert run("registry", "add", "b", "--env", "MODE=a=b", "--cwd", "/", "--", PYTHON).code == 0
    assert records(place)["a"]["env"] == ["KEY", "OTHER"]
    assert (records(place)["b"]["env"], records(place)["b"]["cwd"]) == ({"MODE": "a=b"}, str(Path("/").resolve()))


def test_variables_that_are_passed_on_and_set_are_mixed_as_they_are_named(run, place, monkeypatch):
    monkeypatch.setenv("KEY", "very-private")
    words = ["--env", "KEY", "--env", "MODE=fast", "--env", "EMPTY=", "--env", "OTHER", "--", PYTHON]
    assert run("registry", "add", "a", *words).code == 0
    assert run("registry", "add", "b", f"command={PYTHON}", "env=KEY,MODE=fast").code == 0
    assert records(place)["a"]["env"] == {"KEY": None, "MODE": "fast", "EMPTY": "", "OTHER": None}
    assert records(place)["b"]["env"] == {"KEY": None, "MODE": "fast"}
    assert b"very-private" not in place.read_bytes()
    entry = read(str(place)).entries["a"]
    assert (entry.env, entry.values) == (("KEY", "OTHER"), {"MODE": "fast", "EMPTY": ""})
    refused = run("registry", "add", "c", "--env", "PYTHONPATH", "--env", "MODE=fast", "--", PYTHON)
    assert (refused.code, "error[MG506]" in refused.err) == (2, True)


@pytest.mark.parametrize(
    "words",
    [
        ["--url", "https://a.example", "--", "python"],
        ["--command", "python", "--", "python"],
        ["--command", "python", "--header", "A: b"],
        ["--url", "https://a.example", "--env", "A"],
        ["--url", "https://a.example", "--cwd", "/"],
        ["--url", "https://a.example", "--header", "no colon"],
        ["--command", "python 'open"],
        ["--name", "b", "--", PYTHON],
        ["--env", "A B=c", "--", PYTHON],
        ["transport=stdio", "url=https://a.example"],
        ["transport=http", "command=python"],
        ["transport=sse", "url=https://a.example"],
        ["command=python", "nonsense"],
        ["command=python", "command=python"],
    ],
)
def test_words_that_do_not_go_together_are_wrong_usage(run, place, words):
    ended = run("registry", "add", "a", *words)
    assert (ended.code, ended.out) == (2, "")
    assert "Usage:" in ended.err
    assert not place.exists()


@pytest.mark.parametrize(
    ("words", "code", "rule"),
    [
        (["a", "--", "no-such-program-anywhere"], 2, "MG508"),
        (["a", "--url", "ftp://a.example"], 2, "MG505"),
        (["a", "--url", "https://u:p@a.example"], 2, "MG505"),
        (["A", "--url", "https://a.example"], 2, "MG505"),
        (["a.b", "--", PYTHON], 2, "MG505"),
        (["a", "--url", "https://a.example", "--header", "Authorization: Bearer sk-1"], 2, "MG506"),
        (["a", "--env", "LD_PRELOAD=/x.so", "--", PYTHON], 2, "MG506"),
        (["a", "--env", "PYTHONPATH", "--", PYTHON], 2, "MG506"),
        (["taken", "--", PYTHON], 3, "MG507"),
    ],
)
def test_what_could_not_be_used_is_not_written(run, place, words, code, rule):
    write(place, {"version": 1, "clis": {"taken": {"url": "https://t.example"}}})
    before = place.read_bytes()
    ended = run("registry", "add", *words)
    assert (ended.code, ended.out) == (code, "")
    assert f"error[{rule}]" in ended.err
    assert "= hint: " in ended.err
    assert place.read_bytes() == before


def test_a_variable_that_programs_obey_can_be_allowed(run, place):
    words = ["--env", "PYTHONPATH", "--", PYTHON]
    assert run("registry", "add", "a", "--allow-env", "PYTHONPATH", *words).code == 0
    assert run("registry", "list").code == 2, "the permission is not taken from the file"
    assert run("registry", "list", "--allow-env", "PYTHONPATH").code == 0


def test_a_name_is_taken_over_when_that_is_said(run, place):
    write(place, {"version": 1, "clis": {"taken": {"url": "https://t.example"}}})
    ended = run("registry", "add", "taken", "--replace", "--", PYTHON)
    assert (ended.code, ended.out) == (0, f"registered `taken` anew in {place}\n")
    assert "url" not in records(place)["taken"]


def test_the_list_shows_each_server_and_machines_get_all_of_it(run, place, project):
    run("registry", "add", str(project))
    run("registry", "add", "crm", "--url", "https://crm.example/mcp")
    ended = run("registry", "list")
    lines = ended.out.splitlines()
    assert lines[0].split() == ["NAME", "VERSION", "TOOLS", "RUNS"]
    assert lines[1].split()[:3] == ["weather", "0.1.0", "2"]
    assert lines[2].split() == ["crm", "-", "-", "https://crm.example/mcp"]
    assert lines[-2] == f"registry: {place}"
    found = json.loads(run("registry", "list", "--format", "json").out)
    assert found["servers"] == [{"name": name, **record} for name, record in records(place).items()]


def test_a_text_of_an_entry_cannot_command_the_terminal(run, place):
    write(place, {"version": 1, "clis": {"a": {"command": ["/x", "\x1b[2J"], "version": "\u202e1"}, "\x1b[1m": 1}})
    for verb in ("list", "doctor"):
        ended = run("registry", verb)
        assert "\x1b" not in ended.out + ended.err
        assert "\u202e" not in ended.out + ended.err


@pytest.mark.requirement("R063")
def test_an_entry_is_removed_usable_or_not(run, place):
    write(place, {"version": 1, "clis": {"a": {"url": "https://a.example"}, "Bad Name": 1}})
    ended = run("registry", "remove", "a")
    assert (ended.code, ended.out) == (0, f"removed `a` from {place}\n")
    assert json.loads(run("registry", "remove", "Bad Name", "--format", "json").out) == {
        "removed": ["Bad Name"],
        "registry": str(place),
    }
    assert records(place) == {}


def test_a_name_that_is_not_there_is_told_with_the_nearest(run, place):
    write(place, {"version": 1, "clis": {"weather": {"url": "https://a.example"}}})
    ended = run("registry", "remove", "wether")
    assert (ended.code, ended.out) == (2, "")
    assert "Did you mean `weather`?" in ended.err
    assert "mcpgen registry list" in run("registry", "remove", "x").err


def test_the_doctor_tells_what_changed_until_it_is_agreed_to(run, place, project):
    run("registry", "add", str(project))
    assert run("registry", "doctor").out.splitlines()[0] == "ok  weather  as registered"
    with (project / "weather_mcp" / "weather.py").open("a", encoding="utf-8") as stream:
        stream.write("# more\n")
    ended = run("registry", "doctor")
    assert ended.code == 1
    assert ended.out.splitlines()[0] == "fail  weather  MG509 drifted-server"
    assert "`mcpgen registry add weather`" in ended.err
    assert run("registry", "add", "weather").code == 0
    assert run("registry", "doctor").code == 0


def test_a_command_is_agreed_to_again_by_its_name(run, place, tmp_path):
    script = tmp_path / "tool.py"
    script.write_text("1", encoding="utf-8")
    run("registry", "add", "tool", "--env", "KEY", "--", PYTHON, str(script))
    script.write_text("2", encoding="utf-8")
    assert run("registry", "doctor").code == 1
    assert run("registry", "add", "tool").code == 0
    assert run("registry", "doctor").code == 0
    assert records(place)["tool"]["env"] == ["KEY"]


def test_the_doctor_looks_at_everything_and_counts(run, place, project):
    run("registry", "add", str(project))
    content = json.loads(place.read_bytes())
    content["clis"]["weather"]["runtime"] = "0.0.1"
    content["clis"]["gone"] = {"command": ["/no/such/program"]}
    content["clis"]["Bad"] = {}
    content["clis"]["kept"] = {"url": "https://a.example", "headers": {"X-Api-Key": "sk-1"}}
    content["clis"]["open"] = {"url": "http://a.example", "headers": {"Authorization": "${KEY}"}}
    write(place, content)
    ended = run("registry", "doctor", "--format", "json")
    assert ended.code == 1
    found = {each["name"]: each for each in json.loads(ended.out)["servers"]}
    assert {name: each["status"] for name, each in found.items()} == {
        "weather": "warn",
        "gone": "fail",
        "Bad": "fail",
        "open": "warn",
        "kept": "fail",
    }
    codes = {name: [problem["code"] for problem in each["problems"]] for name, each in found.items()}
    assert codes == {"weather": ["MG510"], "gone": ["MG508"], "Bad": ["MG505"], "open": ["MG512"], "kept": ["MG506"]}
    assert all(problem["hint"].endswith(".") for each in found.values() for problem in each["problems"])
    assert {json.loads(line)["code"] for line in ended.err.splitlines()} == {
        "MG505",
        "MG506",
        "MG508",
        "MG510",
        "MG512",
    }


def test_a_server_of_an_older_version_is_no_failure(run, place, project):
    run("registry", "add", str(project))
    content = json.loads(place.read_bytes())
    content["clis"]["weather"]["runtime"] = "0.0.1"
    write(place, content)
    ended = run("registry", "doctor")
    assert ended.code == 0
    assert ended.out.splitlines()[0] == "warn  weather  MG510 older-server"


@pytest.mark.requirement("R062")
def test_entries_go_to_milo_and_come_back(run, place, project, tmp_path, monkeypatch):
    run("registry", "add", str(project))
    run("registry", "add", "tool", "--", PYTHON, "-c", "pass")
    run("registry", "add", "crm", "--url", "https://crm.example/mcp")
    milo = tmp_path / "milo" / "registry.json"
    write(milo, {"version": 1, "clis": {"theirs": {"command": ["theirs", "--mcp"], "description": "", "version": ""}}})
    ended = run("registry", "export", "--milo", str(milo))
    assert (ended.code, ended.out) == (0, f"exported 2 of 2 to {milo}: weather, tool\n")
    assert "crm" in ended.err
    exported = records(milo)
    assert list(exported) == ["theirs", "weather", "tool"]
    members = {"command", "description", "version", "project_root", "fingerprint", "installed_at"}
    assert set(exported["weather"]) == members
    before = place.read_bytes()
    ended = run("registry", "import", str(milo))
    assert ended.code == 0
    assert "MG508" in ended.err, "`theirs` is a program that is not found here"
    assert place.read_bytes() == before, "what is there already says more"
    place.unlink()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    (tmp_path / "milo").rename(tmp_path / ".milo")
    told = f"imported 2 of 3 to {place}: weather, tool; 1 that cannot be used, as told above\n"
    assert run("registry", "import").out == told
    assert records(place)["weather"]["cwd"] == str(project)
    assert run("registry", "doctor").code == 0


def test_an_export_can_be_looked_at(run, place):
    run("registry", "add", "tool", "--", PYTHON)
    printed = json.loads(run("registry", "export", "--milo", "-").out)
    assert (printed["version"], list(printed["clis"])) == (1, ["tool"])


def test_neither_takes_the_name_of_another_server(run, place, tmp_path):
    run("registry", "add", "tool", "--", PYTHON)
    milo = tmp_path / "milo" / "registry.json"
    write(milo, {"version": 1, "clis": {"tool": {"command": [PYTHON, "other"]}}})
    before = milo.read_bytes(), place.read_bytes()
    assert run("registry", "export", "--milo", str(milo)).code == 3
    assert run("registry", "import", str(milo)).code == 3
    assert (milo.read_bytes(), place.read_bytes()) == before
    assert run("registry", "export", "--milo", str(milo), "--replace").code == 0
    assert records(milo)["tool"]["command"] == [PYTHON]


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"version":2}'])
def test_an_import_of_what_is_no_registry_is_refused(run, place, tmp_path, content):
    file = tmp_path / "milo" / "registry.json"
    write(file, content)
    assert run("registry", "import", str(file)).code == 2
    assert run("registry", "import", str(tmp_path / "nothing")).code == 2
    assert not place.exists()


def test_quiet_says_nothing_of_success(run, place):
    ended = run("registry", "add", "tool", "--quiet", "--", PYTHON)
    assert (ended.code, ended.out, ended.err) == (0, "", "")
