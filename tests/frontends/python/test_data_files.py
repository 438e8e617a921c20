from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from generator.diagnostics.model import Severity
from generator.frontends.python.carry import Carried, carry
from generator.frontends.python.environment import Environment

if TYPE_CHECKING:
    from pathlib import Path


def carried(
    folder: Path, code: str, files: dict[str, str] | None = None, entry: str = "weather.py", **options
) -> Carried:
    for name, text in {**(files or {}), entry: code}.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return carry(folder / entry, package="weather_mcp", environment=Environment(paths=()), **options)


def data(result: Carried) -> list[str]:
    return [file.path for file in result.files if not file.path.endswith(".py")]


def codes(result: Carried) -> list[str]:
    return [one.rule.code for one in result.diagnostics]


PATHS = """import os, pathlib, importlib.resources, pkgutil
import os.path as op
from pathlib import Path
from importlib.resources import files, as_file
"""


@pytest.mark.parametrize(
    "expression",
    [
        "Path(__file__).with_name('x.json')",
        "Path(__file__).parent / 'x.json'",
        "Path(__file__).resolve().parent.joinpath('x.json')",
        "pathlib.Path(__file__).absolute().parents[0] / 'x.json'",
        "Path(__file__).with_suffix('.json').with_stem('x')",
        "Path(os.path.join(os.path.dirname(__file__), 'x.json'))",
        "op.join(op.dirname(op.abspath(__file__)), 'x.json')",
        "os.path.dirname(os.path.realpath(__file__)) + '/x.json'",
        "f'{os.path.dirname(__file__)}/x.json'",
        "str(Path(__file__).parent) + os.sep + 'x.json' if 0 else Path(__file__).parent / '.' / 'x.json'",
        "files(__package__) / 'x.json'",
        "files().joinpath('x.json')",
        "files(__spec__.parent) / 'x.json'",
        "importlib.resources.files(__name__).joinpath('x.json')",
        "importlib.resources.read_text(__package__, 'x.json')",
        "pkgutil.get_data(__name__, 'x.json')",
        "as_file(files(__package__) / 'x.json')",
        "Path(Path(__file__).parent, 'x.json')",
    ],
)
def test_every_usual_spelling_of_a_neighbour_is_understood(tmp_path: Path, expression: str) -> None:
    result = carried(
        tmp_path, f"{PATHS}def f():\n    return open({expression})\n", {"x.json": "{}", "other.json": "{}"}
    )
    assert (data(result), codes(result)) == (["x.json"], [])


def test_constants_lead_to_the_files_that_are_made_from_them(tmp_path: Path) -> None:
    code = (
        "from pathlib import Path\nHERE = Path(__file__).parent\nDATA: Path = HERE / 'data'\nNAME = 'a.csv'\n"
        "def f():\n    base = HERE / 'more'\n    return (DATA / NAME).read_text() + open(base / 'b.csv').read()\n"
    )
    files = {"data/a.csv": "1", "data/unused.csv": "2", "more/b.csv": "3", "more/c.csv": "4"}
    assert data(carried(tmp_path, code, files)) == ["data/a.csv", "more/b.csv"]


def test_a_file_read_into_a_constant_is_copied(tmp_path: Path) -> None:
    code = (
        "import json\nfrom pathlib import Path\nX: dict = json.loads(Path(__file__).with_name('x.json').read_text())\n"
    )
    assert data(carried(tmp_path, code + "def f(): return X\n", {"x.json": "{}"})) == ["x.json"]


def test_a_folder_searched_at_run_time_is_copied_with_what_is_below(tmp_path: Path) -> None:
    code = "from pathlib import Path\nDATA = Path(__file__).parent / 'data'\ndef f(n): return (DATA / n).read_text()\n"
    files = {
        "data/a.csv": "1",
        "data/deep/b.json": "2",
        "data/.hidden": "3",
        "data/x.pyc": "4",
        "data/.git/config.ini": "5",
    }
    assert data(carried(tmp_path, code, files)) == ["data/a.csv", "data/deep/b.json"]


def test_a_folder_named_for_other_modules_is_copied(tmp_path: Path) -> None:
    files = {
        "paths.py": "from pathlib import Path\nDATA = Path(__file__).parent / 'data'\nONE = DATA / 'a.csv'\n",
        "data/a.csv": "",
        "data/b.csv": "",
    }
    result = carried(tmp_path, "import paths\ndef f(): return (paths.DATA / 'b.csv').read_text()\n", files)
    assert data(result) == ["data/a.csv", "data/b.csv"]


