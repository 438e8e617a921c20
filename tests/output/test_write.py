"""Writing a tree: what is written, kept and deleted, and what an interruption leaves."""

import json
import multiprocessing
import os
import stat
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from generator.output import disk, lock
from generator.output.write import write

LOCK = lock.Lock(generator="1", runtime="2", names={".a:f": "f"})
FIRST = {"pkg/a.py": b"a = 1\n", "b.txt": b"b\n"}


def put(folder, tree, **options):
    return write(tree, folder, LOCK, **options)


def actions(result):
    return {step.path: step.action for step in result.plan.steps}


def files(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != lock.LOCK_NAME
    }


def codes(result):
    return [each.rule.code for each in result.diagnostics]


def test_a_tree_is_written_with_its_lock(tmp_path, root):
    result = put(tmp_path / "out", FIRST)
    assert files(tmp_path / "out") == FIRST
    assert (codes(result), result.refused) == ([], False)
    document = json.loads((tmp_path / "out" / lock.LOCK_NAME).read_bytes())
    schema = json.loads((root / "schemas" / "lock.schema.json").read_text(encoding="utf-8"))
    assert list(Draft202012Validator(schema).iter_errors(document)) == []
    assert document["files"]["b.txt"] == {"owner": "mcpgen", "sha256": lock.digest(b"b\n")}


def test_a_second_run_touches_nothing(tmp_path):
    put(tmp_path, FIRST)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    assert set(actions(put(tmp_path, FIRST)).values()) == {"unchanged"}
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


def test_an_edited_file_is_kept_and_the_rest_is_written(tmp_path):
    put(tmp_path, FIRST)
    (tmp_path / "b.txt").write_bytes(b"mine\n")
    result = put(tmp_path, {"pkg/a.py": b"a = 2\n", "b.txt": b"new\n"})
    assert files(tmp_path) == {"pkg/a.py": b"a = 2\n", "b.txt": b"mine\n"}
    assert (codes(result), result.refused) == (["MG601"], True)


def test_an_edit_is_reported_again_on_the_next_run_until_it_is_undone(tmp_path):
    put(tmp_path, FIRST)
    (tmp_path / "b.txt").write_bytes(b"mine\n")
    new = FIRST | {"b.txt": b"new\n"}
    assert [codes(put(tmp_path, new)) for _ in range(2)] == [["MG601"], ["MG601"]]
    (tmp_path / "b.txt").write_bytes(b"b\n")
    assert codes(put(tmp_path, new)) == []
    assert files(tmp_path)["b.txt"] == b"new\n"


def test_an_edited_file_is_kept_even_when_its_generated_form_is_the_same_as_before(tmp_path):
    put(tmp_path, FIRST)
    (tmp_path / "b.txt").write_bytes(b"mine\n")
    assert codes(put(tmp_path, FIRST)) == ["MG601"]
    assert files(tmp_path)["b.txt"] == b"mine\n"


def test_a_file_that_is_not_ours_is_never_touched(tmp_path):
    (tmp_path / "b.txt").write_bytes(b"theirs\n")
    (tmp_path / "other.txt").write_bytes(b"theirs\n")
    result = put(tmp_path, FIRST)
    assert (codes(result), result.refused) == (["MG602"], True)
    assert files(tmp_path) == {"pkg/a.py": b"a = 1\n", "b.txt": b"theirs\n", "other.txt": b"theirs\n"}


def test_what_is_no_longer_generated_is_deleted_only_when_it_was_not_edited(tmp_path):
    put(tmp_path, FIRST | {"pkg/deep/c.py": b"c\n", "d.txt": b"d\n"})
    (tmp_path / "d.txt").write_bytes(b"mine\n")
    result = put(tmp_path, FIRST)
    assert files(tmp_path) == FIRST | {"d.txt": b"mine\n"}
    assert not (tmp_path / "pkg" / "deep").exists()
    assert (codes(result), result.refused) == (["MG601"], False)
    assert codes(put(tmp_path, FIRST)) == []


def test_a_folder_with_files_of_the_user_is_not_removed(tmp_path):
    put(tmp_path, FIRST)
    (tmp_path / "pkg" / "notes.txt").write_bytes(b"mine")
    put(tmp_path, {"b.txt": b"b\n"})
    assert files(tmp_path) == {"b.txt": b"b\n", "pkg/notes.txt": b"mine"}


def test_a_file_of_the_user_is_written_once(tmp_path):
    owners = {"b.txt": "user"}
    put(tmp_path, FIRST, owners=owners)
    (tmp_path / "b.txt").write_bytes(b"mine\n")
    result = put(tmp_path, FIRST | {"b.txt": b"new\n"}, owners=owners)
    assert (codes(result), files(tmp_path)["b.txt"]) == ([], b"mine\n")
    (tmp_path / "b.txt").unlink()
    put(tmp_path, FIRST | {"b.txt": b"new\n"}, owners=owners)
    assert "b.txt" not in files(tmp_path)


