"""Tasks: calls that go on after their request was answered, and what is kept of them (io.modelcontextprotocol/tasks).

A task is one of `working`, `input_required`, `completed`, `failed` and `cancelled`, and stays in one of the last three.
Which of these it is, and the questions and answers that go with it, change under one lock, and whoever listens is told
under it, so that nobody hears of a change after the next one. The store holds all tasks of a server within bounds; a
task is kept for as long as its `ttlMs` says, then forgotten, whatever it does. Only the principal that started a task
finds it. Any thread may call.
"""

from __future__ import annotations

from _thread import RLock, allocate_lock
from secrets import token_urlsafe
from time import gmtime, monotonic, strftime, time

from ..wire import jsonrpc
from ..wire.dialects import TASKS
from ..wire.jsonrpc import Refusal, shown
from ..wire.limits import MAX_RESULT_BYTES, MAX_TASK_BYTES, MAX_TASKS, TASK_SECONDS
from .call import NEVER
from .request_parts import text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Literal

    from ..wire.dialects import Dialect
    from .call import Call
    from .catalog import Catalog
    from .session import Session

    Status = Literal["working", "input_required", "completed", "failed", "cancelled"]

NEEDED: dict[str, object] = {"requiredCapabilities": {"extensions": {TASKS: {}}}}

ID_BYTES = 24
"""Random bytes of a task's id: nobody guesses 192 bits, and without tokens the id is all that protects a task."""

POLL_MS = 1_000
"""How often a client is asked to look: people wait longer, and a look costs next to nothing."""

READ_SECONDS = 300.0
"""How long a task that has ended is kept at least: under pressure, those that ended longer ago are forgotten first."""

MAX_STATUS_MESSAGE = 500
"""Characters of what a task says about its progress."""


class Task:
    """One task and the call that runs it.

    `wanted` holds its open questions and `answers` what came, by the keys that clients answer under; the functions in
    `wake` are called when answers came or the task was cancelled, and `tell` at every change. `room` says whether a
    result of so many bytes can be kept.
    """

    __slots__ = (
        "_created",
        "_lock",
        "_result",
        "_said",
        "_updated",
        "answers",
        "call",
        "ended_at",
        "expires",
        "id",
        "principal",
        "room",
        "size",
        "status",
        "tell",
        "wake",
        "wanted",
    )

    def __init__(self, call: Call, principal: str) -> None:
        self.id = token_urlsafe(ID_BYTES)
        self.call: Call | None = call
        self.principal = principal
        self.status: Status = "working"
        self.expires = monotonic() + TASK_SECONDS
        self.ended_at = NEVER
        self.size = 0
        self.wanted: dict[str, dict[str, Any]] = {}
        self.answers: dict[str, dict[str, Any]] = {}
        self.wake: list[Callable[[], None]] = []
        self.tell: Callable[[Task], None] = _to_nobody
        self.room: Callable[[int], bool] = _without_end
        self._lock = RLock()
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
        with self._lock:
            facts = self.summary()
            if self.status == "input_required":
                facts["inputRequests"] = {**self.wanted}
            return facts | self._result

    def say(self, message: str | None) -> None:
        """Note how far the task is, for clients that look."""
        with self._lock:
            said = (message or "")[:MAX_STATUS_MESSAGE]
            if said != self._said and not self.ended:
                self._said = said
                self._to(self.status)

    def repeat(self) -> None:
        """Tell once more that the task has ended or waits; for whoever began to listen just now."""
        with self._lock:
            if self.status != "working":
                self.tell(self)

    def ask(self, questions: dict[str, dict[str, Any]]) -> None:
        """Put up questions under keys that this task did not use before."""
        with self._lock:
            if not self.ended:
                self.wanted |= questions
                self._to("input_required")

    def withdraw(self, names: Iterable[str]) -> None:
        """Want no answers to these questions any more."""
        with self._lock:
            for name in names:
                self.wanted.pop(name, None)
                self.answers.pop(name, None)
            self._go_on()

    def answer(self, answers: dict[str, dict[str, Any]]) -> None:
        """Take answers; those that nobody wants are dropped."""
        with self._lock:
            taken = {name: result for name, result in answers.items() if self.wanted.pop(name, None) is not None}
            self.answers |= taken
            if taken:
                self._go_on()
        if taken:
            self._rouse()

    def take(self, names: Iterable[str] | None = None) -> dict[str, dict[str, Any]] | None:
        """Return the answers under these keys, once all of them are there; without keys, those that are there."""
        with self._lock:
            wanted = [*self.answers] if names is None else [*names]
            if not all(name in self.answers for name in wanted):
                return None
            return {name: self.answers.pop(name) for name in wanted}

    def cancel(self) -> None:
        """End because the client does not want the result any more."""
        with self._lock:
            if not self.ended:
                self._to("cancelled")
        self._rouse()

    def end(self, result: dict[str, Any]) -> None:
        """End with what the call came to: an error of the protocol is a failure, one of the tool is a result."""
        with self._lock:
            if self.ended:
                return
            kept, size = _kept(result)
            if not self.room(size) and self.call is not None:
                from .outcome import not_kept

                kept, size = _kept(not_kept(self.call))
            self._result, self.size = kept, size
            self._to("completed" if "result" in kept else "failed")

    def came_to(self) -> dict[str, Any]:
        """Return what `end` was given, as far as it can be sent."""
        error = self._result.get("error")
        result: dict[str, Any] = {"rpcError": error} if error is not None else self._result.get("result", {})
        return result

    def _go_on(self) -> None:
        if self.status == "input_required" and not self.wanted:
            self._to("working")

    def _to(self, status: Status) -> None:
        """Go to another status and tell of it; under the lock, and never from one of the last three."""
        self.status = status
        self._updated = _stamp()
        if status in ("completed", "failed", "cancelled"):
            self.call, self.ended_at = None, monotonic()
            self.wanted.clear()
            self.answers.clear()
        self.tell(self)

    def _rouse(self) -> None:
        """Wake whoever waits for answers."""
        for wake in [*self.wake]:
            wake()