def test_the_modules_own_folder_and_those_above_are_not_data(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom pathlib import Path\nsys.path.insert(0, str(Path(__file__).parent.parent))\n"
        "HERE = Path(__file__).parent\n"
    )
    result = carried(tmp_path, code, {"x.json": ""}, "app/weather.py")
    assert (data(result), codes(result)) == ([], [])


def test_a_missing_file_that_is_read_is_an_error_with_its_place(tmp_path: Path) -> None:
    result = carried(tmp_path, "from pathlib import Path\nX = Path(__file__).with_name('gone.json').read_text()\n")
    (found,) = result.diagnostics
    assert (found.rule.code, found.level, found.message) == (
        "MG132",
        Severity.ERROR,
        "the data file gone.json does not exist",
    )
    assert found.span is not None
    assert (found.span.line, found.span.column) == (2, 5)


@pytest.mark.parametrize(
    "use",
    [
        "CACHE.write_text('x')",
        "open(CACHE, 'w')",
        "CACHE.open(mode='ab')",
        "CACHE.exists() and CACHE.read_text()",
        "os.path.exists(CACHE)",
        "CACHE.mkdir()",
    ],
)
def test_a_missing_file_that_is_written_or_tested_for_is_no_error(tmp_path: Path, use: str) -> None:
    code = (
        f"import os\nfrom pathlib import Path\nCACHE = Path(__file__).with_name('cache.json')\ndef f(): return {use}\n"
    )
    assert "MG132" not in codes(carried(tmp_path, code))


def test_a_missing_file_whose_absence_is_caught_is_no_error(tmp_path: Path) -> None:
    read = "Path(__file__).with_name('x.txt').read_text()"
    code = f"from pathlib import Path\ntry:\n    X = {read}\nexcept OSError:\n    X = ''\n"
    assert codes(carried(tmp_path, code)) == []


@pytest.mark.parametrize(
    "path", ["parent.parent / 'out.json'", "parent / '../out.json'", "parents[1].joinpath('out.json')"]
)
def test_a_path_that_leads_out_is_refused(tmp_path: Path, path: str) -> None:
    code = f"from pathlib import Path\nX = (Path(__file__).{path}).read_text()\n"
    result = carried(tmp_path, code, {"out.json": ""}, "app/weather.py")
    assert (data(result), codes(result)) == ([], ["MG136"])
    assert str(tmp_path) not in result.diagnostics[0].message


def test_a_link_that_leads_out_is_refused_and_one_that_stays_is_copied(tmp_path: Path) -> None:
    code = (
        "from pathlib import Path\nA = (Path(__file__).parent / 'd').iterdir()\n"
        "B = (Path(__file__).parent / 'e').iterdir()\n"
    )
    (tmp_path / "secret.txt").write_text("s")
    (tmp_path / "far").mkdir()
    (tmp_path / "app/d").mkdir(parents=True)
    (tmp_path / "app/d/real.txt").write_text("r")
    (tmp_path / "app/d/in.txt").symlink_to("real.txt")
    (tmp_path / "app/d/out.txt").symlink_to(tmp_path / "secret.txt")
    (tmp_path / "app/e").symlink_to(tmp_path / "far")
    result = carried(tmp_path, code, entry="app/weather.py")
    assert (data(result), codes(result)) == (["d/in.txt", "d/real.txt"], ["MG136", "MG136"])


@pytest.mark.parametrize(
    "name", [".env", ".env.local", "server.pem", "id_rsa", "service-account-prod.json", ".aws/config.ini"]
)
def test_a_secret_is_never_copied_and_the_author_is_told(tmp_path: Path, name: str) -> None:
    code = f"from pathlib import Path\nX = (Path(__file__).parent / {name!r}).read_text()\n"
    result = carried(tmp_path, code, {name: "TOKEN=1"}, include=(name,))
    assert data(result) == []
    assert [(one.rule.code, one.level) for one in result.diagnostics] == [("MG136", Severity.WARNING)] * 2


def test_an_example_of_a_secret_and_code_named_like_one_are_copied(tmp_path: Path) -> None:
    result = carried(
        tmp_path,
        "import secrets_store\n",
        {".env.example": "TOKEN=", "secrets_store.py": ""},
        include=(".env.example",),
    )
    assert [file.path for file in result.files] == [".env.example", "secrets_store.py", "weather.py"]


