"""Entries of Milo's registry, there and back."""

from __future__ import annotations

import hashlib
import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.registry.contents import of_command
from generator.runtime.registry.entries import Entry, fingerprint
from generator.runtime.registry.making import Package, completed, package_entry, url_entry
from generator.runtime.registry.milo import exported, imported
from generator.runtime.registry.problems import RegistryError
from generator.runtime.registry.shape import is_absolute

from .packages import make


@pytest.mark.requirement("R062")
def test_an_exported_entry_has_milos_members_and_its_digest(tmp_path):
    package = make(tmp_path / "weather-mcp")
    entry = Entry("weather", package_entry(Package(str(package)), "weather", sys.executable, "3.13.0"))
    made = exported(entry)
    assert list(made) == ["command", "description", "version", "project_root", "fingerprint", "installed_at"]
    text = json.dumps({"command": made["command"], "project_root": made["project_root"]}, sort_keys=True)
    assert made["fingerprint"] == hashlib.sha256(text.encode()).hexdigest()


def test_milo_gets_no_url():
    assert exported(Entry("a", url_entry("a", "https://a.example", {}))) is None


def test_a_relative_program_is_found_among_the_programs(tmp_path):
    program = tmp_path / "tool"
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    made = imported("a", {"command": ["tool", "--mcp"]}, str(tmp_path))
    assert made["command"] == [str(program), "--mcp"]
    assert made["files"] == of_command(made["command"]), "what is taken over is pinned as it is today"
    assert "cwd" not in made


def test_a_relative_path_is_one_of_the_project(tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "tool").write_bytes(b"")
    root = str(tmp_path)
    kept = {"command": ["./bin/tool"], "project_root": root, "fingerprint": fingerprint(["./bin/tool"], root)}
    made = imported("a", kept)
    assert (made["command"], made["cwd"]) == ([str(tmp_path / "bin" / "tool")], root)
    assert "fingerprint" not in made


@pytest.mark.parametrize(
    ("record", "rule"),
    [
        ({"command": ["no-such-program-anywhere"]}, "missing-program"),
        ({"command": ["./bin/tool"]}, "missing-program"),
        ({"command": []}, "invalid-entry"),
        ({"command": "tool"}, "invalid-entry"),
        ({"command": [1]}, "invalid-entry"),
        ({}, "invalid-entry"),
        ({"command": [sys.executable], "project_root": "/a", "fingerprint": "0" * 64}, "unsafe-entry"),
        ("tool", "invalid-entry"),
        (None, "invalid-entry"),
    ],
)
def test_what_cannot_be_started_is_refused(record, rule):
    with pytest.raises(RegistryError) as caught:
        imported("a", record)
    assert caught.value.problem.rule == rule


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=8)
    | st.sampled_from(["\0", "\ud800", "/", "C:\\\\x.exe"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
members = st.sampled_from(["command", "url", "cwd", "env", "files", "project_root", "fingerprint", "version", "other"])


@given(st.text(max_size=5) | st.just("a"), anything | st.dictionaries(members, anything, max_size=6))
def test_any_record_is_taken_over_or_refused(name, record):
    try:
        made = completed(name, imported(name, record, search=""))
    except RegistryError:
        pass
    else:
        assert "url" in made or is_absolute(made["command"][0])


@pytest.mark.parametrize("program", [r"C:\Python\python.exe", r"..\server.exe", r"\\host\share\x.exe"])
@pytest.mark.skipif(sys.platform == "win32", reason="there they are paths of this system")
def test_a_program_of_another_system_is_not_found_here(program):
    with pytest.raises(RegistryError) as caught:
        imported("a", {"command": [program]})
    assert caught.value.problem.rule == "missing-program"
