"""Tools that are only named by an import string: what their modules need is carried or listed like any import."""

from __future__ import annotations

import pytest

from .front import front

MODULE = 'def f(a: int) -> int:\n    """F."""\n    return a\n'
HELPER = "def run(a: int) -> int:\n    return a\n"


def settings(target: str) -> str:
    return f'[tools.other]\ntarget = "{target}"\ninput_schema = {{ type = "object" }}\n'


@pytest.mark.requirement("R070")
def test_a_module_beside_the_source_is_copied_though_nothing_imports_it():
    found = front(MODULE, toml=settings("helper:run"), files={"helper.py": HELPER})
    assert found.tools["other"].call.target == ".helper:run"
    assert {file.path for file in found.server.source.files} == {"m.py", "helper.py"}
    assert not found.server.settings.get("needs_site")


def test_a_module_in_a_package_beside_the_source_brings_its_packages():
    files = {"tools/__init__.py": "", "tools/deep/__init__.py": "", "tools/deep/helper.py": HELPER, "unused.py": ""}
    found = front(MODULE, toml=settings("tools.deep.helper:run"), files=files)
    assert found.tools["other"].call.target == ".tools.deep.helper:run"
    carried = {file.path for file in found.server.source.files}
    assert carried == {"m.py", "tools/__init__.py", "tools/deep/__init__.py", "tools/deep/helper.py"}


def test_an_installed_module_is_a_dependency_and_needs_site_packages():
    found = front(MODULE, toml=settings("pytest:main"))
    assert found.server.dependencies == ("pytest",)
    assert found.server.settings["needs_site"] is True
    assert "pytest" in found.server.source.environment


def test_a_module_of_the_standard_library_needs_nothing():
    found = front(MODULE, toml=settings("statistics:median"))
    assert (found.server.dependencies, found.server.settings.get("needs_site")) == ((), None)


def test_a_module_that_is_not_there_is_said_and_looked_for_where_the_server_runs():
    found = front(MODULE, toml=settings("nowhere_at_all:f"))
    assert found.one("unknown-dependency").unit == "other"
    assert found.server.settings["needs_site"] is True


def test_a_hidden_tool_needs_nothing():
    found = front(MODULE, toml=settings("pytest:main") + "hidden = true\n")
    assert found.server.dependencies == ()
