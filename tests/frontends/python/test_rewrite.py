from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.frontends.python.import_statements import imports_of
from generator.frontends.python.rewrite import Rewriting, relative, rewrite
from generator.frontends.python.source import SourceProblem, parse_source

WIDE = "\N{FULLWIDTH LATIN SMALL LETTER L}ocal"
"""The identifier `local` in a form that Python makes equal to it (NFKC)."""

TOPS = {"local": ("local",), "helper": ("helper",)}


def rewritten(data: bytes | str, *, package: tuple[str, ...] = (), tops=TOPS, names=None) -> bytes:
    raw = data.encode("utf-8") if isinstance(data, str) else data
    source = parse_source(raw, path=Path("m.py"), shown="m.py")
    literals = [
        node for node in ast.walk(source.tree) if isinstance(node, ast.Constant) and node.value in (names or {})
    ]
    rewriting = Rewriting(tops=tops, package=package, names=[(node, names[node.value]) for node in literals])
    return rewrite(source, imports_of(source.tree), rewriting)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("import local", "from . import local"),
        ("import local as x", "from . import local as x"),
        ("import local.sub as x", "from .local import sub as x"),
        ("import local.a.b as x", "from .local.a import b as x"),
        ("import local.sub", "from . import local; from .local.sub import __name__ as _local_sub"),
        ("from local import y", "from .local import y"),
        ("from local.sub import y as z, w", "from .local.sub import y as z, w"),
        ("from local import *", "from .local import *"),
        ("import os, local, json", "import os; from . import local; import json"),
        ("import local, helper as h", "from . import local, helper as h"),
        ("import local; x = 1", "from . import local; x = 1"),
        ("import  local  # why", "from . import  local  # why"),
        (
            "from local import (  # one\n    a,  # two\n\n    b,\n)",
            "from .local import (  # one\n    a,  # two\n\n    b,\n)",
        ),
        ("from .local import y", "from .local import y"),
        ("from . import local", "from . import local"),
        (f"import {WIDE} as é", f"from . import {WIDE} as é"),
        (f"from {WIDE} import y", "from .local import y"),
        (f"import {WIDE}.sub", "from . import local; from .local.sub import __name__ as _local_sub"),
        ("import localized", "import localized"),
        ("from __future__ import annotations", "from __future__ import annotations"),
    ],
)
def test_each_form_of_a_local_import_becomes_relative(before: str, after: str) -> None:
    assert rewritten(before + "\n").decode() == after + "\n"


def test_imports_in_functions_branches_and_tries_are_rewritten_too() -> None:
    text = (
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n\tfrom local import T\n"
        "try: import local\nexcept ImportError: local = None\n"
        "def f():\n    import helper.deep\n    class C:\n        from helper import z\n    return helper\n"
    )
    assert rewritten(text).decode() == (
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n\tfrom .local import T\ntry: from . import local\n"
        "except ImportError: local = None\n"
        "def f():\n    from . import helper; from .helper.deep import __name__ as _helper_deep\n"
        "    class C:\n        from .helper import z\n    return helper\n"
    )


@pytest.mark.parametrize(
    ("package", "target", "expected"),
    [
        ((), ("a",), (1, ("a",))),
        (("a",), ("a",), (1, ())),
        (("a",), ("a", "b"), (1, ("b",))),
        (("a", "c"), ("a", "b"), (2, ("b",))),
        (("a", "c"), ("x",), (3, ("x",))),
        (("a", "c"), (), (3, ())),
    ],
)
def test_the_shortest_relative_name_is_used(package, target, expected) -> None:
    assert relative(package, target) == expected


def test_a_package_that_imports_itself_by_name_does_so_relatively() -> None:
    assert rewritten(
        "import pkg\nfrom pkg import a\nfrom pkg.sub import b\n", package=("pkg", "sub"), tops={"pkg": ("pkg",)}
    ) == (b"from ... import pkg\nfrom .. import a\nfrom . import b\n")


