"""What a person may say instead of an answer: no, or nothing at all."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal


class _NoAnswer:
    """Falsy, and equal to any other of its kind."""

    __slots__ = ()

    def __bool__(self) -> Literal[False]:
        return False

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    def __hash__(self) -> int:
        return hash(type(self))

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class Declined(_NoAnswer):
    """The person said no to a question (MCP elicitation: `decline`)."""

    __slots__ = ()


class Cancelled(_NoAnswer):
    """The person closed a question without a choice (MCP elicitation: `cancel`)."""

    __slots__ = ()
