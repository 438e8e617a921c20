"""Amounts of money as decimals."""

from decimal import ROUND_HALF_UP, Decimal

SYMBOLS = {"EUR": "€", "GBP": "£", "USD": "$"}


def rounded(amount: Decimal) -> Decimal:
    """Round to cents, halves up, as invoices do."""
    return amount.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)


def shown(amount: Decimal, currency: str) -> str:
    """Write an amount for people."""
    return f"{SYMBOLS.get(currency, currency)} {amount:,.2f}"
