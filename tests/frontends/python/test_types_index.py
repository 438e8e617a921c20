"""What names of a module are bound to, without running it."""

from __future__ import annotations

import ast
import textwrap

import pytest

from generator.frontends.python.branches import Target
from generator.frontends.python.index import Index, absolute_module, build_index

LINUX = Target(version=(3, 12, 1), platform="linux")


def index(text: str, *, importable: frozenset[str] = frozenset({"json"}), target: Target = LINUX) -> Index:
    tree = ast.parse(textwrap.dedent(text))
    return build_index(
        tree.body, module="pkg.mod", is_package=False, target=target, importable=lambda name: name in importable
    )


def test_the_last_binding_of_a_name_wins_and_all_are_remembered() -> None:
    found = index("def f(): ...\ndef f(x): ...\nf = 3\n")
    assert found.names["f"].kind == "value"
    assert [one.kind for one in found.history["f"]] == ["function", "function", "value"]


@pytest.mark.parametrize(
    ("test", "taken"),
    [
        ("sys.version_info >= (3, 12)", "yes"),
        ("sys.version_info < (3, 12)", "no"),
        ("sys.version_info[0] == 3", "yes"),
        ("sys.version_info[:2] == (3, 11)", "no"),
        ("sys.version_info.minor > 11", "yes"),
        ("sys.platform == 'win32'", "no"),
        ("sys.platform.startswith('lin')", "yes"),
        ("os.name == 'posix'", "yes"),
        ("not sys.platform == 'linux'", "no"),
        ("sys.platform in ('linux', 'darwin')", "yes"),
        ("sys.platform == 'win32' or version >= (3, 9)", "yes"),
        ("sys.platform == 'win32' and unknown()", "no"),
        ("OLD", "no"),
        ("False", "no"),
    ],
)
def test_version_and_platform_tests_are_decided_for_the_target(test: str, taken: str) -> None:
    text = f"""
        import sys, os
        from sys import version_info as version
        OLD = version < (3, 8)
        if {test}:
            answer = "yes"
        else:
            answer = "no"
    """
    assert ast.literal_eval(index(text).names["answer"].value) == taken


def test_a_test_that_only_a_run_decides_leaves_the_last_and_marks_it() -> None:
    found = index("if unknown():\n    def f(x): ...\nelse:\n    def f(y): ...\n")
    assert found.names["f"].undecided
    assert found.names["f"].node.args.args[0].arg == "y"
    assert not index("if unknown():\n    def f(x): ...\n").names["f"].undecided


def test_names_under_type_checking_are_for_types_only() -> None:
    found = index("""
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            from a import T
            def f(): ...
        else:
            T = object
    """)
    assert found.names["T"].imported.module == "a"
    assert found.runtime["T"].kind == "value"
    assert "f" in found.names
    assert "f" not in found.runtime


def test_a_try_whose_import_is_missing_gives_way_to_its_handler() -> None:
    text = "try:\n    import {0}\n    from {0} import A\nexcept ImportError:\n    A = None\n"
    assert index(text.format("json")).names["A"].kind == "import"
    assert index(text.format("absent")).names["A"].kind == "value"
    assert "absent" not in index(text.format("absent")).names


def test_the_body_of_a_main_test_is_no_part_of_the_module() -> None:
    assert "main" not in index("if __name__ == '__main__':\n    def main(): ...\n").names


def test_a_deleted_name_is_gone() -> None:
    assert "f" not in index("def f(): ...\ndel f\n").names


def test_all_is_put_together_from_its_parts() -> None:
    found = index("""
        from . import other
        __all__ = ["a"]
        __all__ += ("b",)
        __all__.extend(["c", "d"])
        __all__.append("e")
        __all__.remove("d")
        __all__ += other.__all__
    """)
    assert found.exports == ["a", "b", "c", "e", ("module", "pkg.other")]


@pytest.mark.parametrize(
    ("name", "level", "is_package", "expected"),
    [
        ("x", 1, False, "pkg.x"),
        (None, 1, False, "pkg"),
        ("x", 1, True, "pkg.mod.x"),
        ("x", 2, False, "x"),
        (None, 3, False, None),
        ("x", 0, False, "x"),
    ],
)
def test_relative_imports_climb_from_the_module(
    name: str | None, level: int, is_package: bool, expected: str | None
) -> None:
    assert absolute_module(name, level, module="pkg.mod", is_package=is_package) == expected