def test_a_beginning_is_ours_until_somebody_edits_it(tmp_path):
    options = {"owners": {"b.txt": "user"}, "begun": {"b.txt"}}
    put(tmp_path, FIRST, **options)
    assert actions(put(tmp_path, FIRST | {"b.txt": b"new\n"}, **options))["b.txt"] == "update"
    (tmp_path / "b.txt").unlink()
    assert actions(put(tmp_path, FIRST, **options))["b.txt"] == "create"
    (tmp_path / "b.txt").write_bytes(b"mine\n")
    result = put(tmp_path, FIRST | {"b.txt": b"new\n"}, **options)
    assert (codes(result), actions(result)["b.txt"], files(tmp_path)["b.txt"]) == ([], "yours", b"mine\n")


def test_a_deleted_generated_file_is_made_again(tmp_path):
    put(tmp_path, FIRST)
    (tmp_path / "b.txt").unlink()
    assert actions(put(tmp_path, FIRST))["b.txt"] == "create"


def test_a_dry_run_decides_and_touches_nothing(tmp_path):
    result = put(tmp_path / "out", FIRST, dry_run=True)
    assert set(actions(result).values()) == {"create"}
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege on Windows")
def test_links_below_the_folder_are_not_followed(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.py").write_bytes(b"theirs\n")
    out = tmp_path / "out"
    out.mkdir()
    (out / "pkg").symlink_to(outside)
    (out / "b.txt").symlink_to(outside / "a.py")
    assert codes(put(out, FIRST)) == ["MG602", "MG602"]
    assert files(outside) == {"a.py": b"theirs\n"}


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege on Windows")
def test_a_link_put_in_place_of_a_locked_folder_protects_what_it_points_to(tmp_path):
    out, outside = tmp_path / "out", tmp_path / "outside"
    put(out, FIRST)
    (out / "pkg").rename(outside)
    (out / "pkg").symlink_to(outside)
    put(out, {"b.txt": b"b\n"})
    assert files(outside) == {"a.py": b"a = 1\n"}


@pytest.mark.parametrize("path", ["../evil", "/etc/evil", "a\\b", "pkg/../x", "CON", "nul.txt", "a:b", "x/", "d ", ""])
def test_a_path_that_leaves_the_folder_or_that_some_system_lacks_is_refused(tmp_path, path):
    assert codes(put(tmp_path / "out", FIRST | {path: b""})) == ["MG604"]
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("other", ["PKG/A.py", "B.TXT", "b.txt/x", "pkg"])
def test_two_paths_that_meet_on_some_system_are_refused(tmp_path, other):
    assert "MG604" in codes(put(tmp_path / "out", FIRST | {other: b""}))


@pytest.mark.parametrize(
    "content",
    [b"{", b"[]", b"<<<<<<< ours\n", b'{"format": 2}', b"\xff", b"[" * 100_000, b'{"format": 1, "files": {}}'],
)
def test_a_broken_lock_stops_the_run_before_anything_is_touched(tmp_path, content):
    put(tmp_path, FIRST)
    (tmp_path / lock.LOCK_NAME).write_bytes(content)
    result = put(tmp_path, FIRST | {"b.txt": b"new\n"})
    assert (codes(result), result.refused, files(tmp_path)) == (["MG605"], True, FIRST)


def test_a_lock_that_names_a_path_outside_is_refused(tmp_path):
    victim = tmp_path / "victim.txt"
    victim.write_bytes(b"x")
    out = tmp_path / "out"
    put(out, FIRST)
    document = json.loads((out / lock.LOCK_NAME).read_bytes())
    document["files"]["../victim.txt"] = {"owner": "mcpgen", "sha256": lock.digest(b"x")}
    (out / lock.LOCK_NAME).write_text(json.dumps(document), encoding="utf-8")
    assert codes(put(out, FIRST)) == ["MG605"]
    assert victim.exists()


def test_an_output_that_is_a_file_is_a_diagnostic(tmp_path):
    (tmp_path / "out").write_bytes(b"")
    assert codes(put(tmp_path / "out", FIRST)) == ["MG604"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no permission bits")
def test_a_replaced_file_keeps_its_permissions_and_a_script_gets_its_bit(tmp_path):
    put(tmp_path, FIRST, executable={"pkg/a.py"})
    (tmp_path / "b.txt").chmod(0o640)
    put(tmp_path, FIRST | {"b.txt": b"new\n"})
    assert stat.S_IMODE((tmp_path / "b.txt").stat().st_mode) == 0o640
    assert (tmp_path / "pkg" / "a.py").stat().st_mode & stat.S_IXUSR


def test_a_failure_while_staging_leaves_the_old_files_whole(tmp_path, monkeypatch):
    put(tmp_path, FIRST)
    real, calls = disk.stage, []

    def failing(*arguments, **options):
        calls.append(arguments)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")
        return real(*arguments, **options)

    monkeypatch.setattr(disk, "stage", failing)
    result = put(tmp_path, {"pkg/a.py": b"2\n", "b.txt": b"2\n"})
    assert codes(result) == ["MG604"]
    assert files(tmp_path) == FIRST


def test_a_failure_between_two_files_says_that_the_folder_is_half_new(tmp_path, monkeypatch):
    put(tmp_path, FIRST)
    real, calls = disk.put, []

    def failing(*arguments):
        calls.append(arguments)
        if len(calls) == 2:
            raise OSError(5, "Input/output error")
        real(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(disk, "put", failing)
        result = put(tmp_path, {"pkg/a.py": b"2\n", "b.txt": b"2\n"})
    assert (codes(result), result.partial) == (["MG604"], True)
    assert "Input/output error" in result.diagnostics[0].message
    assert not put(tmp_path / "b.txt", FIRST).partial


def test_an_interruption_between_two_files_heals_on_the_next_run(tmp_path, monkeypatch):
    put(tmp_path, FIRST)
    new = {"pkg/a.py": b"2\n", "b.txt": b"2\n"}
    real, calls = disk.put, []

    def interrupted(*arguments):
        calls.append(arguments)
        if len(calls) == 2:
            raise KeyboardInterrupt
        real(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(disk, "put", interrupted)
        with pytest.raises(KeyboardInterrupt):
            put(tmp_path, new)
    assert all(content in (FIRST[path], new[path]) for path, content in files(tmp_path).items())
    assert codes(put(tmp_path, new)) == []
    assert files(tmp_path) == new


@pytest.mark.skipif(sys.platform == "win32", reason="folders cannot be locked on Windows")
def test_what_a_killed_run_left_is_swept_and_nothing_else(tmp_path):
    put(tmp_path, FIRST)
    left = [tmp_path / ".mcpgen-0123456789abcdef.tmp", tmp_path / "pkg" / ".mcpgen-fedcba9876543210.tmp"]
    theirs = tmp_path / ".mcpgen-mine.tmp"
    for path in (*left, theirs):
        path.write_bytes(b"half")
    put(tmp_path, FIRST)
    assert [path.exists() for path in (*left, theirs)] == [False, False, True]


def _writer(folder, number):
    for _ in range(10):
        put(Path(folder), {f"pkg/f{index}.py": f"{number} {index}\n".encode() * 50 for index in range(20)})


@pytest.mark.skipif(sys.platform == "win32", reason="folders cannot be locked on Windows")
def test_two_runs_at_once_leave_one_whole_result(tmp_path):
    context = multiprocessing.get_context("spawn")
    runs = [context.Process(target=_writer, args=(os.fspath(tmp_path), number)) for number in (1, 2)]
    for run in runs:
        run.start()
    for run in runs:
        run.join(60)
    assert [run.exitcode for run in runs] == [0, 0]
    written = files(tmp_path)
    known = lock.read(tmp_path).files
    assert len({content.split()[0] for content in written.values()}) == 1
    assert {path: entry.sha256 for path, entry in known.items()} == {p: lock.digest(c) for p, c in written.items()}


@pytest.mark.skipif(sys.platform == "win32", reason="folders cannot be locked on Windows")
def test_a_busy_folder_is_worth_waiting_for_not_another_folder(tmp_path, monkeypatch):
    def busy(*_):
        raise disk.FolderBusyError("another mcpgen is writing there")

    monkeypatch.setattr(disk, "exclusive", busy)
    (found,) = put(tmp_path, FIRST).diagnostics
    assert found.message.endswith("cannot be written: another mcpgen is writing there")
    assert found.hint.startswith("Wait")


@pytest.mark.skipif(sys.platform == "win32", reason="folders cannot be locked on Windows")
def test_a_folder_that_stays_busy_is_not_written(tmp_path):
    with disk.exclusive(tmp_path), pytest.raises(disk.FolderBusyError), disk.exclusive(tmp_path, wait=0.0):
        pass


_contents = st.dictionaries(st.sampled_from(["a", "b/c", "b/d", "e"]), st.sampled_from([b"1", b"2", b""]), max_size=4)


@given(first=_contents, second=_contents, edits=_contents)
def test_no_content_of_the_user_is_ever_lost(tmp_path_factory, first, second, edits):
    folder = tmp_path_factory.mktemp("out")
    put(folder, first)
    for path, content in edits.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_bytes(content + b" edited")
    put(folder, second)
    assert files(folder) == second | {path: content + b" edited" for path, content in edits.items()}


def test_the_lock_is_the_same_whatever_the_order(tmp_path):
    put(tmp_path / "a", FIRST)
    put(tmp_path / "b", dict(reversed(FIRST.items())))
    assert (tmp_path / "a" / lock.LOCK_NAME).read_bytes() == (tmp_path / "b" / lock.LOCK_NAME).read_bytes()
    assert lock.decode((tmp_path / "a" / lock.LOCK_NAME).read_bytes()).names == {".a:f": "f"}
