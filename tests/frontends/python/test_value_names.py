"""A model that may send a number of an enumeration is told what it means."""

from __future__ import annotations

from .front import Front, front

ENUMS = """
from dataclasses import dataclass
from enum import Enum, Flag, IntEnum, auto
from typing import Annotated, Literal, NamedTuple, TypedDict
class Unit(Enum):
    METRE = 1.0
    MILE = 1609.344
class Level(IntEnum):
    LOW = 1
    HIGH = 6
class Word(Enum):
    A = "a"
class Made(Enum):
    ONE = auto()
class Right(Flag):
    READ = 1
    WRITE = 2
"""


def _read(functions: str) -> Front:
    return front(ENUMS + functions)


def _told(found: Front, name: str) -> list[str]:
    return found.tools[name].description.splitlines()[2:]


def test_numbers_of_every_kind_of_enumeration_are_named_and_texts_are_not():
    found = _read(
        """
def f(unit: Unit, level: Level, word: Word, made: Made, right: Right) -> int:
    "Do."
"""
    )
    assert _told(found, "f") == [
        "Values of `unit`: 1.0 = METRE, 1609.344 = MILE.",
        "Values of `level`: 1 = LOW, 6 = HIGH.",
        "Values of `made`: 1 = ONE.",
        "Values of `right`: 1 = READ, 2 = WRITE.",
    ]


def test_only_values_that_python_made_up_are_warned_of():
    found = _read("def f(unit: Unit, level: Level, made: Made) -> int: 'Do.'\n")
    assert found.rules() == ["opaque-enum-values"]
    assert "`Made`" in found.one("opaque-enum-values").message


def test_numbers_inside_collections_unions_and_literals_are_named():
    found = _read(
        """
def f(
    many: list[Level], maybe: Unit | None, by: dict[str, Level], some: Literal[Level.LOW], noted: Annotated[Level, "x"],
) -> int:
    "Do."
"""
    )
    assert _told(found, "f") == [
        "Values of `many`, `by`, `noted`: 1 = LOW, 6 = HIGH.",
        "Values of `maybe`: 1.0 = METRE, 1609.344 = MILE.",
        "Values of `some`: 1 = LOW.",
    ]


def test_numbers_inside_records_are_named_with_the_way_to_them():
    found = _read(
        """
@dataclass
class Length:
    size: float
    unit: Unit
    parts: list["Length"]
class Order(TypedDict):
    length: Length
    level: Level
def f(order: Order, **more: Level) -> int:
    "Do."
"""
    )
    assert _told(found, "f") == [
        "Values of `order.level`, `**`: 1 = LOW, 6 = HIGH.",
        "Values of `order.length.unit`: 1.0 = METRE, 1609.344 = MILE.",
    ]


def test_a_long_enumeration_is_named_in_part():
    members = "".join(f"    M{number} = {number}\n" for number in range(101))
    found = front(f"from enum import Enum\nclass E(Enum):\n{members}\ndef f(e: E) -> int: 'Do.'\n")
    assert _told(found, "f")[0].endswith("99 = M99, ….")
