"""The message type: what a prompt returns when not everything is said by the user."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal


class Message:
    """One message of a prompt (MCP `PromptMessage`); `content` is a text, a content object or JSON."""

    __slots__ = ("content", "role")

    __mcp_message__ = True

    def __init__(self, role: Literal["user", "assistant"], content: object) -> None:
        if role not in ("user", "assistant"):
            message = f"role is 'user' or 'assistant', not {role!r}"
            raise ValueError(message)
        self.role = role
        self.content = content

    def __repr__(self) -> str:
        return f"Message({self.role!r}, {self.content!r})"
