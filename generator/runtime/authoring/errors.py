"""Exceptions of the authoring API: the one an author raises on purpose, and the one that ends a cancelled call."""

from __future__ import annotations


class ToolError(Exception):
    """An error the model should read as it is written.

    `message` says what is wrong and `hint` what to do about it; both are sent unchanged. `retryable` says whether the
    same call may succeed later; `data` is JSON for programs (`_meta["mcpgen/error"].data`).
    """

    __mcp_tool_error__ = True

    def __init__(
        self, message: str, *, hint: str | None = None, retryable: bool | None = None, data: object = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.retryable = retryable
        self.data = data


class CallCancelled(BaseException):
    """Raised in a sync tool by a context's blocking calls once nobody waits for the answer any more.

    Like `asyncio.CancelledError` it is no `Exception`, so that `except Exception` does not swallow it.
    """
