"""Orders, as records of several kinds."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, TypedDict


class Colour(Enum):
    """A colour in stock."""

    RED = "red"
    BLUE = "blue"


@dataclass
class Item:
    """One line of an order."""

    name: str
    count: int = 1
    colour: Colour = Colour.RED
    tags: list[str] = field(default_factory=list)


class Point(NamedTuple):
    """A place on the map."""

    x: int
    y: int = 0


class Summary(TypedDict, total=False):
    """What an order comes to."""

    items: int
    colours: list[str]


@dataclass
class Node:
    """A tree."""

    value: int
    children: list[Node] = field(default_factory=list)


def order(items: list[Item], gift: Item | None = None) -> Summary:
    """Sum up an order.

    Args:
        items: The lines.
        gift: One line more, for free.
    """
    every = [*items, *([gift] if gift else [])]
    return {"items": sum(item.count for item in every), "colours": sorted({item.colour.value for item in every})}


def move(point: Point, by: Point) -> Point:
    """Move a point.

    Args:
        point: Where it is.
        by: How far it goes.
    """
    return Point(point.x + by.x, point.y + by.y)


def total(tree: Node) -> int:
    """Add up a tree.

    Args:
        tree: Its root.
    """
    return tree.value + sum(total(child) for child in tree.children)


def grow(depth: int) -> Node:
    """Grow a tree.

    Args:
        depth: How deep.
    """
    return Node(depth, [grow(depth - 1)] if depth else [])
