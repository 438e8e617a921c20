"""One tool of the catalog: cheap until its first call, prepared once then."""

from __future__ import annotations

from _thread import allocate_lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .call import Call
    from .catalog import Catalog
    from .plan import Plan
    from .session import Session

_preparing = allocate_lock()


class Tool:
    """What a shell must know of a tool before it runs: its name, whether it is async, its limits.

    `timeout` is in seconds and `max_concurrent` counts calls; None leaves either to the server. `plan` is what
    `prepare` made, None before the first call. `remote` is where calls go that another server answers.
    """

    framing: Callable[[Session, Call, dict[str, Any]], bytes] | None = None  # how what is no tool answers
    reticent = False  # an exception's text goes to clients

    __slots__ = ("_lock", "catalog", "entry", "is_async", "max_concurrent", "name", "plan", "remote", "task", "timeout")

    def __init__(self, entry: dict[str, Any], catalog: Catalog) -> None:
        self.entry = entry
        self.catalog = catalog
        self.name: str = entry["definition"]["name"]
        self.is_async: bool = entry["call"].get("async", False)
        limits = entry.get("limits")
        own: float | None = limits.get("timeout") if limits else None
        self.timeout: float | None = own or catalog.settings.get("timeout")
        self.max_concurrent: int | None = limits.get("max_concurrent") if limits else None
        self.plan: Plan | None = None
        self.task: dict[str, str] | None = entry.get("task")  # whether and when its calls become tasks
        self.remote: Any = None
        if entry["call"].get("kind") == "proxy":
            self._go_elsewhere(entry["call"])
        self._lock: Any = None

    def _go_elsewhere(self, call: dict[str, Any]) -> None:
        from .carried import gateway_of

        self.remote = gateway_of(self.catalog).remote(self, call)

    def prepare(self) -> Plan:
        """Import the handler and compile the schemas, once; after an ImportProblem the next call tries again."""
        if self.plan is None:
            with _preparing:  # a lock for each of a thousand tools is made only when it is used
                if self._lock is None:
                    self._lock = allocate_lock()
            with self._lock:
                if self.plan is None:
                    self.plan = _plan(self)
        return self.plan


def _plan(tool: Tool) -> Plan:
    from .carried import plan_of

    made = plan_of(tool)
    if made is None:
        from .plan import FunctionPlan

        made = FunctionPlan(tool)
    return made
