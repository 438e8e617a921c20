"""Targets are found by name, and whatever an import does comes back as one kind of problem."""

from __future__ import annotations

import sys

import pytest

from generator.runtime.schema.imports import ImportProblem, load, loader


@pytest.fixture
def package(tmp_path, monkeypatch):
    folder = tmp_path / "emitted_package"
    folder.mkdir()
    (folder / "__init__.py").write_text("", encoding="utf-8")
    (folder / "weather.py").write_text("class Point:\n    def make(self): return 1\nvalue = 3\n", encoding="utf-8")
    (folder / "leaves.py").write_text("import sys\nsys.exit(3)\n", encoding="utf-8")
    (folder / "needs.py").write_text("import module_that_is_not_installed\n", encoding="utf-8")
    (folder / "raises.py").write_text("raise RuntimeError('boom\\nmore')\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield "emitted_package"
    for name in [name for name in sys.modules if name.startswith("emitted_package")]:
        del sys.modules[name]


def test_a_target_is_absolute_or_relative_to_the_package(package):
    assert load("builtins:str.islower") is str.islower
    assert load(".weather:value", package) == 3
    assert load(".weather:Point.make", package).__name__ == "make"
    assert load(".weather:", package).__name__ == "emitted_package.weather"


@pytest.mark.parametrize(
    ("target", "said"),
    [
        (".nothing:f", "cannot import `.nothing`"),
        (".weather:Gone.away", "`.weather` has no `Gone.away`"),
        (".leaves:f", "SystemExit: 3"),
        (".raises:f", "RuntimeError: boom"),
        (".needs:f", "No module named 'module_that_is_not_installed'"),
    ],
)
def test_a_target_that_cannot_be_loaded_says_why_in_one_line(package, target, said):
    with pytest.raises(ImportProblem) as caught:
        load(target, package)
    assert said in caught.value.message
    assert "\n" not in caught.value.message


def test_a_module_that_is_not_installed_is_named(package):
    with pytest.raises(ImportProblem) as caught:
        load(".needs:f", package)
    assert caught.value.missing == "module_that_is_not_installed"


def test_a_relative_target_needs_a_package():
    with pytest.raises(ImportProblem, match="relative"):
        load(".weather:f")


def test_a_loader_looks_a_target_up_once(package):
    find = loader(package)
    assert find(".weather:Point") is find(".weather:Point")
