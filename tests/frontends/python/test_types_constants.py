"""Defaults and other values that are known without running anything."""

from __future__ import annotations

import ast
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.frontends.python.forms import MISSING
from generator.frontends.python.reading import Scope

from .typed import Typed, write

HEAD = """
import collections, datetime as dt, ipaddress, math, os, pathlib, sys, uuid
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum, Flag
from fractions import Fraction
from pathlib import Path
from typing import NewType
LIMIT = 10
NAMES = ("a", "b")
TABLE = {"k": [1, 2]}
COUNT = 1
COUNT += 1
Meters = NewType("Meters", float)
class Settings:
    PORT = 8080
class Color(Enum):
    RED = "red"
class Mode(Flag):
    R = 1
    W = 2
@dataclass
class Point:
    x: int
    y: int = 0
    tags: list = field(default_factory=list)
def function(): ...
"""


@pytest.fixture(scope="module")
def typed() -> Typed:
    return Typed(HEAD)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("-1", -1),
        ("60 * 60 // 7", 514),
        ("2 ** 10 | 1", 1025),
        ("not True", False),
        ("'a' 'b' + 'c' * 2", "abcc"),
        ("f'v{LIMIT}-{NAMES[0]}'", "v10-a"),
        ("LIMIT if LIMIT > 3 else 0", 10),
        ("None or 'x'", "x"),
        ("NAMES", ["a", "b"]),
        ("TABLE['k'][1]", 2),
        ("[*NAMES, 'c']", ["a", "b", "c"]),
        ("{**TABLE, 'z': None}", {"k": [1, 2], "z": None}),
        ("{1: 'a', 2: 'b'}", {"1": "a", "2": "b"}),
        ("{'b', 'a'}", ["a", "b"]),
        ("frozenset()", []),
        ("dict(a=1)", {"a": 1}),
        ("collections.deque([1])", [1]),
        ("Settings.PORT", 8080),
        ("Color.RED", "red"),
        ("Mode.R | Mode.W", 3),
        ("b'hi'", "aGk="),
        ("math.pi", math.pi),
        ("sys.maxsize", 2**63 - 1),
        ("1 + 2j", "1+2j"),
        ("Decimal('1.10')", "1.10"),
        ("Fraction(1, 3)", "1/3"),
        ("dt.datetime(2020, 1, 2, tzinfo=dt.timezone.utc)", "2020-01-02T00:00:00+00:00"),
        ("dt.date(2020, 1, 2)", "2020-01-02"),
        ("dt.timedelta(hours=1, seconds=1)", "PT1H1S"),
        ("dt.timedelta(0)", "PT0S"),
        ("-dt.timedelta(days=1, milliseconds=5)", "-P1DT0.005S"),
        ("Path('a') / 'b'", "a/b"),
        ("uuid.UUID('12345678123456781234567812345678')", "12345678-1234-5678-1234-567812345678"),
        ("ipaddress.ip_network('10.0.0.0/8')", "10.0.0.0/8"),
        ("Meters(3.0)", 3.0),
        ("Point(1)", {"x": 1, "y": 0}),
        ("Point(x=1, y=LIMIT)", {"x": 1, "y": 10}),
        ("[Point(1, 2)]", [{"x": 1, "y": 2}]),
    ],
)
def test_a_value_is_known_and_has_its_json_form(typed: Typed, expression: str, value: object) -> None:
    found = typed.default(expression)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    "expression",
    [
        "...",
        "object()",
        "os.environ.get('A')",
        "dt.datetime.now()",
        "uuid.uuid4()",
        "Path.home()",
        "function()",
        "function",
        "lambda: 1",
        "float('nan')",
        "math.inf",
        "1 / 0",
        "COUNT",
        "UNKNOWN",
        "Point()",
        "Point(1, 2, 3, 4)",
        "Point(z=1)",
        "Color('blue')",
        "10 ** 10 ** 10",
        "1 << 10_000",
        "'a' * 10 ** 9",
        "bytes(10 ** 9)",
        "'%1000000000d' % 1",
        "f'{LIMIT:>1000000000}'",
        "[x for x in NAMES]",
        "__import__('os').getpid()",
        "NAMES.__class__",
        "{(1, 2): 3}",
        "[" * 60 + "]" * 60,
    ],
)
def test_a_value_that_only_a_run_could_tell_is_missing(typed: Typed, expression: str) -> None:
    assert typed.default(expression) is MISSING


def test_a_default_has_the_value_its_name_had_where_it_stands() -> None:
    typed = Typed("LIMIT = 1\ndef f(x=LIMIT): ...\nLIMIT = 2\ndef g(x=LIMIT): ...\n")
    values = [typed.types.default(typed.function(name).args.defaults[0], typed.module) for name in "fg"]
    assert values == [1, 2]


def test_constants_are_followed_into_other_modules_and_circles_end(tmp_path) -> None:
    write(tmp_path, {"a.py": "from b import B\nA = B + 1\nL = M\n", "b.py": "B = 2\nfrom a import L as M\n"})
    typed = Typed("import a\nfrom a import A\nX = Y\nY = X\n", tmp_path)
    assert typed.default("A * 2") == 6
    assert typed.default("X") is MISSING
    assert typed.default("a.L") is MISSING


SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3), max_leaves=8
)


@given(VALUES)
def test_every_json_literal_is_its_own_default(value: object) -> None:
    assert Typed("").default(repr(value)) == value


NUMBERS = st.integers(-50, 50).map(str)
SUMS = st.recursive(
    NUMBERS,
    lambda inner: (
        st.tuples(inner, st.sampled_from(["+", "-", "*", "//", "%", "|", "&", "^", "<<"]), inner)
        .map(" ".join)
        .map("({})".format)
    ),
    max_leaves=6,
)


@given(SUMS)
def test_arithmetic_is_pythons_own_or_nothing(text: str) -> None:
    found = Typed("").default(text)
    if found is not MISSING:
        assert found == eval(text, {})  # a test's own arithmetic: Python is asked what it makes of it


def test_reading_a_value_leaves_the_scope_alone() -> None:
    typed = Typed("A = [1]\n")
    first = typed.types.default(ast.parse("A", mode="eval").body, typed.module, scope=Scope(module=typed.module))
    first.append(2)
    assert typed.default("A") == [1]
