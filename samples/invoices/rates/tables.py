"""The table of rates, read from the file beside this module."""

import csv
from decimal import Decimal
from pathlib import Path

from . import Category

TABLE = Path(__file__).parent / "vat.csv"


def _read() -> dict[str, dict[str, str]]:
    with TABLE.open(encoding="utf-8", newline="") as stream:
        return {row["country"]: row for row in csv.DictReader(stream)}


RATES = _read()


def rate(country: str, category: Category) -> Decimal:
    """Return the rate in per cent; raises ValueError for a country that is not in the table."""
    if country not in RATES:
        message = f"no rates are known for {country[:10]}; choose one of {', '.join(countries())}"
        raise ValueError(message)
    return Decimal(0) if category is Category.NONE else Decimal(RATES[country][category.value])


def countries() -> list[str]:
    """Return the codes of all countries in the table."""
    return sorted(RATES)
