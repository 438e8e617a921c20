"""Types of the API's schemas, made by mcpgen; answers may have members that are not described."""

from __future__ import annotations

from typing import NotRequired, TypedDict


class Sum(TypedDict):
    value: float
    of: NotRequired[list[float]]
