"""Rates."""

FACTOR = 2
