"""What a middleware sees of a call: who calls what with which arguments, and later what came of it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from .channel import Client


class ToolCall:
    """A call on its way to a tool and back.

    `arguments` are the client's, before they are checked: a middleware may repair them. `result` is the MCP result
    (`content`, `structuredContent`, `isError`, `_meta`) once the tool has run, None before: a middleware may change it.
    """

    __slots__ = ("arguments", "client", "meta", "request_id", "result", "tool")

    def __init__(
        self,
        tool: str,
        arguments: Any,
        *,
        client: Client,
        meta: Mapping[str, object],
        request_id: str | int = 0,
    ) -> None:
        self.tool = tool
        self.arguments = arguments
        self.client = client
        self.meta = meta
        self.request_id = request_id
        self.result: dict[str, Any] | None = None

    def __repr__(self) -> str:
        return f"ToolCall({self.tool!r})"
