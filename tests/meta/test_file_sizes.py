"""A file is one idea (style, habit 1)."""

import ast
import statistics

import pytest

MAX_LINES = 400
"""The wall for every source file."""

MEDIAN_LINES = 120
"""What half of the generator's and runtime's files stay below."""

MAX_FUNCTION = 40
"""Lines of a function, without decorators."""

FOLDERS = ("generator", "samples", "benchmarks", "tests", ".ci")
DATA = ("generator/_", "tests/golden/", "tests/cases/")
"""Copies, and modules that are input."""


@pytest.fixture(scope="module")
def sources(root):
    files = [path for folder in FOLDERS for path in sorted((root / folder).rglob("*.py"))]
    texts = {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in files}
    assert len(texts) > 50
    return {path: text for path, text in texts.items() if not path.startswith(DATA)}


def test_no_file_is_longer_than_the_wall(sources):
    assert {path: text.count("\n") for path, text in sources.items() if text.count("\n") > MAX_LINES} == {}


def test_half_of_the_files_are_short(sources):
    sizes = [text.count("\n") for path, text in sources.items() if path.startswith("generator/")]
    assert statistics.median(sizes) <= MEDIAN_LINES


def test_no_function_is_longer_than_a_screen(sources):
    long = {}
    for path, text in sources.items():
        if path.startswith("generator/"):
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    # The docstring and the signature describe; the body is what must fit.
                    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
                    lines = (node.end_lineno or 0) - body[0].lineno + 1 if body else 0
                    if lines > MAX_FUNCTION:
                        long[f"{path}:{node.name}"] = lines
    assert long == {}
