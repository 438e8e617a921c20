"""Unions, literals and defaults of every kind."""

from typing import Annotated, Literal, Optional, Union

LIMIT = 10 * 2


def pick(value: int | str, other: Union[float, list[int], None] = None) -> str:
    """Tell what came.

    Args:
        value: A number or a text.
        other: Something else.
    """
    return f"{type(value).__name__} {type(other).__name__}"


def mode(level: Literal["low", "high"] = "low", limit: int = LIMIT, ratio: float = 0.5) -> str:
    """Tell the mode.

    Args:
        level: How much.
        limit: At most this.
        ratio: A part.
    """
    return f"{level} {limit} {ratio}"


def find(name: Optional[str], days: list[int] = [1, 2], *, exact: bool = False) -> list[int]:
    """Find days.

    Args:
        name: Whose, or null for anybody's.
        days: Which ones.
        exact: Whether to compare exactly.
    """
    return days if name or exact else []


def text(words: Annotated[str, "what to say"] = 'quotes " and \\ and \n') -> str:
    """Say it.

    Args:
        words: The words.
    """
    return words
