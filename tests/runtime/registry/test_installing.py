"""A built server registers itself, and what it wrote starts it from anywhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from generator.runtime.registry import installing
from generator.runtime.registry.making import Package
from generator.runtime.registry.problems import RegistryError
from generator.runtime.registry.reading import read
from tests.command import built
from tests.stdio_client import StdioServer

from .packages import make

SECONDS = 60

MODULE = '''"""Count calls."""

import json
from pathlib import Path

NOTES = Path(__file__).with_name("notes.json")


def note(text: str) -> int:
    """Keep a note, and tell how many there are."""
    notes = [*json.loads(NOTES.read_text(encoding="utf-8")), text]
    NOTES.write_text(json.dumps(notes), encoding="utf-8")
    return len(notes)
'''


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("notes")
    (folder / "notes.json").write_text("[]", encoding="utf-8")
    return built(folder, "notes", MODULE)


@pytest.fixture
def say(project, place, tmp_path):
    """Run the server with words, in a folder that is not its own, and return code, output and complaints."""

    def run(*words, folder=project):
        ended = subprocess.run(
            [sys.executable, "-I", "-S", str(folder / "server.py"), *words],
            cwd=tmp_path,
            env={"MCPGEN_REGISTRY": str(place), "PATH": os.environ["PATH"]},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        return ended.returncode, ended.stdout, ended.stderr

    return run


@pytest.mark.requirement("R006", "R061")
def test_a_server_registers_itself_and_says_so_in_a_line(say, place, project):
    assert say("--mcp-install") == (0, f"registered `notes` in {place}\n", "")
    entry = read(str(place)).entries["notes"]
    assert entry.package == str(project / "notes_mcp")
    assert entry.tools == {"count": 1, "names": ["note"]}
    assert entry.digest == json.loads((project / "notes_mcp" / "registry-entry.json").read_bytes())["digest"]


@pytest.mark.requirement("R005")
def test_what_is_registered_starts_it_from_anywhere(say, place, tmp_path):
    say("--mcp-install")
    entry = read(str(place)).entries["notes"]
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert all(os.path.isabs(path) for path in (entry.command[0], entry.command[-1], entry.cwd))  # noqa: PTH117
    with StdioServer(list(entry.command), cwd=elsewhere) as server:
        server.initialize()
        assert server.call("note", {"text": "a"})["structuredContent"]["result"] >= 1


def test_installing_again_changes_nothing(say, place):
    say("--mcp-install")
    before = place.read_bytes()
    assert say("--mcp-install") == (0, f"`notes` is registered in {place} as it is\n", "")
    assert place.read_bytes() == before


def test_what_the_server_writes_is_no_drift(say, place, project):
    """The module keeps notes beside itself: that file belongs to what it does, not to what it is."""
    say("--mcp-install")
    entry = read(str(place)).entries["notes"]
    with StdioServer(list(entry.command), cwd=project) as server:
        server.initialize()
        server.call("note", {"text": "b"})
    assert Package(entry.package).files() == entry.files
    assert say("--mcp-install")[1] == f"`notes` is registered in {place} as it is\n"


@pytest.mark.requirement("R063")
def test_uninstalling_removes_its_own_entries_and_nothing_else(say, write, place, command, project):
    other = {"command": command, "package": "/srv/other"}
    write({"version": 1, "clis": {"other": other, "Bad": 1}})
    say("--mcp-install")
    say("--mcp-install", "--name", "second")
    assert say("--mcp-uninstall", "--name=second") == (0, f"removed `second` from {place}\n", "")
    say("--mcp-install", "--name", "third")
    assert say("--mcp-uninstall") == (0, f"removed `notes`, `third` from {place}\n", "")
    assert json.loads(place.read_bytes())["clis"] == {"other": other, "Bad": 1}
    assert say("--mcp-uninstall") == (0, f"`notes` is not registered in {place}\n", "")
    assert say("--mcp-uninstall", "--name", "other") == (
        0,
        f"`other` in {place} is another server; it stays as it is\n",
        "",
    )
    assert say("--mcp-uninstall", "--name", "nobody") == (0, f"`nobody` is not registered in {place}\n", "")
    assert json.loads(place.read_bytes())["clis"] == {"other": other, "Bad": 1}


def test_the_name_of_another_server_is_refused_with_what_to_do(say, write, command):
    path = write({"version": 1, "clis": {"notes": {"command": command}}})
    before = path.read_bytes()
    code, out, err = say("--mcp-install")
    assert (code, out) == (3, "")
    assert err.startswith("notes: `notes` is registered already, for `")
    assert err.endswith("\n  = hint: Choose another name, or remove that one first.\n")
    assert path.read_bytes() == before
    assert say("--mcp-install", "--name", "mine")[0] == 0


def test_what_another_entry_says_cannot_command_the_terminal(say, write):
    write({"version": 1, "clis": {"notes": {"command": ["/x", "\x1b[2J\u202e"]}}})
    code, _, err = say("--mcp-install")
    assert code == 3
    assert "\x1b" not in err
    assert "\u202e" not in err


@pytest.mark.parametrize("content", [b"{", b'{"version":999,"clis":{}}'])
@pytest.mark.parametrize("word", ["--mcp-install", "--mcp-uninstall"])
def test_a_registry_that_is_not_understood_is_left_alone(say, write, content, word):
    path = write(content)
    code, out, err = say(word)
    assert (code, out) == (2, "")
    assert "  = hint: " in err
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--name", "x"], "--name goes with --mcp-install or --mcp-uninstall"),
        (["--mcp-install", "--http"], "--mcp-install does not serve, and --http is about serving"),
        (["--mcp-install", "--mcp"], "--mcp-install does not serve, and --mcp is about serving"),
        (["--mcp-install", "--mcp-uninstall"], "--mcp-uninstall does not serve, and --mcp-install is about serving"),
        (["--mcp-install", "--name"], "--name needs a value"),
        (["--mcp-instal"], "did you mean --mcp-install?"),
    ],
)
def test_words_that_do_not_go_together_are_refused(say, place, words, reason):
    code, out, err = say(*words)
    assert (code, out) == (2, "")
    assert reason in err
    assert not place.parent.exists()


@pytest.mark.parametrize("name", ["Bad", "a.b", "../x", "x" * 64, "é"])
def test_a_name_that_could_not_be_read_is_not_written(say, place, name):
    code, out, err = say("--mcp-install", "--name", name)
    assert (code, out) == (2, "")
    assert "cannot be the name of an entry" in err
    assert not place.parent.exists()


def test_a_registry_that_cannot_be_written_is_told(say, place):
    place.parent.parent.mkdir(parents=True)
    place.parent.write_bytes(b"a file where a folder should be")
    code, out, err = say("--mcp-install")
    assert (code, out) == (2, "")
    assert "cannot be written" in err


def test_serving_imports_nothing_of_it(project):
    ended = subprocess.run(
        [sys.executable, "-I", "-S", "-X", "importtime", str(project / "server.py")],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=True,
    )
    loaded = {line.rsplit("|", 1)[1].strip() for line in ended.stderr.splitlines() if line.startswith("import time:")}
    assert "notes_mcp._runtime.server.main" in loaded
    assert {name for name in loaded if "registry" in name or name in ("json", "os", "re", "hashlib")} == set()


def test_a_server_that_needs_nothing_installed_is_run_by_a_python_that_stays(tmp_path, monkeypatch):
    plain = Package(str(make(tmp_path / "plain")))
    needing = Package(str(make(tmp_path / "needing", catalog={"needs_site": True})))
    monkeypatch.setattr(sys, "executable", "/venv/bin/python")
    monkeypatch.setattr(sys, "_base_executable", "/usr/bin/python3", raising=False)
    assert installing.interpreter(plain) == "/usr/bin/python3"
    assert installing.interpreter(needing) == "/venv/bin/python"
    monkeypatch.setattr(sys, "executable", "")
    with pytest.raises(RegistryError):
        installing.interpreter(needing)
