"""A file that a module writes beside itself is warned of, and carried only as the beginning of what is read back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from generator import build
from generator.diagnostics.model import Severity
from generator.output.lock import Lock
from generator.output.write import write

from .test_data_files import carried, codes, data

if TYPE_CHECKING:
    from pathlib import Path

HEAD = """import json, os, shutil, sqlite3
from pathlib import Path
HERE = Path(__file__).parent
"""
DB = f"{HEAD}DB = HERE / 'x.json'\n"

WRITING = [
    "DB.write_text('x')",
    "DB.write_bytes(b'x')",
    "DB.unlink()",
    "os.remove(DB)",
    "json.dump({}, open(DB, 'w'))",
    "DB.open('a').write('x')",
    "open(str(DB), mode='xb')",
    "shutil.copy('/elsewhere', DB)",
    "os.replace('/elsewhere', DB)",
    "frame.to_json(DB)",
    "DB.mkdir()",
    "DB.exists() and DB.touch()",
]

READING_TOO = [
    "sqlite3.connect(DB)",
    "open(DB, 'r+')",
    "DB.write_text(DB.read_text() + 'x')",
    "DB.rename('/elsewhere')",
]


@pytest.mark.parametrize("use", WRITING)
def test_a_file_that_is_only_written_is_warned_of_and_not_carried(tmp_path: Path, use: str) -> None:
    result = carried(tmp_path, f"{DB}def f(frame):\n    {use}\n", {"x.json": "{}"})
    assert (data(result), codes(result)) == ([], ["MG141"])
    (found,) = result.diagnostics
    assert found.level is Severity.WARNING
    assert "`x.json`" in found.message
    assert found.span is not None
    assert found.span.line == 6


@pytest.mark.parametrize("use", READING_TOO)
def test_a_file_that_is_also_read_is_carried_as_a_beginning(tmp_path: Path, use: str) -> None:
    result = carried(tmp_path, f"{DB}def f():\n    {use}\n", {"x.json": "{}"})
    assert (data(result), codes(result)) == (["x.json"], ["MG141"])
    assert [file.path for file in result.files if file.written] == ["x.json"]
    assert "x.json" not in result.inputs  # running the module changes it, which is no drift


@pytest.mark.parametrize("use", [*WRITING, *READING_TOO])
def test_a_written_file_may_be_missing(tmp_path: Path, use: str) -> None:
    assert codes(carried(tmp_path, f"{DB}def f(frame):\n    {use}\n")) == ["MG141"]


@pytest.mark.parametrize(
    "use",
    [
        "DB.read_text()",
        "open(DB).read()",
        "open(DB, 'rb')",
        "str(DB).replace('a', 'b')",
        "Path('/elsewhere').write_text(DB.read_text())",
        "shutil.copy(DB, '/elsewhere')",
        "open('/elsewhere', 'w').write(open(DB).read())",
    ],
)
def test_reading_is_no_writing(tmp_path: Path, use: str) -> None:
    result = carried(tmp_path, f"{DB}def f():\n    {use}\n", {"x.json": "{}"})
    assert (data(result), codes(result)) == (["x.json"], [])
    assert not [file.path for file in result.files if file.written]


def test_a_parameter_or_local_of_the_same_name_is_not_the_modules_file(tmp_path: Path) -> None:
    code = f"{DB}def f(DB):\n    DB.write_text('x')\ndef g():\n    path = DB\n    return path.read_text()\n"
    code += "def h(path):\n    path.write_text('x')\n"
    assert codes(carried(tmp_path, code, {"x.json": "{}"})) == []


def test_names_lead_from_a_local_to_the_folder_that_is_written(tmp_path: Path) -> None:
    code = "def f(name):\n    out = HERE / 'notes' / f'{name}.txt'\n    out.write_text('x')\n"
    result = carried(tmp_path, HEAD + code, {"notes/a.txt": "1"})
    assert (data(result), codes(result)) == (["notes/a.txt"], ["MG141"])
    assert "`notes`" in result.diagnostics[0].message


def test_a_folder_that_the_code_makes_and_only_writes_into_is_not_carried(tmp_path: Path) -> None:
    code = "OUT = HERE / 'out'\ndef f(name):\n    OUT.mkdir()\n    (OUT / name).write_text('x')\n"
    result = carried(tmp_path, HEAD + code, {"out/a.txt": "1"})
    assert (data(result), codes(result)) == ([], ["MG141"])


def test_writing_under_a_computed_name_beside_the_module_is_warned_of(tmp_path: Path) -> None:
    result = carried(tmp_path, f"{HEAD}def f(name):\n    (HERE / f'{{name}}.txt').write_text('x')\n")
    assert codes(result) == ["MG141"]


def test_making_the_folder_of_a_file_is_not_told_twice(tmp_path: Path) -> None:
    code = f"{HEAD}N = HERE / 'state' / 'n.json'\ndef f():\n    N.parent.mkdir()\n    N.write_text('x')\n"
    assert codes(carried(tmp_path, code)) == ["MG141"]


def test_class_attributes_and_the_names_of_other_modules_are_followed(tmp_path: Path) -> None:
    code = HEAD + "class Store:\n    where = HERE / 'y.json'\n    def save(self):\n        self.where.write_text('x')\n"
    assert "`y.json`" in carried(tmp_path, code, {"y.json": "{}"}).diagnostics[0].message
    for use in ("import paths\ndef f(): paths.DB.write_text('x')", "from paths import DB\ndef f(): DB.write_text('x')"):
        assert codes(carried(tmp_path, f"{use}\n", {"paths.py": DB, "x.json": "{}"}, "m.py")) == ["MG141"]


def test_a_written_file_that_include_names_is_carried(tmp_path: Path) -> None:
    result = carried(tmp_path, f"{DB}def f():\n    DB.write_text('x')\n", {"x.json": "{}"}, include=("x.json",))
    assert data(result) == ["x.json"]


def test_only_written_files_of_a_package_stay_behind(tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "x.json").write_text("{}", encoding="utf-8")
    code = f"{DB}def f():\n    DB.write_text('x')\n"
    result = carried(tmp_path, code, entry="app/__init__.py")
    assert (data(result), codes(result)) == ([], ["MG141"])


def test_a_later_build_keeps_what_the_server_wrote(tmp_path: Path) -> None:
    module = tmp_path / "notes.py"
    use = "def f(text: str) -> None:\n    'Do.'\n    DB.write_text(DB.read_text() + text)\n"
    module.write_text(DB + use, encoding="utf-8")
    (tmp_path / "x.json").write_text("{}", encoding="utf-8")
    result = build(str(module))
    assert [path for path, owner in result.owners.items() if owner == "user"] == ["notes_mcp/x.json"]
    arguments = (result.tree, tmp_path / "out", Lock(generator="1", runtime="1"))
    assert write(*arguments, owners=result.owners).refused is False
    copy = tmp_path / "out" / "notes_mcp" / "x.json"
    copy.write_text("changed", encoding="utf-8")
    again = write(*arguments, owners=result.owners)
    assert (again.refused, again.diagnostics, copy.read_text(encoding="utf-8")) == (False, (), "changed")
