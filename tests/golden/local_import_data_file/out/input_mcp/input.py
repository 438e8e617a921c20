"""A module with a local import and a data file."""

import json
from pathlib import Path

from . import units  # the neighbour, with its comment
from .shapes import round as round_shapes
from .shapes.square import area

TABLE = Path(__file__).with_name("prices.json")


def price(name: str) -> int:
    """Look up a price.

    Args:
        name: Of what.
    """
    return json.loads(TABLE.read_text(encoding="utf-8"))[name]


def inches(centimetres: float) -> float:
    """Convert a length.

    Args:
        centimetres: The length.
    """
    return units.inches(centimetres)


def square(side: float) -> float:
    """Compute the area of a square.

    Args:
        side: The length of a side.
    """
    return area(side) + 0 * round_shapes.PI
