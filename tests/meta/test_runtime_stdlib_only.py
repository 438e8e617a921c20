"""What is copied into emitted packages stands on the standard library alone."""

import ast
import subprocess
import sys

import pytest

START_PATH_FORBIDDEN = frozenset(
    {
        "argparse", "asyncio", "contextlib", "dataclasses", "enum", "functools", "inspect", "json", "logging",
        "pathlib", "re", "threading", "typing",
    }
)  # fmt: skip
"""Modules that nothing before the first tools/call may import (decision 25)."""


@pytest.fixture(scope="module")
def runtime(root):
    files = sorted((root / "generator" / "runtime").rglob("*.py"))
    assert len(files) > 10
    return files


def imports(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((0, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.level, node.module or ""


def test_every_absolute_import_is_of_the_standard_library(runtime, root):
    strangers = []
    for path in runtime:
        strangers += [
            f"{path.relative_to(root)}: {name}"
            for level, name in imports(ast.parse(path.read_bytes()))
            if level == 0 and name.partition(".")[0] not in sys.stdlib_module_names
        ]
    assert [each for each in strangers if not each.endswith("runtime/authoring/launcher.py: generator")] == []


def test_relative_imports_stay_inside_the_runtime(runtime, root):
    leaving = []
    for path in runtime:
        depth = len(path.relative_to(root / "generator" / "runtime").parts)
        leaving += [str(path) for level, _ in imports(ast.parse(path.read_bytes())) if level > depth]
    assert leaving == []


def test_no_file_is_named_like_a_module_of_the_standard_library(runtime):
    ordinary = {"__init__", "__main__"}
    assert [path for path in runtime if path.stem in sys.stdlib_module_names - ordinary] == []


def test_nothing_is_executed_from_text(runtime):
    called = []
    for path in runtime:
        calls = [node for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.Call)]
        called += [f"{path}:{node.lineno}" for node in calls if ast.unparse(node.func) in {"exec", "eval"}]
        called += [str(path) for _, name in imports(ast.parse(path.read_bytes())) if name in {"pickle", "marshal"}]
    assert called == []


def test_the_start_path_imports_next_to_nothing(root):
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); before = set(sys.modules)\n"
        "import runtime.server.main\n"
        "print(' '.join(sorted(set(sys.modules) - before)))"
    )
    ended = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program, str(root / "generator")],
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    assert START_PATH_FORBIDDEN & set(ended.stdout.split()) == set()
