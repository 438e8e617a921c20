"""A module that names a local package in a text; the server gets a name of its own."""

from importlib import resources

from . import rates


def rate(name: str) -> float:
    """Look up a rate.

    Args:
        name: Of which currency.
    """
    text = resources.files("cash.rates").joinpath("table.txt").read_text(encoding="utf-8")
    return float(dict(line.split() for line in text.splitlines())[name]) * rates.FACTOR
