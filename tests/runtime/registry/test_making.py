"""Entries that are made: absolute, complete, and of nothing but a generated package."""

from __future__ import annotations

import json
import os
import sys

import pytest

from generator.runtime import VERSION
from generator.runtime.registry import contents, making
from generator.runtime.registry.entries import fingerprint
from generator.runtime.registry.making import Package, command_entry, package_entry, url_entry
from generator.runtime.registry.problems import RegistryError

from .packages import DIGEST, make

PYTHON = os.path.abspath(sys.executable)  # noqa: PTH100 - not resolved: a virtual environment's is a link


@pytest.mark.requirement("R005", "R062")
def test_the_entry_of_a_package_is_whole_and_absolute(tmp_path):
    package = make(tmp_path / "weather-mcp")
    made = package_entry(Package(str(package)), "weather", PYTHON, "3.13.0")
    command = [PYTHON, "-I", "-S", str(package / "__main__.py")]
    files = contents.of_package(str(package))
    assert made.pop("installed_at").endswith("Z")
    assert made == {
        "command": command,
        "description": "Weather.",
        "version": "0.1.0",
        "cwd": str(package.parent),
        "transport": "stdio",
        "env": ["WEATHER_KEY"],
        "package": str(package),
        "digest": DIGEST,
        "files": files,
        "tools": {"count": 2, "names": ["forecast", "compare"]},
        "python": "3.13.0",
        "runtime": VERSION,
        "project_root": str(package.parent),
        "fingerprint": fingerprint(command, str(package.parent)),
    }


def test_a_package_outside_a_project_runs_in_its_own_folder(tmp_path):
    package = make(tmp_path / "site-packages")
    (package.parent / "mcpgen.lock").unlink()
    assert Package(str(package)).project == str(package)


def test_a_relative_folder_becomes_absolute(tmp_path, monkeypatch):
    package = make(tmp_path / "weather-mcp")
    monkeypatch.chdir(package.parent)
    assert Package("weather_mcp").folder == str(package)


@pytest.mark.parametrize(
    "command",
    [
        ["/bin/sh", "-c", "touch canary", "${package}/__main__.py"],
        ["${python}", "-c", "import os"],
        ["${python}"],
        [],
        "sh",
        ["${python}", 1, "${package}/__main__.py"],
        ["${python}", "\0", "${package}/__main__.py"],
        ["${python}/../sh", "${package}/__main__.py"],
    ],
)
def test_a_package_cannot_have_anything_else_registered(tmp_path, command):
    package = make(tmp_path / "weather-mcp", {"command": command})
    with pytest.raises(RegistryError) as caught:
        Package(str(package))
    assert caught.value.problem.rule == "invalid-entry"


@pytest.mark.parametrize(
    "change",
    [{"env": ["LD_PRELOAD"]}, {"env": "A"}, {"digest": "x"}, {"description": 3}, {"version": None}],
)
def test_a_package_whose_entry_could_not_be_used_is_refused(tmp_path, change):
    package = Package(str(make(tmp_path / "weather-mcp", change)))
    with pytest.raises(RegistryError):
        package_entry(package, "weather", PYTHON, "3.13.0")


@pytest.mark.parametrize("name", ["registry-entry.json", "catalog.json"])
@pytest.mark.parametrize("content", [b"", b"[]", b"\xff", b"[" * 100_000, None])
def test_a_folder_without_a_readable_package_is_refused(tmp_path, name, content):
    package = make(tmp_path / "weather-mcp")
    (package / name).unlink()
    if content is not None:
        (package / name).write_bytes(content)
    with pytest.raises(RegistryError) as caught:
        Package(str(package))
    assert str(package / name) in caught.value.problem.message


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="FIFOs are for POSIX")
@pytest.mark.parametrize("name", ["registry-entry.json", "catalog.json"])
@pytest.mark.parametrize("what", ["pipe", "device", "large"])
def test_what_is_no_file_of_a_package_holds_nothing_up(tmp_path, monkeypatch, name, what):
    package = make(tmp_path / "weather-mcp")
    (package / name).unlink()
    if what == "pipe":
        os.mkfifo(package / name)
    elif what == "device":
        (package / name).symlink_to("/dev/zero")
    else:
        monkeypatch.setattr(making, "MAX_BYTES", 10_000)
        (package / name).write_bytes(b" " * 10_001)
    with pytest.raises(RegistryError) as caught:
        Package(str(package))
    assert str(package / name) in caught.value.problem.message


@pytest.mark.parametrize("tools", [None, [1], [{}], [{"definition": None}], {"a": 1}])
def test_a_catalog_of_another_form_costs_the_names_only(tmp_path, tools):
    package = Package(str(make(tmp_path / "weather-mcp", catalog={"tools": tools})))
    assert package_entry(package, "weather", PYTHON, "3.13.0")["tools"] == {"count": 2, "names": []}


def test_what_a_server_writes_is_no_part_of_its_digest(tmp_path):
    package = make(tmp_path / "weather-mcp", {"written": ["notes.json"]})
    before = Package(str(package)).files()
    (package / "notes.json").write_text("[]", encoding="utf-8")
    assert Package(str(package)).files() == before
    (package / "other.json").write_text("[]", encoding="utf-8")
    assert Package(str(package)).files() != before


@pytest.mark.requirement("R116")
def test_a_command_is_pinned_by_the_files_it_names(tmp_path):
    script = tmp_path / "server.py"
    script.write_text("1", encoding="utf-8")
    made = command_entry("a", [PYTHON, str(script)], str(tmp_path), ["KEY"])
    assert (made["command"], made["cwd"], made["env"]) == ([PYTHON, str(script)], str(tmp_path), ["KEY"])
    script.write_text("2", encoding="utf-8")
    assert contents.of_command(made["command"]) != made["files"]


def test_a_url_is_registered_without_what_goes_with_commands():
    made = url_entry("a", "https://a.example/mcp", {"Authorization": "Bearer ${KEY}"})
    assert set(made) == {"url", "headers", "transport", "description", "version", "installed_at"}
    assert json.loads(json.dumps(made))["headers"] == {"Authorization": "Bearer ${KEY}"}


@pytest.mark.parametrize("name", ["A", "", "a.b"])
def test_nothing_is_made_under_a_name_that_could_not_be_read(name):
    with pytest.raises(RegistryError):
        url_entry(name, "https://a.example/mcp", {})
