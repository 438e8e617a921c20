"""Classes that the conversion tests build and send."""

from __future__ import annotations

import enum
import typing
from dataclasses import KW_ONLY, InitVar, dataclass, field


@dataclass
class Point:
    x: int
    y: int = 0


@dataclass
class Node:
    value: int
    next: Node | None = None
    children: list[Node] = field(default_factory=list)


@dataclass
class Positive:
    n: int

    def __post_init__(self) -> None:
        if self.n < 0:
            raise ValueError("n must be >= 0")


@dataclass
class Seeded:
    a: int
    seed: InitVar[int] = 1
    _: KW_ONLY
    b: str = "b"
    computed: int = field(init=False, default=9)
    kind: typing.ClassVar[str] = "k"

    def __post_init__(self, seed: int) -> None:
        self.a += seed


class Pt(typing.NamedTuple):
    x: int
    y: int = 0


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Mode(enum.StrEnum):
    FAST = enum.auto()
    SLOW = enum.auto()


class Mixed(enum.Enum):
    A = 1
    B = "b"
    N = None


class Opaque(enum.Enum):
    X = (1, 2)
    Y = (3, 4)


class Perm(enum.Flag):
    R = 1
    W = 2
    X = 4


class Lenient(enum.Enum):
    ONE = "one"

    @classmethod
    def _missing_(cls, value: object) -> Lenient | None:
        if value == "1":
            return cls.ONE
        if value == "bang":
            raise RuntimeError("no such thing")
        return None


class Name(str):
    __slots__ = ()


class Refusing:
    def __init__(self, **fields: object) -> None:
        raise RecursionError("\x1b[31mred\nsecond line")


class Unprintable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no str")


class Unsayable:
    def __init__(self) -> None:
        raise Unprintable


def is_even(value: int) -> bool:
    return value % 2 == 0


def explodes(value: object) -> bool:
    raise KeyError("boom")