@pytest.mark.parametrize(
    ("patterns", "expected"),
    [
        (("*.json",), ["a.json"]),
        (("data/*.csv",), ["data/b.csv"]),
        (("data",), ["data/b.csv", "data/deep/c.csv"]),
        (("data/",), ["data/b.csv", "data/deep/c.csv"]),
        (("**/*.csv",), ["data/b.csv", "data/deep/c.csv"]),
        (("data/**",), ["data/b.csv", "data/deep/c.csv"]),
        (("data/[b].csv", "a.json"), ["a.json", "data/b.csv"]),
        (("odd.weird",), ["odd.weird"]),
        (("*",), ["a.json", "data/b.csv", "data/deep/c.csv", "odd.weird"]),
    ],
)
def test_include_patterns(tmp_path: Path, patterns: tuple[str, ...], expected: list[str]) -> None:
    files = {"a.json": "", "data/b.csv": "", "data/deep/c.csv": "", "odd.weird": ""}
    result = carried(tmp_path, "X = 1\n", files, include=patterns)
    assert (sorted(data(result)), codes(result)) == (expected, [])


@pytest.mark.parametrize("pattern", ["../x.json", "/etc/hostname", "a/../../x", "C:\\x", "..\\x"])
def test_include_may_not_lead_out(tmp_path: Path, pattern: str) -> None:
    assert codes(carried(tmp_path, "X = 1\n", include=(pattern,))) == ["MG136"]


def test_an_include_that_matches_nothing_is_an_error(tmp_path: Path) -> None:
    assert codes(carried(tmp_path, "X = 1\n", include=("*.csv",))) == ["MG132"]


def test_python_files_named_by_include_are_modules_with_their_own_imports(tmp_path: Path) -> None:
    files = {"plugins/one.py": "import shared_things\n", "shared_things.py": ""}
    result = carried(tmp_path, "X = 1\n", files, include=("plugins/*.py",))
    assert {file.path: file.content for file in result.files} == {
        "plugins/one.py": b"from .. import shared_things\n",
        "shared_things.py": b"",
        "weather.py": b"X = 1\n",
    }


def test_data_of_a_package_module_keeps_its_place(tmp_path: Path) -> None:
    files = {"shop/__init__.py": "", "shop/data/p.toml": ""}
    code = (
        "from . import *\nfrom importlib.resources import files\n"
        "X = files('shop.data') / 'p.toml'\nY = files(__package__) / 'data' / 'p.toml'\n"
    )
    result = carried(tmp_path, code, files, "shop/api.py")
    assert data(result) == ["shop/data/p.toml"]
    assert b"files('weather_mcp.shop.data')" in result.files[1].content


def test_digests_of_data_are_recorded(tmp_path: Path) -> None:
    result = carried(tmp_path, "X = 1\n", {"a.json": "{}"}, include=("a.json",))
    assert result.inputs["a.json"] == "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"


def test_names_that_double_one_another_are_given_up_quickly(tmp_path: Path) -> None:
    lines = ["import os", "a0 = os.path.dirname(__file__)"]
    lines += [f"a{n} = a{n - 1} + a{n - 1}" for n in range(1, 60)]
    assert data(carried(tmp_path, "\n".join([*lines, "print(a59)\n"]))) == []


def test_a_name_made_from_itself_has_no_value(tmp_path: Path) -> None:
    assert codes(carried(tmp_path, "a = a + 'x'\nb = c\nc = b\nprint(a, b, c)\n")) == []


def test_an_include_outside_the_modules_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "shared.csv").write_text("")
    result = carried(tmp_path, "X = 1\n", entry="app/weather.py", include=("shared.csv",), include_folder=tmp_path)
    assert [one.message for one in result.diagnostics] == [
        "the data file ../shared.csv lies outside the module's folder"
    ]


def test_the_stub_beside_a_module_counts_as_read(tmp_path: Path) -> None:
    assert list(carried(tmp_path, "X = 1\n", {"weather.pyi": "X: int"}).inputs) == ["weather.py", "weather.pyi"]


def test_other_absolute_paths_and_mere_text_are_none_of_our_business(tmp_path: Path) -> None:
    code = "from pathlib import Path\nA = '/etc/hostname'\nB = Path(__file__).parent / '/etc/hostname'\n"
    result = carried(tmp_path, code + "print('/', A, B, '../x', open('x.json'))\n", {"x.json": ""})
    assert (data(result), codes(result)) == ([], [])


def test_a_text_with_a_null_character_is_no_path(tmp_path: Path) -> None:
    result = carried(
        tmp_path, "from pathlib import Path\nHERE = Path(__file__)\nMARK = '\\0'\nprint(HERE.name, '\\0/x')\n"
    )
    assert (data(result), codes(result)) == ([], [])
