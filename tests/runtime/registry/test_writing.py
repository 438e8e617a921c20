"""Writing a registry: whole or not at all, one at a time, and nothing that was there is lost."""

from __future__ import annotations

import errno
import json
import os
import stat
import subprocess
import sys
import threading

import pytest

from generator.runtime.registry import writing
from generator.runtime.registry.locking import Lock
from generator.runtime.registry.problems import RegistryError
from generator.runtime.registry.reading import read
from generator.runtime.registry.registering import register, register_all, unregister
from generator.runtime.registry.writing import change, put

SECONDS = 60
"""For fifty processes on a loaded machine."""

PROCESSES = 50

posix = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows has no such permissions")


def content(path):
    return json.loads(path.read_bytes())


def named(command, **members):
    return {"command": command, "description": "", "version": "", **members}


@posix
def test_the_file_is_the_users_alone_whatever_the_umask(place, command):
    before = os.umask(0)
    try:
        register(str(place), "a", named(command))
    finally:
        os.umask(before)
    assert place.stat().st_mode & 0o777 == 0o600
    assert place.parent.stat().st_mode & 0o777 == 0o700
    assert sorted(each.name for each in place.parent.iterdir()) == ["registry.json", "registry.json.lock"]


@posix
def test_a_file_that_all_could_read_is_so_no_longer_after_a_write(write, command):
    path = write({"version": 1, "clis": {}}, 0o644)
    register(str(path), "a", named(command))
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.requirement("R061")
def test_fifty_processes_at_once_lose_nothing(place, command, root):
    """Two kinds of writers: half add an entry, half change one of their own that is there already."""
    register_all(str(place), {f"old-{number}": named(command) for number in range(PROCESSES // 2)})
    program = (
        "import sys\n"
        "sys.path.insert(0, sys.argv[1])\n"
        "from generator.runtime.registry.registering import register\n"
        "sys.stdin.read(1)\n"
        "register(sys.argv[2], sys.argv[3], {'command': sys.argv[4:], 'version': 'new'}, replace=True)\n"
    )
    half = PROCESSES // 2
    names = [f"new-{number}" for number in range(half)] + [f"old-{number}" for number in range(half)]
    words = [sys.executable, "-I", "-S", "-c", program, str(root), str(place)]
    running = [subprocess.Popen([*words, name, *command], stdin=subprocess.PIPE) for name in names]
    try:
        for each in running:
            each.stdin.write(b"!")
            each.stdin.flush()
        codes = [each.wait(SECONDS) for each in running]
    finally:
        for each in running:
            each.stdin.close()
            each.kill()
            each.wait()
    assert codes == [0] * PROCESSES
    clis = content(place)["clis"]
    assert {name: record["version"] for name, record in clis.items()} == dict.fromkeys(names, "new")
    assert sorted(each.name for each in place.parent.iterdir()) == ["registry.json", "registry.json.lock"]


def test_what_is_not_known_and_what_cannot_be_used_is_kept(write, command):
    path = write(
        {
            "version": 1,
            "made by": {"an": "other program"},
            "clis": {"Bad Name": "x", "mine": {"command": command, "theirs": [1.5, None, "é\ud800"]}},
            "servers": {"other": {"url": "https://o.example"}},
        }
    )
    register(str(path), "new", named(command))
    after = content(path)
    assert after.pop("made by") == {"an": "other program"}
    assert after["clis"].pop("Bad Name") == "x"
    assert after["clis"]["mine"]["theirs"] == [1.5, None, "é\ud800"]
    assert (list(after["clis"]), list(after["servers"])) == (["mine", "new"], ["other"])


def test_an_entry_is_written_where_entries_are_written(write, command):
    path = write({"version": 1, "servers": {"a": {"command": command}}})
    assert register(str(path), "a", named(command, version="2")).what == "replaced"
    assert content(path) == {"version": 1, "servers": {}, "clis": {"a": named(command, version="2")}}


@pytest.mark.parametrize("text", [b"{", b'{"version":999,"clis":{}}', b'{"version":1,"clis":{"a":1,"a":2}}'])
def test_nothing_is_written_over_a_file_that_is_not_understood(write, command, text):
    path = write(text)
    with pytest.raises(RegistryError):
        register(str(path), "a", named(command))
    with pytest.raises(RegistryError):
        unregister(str(path), lambda name, record: True)
    assert path.read_bytes() == text


def test_a_change_that_fails_leaves_the_file(write, command):
    path = write({"version": 1, "clis": {}})
    before = path.read_bytes()

    def edit(document):
        put(document, "a", named(command))
        raise LookupError

    with pytest.raises(LookupError):
        change(str(path), edit)
    assert path.read_bytes() == before
    assert register(str(path), "a", named(command)).what == "added", "the lock was freed"


def test_a_write_that_is_cut_off_leaves_the_old_file_and_its_rest_is_removed_later(place, command, root):
    """The process ends by force between writing the new content and giving it its name."""
    register(str(place), "a", named(command))
    before = place.read_bytes()
    program = (
        "import os, sys\n"
        "sys.path.insert(0, sys.argv[1])\n"
        "from generator.runtime.registry import registering\n"
        "os.replace = lambda *paths: os._exit(9)\n"
        "registering.register(sys.argv[2], 'b', {'command': sys.argv[3:]})\n"
    )
    ended = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program, str(root), str(place), *command], timeout=SECONDS, check=False
    )
    assert ended.returncode == 9
    assert place.read_bytes() == before
    assert [each.name for each in place.parent.glob(".registry.json.*.tmp")] != []
    register(str(place), "c", named(command))
    assert set(read(str(place)).entries) == {"a", "c"}
    assert list(place.parent.glob(".registry.json.*.tmp")) == []


@posix
def test_file_and_folder_reach_the_disk_in_that_order(place, command, monkeypatch):
    done = []
    flush, rename = os.fsync, os.replace

    def fsync(descriptor):
        done.append("folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file")
        flush(descriptor)

    def replace(*paths):
        done.append("renamed")
        rename(*paths)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "replace", replace)
    register(str(place), "a", named(command))
    assert done == ["file", "renamed", "folder"]


