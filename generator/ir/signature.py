"""How an operation of an API looks as a Python function: what a stub in `handlers.py` is written from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SignatureArgument:
    """One argument: its name in calls, the parameter it goes to, and the parameter's annotation as Python source."""

    argument: str
    parameter: str
    annotation: str = "object"
    required: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """One operation by its key (`GET /pets/{id}`), the function that stands for it, what it takes and gives."""

    operation: str
    function: str
    arguments: tuple[SignatureArgument, ...] = ()
    result: str = "object"
