"""How a call becomes a task: its request is answered with the task's id, and the call goes on.

A tool says whether its calls may be tasks (`optional`), have to be (`required`), and when they become one: at once, or
when the function calls `start_task` of its context, so that what it asks before is asked in the call itself. Only a
client that declares the extension with the request gets a task; arguments that do not fit are told at once.
"""

from __future__ import annotations

from time import monotonic

from ..authoring.errors import CallCancelled, MissingRequiredClientCapability, ToolError
from ..wire import jsonrpc
from ..wire.dialects import TASKS
from ..wire.limits import TASK_SECONDS
from .task_asking import Parked
from .tasks import is_declared, tasks_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .call import Call


class TooManyTasks(ToolError):
    """No more tasks can be kept at the moment."""

    __mcp_code__ = "M-RUN-002"

    def __init__(self) -> None:
        super().__init__("Too many tasks are kept at the moment.", hint="Try again later.", retryable=True)


def begin(call: Call) -> None:
    """Make a task of a call before its function runs, if that is the time.

    Raises MissingRequiredClientCapability when the tool runs as a task only and the client knows none, and like
    `detach`.
    """
    need(call)
    if knows_tasks(call) and (call.tool.task or {}).get("starts") != "later":
        detach(call)


def need(call: Call) -> None:
    """Raise MissingRequiredClientCapability when the tool runs as a task only and the client knows none."""
    if (call.tool.task or {}).get("support") == "required" and not knows_tasks(call):
        raise MissingRequiredClientCapability({"extensions": {TASKS: {}}})


def detach(call: Call) -> None:
    """Answer the request with the task and let the call go on; nothing for one that is a task, or cannot be.

    Raises TooManyTasks, and CallCancelled when nobody waits any more.
    """
    session = call.session
    if call.task is not None or session is None or not knows_tasks(call):
        return
    tasks = tasks_of(call.tool.catalog)
    task = tasks.open(call, session.principal)
    if task is None:
        raise TooManyTasks
    own = (call.tool.entry.get("limits") or {}).get("timeout") or TASK_SECONDS
    call.deadline = monotonic() + min(own, TASK_SECONDS)  # first: nobody should find it over its time any more
    created = session.completed({"resultType": "task", **task.summary()}, call.dialect)
    parked = Parked(call, task)
    if call.asker is not None:
        parked.known = call.asker.known
    if not session.detach(call, task):
        tasks.forget(task)
        raise CallCancelled("nobody waits for this call any more")
    call.progress_token = call.log_level = None  # they belong to the request
    call.asker = parked
    call.hand_over(jsonrpc.result_line(call.request_id, created))


def knows_tasks(call: Call) -> bool:
    """Say whether this call may become a task: of a tool, by a client that declares the extension with the request."""
    if call.session is None or not call.dialect.modern or call.method != "tools/call":
        return False
    return is_declared(call.session, call.meta, call.dialect)
