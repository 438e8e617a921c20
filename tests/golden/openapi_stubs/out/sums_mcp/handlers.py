"""What this server does besides sending requests. The file is yours: from your first edit on it is kept.

Three names are looked for, and each may be missing:

before_request(operation, request) is called before a request is sent, and may change it;
after_response(operation, response) is called before an answer is read, and may change it;
operations has functions that are called in place of a request, with a call's arguments as keywords.

For example, with the operation's method and path as its key:

    from ._runtime.authoring import ToolError
    from ._runtime.client.message import Request, Response

    def before_request(operation: str, request: Request) -> None:
        request.set_header("X-Request-Source", "mcp")

    def after_response(operation: str, response: Response) -> None:
        if response.header("X-Stale"):
            raise ToolError("the API answered from an old copy")

    def ping() -> dict[str, bool]:
        return {"alive": True}

    operations = {"GET /ping": ping}

The types of models.py are those of the description.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._runtime.authoring import ToolError

if TYPE_CHECKING:
    from collections.abc import Callable

    from . import models

NOT_YET = "is not implemented yet: fill in its function in handlers.py"


def add(*, a: float, b_2: float | None, class_: str | None = None) -> models.Sum:
    """Answer in place of a request."""
    raise ToolError(f"add {NOT_YET}")


def delete_sums_by_id(*, id: int) -> object:
    """Answer in place of a request."""
    raise ToolError(f"delete_sums_by_id {NOT_YET}")


def renamed(function: Callable[..., object], names: dict[str, str]) -> Callable[..., object]:
    """Give a function the arguments that cannot be parameters by the names it has for them."""

    def call(**arguments: object) -> object:
        return function(**{names.get(name, name): value for name, value in arguments.items()})

    return call


operations: dict[str, Callable[..., object]] = {
    "GET /add": renamed(
        add,
        {
            "b-2": "b_2",
            "class": "class_",
        },
    ),
    "DELETE /sums/{id}": delete_sums_by_id,
}
