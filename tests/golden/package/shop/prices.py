"""Prices."""

from importlib.resources import files

from .money import Cents


def price(name: str) -> Cents:
    """Look up a price.

    Args:
        name: Of what.
    """
    lines = files(__package__).joinpath("prices.txt").read_text(encoding="utf-8").splitlines()
    return Cents(int(dict(line.split() for line in lines)[name]))
