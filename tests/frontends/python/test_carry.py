from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from generator.diagnostics.model import Severity
from generator.frontends.python.carry import carry
from generator.frontends.python.environment import Environment

from .carrying import EMPTY, carried, codes, paths, run, write


def test_a_module_of_its_own_is_copied_byte_for_byte(tmp_path: Path) -> None:
    result = carried(tmp_path, {"weather.py": "import os\r\nX = 1  # é\n"})
    assert [(file.path, file.content) for file in result.files] == [
        ("weather.py", (tmp_path / "weather.py").read_bytes())
    ]
    assert result.module_targets == {"weather": ".weather"}
    assert (result.dependencies, result.needs_site, codes(result)) == ((), False, [])


def test_neighbours_are_followed_through_neighbours_and_circles(tmp_path: Path) -> None:
    result = carried(
        tmp_path,
        {
            "weather.py": (
                "import one\nimport lib.deep.leaf\nfrom lib import tool as t\n\n"
                "def go(): return [one.two.N, lib.deep.leaf.V, t.W]\n"
            ),
            "one.py": "import two\n",
            "two.py": "import one\nN = 1\n",
            "lib/__init__.py": "",
            "lib/deep/__init__.py": "from lib.tool import W\n",
            "lib/deep/leaf.py": "from . import W as V\n",
            "lib/tool.py": "W = 'w'\n",
            "unused.py": "import nothing_of_this\n",
        },
    )
    assert paths(result) == [
        "lib/__init__.py",
        "lib/deep/__init__.py",
        "lib/deep/leaf.py",
        "lib/tool.py",
        "one.py",
        "two.py",
        "weather.py",
    ]
    assert run(result, tmp_path, "from weather_mcp.weather import go; answer = go()") == [1, "w", "w"]
    assert result.module_targets["lib.tool"] == ".lib.tool"


def test_a_circle_that_leads_back_to_the_module_itself_works(tmp_path: Path) -> None:
    files = {
        "weather.py": "import helper\nN = 3\n\ndef go(): return helper.twice()\n",
        "helper.py": "import weather\n\ndef twice(): return weather.N * 2\n",
    }
    result = carried(tmp_path, files)
    assert run(result, tmp_path, "from weather_mcp.weather import go; answer = go()") == 6


def test_one_module_under_two_names_is_carried_once(tmp_path: Path) -> None:
    files = {
        "app/__init__.py": "",
        "app/weather.py": "from . import store\nimport store as again\n\ndef go(): return store is again\n",
        "app/store.py": "X = 1\n",
    }
    result = carried(tmp_path, files, "app/weather.py")
    assert paths(result) == ["app/__init__.py", "app/store.py", "app/weather.py"]
    assert run(result, tmp_path, "from weather_mcp.app.weather import go; answer = go()") is True
    assert result.module_targets["weather"] == result.module_targets["app.weather"] == ".app.weather"
    assert result.module_targets["store"] == ".app.store"


FORMS = """\
from __future__ import annotations
import json, one, os.path as osp   # a comment
import one as first, lib.deep.leaf, lib.tool as tool; import lib.deep
from one import (  # why
    N as n,

    twice,  # twice
)
from lib.deep.leaf import V
from lib import *
from lib import deep as d, tool as t2
try:
    import lib.missing
except ImportError:
    lib_missing = None
if True: import lib.late
class C:
    import one as inside
    import lib.tool
def go():
    import lib.other as o
    import lib.other
    from lib.deep import leaf
    def inner():
        from one import N
        return N
    return [n, twice(2), V, first.N, one.N, lib.deep.leaf.V, tool.W, d.leaf.V, t2.W, C.inside.N, C.lib.tool.W,
            lib.late.L, o.O, lib.other.O, leaf.V, inner(), exported, lib_missing, json.dumps([1]), osp.join("a", "b")]
"""


