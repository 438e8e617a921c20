"""The text a scalar has as the key of a JSON object, the same in both directions."""

from __future__ import annotations


def key_text(value: object) -> str | None:
    """Return the key for a string, or for a number or boolean as JSON writes it; None for anything else."""
    if isinstance(value, str):
        return str.__str__(value)
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float) and value - value == 0:
        return float.__repr__(value)
    return None
