"""Every promised behaviour has a row in tests/requirements.toml and a test; checked in both directions."""

import ast
import re
import tomllib

import pytest


@pytest.fixture(scope="module")
def register(root):
    with (root / "tests" / "requirements.toml").open("rb") as stream:
        return tomllib.load(stream)["requirement"]


@pytest.fixture(scope="module")
def proofs(root):
    """Return the tests that carry each id, read from the sources: a deselected test counts too."""
    found = {}
    for path in sorted((root / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Call):
                for identity in _marked(node):
                    found.setdefault(identity, []).append(f"{path.relative_to(root)}::{getattr(node, 'name', 'param')}")
    return found


def _marked(node):
    """Yield the ids of a definition's markers, or of the markers of a `pytest.param`."""
    if isinstance(node, ast.Call):
        marks = [keyword.value for keyword in node.keywords if keyword.arg == "marks"]
    else:
        marks = node.decorator_list
    for mark in (each for outer in marks for each in ast.walk(outer)):
        if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Attribute) and mark.func.attr == "requirement":
            yield from (argument.value for argument in mark.args if isinstance(argument, ast.Constant))


def test_the_rows_are_in_order_and_complete(register):
    identities = [row["id"] for row in register]
    assert identities == sorted(set(identities))
    for row in register:
        assert set(row) == {"id", "source", "statement"}
        assert re.fullmatch(r"R\d{3}", row["id"])
        assert row["source"].strip()
        assert row["statement"].endswith(".")


def test_every_row_has_a_test(register, proofs):
    assert [f"{row['id']}: {row['statement']}" for row in register if row["id"] not in proofs] == []


def test_every_marker_names_a_row(register, proofs):
    assert sorted(set(proofs) - {row["id"] for row in register}) == []