def test_every_form_of_import_gives_the_same_result_in_the_emitted_package(tmp_path: Path) -> None:
    files = {
        "weather.py": FORMS,
        "one.py": "N = 1\n\ndef twice(x): return x * 2\n",
        "lib/__init__.py": (
            "from lib import deep\n__all__ = ['exported']\nexported = 'e'\nother = 'shadows the module'\n"
        ),
        "lib/deep/__init__.py": "",
        "lib/deep/leaf.py": "import lib.tool\nV = lib.tool.W + 'v'\n",
        "lib/tool.py": "W = 'w'\n",
        "lib/late.py": "L = 'l'\n",
        "lib/other.py": "O = 'o'\n",
    }
    result = carried(tmp_path, files)
    program = (
        f"import sys, json; sys.path.insert(0, {str(tmp_path)!r}); import weather; print(json.dumps(weather.go()))"
    )
    original = subprocess.run(
        [sys.executable, "-I", "-S", "-B", "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    emitted = run(result, tmp_path, "from weather_mcp.weather import go; answer = go()")
    assert emitted == json.loads(original.stdout)
    assert len(result.files) == len(files)


def test_star_imports_of_local_modules_are_followed(tmp_path: Path) -> None:
    result = carried(tmp_path, {"weather.py": "from shapes import *\n", "shapes.py": "SIDE = 4\n"})
    assert run(result, tmp_path, "import weather_mcp.weather as w; answer = w.SIDE") == 4


def test_a_type_checking_import_is_carried_because_conversions_name_its_classes(tmp_path: Path) -> None:
    text = "TYPE_CHECKING = False\nif TYPE_CHECKING:\n    from model import Point\n"
    result = carried(tmp_path, {"weather.py": text, "model.py": "class Point: ...\n"})
    assert result.module_targets["model"] == ".model"


def test_a_neighbour_wins_over_the_standard_library_but_not_over_what_is_loaded_at_start(tmp_path: Path) -> None:
    files = {"weather.py": "import statistics, os\n", "statistics.py": "MINE = True\n", "os.py": "BAD = True\n"}
    result = carried(tmp_path, files)
    assert paths(result) == ["statistics.py", "weather.py"]
    assert run(result, tmp_path, "import weather_mcp.weather as w; answer = w.statistics.MINE") is True


def test_a_module_named_like_a_standard_one_may_import_that(tmp_path: Path) -> None:
    result = carried(
        tmp_path, {"statistics.py": "import statistics\n\ndef go(): return statistics.mean([1, 3])\n"}, "statistics.py"
    )
    assert run(result, tmp_path, "from weather_mcp.statistics import go; answer = go()") == 2


def test_a_module_named_like_the_emitted_package_keeps_its_name(tmp_path: Path) -> None:
    files = {"weather_mcp.py": "import other\n\ndef go(): return other.X\n", "other.py": "import weather_mcp\nX = 5\n"}
    result = carried(tmp_path, files, "weather_mcp.py")
    assert result.module_targets["weather_mcp"] == ".weather_mcp"
    assert run(result, tmp_path, "from weather_mcp.weather_mcp import go; answer = go()") == 5


@pytest.mark.parametrize("name", ["_runtime.py", "__main__.py", "invoke.py", "Catalog.json", "_Runtime/x.py"])
def test_a_name_the_package_needs_moves_the_whole_tree_into_a_folder(tmp_path: Path, name: str) -> None:
    files = {"weather.py": "import helper\n\ndef go(): return helper.X\n", "helper.py": "X = 7\n", name: "Y = 1\n"}
    result = carried(tmp_path, files, include=(name,))
    assert f"_source/{name}" in paths(result)
    assert result.module_targets["weather"] == "._source.weather"
    assert run(result, tmp_path, "from weather_mcp._source.weather import go; answer = go()") == 7


def test_a_file_whose_name_is_no_identifier_gets_one(tmp_path: Path) -> None:
    result = carried(tmp_path, {"2d-tools.py": "X = 1\n"}, "2d-tools.py")
    assert result.module_targets["2d-tools"] == "._2d_tools"
    assert paths(result) == ["_2d_tools.py"]


def test_namespace_folders_are_local_only_when_nothing_else_has_the_name(tmp_path: Path) -> None:
    write(tmp_path / "env", {"yaml/__init__.py": ""})
    files = {
        "proj/weather.py": "import parts.one\nimport yaml\n\ndef go(): return parts.one.X\n",
        "proj/parts/one.py": "X = 8\n",
        "proj/yaml/config.py": "",
    }
    write(tmp_path, files)
    environment = Environment(paths=(tmp_path / "env",))
    result = carry(tmp_path / "proj/weather.py", package="weather_mcp", environment=environment)
    assert paths(result) == ["parts/one.py", "weather.py"]
    assert b"import yaml\n" in result.files[1].content


def test_a_relative_import_beside_a_lone_file_works_and_a_missing_one_is_an_error(tmp_path: Path) -> None:
    files = {"weather.py": "from . import helper\nfrom . import gone\nfrom .. import far\n", "helper.py": "X = 1\n"}
    result = carried(tmp_path, files)
    assert paths(result) == ["helper.py", "weather.py"]
    assert codes(result) == ["MG131", "MG131"]
    gone, far = result.diagnostics
    assert gone.span is not None
    assert (gone.span.line, gone.level) == (2, Severity.ERROR)
    assert "`gone`" in gone.message
    assert "leads out" in far.message


def test_a_missing_submodule_is_an_error_unless_its_import_is_optional(tmp_path: Path) -> None:
    text = "import lib.gone\ntry:\n    from lib.speedups import x\nexcept ImportError:\n    x = None\n"
    result = carried(tmp_path, {"weather.py": text, "lib/__init__.py": ""})
    assert [(one.rule.code, one.span.line if one.span else 0) for one in result.diagnostics] == [("MG131", 1)]


def test_a_name_defined_by_a_package_is_no_missing_module(tmp_path: Path) -> None:
    result = carried(tmp_path, {"weather.py": "from lib import answer\n", "lib/__init__.py": "answer = 42\n"})
    assert codes(result) == []


def test_a_file_in_a_package_brings_what_is_reached_and_the_packages_above(tmp_path: Path) -> None:
    files = {
        "src/shop/__init__.py": "NAME = 'shop'\n",
        "src/shop/api/__init__.py": "",
        "src/shop/api/tools.py": (
            "from shop.store import get\nfrom .. import NAME\nimport shop.api.extra\n\n"
            "def go(): return [get(), NAME, shop.api.extra.E]\n"
        ),
        "src/shop/api/extra.py": "E = 'e'\n",
        "src/shop/store.py": "def get(): return 1\n",
        "src/shop/unrelated.py": "",
    }
    result = carried(tmp_path, files, "src/shop/api/tools.py")
    assert "shop/unrelated.py" not in paths(result)
    assert result.module_targets["shop.api.tools"] == ".shop.api.tools"
    assert run(result, tmp_path, "from weather_mcp.shop.api.tools import go; answer = go()") == [1, "shop", "e"]


def test_a_file_that_is_merely_in_a_package_folder_is_a_module_of_its_own(tmp_path: Path) -> None:
    result = carried(
        tmp_path, {"app/__init__.py": "", "app/weather.py": "import helper\n", "app/helper.py": ""}, "app/weather.py"
    )
    assert paths(result) == ["helper.py", "weather.py"]


def test_a_package_is_copied_whole_with_its_data_and_without_tests_caches_and_secrets(tmp_path: Path) -> None:
    files = {
        "shop/__init__.py": "from shop.core import total\n",
        "shop/core.py": (
            "import shop.data as d\nfrom importlib.resources import files\n\n"
            "def total(): return files('shop.data').joinpath('n.txt').read_text() + d.X\n"
        ),
        "shop/data/__init__.py": "X = '!'\n",
        "shop/data/n.txt": "12",
        "shop/plugins/late.py": "import shop\n",
        "shop/py.typed": "",
        "shop/.env": "TOKEN=1",
        "shop/server.key": "k",
        "shop/tests/test_core.py": "import pytest\n",
        "shop/__pycache__/core.cpython-313.pyc": "x",
        "shop/.git/config": "x",
        "shop/native.so": "x",
        "shop/notes.weird": "x",
    }
    result = carried(tmp_path, files, "shop")
    assert paths(result) == [
        "shop/__init__.py",
        "shop/core.py",
        "shop/data/__init__.py",
        "shop/data/n.txt",
        "shop/plugins/late.py",
        "shop/py.typed",
    ]
    assert run(result, tmp_path, "from weather_mcp.shop import total; answer = total()") == "12!"
    assert (result.module_targets["shop"], result.module_targets["shop.core"]) == (".shop", ".shop.core")


def test_the_init_file_of_a_package_stands_for_the_package(tmp_path: Path) -> None:
    result = carried(tmp_path, {"shop/__init__.py": "", "shop/a.py": ""}, "shop/__init__.py")
    assert paths(result) == ["shop/__init__.py", "shop/a.py"]


def test_a_module_behind_a_link_that_leads_out_is_not_read(tmp_path: Path) -> None:
    write(tmp_path, {"secret.py": "KEY = 1\n", "proj/weather.py": "import helper\n"})
    (tmp_path / "proj/helper.py").symlink_to(tmp_path / "secret.py")
    result = carry(tmp_path / "proj/weather.py", package="weather_mcp", environment=EMPTY)
    assert paths(result) == ["weather.py"]
    assert "MG136" in codes(result)


def test_imports_by_text_are_diagnosed_unless_they_name_the_standard_library(tmp_path: Path) -> None:
    text = (
        "import importlib\nfrom importlib import import_module as load\n\n"
        "def f(x):\n    load(x)\n    importlib.import_module('json')\n    return __import__('plugin_a')\n"
    )
    result = carried(tmp_path, {"weather.py": text})
    assert [(one.rule.code, one.span.line if one.span else 0) for one in result.diagnostics] == [
        ("MG130", 5),
        ("MG130", 7),
    ]
    assert result.needs_site


def test_a_broken_neighbour_is_reported_with_its_place(tmp_path: Path) -> None:
    result = carried(tmp_path, {"weather.py": "import helper\n", "helper.py": "def f(:\n"})
    assert [(one.rule.code, one.span.path if one.span else "") for one in result.diagnostics] == [
        ("MG103", (tmp_path / "helper.py").as_posix())
    ]


def test_diagnostics_print_paths_as_they_are_told(tmp_path: Path) -> None:
    files = {"weather.py": "import helper\n", "helper.py": "from . import gone\n"}
    result = carried(tmp_path, files, shown=lambda file: f"here/{file.name}")
    assert [one.span.path for one in result.diagnostics if one.span] == ["here/helper.py"]


def test_a_relative_entry_gives_relative_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"app/weather.py": "import helper\n", "app/helper.py": "from . import gone\n"})
    monkeypatch.chdir(tmp_path)
    result = carry(Path("app/weather.py"), package="weather_mcp", environment=EMPTY)
    assert [one.span.path for one in result.diagnostics if one.span] == ["app/helper.py"]


def test_digests_are_by_path_below_the_source_and_the_same_wherever_it_is(tmp_path: Path) -> None:
    files = {"weather.py": "import helper\n", "helper.py": "X = 1\n"}
    first, second = carried(tmp_path / "a", files), carried(tmp_path / "b/c", files)
    assert first == second
    assert list(first.inputs) == ["helper.py", "weather.py"]


def test_importing_mcpgen_needs_nothing(tmp_path: Path) -> None:
    result = carried(tmp_path, {"weather.py": "from mcpgen import tool\n", "mcpgen.py": "tool = None\n"})
    assert paths(result) == ["weather.py"]
    assert (result.dependencies, result.needs_site, codes(result)) == ((), False, [])


def test_copying_an_installed_file_takes_only_its_own_package(tmp_path: Path) -> None:
    files = {
        "site-packages/humane/__init__.py": "",
        "site-packages/humane/number.py": "from . import words\nimport other\n",
        "site-packages/humane/words.py": "",
        "site-packages/other.py": "",
    }
    result = carried(tmp_path, files, "site-packages/humane/number.py")
    assert paths(result) == ["humane/__init__.py", "humane/number.py", "humane/words.py"]