class Tasks:
    """The tasks of one process; a call ends with its time at the latest, so nothing runs for a task that is gone."""

    __slots__ = ("_by_id", "_lock", "_reserved", "_tell")

    def __init__(self, tell: Callable[[Task], None] | None = None) -> None:
        self._by_id: dict[str, Task] = {}  # oldest first: all live equally long
        self._lock = allocate_lock()
        self._reserved: set[Call] = set()
        self._tell = _to_nobody if tell is None else tell

    def open(self, call: Call, principal: str) -> Task | None:
        """Begin a task for a call; None when no more can be kept."""
        if not self.reserve(call):
            return None
        task = Task(call, principal)
        task.tell, task.room = self._tell, self._has_room
        with self._lock:
            self._reserved.discard(call)
            self._by_id[task.id] = task
        return task

    def reserve(self, call: Call) -> bool:
        """Keep a place for a call that may become a task; False when there is none."""
        self._sweep()
        with self._lock:
            if call not in self._reserved:
                while len(self._by_id) + len(self._reserved) >= MAX_TASKS or self._bytes() >= MAX_TASK_BYTES:
                    if not self._make_room():
                        return False
                self._reserved.add(call)
        return True

    def _make_room(self) -> bool:
        """Forget what ended longest ago, when its client had the time to look; False when there is no such task."""
        longest = min(self._by_id.values(), key=lambda task: task.ended_at, default=None)
        if longest is None or longest.ended_at + READ_SECONDS > monotonic():
            return False
        del self._by_id[longest.id]
        return True

    def release(self, call: Call) -> None:
        """Give the place back that was kept for a call, if one still is."""
        with self._lock:
            self._reserved.discard(call)

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

    def _bytes(self) -> int:
        return sum(task.size for task in self._by_id.values())

    def _has_room(self, size: int) -> bool:
        """Say whether a result can be kept: calls that run at once may come to more together than one alone."""
        with self._lock:
            while self._bytes() + size > MAX_TASK_BYTES + MAX_RESULT_BYTES:
                if not self._make_room():
                    return False
        return True

    def __len__(self) -> int:
        return len(self._by_id)


def tasks_of(catalog: Catalog) -> Tasks:
    """Return the tasks of the process that serves a catalog, made when they are first asked for."""
    if catalog.tasks is None:

        def tell(task: Task) -> None:
            if catalog.hub is not None:
                catalog.hub.publish("task", task.id, task.details())

        catalog.tasks = Tasks(tell)
    found: Tasks = catalog.tasks
    return found


def is_declared(session: Session, meta: Any, dialect: Dialect) -> bool:
    """Say whether a client declares the extension with a request."""
    extensions = session.client_capabilities(meta, dialect).get("extensions")
    return type(extensions) is dict and type(extensions.get(TASKS)) is dict


def not_declared() -> Refusal:
    """Return what is said to a client that does not, and asks for what it is needed for."""
    return Refusal(jsonrpc.MISSING_CAPABILITY, f"Missing required client capability: extensions.{TASKS}", NEEDED)


def asked_id(session: Session, params: dict[str, Any], dialect: Dialect) -> str:
    """Return the id of the task that a request is about; raises Refusal for who may not ask about any."""
    if not dialect.modern:
        raise Refusal(jsonrpc.METHOD_NOT_FOUND, "Method not found: tasks are an extension of 2026-07-28")
    if not is_declared(session, params.get("_meta"), dialect):
        raise not_declared()
    return text(params, "taskId")


def unknown(task_id: str) -> Refusal:
    """Return what is said to who asks about a task that is not there."""
    return Refusal(jsonrpc.INVALID_PARAMS, f"Unknown task: {shown(task_id)}; it ended long ago, or never was")


def _kept(result: dict[str, Any]) -> tuple[dict[str, Any], int]:
    """Return a task's members for what its call came to, which its tool cannot change any more, and their size."""
    error = result.get("rpcError")
    kept = {"result": result} if error is None else {"error": error}
    try:
        text = jsonrpc.ascii_text(kept)
        return jsonrpc.scan(text, 0)[0], len(text)
    except (ValueError, TypeError, RecursionError, MemoryError) as problem:
        message = f"The result cannot be sent: {type(problem).__name__}"
        return {"error": {"code": jsonrpc.INTERNAL_ERROR, "message": message}}, len(message)


def _stamp() -> str:
    """Return the time of day in UTC with milliseconds (RFC 3339)."""
    now = time()
    return f"{strftime('%Y-%m-%dT%H:%M:%S', gmtime(now))}.{int(now * 1000) % 1000:03}Z"


def _to_nobody(_: object) -> None:
    """Stand for what nobody attached yet."""


def _without_end(_: int) -> bool:
    """Say that there is room where somebody else counts."""
    return True
