"""What an invoice is made of."""

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from rates import Category


@dataclass(frozen=True)
class Line:
    """One line of an invoice: the price is for one piece, without tax."""

    text: str
    price: Decimal
    quantity: int = 1
    category: Category = Category.STANDARD


@dataclass(frozen=True)
class Invoice:
    """An invoice as it was sent."""

    number: str
    date: date
    lines: list[Line] = field(default_factory=list)


@dataclass(frozen=True)
class Total:
    """The sums of an invoice."""

    net: Decimal
    tax: Decimal
    gross: Decimal
    text: str
