"""The methods about tasks: look at one, answer its questions, cancel it (io.modelcontextprotocol/tasks).

They are for clients that declare the extension with the request; whoever started a task finds it, nobody else.
"""

from __future__ import annotations

from ..wire import jsonrpc
from ..wire.jsonrpc import Refusal, shown
from .asking_answers import shape_problem
from .session import Cancel
from .tasks import asked_id, tasks_of, unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..wire.dialects import Dialect
    from .session import Session
    from .tasks import Task


def _get(session: Session, params: dict[str, Any], dialect: Dialect) -> bytes:
    return session.completed(_task(session, params, dialect).details(), dialect)


def _update(session: Session, params: dict[str, Any], dialect: Dialect) -> bytes:
    task = _task(session, params, dialect)
    responses = params.get("inputResponses")
    if type(responses) is not dict:
        raise Refusal(jsonrpc.INVALID_PARAMS, "Invalid params: inputResponses must be an object")
    wanted = {**task.wanted}  # it may change under our hands
    fitting = {name: result for name, result in responses.items() if name in wanted}
    for name, result in fitting.items():
        complaint = shape_problem(wanted[name]["method"], result)
        if complaint is not None:
            what = f"Invalid params: inputResponses: {shown(name)}: {complaint}"
            raise Refusal(jsonrpc.INVALID_PARAMS, what)
    task.answer(fitting)
    return session.completed({}, dialect)


def _cancel(session: Session, params: dict[str, Any], dialect: Dialect) -> bytes | Cancel:
    """Cancel a task; one that has ended stays what it is."""
    task = _task(session, params, dialect)
    reply = session.completed({}, dialect)
    call = task.call
    if call is None or call.session is None or not call.session.give_up(call):
        return reply
    task.cancel()
    return Cancel(call, reply=reply)


def _task(session: Session, params: dict[str, Any], dialect: Dialect) -> Task:
    task_id = asked_id(session, params, dialect)
    task = tasks_of(session.catalog).find(task_id, session.principal)
    if task is None:
        raise unknown(task_id)
    return task


METHODS: dict[str, Callable[[Session, dict[str, Any], Dialect], bytes | Cancel]] = {
    "tasks/get": _get,
    "tasks/update": _update,
    "tasks/cancel": _cancel,
}
