"""Tasks: calls that go on after their request was answered, and what is kept of them (io.modelcontextprotocol/tasks).

A task is one of `working`, `input_required`, `completed`, `failed` and `cancelled`, and stays in one of the last three.
The store holds all tasks of a process within bounds; a task is kept for as long as its `ttlMs` says, then forgotten,
whatever it does. Only the principal that started a task finds it. Any thread may call; the clocks are arguments.
"""

from __future__ import annotations

from _thread import allocate_lock
from secrets import token_urlsafe
from time import gmtime, monotonic, strftime, time

from ..wire import jsonrpc
from ..wire.limits import MAX_TASK_BYTES, MAX_TASKS, TASK_SECONDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Literal

    from .call import Call
    from .catalog import Catalog

    Status = Literal["working", "input_required", "completed", "failed", "cancelled"]

EXTENSION = "io.modelcontextprotocol/tasks"

ID_BYTES = 24
"""Random bytes of a task's id: nobody guesses 192 bits, and without tokens the id is all that protects a task."""

POLL_MS = 1_000
"""How often a client is asked to look: people wait longer, and a look costs next to nothing."""

MAX_STATUS_MESSAGE = 500
"""Characters of what a task says about its progress."""


class Task:
    """One task and the call that runs it.

    `wanted` holds its open questions and `answers` what came, by the keys that clients answer under; the functions in
    `wake` are called when an answer came or the task ended, and `tell` at every change.
    """

    __slots__ = (
        "_created",
        "_result",
        "_said",
        "_updated",
        "answers",
        "call",
        "expires",
        "id",
        "principal",
        "size",
        "status",
        "tell",
        "wake",
        "wanted",
    )

    def __init__(self, call: Call, principal: str, task_id: str = "") -> None:
        self.id = task_id or token_urlsafe(ID_BYTES)
        self.call: Call | None = call
        self.principal = principal
        self.status: Status = "working"
        self.expires = monotonic() + TASK_SECONDS
        self.size = 0
        self.wanted: dict[str, dict[str, Any]] = {}
        self.answers: dict[str, dict[str, Any]] = {}
        self.wake: list[Callable[[], None]] = []
        self.tell: Callable[[Task], None] = _to_nobody
        self._created = self._updated = _stamp()
        self._said = ""
        self._result: dict[str, Any] = {}

    @property
    def ended(self) -> bool:
        """Whether nothing happens any more."""
        return self.call is None

    def summary(self) -> dict[str, Any]:
        """Return what every message about a task has."""
        facts: dict[str, Any] = {"taskId": self.id, "status": self.status}
        if self._said:
            facts["statusMessage"] = self._said
        facts |= {"createdAt": self._created, "lastUpdatedAt": self._updated}
        return facts | {"ttlMs": int(TASK_SECONDS * 1000), "pollIntervalMs": POLL_MS}

    def details(self) -> dict[str, Any]:
        """Return the summary and what belongs to the status: open questions, the result or the error."""
        facts = self.summary()
        if self.status == "input_required":
            facts["inputRequests"] = {**self.wanted}
        return facts | self._result

    def say(self, message: str | None) -> None:
        """Note how far the task is, for clients that look."""
        self._said = (message or "")[:MAX_STATUS_MESSAGE]
        self._updated = _stamp()

    def change(self, status: Status, *, result: dict[str, Any] | None = None) -> None:
        """Go to another status, with the result's members in the last one."""
        if self.ended:
            return
        if result is not None:
            self.size = len(jsonrpc.encode(result))
            self._result = result
        self.status = status
        self._updated = _stamp()
        if status in ("completed", "failed", "cancelled"):
            self.call = None
            self.wanted.clear()
        self.tell(self)

    def end(self, result: dict[str, Any]) -> None:
        """End with what the call came to: an error of the protocol is a failure, one of the tool is a result."""
        error = result.get("rpcError")
        if error is not None:
            self.change("failed", result={"error": error})
            return
        try:
            self.change("completed", result={"result": result})
        except (ValueError, TypeError, RecursionError, MemoryError) as problem:
            message = f"The result cannot be sent: {type(problem).__name__}"
            self.change("failed", result={"error": {"code": jsonrpc.INTERNAL_ERROR, "message": message}})

    def rouse(self) -> None:
        """Wake whoever waits for answers."""
        for wake in [*self.wake]:
            wake()


class Tasks:
    """The tasks of one process; a call ends with its time at the latest, so nothing runs for a task that is gone."""

    __slots__ = ("_by_id", "_lock")

    def __init__(self) -> None:
        self._by_id: dict[str, Task] = {}  # oldest first: all live equally long
        self._lock = allocate_lock()

    def open(self, call: Call, principal: str, task_id: str = "") -> Task | None:
        """Begin a task for a call, under an id that it has already or a new one; None when no more can be kept."""
        self._sweep()
        with self._lock:
            if len(self._by_id) >= MAX_TASKS or sum(task.size for task in self._by_id.values()) >= MAX_TASK_BYTES:
                return None
            task = Task(call, principal, task_id)
            self._by_id[task.id] = task
        return task

    def find(self, task_id: str, principal: str) -> Task | None:
        """Return a task of this principal, None for any other id."""
        self._sweep()
        task = self._by_id.get(task_id)
        return task if task is not None and task.principal == principal else None

    def forget(self, task: Task) -> None:
        """Drop a task at once."""
        with self._lock:
            self._by_id.pop(task.id, None)

    def _sweep(self) -> None:
        """Forget the tasks whose time is over."""
        now = monotonic()
        with self._lock:
            while self._by_id:
                oldest = next(iter(self._by_id.values()))
                if oldest.expires > now:
                    break
                del self._by_id[oldest.id]

    def __len__(self) -> int:
        return len(self._by_id)


def tasks_of(catalog: Catalog) -> Tasks:
    """Return the tasks of the process that serves a catalog, made when they are first asked for."""
    if catalog.tasks is None:
        catalog.tasks = Tasks()
    found: Tasks = catalog.tasks
    return found


def _stamp() -> str:
    """Return the time of day in UTC with milliseconds (RFC 3339)."""
    now = time()
    return f"{strftime('%Y-%m-%dT%H:%M:%S', gmtime(now))}.{int(now * 1000) % 1000:03}Z"


def _to_nobody(_: object) -> None:
    """Stand for what nobody attached yet."""
