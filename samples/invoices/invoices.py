"""Invoices: totals with tax by country, from a table of rates and modules that stand beside this one."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import money
import rates.tables
from rates import Category
from records import Invoice, Line, Total


def total(lines: list[Line], country: str, currency: str = "EUR") -> Total:
    """Add up the lines of an invoice.

    Args:
        lines: What is sold.
        country: Two-letter code of the country whose tax applies.
        currency: Three-letter code, for the text form.
    """
    net = sum((line.price * line.quantity for line in lines), Decimal(0))
    tax = sum((_tax(line, country) for line in lines), Decimal(0))
    gross = money.rounded(net + tax)
    return Total(net=money.rounded(net), tax=money.rounded(tax), gross=gross, text=money.shown(gross, currency))


def rate(country: str, category: Category = Category.STANDARD) -> Decimal:
    """Look up the rate of tax, in per cent.

    Args:
        country: Two-letter code.
        category: Kind of goods.
    """
    return rates.tables.rate(country, category)


def due(invoice: Invoice, days: int = 30) -> dt.date:
    """Return the day an invoice is due: a working day.

    Args:
        invoice: The invoice.
        days: Days until then.
    """
    day = invoice.date + dt.timedelta(days=days)
    while day.weekday() > FRIDAY:
        day += dt.timedelta(days=1)
    return day


def countries() -> list[str]:
    """List the countries whose rates are known."""
    return rates.tables.countries()


FRIDAY = 4


def _tax(line: Line, country: str) -> Decimal:
    return line.price * line.quantity * rates.tables.rate(country, line.category) / 100
