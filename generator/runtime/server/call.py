"""One call in flight: what the client asked, and the ties to whoever runs and answers it."""

from __future__ import annotations

from ..wire import jsonrpc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import Any

    from ..wire.dialects import Dialect
    from .asking import Interaction
    from .batch import Batch
    from .repeats import Repeat
    from .session import Session
    from .tasks import Task
    from .tool import Tool
    from .workers import Workers

LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
"""Log levels of RFC 5424 as MCP spells them, least severe first."""

PROGRESS_TOKEN = "progressToken"  # noqa: S105 # a name of the protocol
"""The key under `_meta` by which a client asks to be told of progress."""

REPEAT_KEY = "mcpgen/idempotencyKey"
"""The key under `_meta` by which a call that is sent twice is run once (`repeats`)."""

LONGEST_KEY = 200
"""Characters of its value: identifiers are shorter."""

NEVER = float("inf")


class Spliced(dict[str, Any] if TYPE_CHECKING else dict):  # type: ignore[misc] # generic for the checker only
    """A tool's result that is sent as it was written before, here or by another server: `inner` is its members."""

    __slots__ = ("inner",)

    def __init__(self, result: dict[str, Any], inner: bytes) -> None:
        super().__init__(result)
        self.inner = inner


class Call:
    """A request to run a tool, read a resource, fill in a prompt or complete a value.

    The session fills the request half (`tool` to `session`, `uri`, and `method` to `resumes`); the shell fills `send`
    (writes bytes to the client, from any thread; no bytes at all let go of a stream that its client can resume),
    `hand_over` (answers the request of a call that goes on as a task), `run_coroutine` (runs an awaitable on the
    shell's loop and blocks for its value), `on_cancel` and, where the hub is another process's, `publish`, and clears
    `answerable` where answers to requests of ours cannot come back. `tool` is what runs, also for resources, prompts
    and completion. `arguments` is whatever the client sent under that key; `raw` the whole message's bytes, for exact
    numbers; `uri` what a resource is read as; `depth` how many calls it runs inside of, where functions read
    resources. The clock stood at `started` when the request came and at `begun` when its tool was ready to run.
    `inside` says that the arguments are those inside a call of `call_tool` (discovery), `resumes` that it is a retry
    that brings answers (2026-07-28), `repaired` that they went through middleware.
    """

    __slots__ = (
        "answerable",
        "arguments",
        "asker",
        "batch",
        "begun",
        "cancelled",
        "client",
        "deadline",
        "depth",
        "dialect",
        "finished",
        "hand_over",
        "inside",
        "log_level",
        "meta",
        "method",
        "on_cancel",
        "params",
        "pool",
        "progress_token",
        "publish",
        "raw",
        "repaired",
        "repeat",
        "request_id",
        "resumes",
        "run_coroutine",
        "send",
        "session",
        "started",
        "task",
        "tool",
        "uri",
    )

    def __init__(
        self,
        tool: Tool,
        request_id: str | int,
        arguments: object,
        *,
        raw: bytes,
        meta: dict[str, object],
        dialect: Dialect,
        log_level: str | None,
        client: dict[str, object],
        session: Session | None = None,
    ) -> None:
        self.tool = tool
        self.request_id = request_id
        self.arguments = arguments
        self.raw = raw
        self.meta = meta
        self.dialect = dialect
        self.log_level = log_level
        self.client = client
        self.session = session
        token = meta.get(PROGRESS_TOKEN)
        self.progress_token = token if type(token) is str or type(token) is int else None
        self.batch: Batch | None = None
        self.inside = self.resumes = self.repaired = self.cancelled = self.finished = False
        self.method, self.uri, self.depth = "tools/call", "", 0
        self.params: dict[str, Any] = {}
        self.asker: Interaction | None = None  # what asks the client, made at the first question
        self.answerable = True
        self.repeat: Repeat | None = None  # the client may send it again (`_meta` has a key for that)
        self.task: Task | None = None  # it goes on as this task: its request was answered
        self.pool: Workers | None = None  # whose thread runs it
        self.hand_over: Callable[[bytes], None] = _nowhere
        self.started = self.begun = 0.0
        self.deadline = NEVER  # until the shell starts it: the watch may look at it before
        self.send: Callable[[bytes], None] = _nowhere
        self.run_coroutine: Callable[[Awaitable[object]], object] = _no_loop
        self.on_cancel: Callable[[], object] | None = None  # where another server answers: whether that ended it
        self.publish: Callable[[str, str], None] | None = None

    def of_request(self, method: str, params: dict[str, Any]) -> Call:
        """Note the request the call came with."""
        self.method, self.params = method, params
        self.resumes = self.dialect.modern and ("requestState" in params or "inputResponses" in params)
        return self

    def progress(self, progress: float, total: float | None, message: str | None) -> None:
        """Send notifications/progress if the client gave a token (MCP utilities/progress); tasks say it when asked."""
        if self.task is not None:
            self.task.say(message)
            return
        if self.progress_token is None or self.cancelled or self.finished:
            return
        params: dict[str, object] = {PROGRESS_TOKEN: self.progress_token, "progress": progress}
        if total is not None:
            params["total"] = total
        if message is not None and self.dialect.progress_message:
            params["message"] = message
        self.send(jsonrpc.notification_line("notifications/progress", params))

    def log(self, level: str, data: object, logger: str | None = None) -> None:
        """Send notifications/message if the client wants this level (MCP utilities/logging).

        Raises ValueError for a level that does not exist.
        """
        severity = LEVELS.index(level)
        if self.log_level is None or self.cancelled or self.finished or severity < LEVELS.index(self.log_level):
            return
        params: dict[str, object] = {"level": level, "data": data}
        if logger is not None:
            params["logger"] = logger
        self.send(jsonrpc.notification_line("notifications/message", params))

    def changed(self, kind: str, key: str = "") -> None:
        """Tell every client of this server that listens of a change (`hub.KINDS`)."""
        if self.publish is not None:
            self.publish(kind, key)
        elif self.session is not None and self.session.catalog.hub is not None:
            self.session.catalog.hub.publish(kind, key)


def _nowhere(_: bytes) -> None:
    """Take the place of a shell for a call that has none (`invoke` in a test)."""


def _no_loop(awaitable: Awaitable[object]) -> object:
    """Run an awaitable on a loop of its own, for a call without a shell."""
    import asyncio

    async def wait() -> object:
        return await awaitable

    return asyncio.run(wait())
