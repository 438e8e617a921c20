"""Looking at registered servers: missing, drifted, outdated, unsafe, each with what to do."""

from __future__ import annotations

import json
import os
import shutil
import sys

import pytest

from generator.runtime.registry.entries import Entry
from generator.runtime.registry.examining import drifted, examine
from generator.runtime.registry.making import Package, command_entry, package_entry, url_entry

from .packages import make

posix = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows has no such permissions")


@pytest.fixture
def package(tmp_path):
    return make(tmp_path / "weather-mcp")


@pytest.fixture
def entry(package):
    return Entry("weather", package_entry(Package(str(package)), "weather", sys.executable, "3.13.0"))


def rules(entry, **words):
    found = examine(entry, **words)
    assert all(problem.entry == entry.name and problem.hint.endswith(".") for problem in found)
    return [problem.rule for problem in found]


def test_a_server_that_is_as_registered_has_no_problems(entry):
    assert rules(entry) == []


@pytest.mark.requirement("R061")
def test_files_that_changed_are_told_until_the_server_is_registered_again(entry, package):
    """The command stays the same: a digest of the command alone would never show it (B22)."""
    with (package / "weather.py").open("a", encoding="utf-8") as stream:
        stream.write("# evil\n")
    (problem,) = examine(entry)
    assert problem.rule == "drifted-server"
    assert problem.message.endswith("its files changed")
    assert "mcpgen registry add weather" in problem.hint
    renewed = Entry("weather", package_entry(Package(str(package)), "weather", sys.executable, "3.13.0"))
    assert rules(renewed) == []


def test_definitions_that_changed_are_told_as_such(entry, package):
    path = package / "registry-entry.json"
    content = json.loads(path.read_bytes())
    path.write_text(json.dumps({**content, "digest": "sha256:" + "2" * 64}), encoding="utf-8")
    (problem,) = drifted(entry)
    assert problem.message.endswith("what it offers changed")
    catalog = json.loads((package / "catalog.json").read_bytes())
    catalog["tools"][0]["definition"]["name"] = "fore`cast"
    (package / "catalog.json").write_text(json.dumps(catalog), encoding="utf-8")
    (problem,) = drifted(entry)
    assert problem.message.endswith("what it offers changed: + `fore\N{REPLACEMENT CHARACTER}cast`, - `forecast`")


def test_a_package_that_can_no_longer_be_read_drifted(entry, package):
    (package / "catalog.json").write_text("{", encoding="utf-8")
    assert rules(entry) == ["drifted-server"]


@pytest.mark.parametrize("gone", ["package", "project", "main"])
def test_what_is_gone_is_missing_and_no_more_is_said(entry, package, gone):
    if gone == "main":
        (package / "__main__.py").unlink()
    else:
        shutil.rmtree(package if gone == "package" else package.parent)
    assert set(rules(entry)) == {"missing-program"}


def test_a_program_that_is_gone_or_cannot_run_is_missing(tmp_path):
    assert rules(Entry("a", {"command": [str(tmp_path / "nothing")]})) == ["missing-program"]
    if os.name == "posix":
        (tmp_path / "file").write_bytes(b"")
        (tmp_path / "file").chmod(0o600)
        assert rules(Entry("a", {"command": [str(tmp_path / "file")]})) == ["missing-program"]


def test_the_files_of_a_command_are_looked_at(tmp_path):
    script = tmp_path / "server.py"
    script.write_text("1", encoding="utf-8")
    entry = Entry("a", command_entry("a", [sys.executable, str(script)], str(tmp_path), []))
    assert rules(entry) == []
    script.write_text("2", encoding="utf-8")
    assert rules(entry) == ["drifted-server"]
    script.unlink()
    assert rules(entry) == ["drifted-server"]


def test_an_older_runtime_is_told_and_a_newer_one_is_not(entry):
    assert rules(entry, runtime="99.0.0") == ["older-server"]
    assert rules(entry, runtime="0.0.1") == []
    assert rules(entry, runtime=f"{entry.runtime}.1") == ["older-server"]


def test_versions_are_compared_as_numbers(package):
    record = package_entry(Package(str(package)), "weather", sys.executable, "3.13.0")
    assert rules(Entry("weather", {**record, "runtime": "0.9.0"}), runtime="0.10.0") == ["older-server"]
    assert rules(Entry("weather", {**record, "runtime": "0.10.0"}), runtime="0.9.0") == []


@posix
@pytest.mark.parametrize("which", ["file", "folder"])
def test_what_every_user_may_change_is_unsafe(entry, package, which):
    (package / "__main__.py" if which == "file" else package).chmod(0o777)
    assert set(rules(entry)) == {"unsafe-entry"}


@pytest.mark.parametrize(
    ("url", "headers", "expected"),
    [
        ("https://a.example/mcp", {"Authorization": "Bearer ${KEY}"}, []),
        ("https://a.example/mcp", {"authorization": "Bearer sk-1"}, ["unsafe-entry"]),
        ("https://a.example/mcp", {"X-Team": "sales"}, []),
        ("http://a.example/mcp", {"Authorization": "Bearer ${KEY}"}, ["open-connection"]),
        ("http://a.example/mcp", {}, []),
        ("http://127.0.0.1:8000/mcp", {"Authorization": "Bearer ${KEY}"}, []),
        ("http://localhost/mcp", {"Authorization": "Bearer ${KEY}"}, []),
        ("http://[::1]:80/mcp", {"Authorization": "Bearer ${KEY}"}, []),
        ("http://localhost.evil.example/mcp", {"Authorization": "Bearer ${KEY}"}, ["open-connection"]),
        ("http://a.example/mcp", {"Cookie": "sid=1"}, ["unsafe-entry", "open-connection"]),
        ("http://A.example?x=/localhost", {"X-Api-Key": "${KEY}"}, ["open-connection"]),
        ("https://a.example/mcp", {"x_auth_token": "1"}, ["unsafe-entry"]),
        ("https://a.example/mcp", {"X-Monkey": "1"}, []),
    ],
)
def test_secrets_are_neither_kept_nor_sent_in_the_clear(url, headers, expected):
    assert rules(Entry("a", url_entry("a", url, headers))) == expected
