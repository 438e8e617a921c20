"""What is said of a module, or of a name, from which nothing can be served."""

from __future__ import annotations

import importlib.machinery

import pytest

from generator.config import Config
from generator.diagnostics.model import Severity
from generator.frontends.python.environment import Environment, own_environment
from generator.frontends.python.read import read

from .front import front


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("from textwrap import dedent, fill", ["dedent", "fill"]),
        ("class C:\n    @staticmethod\n    def m(a: int) -> int: ...", ["C.m"]),
        ("class C:\n    def m(self, a: int) -> int: ...\nc = C()", ["c.m"]),
        ("f = lambda a: a", ["f"]),
        ("def _private(a: int) -> int: ...", ["_private"]),
        ("from textwrap import dedent\ndef _private(a: int) -> int: ...", ["dedent"]),
    ],
)
def test_a_module_without_tools_is_told_what_it_could_serve(text, named):
    found = front(text)
    said = [each for each in found.diagnostics if each.rule.name == "opt-in" and "can be served" in each.message]
    assert [each.level for each in said] == [Severity.NOTE]
    assert all(f"`{name}`" in said[0].message for name in named)
    assert f'expose = ["{named[0]}"]' in said[0].hint


@pytest.mark.parametrize("text", ["X = 1", "class C:\n    def m(self) -> int: ...", "def f() -> int: ..."])
def test_nothing_is_promised_that_expose_could_not_keep(text):
    assert [each for each in front(text).diagnostics if "can be served" in each.message] == []


def test_many_names_are_cut_and_a_function_that_was_refused_is_no_candidate():
    found = front("from textwrap import dedent, fill, indent, shorten, wrap\nfrom shutil import copy, move")
    (said,) = [each for each in found.diagnostics if "can be served" in each.message]
    assert said.message.count("`") == 2 * 6
    assert " …" in said.message
    refused = front("from collections.abc import Callable\ndef f(g: Callable[[], int]) -> int: ...")
    assert [each.rule.name for each in refused.diagnostics if each.rule.name == "opt-in"] == []


@pytest.mark.parametrize(
    ("source", "hint"),
    [
        ("wether.py", "Did you mean `weather.py`?"),
        ("folder", "Name a module file in it, or give the folder an `__init__.py`."),
        (
            "no.such.module",
            "Name a file (`no/such/module.py`), or with --python the environment in which it is installed.",
        ),
        ("compiled", "Serve it by settings: [tool.mcpgen.tools.NAME] with `target` and `input_schema`."),
        ("totally_else.py", None),
    ],
)
def test_a_source_that_is_not_there_is_answered_with_what_may_be_meant(tmp_path, monkeypatch, source, hint):
    (tmp_path / "weather.py").write_text("", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    site = tmp_path / "site-packages"
    site.mkdir()
    (site / f"compiled{importlib.machinery.EXTENSION_SUFFIXES[0]}").write_bytes(b"")
    monkeypatch.chdir(tmp_path)
    environment = Environment(paths=(*own_environment().paths, site))
    (said,) = read(source, Config(), environment).diagnostics
    assert said.rule.name == "source-unreadable"
    assert said.hint == hint
    assert said.advice


def test_findings_in_an_installed_module_are_answered_by_settings():
    for found in read("textwrap", Config(), own_environment()).diagnostics:
        assert "nnotate" not in (found.hint or "")
        if found.rule.name in ("untyped-parameter", "undocumented-parameter"):
            assert found.hint == f"State its `input_schema` in [tool.mcpgen.tools.{found.unit}]."


@pytest.mark.parametrize(
    ("text", "toml", "said"),
    [
        ("def buy() -> int: ...", 'expose = ["bye"]', "`expose` chooses nothing that `m` has; `buy` can be served"),
        ("def buy() -> int: ...", 'hide = ["b*"]', None),
        (
            "def buy() -> int: ...\ndef _later() -> int: ...",
            'hide = ["buy"]',
            "`m` has no public function of its own that is not hidden; `_later` can be served",
        ),
        ("from textwrap import dedent, fill", 'hide = ["dedent"]', "that is not hidden; `fill` can be served"),
    ],
)
def test_what_a_setting_left_out_is_not_said_to_be_missing(text, toml, said):
    notes = [each.message for each in front(text, toml=toml).diagnostics if "can be served" in each.message]
    assert len(notes) == (said is not None)
    assert all(said in note for note in notes), notes
