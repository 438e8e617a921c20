"""Rates of tax by country and kind of goods."""

from enum import Enum


class Category(Enum):
    """Kind of goods, as tax law sees it."""

    STANDARD = "standard"
    REDUCED = "reduced"
    NONE = "none"
