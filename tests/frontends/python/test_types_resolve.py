"""Names followed through imports, packages, stubs and installed distributions, importing nothing."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from generator.frontends.python.locate import Locator
from generator.frontends.python.search_paths import search_paths

from .typed import Typed, write

PACKAGE = {
    "pkg/__init__.py": "raise SystemExit('never run')\nfrom .models import *\nfrom . import models as m\n",
    "pkg/models.py": """
        from dataclasses import dataclass
        __all__ = ["Point"]
        @dataclass
        class Point:
            x: int
        @dataclass
        class Hidden:
            y: str
        Alias = Point
        class Outer:
            @dataclass
            class Inner:
                z: bool
    """,
}
POINT = {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"], "additionalProperties": False}


@pytest.mark.parametrize(
    ("text", "annotation"),
    [
        ("from pkg import Point", "Point"),
        ("from pkg import Point as P", "P"),
        ("import pkg.models", "pkg.models.Point"),
        ("import pkg.models as mm", "mm.Point"),
        ("from pkg.models import Alias", "Alias"),
        ("import pkg", "pkg.m.Alias"),
        ("from pkg import *", "Point"),
        ("from pkg import Point\nOther = Point\nThird = Other", "Third"),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from pkg import Point", "'Point'"),
    ],
)
def test_a_class_is_found_however_it_is_imported(tmp_path: Path, text: str, annotation: str) -> None:
    write(tmp_path, PACKAGE)
    typed = Typed(text, tmp_path)
    assert typed.schema(annotation) == {"$ref": "#/$defs/Point", "$defs": {"Point": POINT}}
    assert typed.conversion(annotation)[0]["record"]["target"] == "pkg.models:Point"
    assert "pkg" not in sys.modules


def test_a_nested_class_keeps_its_qualified_name(tmp_path: Path) -> None:
    write(tmp_path, PACKAGE)
    typed = Typed("import pkg.models as mm", tmp_path)
    assert typed.conversion("mm.Outer.Inner")[0]["record"]["target"] == "pkg.models:Outer.Inner"


def test_a_star_import_brings_only_what_all_names(tmp_path: Path) -> None:
    write(tmp_path, PACKAGE)
    assert Typed("from pkg import *", tmp_path).findings("Hidden") == [("unresolved-type", "error")]


def test_a_star_import_of_typing_hides_no_builtin() -> None:
    typed = Typed("from typing import *")
    assert typed.schema("int") == {"type": "integer"}
    assert typed.schema("Optional[List[int]]")["anyOf"][0]["items"] == {"type": "integer"}


def test_imports_in_a_circle_end_in_a_diagnostic(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "from b import X\n", "b.py": "from a import X\n", "c.py": "Y = Z\nZ = Y\n"})
    typed = Typed("from a import X\nfrom c import Y", tmp_path)
    assert typed.findings("X") == [("unresolved-type", "error")]
    assert typed.findings("Y")[0][1] == "error"


def test_an_unresolved_type_tells_the_chain_that_was_tried(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "from missing.frames import Frame\n"})
    typed = Typed("from a import Frame\ndef f(x: Frame) -> None: ...", tmp_path)
    [found] = typed.types.findings(typed.parameter("f"), "input")
    assert found.rule.name == "unresolved-type"
    assert "missing.frames.Frame" in found.message
    assert "from a import Frame; from missing.frames import Frame; module missing.frames was not found" in found.message
    assert found.span is not None
    assert (found.span.path, found.span.line, found.span.column, found.span.end_column) == ("m.py", 2, 10, 15)
    assert "--python" in found.hint
    assert "[tool.mcpgen.tools" in found.hint


def test_a_stub_is_preferred_to_the_source(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "lib.py": "T = str\n",
            "lib.pyi": "T = int\n",
            "other.py": "T = str\n",
            "other-stubs/__init__.pyi": "T = int\n",
        },
    )
    typed = Typed("import lib, other", tmp_path)
    assert typed.schema("lib.T") == {"type": "integer"}
    assert typed.schema("other.T") == {"type": "integer"}


def test_a_namespace_package_is_walked_over_its_portions(tmp_path: Path) -> None:
    write(tmp_path, {"one/space/a.py": "T = int\n", "two/space/b.py": "T = str\n"})
    locator = Locator([str(tmp_path / "one"), str(tmp_path / "two")])
    assert locator.find("space").path is None
    assert locator.find("space.a").path.endswith("a.py")
    assert locator.find("space.b").path.endswith("b.py")
    assert locator.find("space.c") is None


def test_site_packages_are_extended_by_pth_files_finders_and_editable_installs(tmp_path: Path) -> None:
    site = tmp_path / "env/lib/python3.12/site-packages"
    write(
        tmp_path,
        {
            "env/lib/python3.12/site-packages/extra.pth": "# comment\nimport os; os.abort()\n../../../../linked\n",
            "env/lib/python3.12/site-packages/__editable___q_1_finder.py": (
                f"MAPPING: dict[str, str] = {{'quux': {str(tmp_path / 'checkout/quux')!r}}}\n"
            ),
            "env/lib/python3.12/site-packages/d-1.dist-info/direct_url.json": json.dumps(
                {"url": (tmp_path / "project").as_uri(), "dir_info": {"editable": True}}
            ),
            "linked/linked_module.py": "",
            "checkout/quux/__init__.py": "",
            "project/src/edited.py": "",
        },
    )
    locator = Locator(search_paths([], tmp_path / "env"))
    assert str(site) in search_paths([], tmp_path / "env")
    for name in ("linked_module", "quux", "edited"):
        assert locator.find(name) is not None, name


def test_a_module_that_cannot_be_read_is_named_in_the_chain(tmp_path: Path) -> None:
    write(tmp_path, {"broken.py": "def (:\n"})
    typed = Typed("from broken import T\ndef f(x: T) -> None: ...", tmp_path)
    [found] = typed.types.findings(typed.parameter("f"), "input")
    assert "module broken cannot be read" in found.message


def test_an_extension_module_has_no_types(tmp_path: Path) -> None:
    (tmp_path / "fast.cpython-312-x86_64-linux-gnu.so").write_bytes(b"")
    (tmp_path / "fast.so").write_bytes(b"")
    typed = Typed("from fast import T", tmp_path)
    assert typed.findings("T") == [("unresolved-type", "error")]


@pytest.mark.parametrize("depth", [10, 400])
def test_long_chains_of_aliases_end(depth: int) -> None:
    lines = ["A0 = int"] + [f"A{number} = A{number - 1}" for number in range(1, depth + 1)]
    typed = Typed("\n".join(lines))
    found = typed.findings(f"A{depth}")
    assert found == [] if depth == 10 else all(level == "error" for _, level in found)
