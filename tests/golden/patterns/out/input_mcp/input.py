"""Patterns: one that is enforced, one that could take for ever, one that only Python knows."""

from typing import Annotated

from mcpgen import Param


def zip_code(code: Annotated[str, Param(description="Five digits.", pattern="^[0-9]{5}$")]) -> str:
    """Take a code."""
    return code


def slow(text: Annotated[str, Param(description="Letters.", pattern="^(a+)+$")]) -> str:
    """Take a text."""
    return text