def test_a_file_without_local_imports_is_returned_untouched_without_libcst() -> None:
    code = (
        "import sys\nfrom pathlib import Path\nfrom generator.frontends.python.rewrite import Rewriting, rewrite\n"
        "from generator.frontends.python.source import parse_source\n"
        "s = parse_source(b'import os\\r\\nx = 1 \\n', path=Path('m.py'), shown='m.py')\n"
        "assert rewrite(s, (), Rewriting(tops={'local': ('local',)})) is s.data\n"
        "assert 'libcst' not in sys.modules\n"
    )
    root = Path(__file__).resolve().parents[3]
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60, cwd=root)


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "shift_jis", "koi8-r", "cp1252", "gb18030", "big5", "euc-jp"])
def test_the_encoding_is_kept(encoding: str) -> None:
    letter = {"latin-1": "é", "cp1252": "é", "koi8-r": "ж", "utf-8": "é"}.get(encoding, "中")
    text = f"# coding: {encoding}\r\nimport local  # {letter}\r\nx = '{letter}'\r\n"
    assert rewritten(text.encode(encoding)) == text.replace("import local", "from . import local").encode(encoding)


def test_a_byte_order_mark_and_mixed_line_ends_are_kept() -> None:
    data = b"\xef\xbb\xbfimport local\r\nx = 1\ny = 2\r\n\x0c\nz = 3\n  \n\t"
    assert rewritten(data) == data.replace(b"import local", b"from . import local")


def test_a_continued_line_stays_continued() -> None:
    result = rewritten("import os, \\\n    local\nx = 1\n").decode()
    assert result == "import os; \\\n    from . import local\nx = 1\n"


def test_a_package_named_as_text_gets_its_emitted_name() -> None:
    text = "from importlib import resources\nâ = 'é'; p = resources.files( 'local.data' ) / 'x'\n"
    result = rewritten(text, names={"local.data": "shop_mcp.local.data"}).decode()
    assert result == text.replace("'local.data'", "'shop_mcp.local.data'")


def test_text_that_libcst_cannot_keep_elsewhere_in_the_file_is_no_obstacle() -> None:
    text = "def f():\n    import local\n  # dedented\n    x\n\n  \n# e\n" + "y = " + "(" * 90 + "1" + ")" * 90 + "\n \t"
    assert rewritten(text).decode() == text.replace("import local", "from . import local")


def test_lines_may_end_with_carriage_returns_alone() -> None:
    assert rewritten(b"import os\rimport local\rx = 1\r") == b"import os\rfrom . import local\rx = 1\r"


def test_an_import_split_by_lone_carriage_returns_is_refused_with_its_place() -> None:
    with pytest.raises(SourceProblem) as caught:
        rewritten(b"from local import (\r  a\r)\r")
    assert caught.value.diagnostic.rule.code == "MG129"
    assert caught.value.diagnostic.span is not None


def test_a_long_chain_of_branches_is_rewritten() -> None:
    text = "import local\nif x == 0: pass\n" + "".join(f"elif x == {n}: pass\n" for n in range(1, 300))
    assert rewritten(text).decode() == text.replace("import local", "from . import local")


GAP = st.sampled_from([" ", "  ", "\t", " \\\n "])
COMMENT = st.sampled_from(["", "  # noqa", "#x", " # é ñ 中", "\t# type: ignore[x]"])
OTHER = st.sampled_from(
    [
        "x = 1",
        "import os",
        "from os import path",
        "if True:\n        y =  2",
        '"""doc\n  string"""',
        "z = [1,\n # in\n 2 ]",
        "",
        "  ",
        "# c",
    ]
)


@st.composite
def modules(draw) -> tuple[str, list[str]]:
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 8))):
        if draw(st.booleans()):
            gap, comment = draw(GAP), draw(COMMENT)
            lines.append(
                draw(
                    st.sampled_from([f"import{gap}local{comment}", f"from{gap}local{gap}import{gap}a,{gap}b{comment}"])
                )
            )
        else:
            lines.append(draw(OTHER))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    return end.join(line.replace("\n", end) for line in lines), lines


@settings(max_examples=150, deadline=None)
@given(modules())
def test_everything_but_the_import_itself_round_trips(drawn) -> None:
    text, _ = drawn
    result = rewritten(text.encode("utf-8")).decode("utf-8")
    undone = result.replace("from .local", "from local")
    for gap in (" ", "  ", "\t", " \\\n ", " \\\r\n "):
        undone = undone.replace(f"from . import{gap}local", f"import{gap}local").replace(
            f"from{gap}.local", f"from{gap}local"
        )
    assert undone == text
    before, after = ast.parse(text), ast.parse(result)
    assert [type(node) for node in before.body if not isinstance(node, ast.Import | ast.ImportFrom)] == [
        type(node) for node in after.body if not isinstance(node, ast.Import | ast.ImportFrom)
    ]
    assert [node.lineno for node in before.body] == [node.lineno for node in after.body]