@posix
def test_a_file_system_that_cannot_flush_a_folder_is_no_failure(place, command, monkeypatch):
    flush = os.fsync

    def fsync(descriptor):
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "Invalid argument")
        flush(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    register(str(place), "a", named(command))
    assert set(read(str(place)).entries) == {"a"}


def test_a_disk_that_is_full_leaves_the_old_file(place, command, monkeypatch):
    register(str(place), "a", named(command))
    before = place.read_bytes()

    def fsync(descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(RegistryError) as caught:
        register(str(place), "b", named(command))
    assert "No space left on device" in caught.value.problem.message
    assert place.read_bytes() == before
    assert sorted(each.name for each in place.parent.iterdir()) == ["registry.json", "registry.json.lock"]


def test_a_lock_that_does_not_come_free_is_told(place, command):
    place.parent.mkdir(parents=True, mode=0o700)
    with Lock(str(place)), pytest.raises(RegistryError) as caught:
        change(str(place), lambda document: put(document, "a", named(command)), wait=0.05)
    assert caught.value.problem.rule == "unwritable-registry"
    assert not place.exists()


def test_a_writer_waits_for_the_one_before(place, command):
    place.parent.mkdir(parents=True, mode=0o700)
    held, done = threading.Event(), []

    def write_later():
        held.wait(SECONDS)
        done.append(change(str(place), lambda document: put(document, "a", named(command))))

    waiting = threading.Thread(target=write_later)
    waiting.start()
    with Lock(str(place)):
        held.set()
        waiting.join(0.1)
        assert done == []
        assert not place.exists()
    waiting.join(SECONDS)
    assert done == [True]
    assert set(read(str(place)).entries) == {"a"}


@posix
def test_a_writer_that_dies_with_the_lock_is_in_nobodys_way(place, command, root):
    place.parent.mkdir(parents=True, mode=0o700)
    script = (
        "import sys\nfrom generator.runtime.registry.locking import Lock\n"
        "with Lock(sys.argv[1]):\n    print('held', flush=True)\n    sys.stdin.read()\n"
    )
    words = [sys.executable, "-c", script, str(place)]
    with subprocess.Popen(words, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout.readline() == b"held\n"
        done = []
        waiting = threading.Thread(target=lambda: done.append(register(str(place), "a", named(command)).what))
        waiting.start()
        waiting.join(0.1)
        assert done == []
        holder.kill()
        waiting.join(SECONDS)
    assert done == ["added"]


@posix
def test_a_link_to_the_file_stays_one(tmp_path, command):
    kept = tmp_path / "dotfiles" / "registry.json"
    kept.parent.mkdir()
    link = tmp_path / "registry.json"
    link.symlink_to(kept)
    register(str(link), "a", named(command))
    assert link.is_symlink()
    assert set(read(str(link)).entries) == set(content(kept)["clis"]) == {"a"}


@posix
def test_no_lock_is_taken_through_a_link(place, command, tmp_path):
    place.parent.mkdir(parents=True, mode=0o700)
    victim = tmp_path / "victim"
    place.with_name("registry.json.lock").symlink_to(victim)
    with pytest.raises(RegistryError) as caught:
        register(str(place), "a", named(command))
    assert caught.value.problem.rule == "unwritable-registry"
    assert not victim.exists()


@posix
def test_a_folder_of_all_is_not_written_to(place, command):
    place.parent.mkdir(parents=True)
    place.parent.chmod(0o777)
    with pytest.raises(RegistryError) as caught:
        register(str(place), "a", named(command))
    assert caught.value.problem.rule == "unsafe-registry"
    assert list(place.parent.iterdir()) == []


def test_a_registry_that_could_not_be_read_again_is_not_written(write, command, monkeypatch):
    path = write({"version": 1, "clis": {}})
    monkeypatch.setattr(writing, "MOST_ENTRIES", 1)
    register(str(path), "a", named(command))
    before = path.read_bytes()
    with pytest.raises(RegistryError) as caught:
        register(str(path), "b", named(command))
    assert caught.value.problem.rule == "unwritable-registry"
    assert path.read_bytes() == before
