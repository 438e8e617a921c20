"""Folders that are no place for a server: another server's, the root, the home folder, the source's."""

import dataclasses
from pathlib import Path

import pytest

from generator.output import lock
from generator.output.check import check
from generator.output.place import place_problem
from generator.output.write import write

OURS = lock.Lock(generator="1", runtime="2", server="rain-mcp")
THEIRS = dataclasses.replace(OURS, server="snow-mcp")
TREE = {"rain_mcp/catalog.json": b"{}", "server.py": b"rain\n"}
OTHER = {"snow_mcp/catalog.json": b"{}", "server.py": b"snow\n"}


def _files(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("before", [THEIRS, dataclasses.replace(THEIRS, server="")], ids=["told", "not told"])
def test_another_servers_folder_is_not_touched(tmp_path, before):
    write(OTHER, tmp_path, before)
    untouched = _files(tmp_path)
    for dry_run in (False, True):
        written = write(TREE, tmp_path, OURS, dry_run=dry_run)
        (found,) = written.diagnostics
        assert (written.plan, written.refused, found.rule.code) == (None, True, "MG607")
        assert "another server" in found.message
        assert "-o rain-mcp" in found.hint
    checked = check(TREE, tmp_path, OURS)
    assert (checked.refused, [each.rule.code for each in checked.diagnostics]) == (True, ["MG607"])
    assert _files(tmp_path) == untouched


@pytest.mark.parametrize("before", [OURS, dataclasses.replace(OURS, server="")], ids=["told", "not told"])
def test_the_servers_own_folder_is_written_again(tmp_path, before):
    write(TREE, tmp_path, before)
    assert write(TREE | {"new.txt": b""}, tmp_path, OURS).diagnostics == ()
    assert lock.read(tmp_path).server == "rain-mcp"


def test_a_package_can_be_renamed_in_its_folder(tmp_path):
    write(TREE, tmp_path, OURS)
    renamed = {"wet/catalog.json": b"{}", "server.py": b"rain\n"}
    assert write(renamed, tmp_path, OURS).diagnostics == ()
    assert not (tmp_path / "rain_mcp" / "catalog.json").exists()


def test_the_root_and_the_home_folder_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    root = place_problem(Path(tmp_path.anchor), "rain-mcp")
    assert "root of the file system" in root.message
    home = place_problem(tmp_path / "x" / "..", "rain-mcp")
    assert ("home folder" in home.message, "-o rain-mcp" in home.hint) == (True, True)
    assert place_problem(tmp_path / "x", "rain-mcp") is None


def test_a_user_without_a_home_can_build(tmp_path, monkeypatch):
    def homeless():
        raise RuntimeError

    monkeypatch.setattr(Path, "home", homeless)
    assert place_problem(tmp_path, "rain-mcp") is None


def test_a_folder_with_the_source_in_it_is_refused(tmp_path):
    source = tmp_path / "src" / "rain.py"
    source.parent.mkdir()
    source.write_bytes(b"")
    for folder in (source.parent, tmp_path):
        assert "contains the source" in place_problem(folder, "rain-mcp", source).message
    assert "contains the source" in place_problem(source.parent, "rain-mcp", source.parent).message
    assert place_problem(source.parent / "rain-mcp", "rain-mcp", source) is None
    assert place_problem(tmp_path / "sr", "rain-mcp", source) is None
