"""Exceptions of the authoring API: what authors raise on purpose, and what contexts raise when a call cannot go on."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


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


class ProtocolError(Exception):
    """An error of the protocol instead of a result: the client gets the JSON-RPC error, the model gets nothing.

    For what a program should handle, such as -32602 for parameters that no call can have; what a model can repair is a
    `ToolError`. `data` is JSON.
    """

    __mcp_protocol_error__ = True

    def __init__(self, code: int, message: str, data: object = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data


class MissingRequiredClientCapability(ProtocolError):
    """The client did not declare what a call needs; `capabilities` is a ClientCapabilities object.

    Sent as error -32021 in 2026-07-28; earlier revisions have no such code, and their models read what is missing.
    """

    def __init__(self, capabilities: Mapping[str, object]) -> None:
        names = ", ".join(_paths(capabilities))
        super().__init__(-32021, f"Missing required client capability: {names}", {"requiredCapabilities": capabilities})
        self.capabilities = capabilities


class ClientError(ToolError):
    """The client could not be asked, or did not answer: `rpc_code` is the code of its JSON-RPC error, if it sent one.

    A function that has another way may catch it; otherwise the model reads it.
    """

    def __init__(
        self, message: str, *, hint: str | None = None, code: str = "M-ASK-003", rpc_code: int | None = None
    ) -> None:
        super().__init__(message, hint=hint)
        self.rpc_code = rpc_code
        self.__mcp_code__ = code


def _paths(capabilities: Mapping[str, object], above: str = "") -> Iterator[str]:
    """Yield the names of capabilities, the inner ones as `sampling.tools`."""
    for name, inner in capabilities.items():
        if isinstance(inner, dict) and inner:
            yield from _paths(inner, f"{above}{name}.")
        else:
            yield above + name
