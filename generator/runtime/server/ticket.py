"""What stands for a call that was not made, and how it is answered."""

from __future__ import annotations

from ..wire import jsonrpc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    from .call import Call

    class Path(Protocol):
        """A straight path."""

        def name(self, ticket: Ticket) -> Call | None:
            """Have what runs under a ticket run as a call from now on; None if it has ended."""


GOOD: dict[str, Any] = {}
"""Stands for a result that went well, where its content is no matter."""


class Ticket:
    """Stands for a call of the straight path, where the role wants one; `call` is that call if one had to be made.

    It is used again until then.
    """

    __slots__ = ("_path", "call", "started")

    def __init__(self, path: Path) -> None:
        self._path = path
        self.call: Call | None = None
        self.started = 0.0

    def made(self) -> Call:
        """Return the call, made now if it was not; only for the thread that runs it."""
        return self.call or self._path.name(self)  # type: ignore[return-value] # nobody but that thread ends it


def answer_line(number: int | str, members: str, about: str) -> str:
    """Return the line of a good answer with the members of its result.

    `about` is how results of 2026-07-28 end (`Session.about_server`), nothing in the era before.
    """
    told = number if type(number) is int else jsonrpc.quoted(number)  # type: ignore[arg-type] # type() narrows no union
    if about:
        return f'{{"jsonrpc":"2.0","id":{told},"result":{{"resultType":"complete",{members}{about}}}\n'
    return f'{{"jsonrpc":"2.0","id":{told},"result":{{{members}}}}}\n'
