"""Enumerations as Python gives their members values."""

from __future__ import annotations

import enum

import pytest

from .typed import Typed

HEAD = "import enum, os\nfrom enum import *\nfrom datetime import timedelta\nfrom typing import Literal\n"


@pytest.mark.parametrize(
    ("body", "schema"),
    [
        ("class E(Enum):\n    A = 'a'\n    B = 'b'", {"type": "string", "enum": ["a", "b"]}),
        ("class E(Enum):\n    A = 1\n    B = 'b'\n    C = None", {"enum": [1, "b", None]}),
        ("class E(Enum):\n    A = 1\n    B = 1\n    C = 2", {"type": "integer", "enum": [1, 2]}),
        ("class E(str, Enum):\n    A = 'x'\n    def label(self): ...\n    __x = 3", {"type": "string", "enum": ["x"]}),
        (
            "class E(Enum):\n    _ignore_ = 'skip'\n    skip = 1\n    A = 2\n    _b = 3",
            {"type": "integer", "enum": [2, 3]},
        ),
        ("class E(float, Enum):\n    A = 1\n    B = 2.5", {"type": "number", "enum": [1.0, 2.5]}),
        ("class E(StrEnum):\n    ONE = auto()", {"type": "string", "enum": ["one"]}),
        ("class E(IntEnum):\n    A = 5\n    B = auto()", {"type": "integer", "enum": [5, 6]}),
        ("class E(Enum):\n    A = (1, 2)\n    B = (3, 4)", {"type": "string", "enum": ["A", "B"]}),
        ("class E(Enum):\n    A = timedelta(1)", {"type": "string", "enum": ["A"]}),
        (
            "class E(Flag):\n    R = auto()\n    W = auto()\n    X = auto()\n    RW = R | W",
            {"type": "integer", "minimum": 0, "maximum": 7},
        ),
        ("class E(Enum):\n    A, B = 'a', 'b'", {"type": "string", "enum": ["a", "b"]}),
        ("class Base(Enum):\n    def f(self): ...\nclass E(Base):\n    A = 1", {"type": "integer", "enum": [1]}),
        (
            (
                "class E(Enum):\n    A = 'a', 1\n    def __new__(cls, code, rank):\n"
                "        made = object.__new__(cls)\n        made._value_ = code\n        return made"
            ),
            {"type": "string", "enum": ["a"]},
        ),
        (
            (
                "class E(Enum):\n    def _generate_next_value_(name, *rest):\n"
                "        return name.lower()\n    RED = auto()"
            ),
            {"type": "string", "enum": ["red"]},
        ),
        (
            "class E(Enum):\n    A = 'a'\n    b = nonmember(3)\n    c = lambda self: 1",
            {"type": "string", "enum": ["a"]},
        ),
        ("E = Enum('E', 'A B')", {"type": "integer", "enum": [1, 2]}),
        ("E = StrEnum('E', ['A', 'B'])", {"type": "string", "enum": ["a", "b"]}),
        ("E = Enum('E', {'A': 'x'})", {"type": "string", "enum": ["x"]}),
        ("E = Flag('E', 'A B C')", {"type": "integer", "minimum": 0, "maximum": 7}),
    ],
)
def test_an_enumeration_is_its_values_or_names(body: str, schema: object) -> None:
    found = Typed(HEAD + body).schema("E")["$defs"]["E"]
    assert found == schema
    space: dict = {}
    exec(HEAD + body, space)  # a test's own text: Python is asked what it makes of it
    members = list(space["E"])
    if "enum" in schema:
        assert found["enum"] in ([one.value for one in members], [one.name for one in members])
    else:
        assert issubclass(space["E"], enum.Flag)
        assert found["maximum"] == max(one.value for one in space["E"].__members__.values() if one) | 7


def test_values_made_by_auto_say_nothing() -> None:
    typed = Typed(HEAD + "class E(Enum):\n    A = auto()\n    B = auto()\n")
    assert typed.findings("E") == [("opaque-enum-values", "warning")]


def test_an_enumeration_without_members_or_with_computed_ones_is_refused() -> None:
    typed = Typed(HEAD + "class E(Enum): ...\nclass C(Enum):\n    A = os.getpid\n    B = unknown\n")
    assert typed.findings("E") == [("unsupported-type", "error")]
    assert typed.findings("C") == [("unsupported-feature", "error")]


def test_members_are_values_in_literals_and_defaults_also_by_their_aliases() -> None:
    typed = Typed(HEAD + "class E(Enum):\n    A = 'a'\n    ALSO = 'a'\n    T = 't'\n")
    assert typed.schema("Literal[E.ALSO]") == {"type": "string", "enum": ["a"]}
    assert typed.conversion("Literal[E.ALSO]")[0] == {"members": {"target": "m:E", "names": [["a", "A"]]}}
    assert [typed.default(text) for text in ("E.T", "E.ALSO", "E('t')", "E['A']", "E.T.value", "E.T.name")] == [
        "t",
        "a",
        "t",
        "a",
        "t",
        "T",
    ]


@pytest.mark.parametrize(
    ("call", "values"),
    [
        ("IntEnum('E', ['X', 'Y'], start=5)", [5, 6]),
        ("Enum('E', names='X Y')", [1, 2]),
        ("Enum('E', 'X Y', start=-1)", [-1, 0]),
    ],
)
def test_an_enumeration_made_by_a_call_counts_from_where_it_says(call: str, values: list[int]) -> None:
    assert Typed(HEAD + f"E = {call}\n").schema("E")["$defs"]["E"]["enum"] == values


@pytest.mark.parametrize(("start", "mask"), [(1, 7), (4, 28), (0, 3), (3, 15)])
def test_flags_made_by_a_call_count_as_python_does(start: int, mask: int) -> None:
    found = Typed(HEAD + f"E = Flag('E', 'A B C', start={start})\n").schema("E")["$defs"]["E"]
    assert found["maximum"] == mask
    made = enum.Flag("made", "A B C", start=start)
    assert all(one.value <= mask for one in made.__members__.values())
