"""Digests of what is run: the same for the same files, another one for any change of one."""

from __future__ import annotations

import os
import sys

import pytest

from generator.runtime.registry import contents
from generator.runtime.registry.contents import of_command, of_package
from generator.runtime.registry.problems import RegistryError


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "package"
    (place / "inner").mkdir(parents=True)
    (place / "a.py").write_bytes(b"1")
    (place / "inner" / "b.json").write_bytes(b"{}")
    return place


CHANGES = {
    "a content": lambda folder: (folder / "a.py").write_bytes(b"2"),
    "a new file": lambda folder: (folder / "c.py").write_bytes(b""),
    "a new file inside": lambda folder: (folder / "inner" / "c").write_bytes(b""),
    "a file less": lambda folder: (folder / "inner" / "b.json").unlink(),
    "another name": lambda folder: (folder / "a.py").rename(folder / "b.py"),
    "another folder": lambda folder: (folder / "inner").rename(folder / "outer"),
    "contents exchanged": lambda folder: (
        (folder / "a.py").write_bytes(b"{}"),
        (folder / "inner" / "b.json").write_bytes(b"1"),
    ),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_every_change_of_a_file_changes_the_digest(folder, change):
    before = of_package(str(folder))
    assert of_package(str(folder)) == before
    change(folder)
    assert of_package(str(folder)) != before


def test_what_comes_and_goes_by_itself_does_not_change_it(folder):
    before = of_package(str(folder))
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "a.pyc").write_bytes(b"x")
    os.utime(folder / "a.py", (1, 1))
    (folder / "empty").mkdir()
    assert of_package(str(folder)) == before


def test_where_the_package_is_does_not_change_it(folder, tmp_path):
    before = of_package(str(folder))
    folder.rename(tmp_path / "moved")
    assert of_package(str(tmp_path / "moved")) == before


@pytest.mark.skipif(os.name != "posix", reason="links need rights on Windows")
def test_links_are_followed_to_files_and_named_for_folders(folder, tmp_path):
    other = tmp_path / "other.py"
    other.write_bytes(b"1")
    (folder / "link.py").symlink_to(other)
    before = of_package(str(folder))
    other.write_bytes(b"2")
    after = of_package(str(folder))
    assert after != before
    (folder / "round").symlink_to(folder)
    (folder / "lost").symlink_to(tmp_path / "nowhere")
    assert of_package(str(folder)) != after


@pytest.mark.skipif(os.name != "posix", reason="Windows has no FIFOs in folders")
def test_what_is_no_file_holds_nothing_up(folder):
    os.mkfifo(folder / "pipe")
    assert of_package(str(folder)).startswith("sha256:")


def test_a_package_without_end_is_refused(folder, monkeypatch):
    monkeypatch.setattr(contents, "MOST_FILES", 1)
    with pytest.raises(RegistryError):
        of_package(str(folder))
    monkeypatch.setattr(contents, "MOST_FILES", 10)
    monkeypatch.setattr(contents, "MAX_BYTES", 2)
    with pytest.raises(RegistryError):
        of_package(str(folder))


def test_a_folder_that_is_not_there_is_an_error_of_the_system(tmp_path):
    with pytest.raises(OSError, match="nowhere"):
        of_package(str(tmp_path / "nowhere"))


def test_files_of_a_command_are_seen_from_its_folder(folder):
    """`python server.py` is registered as it was typed: what it runs is in the folder it was typed in."""
    command = [sys.executable, "a.py", "-", ""]
    before = of_command(command, str(folder))
    assert before != of_command(command), "that is the interpreter's"
    (folder / "a.py").write_bytes(b"another")
    assert of_command(command, str(folder)) != before


def test_a_large_file_of_a_command_is_known_without_being_read(folder, monkeypatch):
    monkeypatch.setattr(contents, "LARGEST_READ", 10)
    monkeypatch.setattr(contents, "MAX_BYTES", 10)
    model = folder / "model.bin"
    model.write_bytes(b"x" * 11)
    os.utime(model, ns=(1, 1))
    before = of_command([sys.executable, str(model)])
    assert before == of_command([sys.executable, str(model)])
    os.utime(model, ns=(1, 2))
    assert of_command([sys.executable, str(model)]) != before


def test_a_command_without_a_file_is_known_by_its_program(folder):
    program = folder / "a.py"
    assert of_command([str(program), "--flag"]) == of_command([str(program)])
    assert of_command([str(program), str(folder / "inner" / "b.json")]) != of_command([str(program)])
    assert of_command([str(folder / "nothing")]) is None
