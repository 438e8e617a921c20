"""Comparing a folder with what a build would write."""

import json
import subprocess
import sys

import pytest

from generator.output import diff, lock
from generator.output.check import check, import_problem
from generator.output.write import write

LOCK = lock.Lock(generator="1", runtime="2")
TREE = {"pkg/a.py": b"a = 1\nb = 2\n", "b.txt": b"b\n", "pkg/_runtime/r.py": b"r = 1\n"}


@pytest.fixture
def out(tmp_path):
    write(TREE, tmp_path, LOCK)
    return tmp_path


def test_an_untouched_folder_has_no_drift(out):
    checked = check(TREE, out, LOCK)
    assert (checked.difference, checked.diagnostics) == ("", ())


@pytest.mark.parametrize(
    ("change", "code", "message"),
    [
        (lambda out: (out / "b.txt").write_bytes(b"x\n"), "MG601", "`b.txt` was edited since mcpgen wrote it"),
        (lambda out: (out / "b.txt").unlink(), "MG603", "`b.txt` is missing"),
        (
            lambda out: write(TREE | {"c.txt": b""}, out, LOCK),
            "MG603",
            "`c.txt` is no longer generated",
        ),
        (
            lambda out: write(TREE, out, lock.Lock(generator="0", runtime="2")),
            "MG603",
            "`mcpgen.lock` is not what a build writes now",
        ),
    ],
)
def test_every_kind_of_drift_is_named_and_nothing_is_written(out, change, code, message):
    change(out)
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    checked = check(TREE, out, LOCK)
    assert [(each.rule.code, each.message) for each in checked.diagnostics] == [(code, message)]
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before


def write_foreign(out):
    write({path: content for path, content in TREE.items() if path != "b.txt"}, out, LOCK)
    (out / "b.txt").write_bytes(b"theirs\n")
    write({path: content for path, content in TREE.items() if path != "b.txt"}, out, LOCK)


@pytest.mark.parametrize(
    ("change", "action"),
    [
        (lambda out: (out / "b.txt").write_bytes(b"x\n"), "Move the edit to the source"),
        (lambda out: (out / "b.txt").unlink(), "Build again without --check to write it"),
        (lambda out: write(TREE | {"b.txt": b"old\n"}, out, LOCK), "Build again without --check, and review"),
        (lambda out: write(TREE | {"c.txt": b""}, out, LOCK), "it is then deleted"),
        (write_foreign, "Move it away"),
    ],
)
def test_every_kind_of_drift_has_the_action_that_ends_it(out, change, action):
    change(out)
    hints = [each.hint for each in check(TREE, out, LOCK).diagnostics]
    assert [hint for hint in hints if action in hint] == hints != []
    building = any(hint.startswith("Build again") for hint in hints)
    assert write(TREE, out, LOCK).refused is not building
    assert (check(TREE, out, LOCK).diagnostics == ()) is building


def test_a_folder_that_was_never_built_is_one_finding_and_stays_so(out, tmp_path):
    none = tmp_path / "none"
    checked = check(TREE, none, LOCK)
    assert [each.message for each in checked.diagnostics] == [f"`{none}` does not exist; build it first"]
    assert (checked.difference, none.exists()) == ("", False)
    (out / lock.LOCK_NAME).unlink()
    checked = check(TREE | {"new.txt": b""}, out, LOCK)
    assert [each.message for each in checked.diagnostics] == [f"`{out}` has no mcpgen.lock; build it first"]
    assert (checked.difference, checked.diagnostics[0].rule.code) == ("", "MG603")


def test_the_difference_is_a_patch(out):
    new = TREE | {"pkg/a.py": b"a = 1\nb = 3", "new.txt": b"n\n"}
    text = diff.unified(write(new, out, LOCK, dry_run=True).plan, new)
    subprocess.run(["git", "apply", "-"], input=text.encode(), cwd=out, check=True, timeout=30)
    assert (out / "pkg" / "a.py").read_bytes() == new["pkg/a.py"]
    assert (out / "new.txt").read_bytes() == b"n\n"


@pytest.mark.parametrize("path", ["pkg/_runtime/r.py", "pkg/catalog.cache.jsonl"])
def test_the_copied_runtime_and_the_cache_are_named_not_shown(out, path):
    new = TREE | {path: b"r = 2\n"}
    action = "update" if path in TREE else "create"
    assert diff.unified(write(new, out, LOCK, dry_run=True).plan, new) == f"# {path}: {action}\n"


def test_a_file_whose_name_only_resembles_the_cache_is_shown(out):
    new = TREE | {"pkg/my_catalog.cache.jsonl": b"1\n", "pkg/x_runtime/r.py": b"2\n"}
    assert diff.unified(write(new, out, LOCK, dry_run=True).plan, new).count("+++ b/pkg/") == 2


def test_binary_and_one_line_giants_are_said_to_differ(tmp_path):
    new = {"a.bin": b"\0\1", "b.jsonl": b"x" * 5000, "c.txt": b"\xff\xfe"}
    text = diff.unified(write(new, tmp_path, LOCK, dry_run=True).plan, new)
    assert text.splitlines() == [
        "# a.bin: 0 bytes -> 2 bytes",
        "# b.jsonl: 0 bytes -> 5000 bytes",
        "# c.txt: 0 bytes -> 2 bytes",
    ]


def catalog(**tools):
    entries = [{"definition": {"name": name} | definition} for name, definition in tools.items()]
    return json.dumps({"tools": entries}).encode()


def test_the_summary_says_what_changes_for_clients():
    old = catalog(same={}, gone={}, other={"description": "a", "inputSchema": {}})
    new = catalog(same={}, other={"description": "b", "inputSchema": {"type": "object"}}, fresh={})
    assert diff.semantic(old, new) == ["+ tool fresh", "- tool gone", "~ tool other: description, arguments"]
    assert diff.semantic(None, catalog(a={})) == ["+ tool a"]
    assert diff.semantic(b"not json", catalog()) == []


PACKAGE = {
    "w/__init__.py": b"",
    "w/__main__.py": b"if __name__ == '__main__':\n    raise SystemExit(1)\n",
    "w/catalog.json": b"{}",
    "w/theirs.py": b"raise SystemExit('the module was run')\n",
}


def test_a_sound_package_is_imported_without_running_the_users_module():
    assert import_problem(PACKAGE, "w", sys.executable) is None


@pytest.mark.parametrize(
    ("path", "content", "reason"),
    [
        ("w/__init__.py", b"import w.missing", "ModuleNotFoundError"),
        ("w/theirs.py", b"def f(:", "SyntaxError"),
        ("w/catalog.json", b"{", "JSONDecodeError"),
    ],
)
def test_a_package_that_cannot_be_imported_is_a_diagnostic(path, content, reason):
    problem = import_problem(PACKAGE | {path: content}, "w", sys.executable)
    assert problem is not None
    assert (problem.rule.code, reason in problem.message) == ("MG606", True)


def test_an_import_that_does_not_end_is_bounded(monkeypatch):
    monkeypatch.setattr("generator.output.check.IMPORT_SECONDS", 0.5)
    problem = import_problem(PACKAGE | {"w/__init__.py": b"while True: pass"}, "w", sys.executable)
    assert "did not end" in problem.message
