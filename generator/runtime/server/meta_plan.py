"""How one of discovery's three tools runs: on the catalog itself."""

from __future__ import annotations

from .answer import Finished
from .discovery import handler
from .intake import NO_CONTEXTS
from .plan import Plan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from .tool import Tool


class MetaPlan(Plan):
    """Search, describe or call: arguments are checked as any tool's."""

    __slots__ = ()

    def __init__(self, tool: Tool) -> None:
        super().__init__(tool)
        run = handler(tool.catalog, tool.entry["call"]["does"])
        self.bind = _whole
        self.handler = lambda arguments: Finished(run(arguments))


def _whole(
    arguments: dict[str, Any],
    injected: Mapping[str, Any] = NO_CONTEXTS,  # noqa: ARG001 # these tools take no context
    /,
) -> tuple[list[Any], dict[str, Any]]:
    return [arguments], {}
