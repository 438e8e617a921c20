"""A shop, as a package whose public functions are tools."""

from .prices import price
from .stock import count as in_stock

__all__ = ["in_stock", "price", "total"]


def total(names: list[str]) -> int:
    """Add up prices.

    Args:
        names: Of what.
    """
    return sum(price(name) for name in names)
