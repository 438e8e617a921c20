"""What everyone needs who makes a result of one call: the call, its operation, and where large answers go."""

from __future__ import annotations

from urllib.parse import unquote

from ..server.masking import mask_values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..server.call import Call
    from .files import Files
    from .http_plan import HttpPlan
    from .message import Request
    from .store import AnswerStore


class CallContext:
    """One call of an operation. `key` is `GET /pets/{id}`, `operation` its request in operations.json.

    `secrets` returns the configured values that must not reach the client; `files` saves answers if the operator named
    a folder.
    """

    __slots__ = ("_configured", "_sent", "arguments", "call", "files", "key", "operation", "plan", "store")

    def __init__(
        self,
        call: Call,
        plan: HttpPlan,
        arguments: dict[str, Any],
        *,
        store: AnswerStore,
        secrets: Callable[[], tuple[str, ...]],
        files: Files,
    ) -> None:
        self.call = call
        self.plan = plan
        self.key = plan.operation.key
        self.operation = plan.operation.request
        self.arguments = arguments
        self.store = store
        self._configured = secrets
        self._sent: tuple[str, ...] = ()
        self.files = files

    @property
    def tool(self) -> str:
        """The tool's name."""
        return self.call.tool.name

    @property
    def properties(self) -> dict[str, Any]:
        """The schemas of the tool's arguments."""
        found: dict[str, Any] = self.plan.schema.get("properties") or {}
        return found

    def hide(self, request: Request) -> None:
        """Count what a request carries as credentials among the secrets: tokens are in no configuration."""
        found = [value for name, value in request.headers if name.lower() in request.secrets]
        found += [value.partition(" ")[2].strip() for value in found if " " in value]
        if request.secret_query:
            pairs = (pair.partition("=") for pair in request.target.partition("?")[2].split("&"))
            for name, _, value in pairs:
                if name in request.secret_query:
                    found += [value, unquote(value)]
        self._sent = tuple(dict.fromkeys([*self._sent, *found]))

    def secrets(self) -> tuple[str, ...]:
        """Return every value that must not reach the client."""
        return (*self._configured(), *self._sent)

    def masked(self, text: str) -> str:
        """Return a text without the values that are secret."""
        return mask_values(text, self.secrets())
