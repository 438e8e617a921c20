"""One request to a child, and whoever is told what comes of it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    class Taker(Protocol):
        """Whoever is told what comes of an errand, by the thread of its link; must not block."""

        def answered(self, message: dict[str, Any]) -> None:
            """Take the JSON-RPC response, which has `result` or `error`."""

        def notified(self, method: str, params: dict[str, Any]) -> None:
            """Take a notification that belongs to the errand: its progress, or what came on its own stream."""

        def asked(self, request_id: str | int, method: str, params: dict[str, Any]) -> None:
            """Take a request of a legacy child during the errand; the link's `reply` answers it."""

        def lost(self, reason: str, detail: str) -> None:
            """Learn that no answer will come, for a reason of `failures`."""


class Errand:
    """One request to a child, in the child's own names; of `answered` and `lost` its taker hears exactly one, once.

    `meta` holds members of `_meta` to pass on (trace context, keys of applications), none of the protocol's own.
    `client` and `capabilities` are what the caller said of itself, `log_level` what it wants to hear of. `schema` is
    the input schema of a tool whose parameters may have to be repeated in headers (2026-07-28, HTTP). `tail` is the
    request's text from behind its id on, where the sender has written it for the child as it is now: a plain call of a
    tool, whose result may go on as the child wrote it.
    """

    __slots__ = (
        "capabilities", "client", "id", "log_level", "meta", "method", "params", "schema", "tail", "taker",
        "wants_progress",
    )  # fmt: skip

    def __init__(
        self,
        method: str,
        params: dict[str, Any],
        taker: Taker,
        *,
        meta: dict[str, Any] | None = None,
        client: dict[str, Any] | None = None,
        capabilities: dict[str, Any] | None = None,
        log_level: str | None = None,
        wants_progress: bool = False,
        schema: dict[str, Any] | None = None,
    ) -> None:
        self.method = method
        self.params = params
        self.taker = taker
        self.meta = meta or {}
        self.client = client or {}
        self.capabilities = capabilities or {}
        self.log_level = log_level
        self.wants_progress = wants_progress
        self.schema = schema
        self.tail: bytes | None = None
        self.id: str | int = 0  # the link's, from when it is sent

    # -- what the link tells

    def answered(self, message: dict[str, Any]) -> None:
        """Pass an answer on."""
        self.taker.answered(message)

    def spliced(self, result: dict[str, Any], inner: bytes) -> None:  # noqa: ARG002 # here nobody makes use of that
        """Pass on a result whose members may go on as they are written, which is `inner`."""
        self.answered({"jsonrpc": "2.0", "id": self.id, "result": result})

    def notified(self, method: str, params: dict[str, Any]) -> None:
        """Pass on what comes before it."""
        self.taker.notified(method, params)

    def asked(self, request_id: str | int, method: str, params: dict[str, Any]) -> None:
        """Pass on what the child asks."""
        self.taker.asked(request_id, method, params)

    def lost(self, reason: str, detail: str) -> None:
        """Pass on that no answer comes."""
        self.taker.lost(reason, detail)
