"""The only caller of user code.

`run` and `run_async` take a call to its result and never raise, whatever user code does: SystemExit,
KeyboardInterrupt and the like end the call, not the server. After user code ran, two things it may have done to the
process are looked after: the recursion limit is put back, and a child it forked ends here instead of serving the same
client twice.
"""

from __future__ import annotations

from ..schema.conversion_problem import ConversionProblem
from ..schema.imports import ImportProblem
from ..schema.results import is_awaitable
from .aftermath import look_after_process
from .drain import EndlessResult, collect, collect_async, is_stream
from .faults import failed
from .intake import Ready, refuse, take
from .preparing import prepare, prepare_aside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable
    from typing import Any

    from .brief import Brief
    from .call import Call
    from .capture import Capture
    from .plan import Plan
    from .ticket import Ticket

PLAIN = frozenset((str, int, float, bool, type(None), dict, list, tuple))
"""Types of results that need no awaiting and no draining; anything else is looked at."""

MOST_AWAITED = 8
"""Awaitables that come to awaitables; an object that always comes to another one is no result."""

META_COERCED = "mcpgen/coerced"
"""The key under `_meta` that tells a client which arguments were read in another type than sent."""


def run(call: Call) -> dict[str, Any]:
    """Run a sync tool and return its result; blocks until it is done."""
    try:
        try:
            plan = call.tool.plan or prepare(call)
            if call.resumes and (rejected := _resume(call)) is not None:
                return rejected
            if plan.guarded:
                return _guard(call, plan)
            ready = take(call, plan)
            if not isinstance(ready, Ready):
                return ready
            if call.tool.task is not None:
                _begin_task(call)
            result = _run_captured(call, plan, ready) if plan.capture else _perform(call, plan, ready)
            return result if call.asker is None else call.asker.unfinished() or result
        finally:
            look_after_process()
    except BaseException as error:  # noqa: BLE001 # a tool must not end the server
        return refused(call, error)


def run_brief(brief: Brief, arguments: dict[str, Any], ticket: Ticket) -> str | dict[str, Any]:
    """Like `run`; the members of a result that needs no second look come as text, and then the call was not needed."""
    try:
        try:
            try:
                is_good = brief.accepts(arguments)
            except RecursionError:
                is_good = False
            if not is_good:
                return run(ticket.made())
            plan = brief.plan
            try:
                positional, keywords = plan.bind(arguments)
            except ConversionProblem as problem:
                return refuse(ticket.made(), plan, arguments, [problem, *problem.more])
            value = plan.handler(*positional, **keywords)
            try:
                members = brief.members(value)
            except RuntimeError:  # RecursionError, or another thread changes the dict
                members = ""
            if members:
                return members
            call = ticket.made()
            return plan.answer(call, plan, value if type(value) in PLAIN else _settled(call, value))
        finally:
            look_after_process()
    except BaseException as error:  # noqa: BLE001 # a tool must not end the server
        return refused(ticket.made(), error)


async def run_async(call: Call) -> dict[str, Any]:
    """Run an async tool on the running loop and return its result; a cancelled one returns as well."""
    try:
        try:
            plan = call.tool.plan or await prepare_aside(call)
            if call.resumes and (rejected := _resume(call)) is not None:
                return rejected
            if plan.guarded:
                return await _guard_async(call, plan)
            ready = take(call, plan)
            if not isinstance(ready, Ready):
                return ready
            if call.tool.task is not None:
                _begin_task(call)
            run_it = _run_captured_async if plan.capture else _perform_async
            result = await run_it(call, plan, ready)
            return result if call.asker is None else call.asker.unfinished() or result
        finally:
            look_after_process()
    except BaseException as error:  # noqa: BLE001 # a tool must not end the server
        return refused(call, error)


def _guard(call: Call, plan: Plan) -> dict[str, Any]:
    """Run a sync tool that has middleware or wants a confirmation."""
    if plan.middleware:
        from .middleware import through

        result = through(call, plan, _serve, _wait)
    else:
        result = _serve(call, plan)
    return result if call.asker is None else call.asker.unfinished() or result


async def _guard_async(call: Call, plan: Plan) -> dict[str, Any]:
    """Run an async tool that has middleware or wants a confirmation."""
    if plan.middleware:
        from .middleware import through_async

        result = await through_async(call, plan, _serve_async)
    else:
        result = await _serve_async(call, plan)
    return result if call.asker is None else call.asker.unfinished() or result


def _serve(call: Call, plan: Plan) -> dict[str, Any]:
    ready = take(call, plan)
    if not isinstance(ready, Ready):
        return ready
    if plan.confirms:
        if call.tool.task is not None:
            _need_tasks(call)
        from .confirming import unconfirmed

        rejected = unconfirmed(call)
        if rejected is not None:
            return rejected
    if call.tool.task is not None:
        _begin_task(call)
    return _run_captured(call, plan, ready) if plan.capture else _perform(call, plan, ready)


async def _serve_async(call: Call, plan: Plan) -> dict[str, Any]:
    ready = take(call, plan)
    if not isinstance(ready, Ready):
        return ready
    if plan.confirms:
        if call.tool.task is not None:
            _need_tasks(call)
        from .confirming import unconfirmed_async

        rejected = await unconfirmed_async(call)
        if rejected is not None:
            return rejected
    if call.tool.task is not None:
        _begin_task(call)
    return await (_run_captured_async if plan.capture else _perform_async)(call, plan, ready)


def _perform(call: Call, plan: Plan, ready: Ready) -> dict[str, Any]:
    value = plan.handler(*ready.positional, **ready.keywords)
    if type(value) not in PLAIN:
        value = _settled(call, value)
    result = plan.answer(call, plan, value)  # not a frame deeper: a tool may have left few of them
    return _with_notes(call, plan, result, ready.notes) if ready.notes else result


def _settled(call: Call, value: Any) -> Any:
    """Return what a sync tool's awaitable comes to, and the items of a stream as a list."""
    if is_awaitable(value):
        value = _wait(call, _awaited(value))
    if is_stream(value):
        value = _wait(call, collect_async(value, call)) if hasattr(value, "__anext__") else collect(value, call)
    return value


async def _perform_async(call: Call, plan: Plan, ready: Ready) -> dict[str, Any]:
    value = plan.handler(*ready.positional, **ready.keywords)
    if type(value) not in PLAIN:
        value = await _awaited(value)
        if is_stream(value):
            value = await collect_async(value, call) if hasattr(value, "__anext__") else collect(value, call)
    result = plan.answer(call, plan, value)
    return _with_notes(call, plan, result, ready.notes) if ready.notes else result


async def _awaited(value: Any) -> Any:
    """Return what an awaitable comes to, however often that is one again: an async function may return a coroutine."""
    for _ in range(MOST_AWAITED):
        if not is_awaitable(value):
            break
        value = await value
    return value


def _wait(call: Call, awaitable: Awaitable[Any]) -> Any:
    """Run what a sync tool returned on the shell's loop; an exception travels as a value, so that it ends no loop."""

    async def outcome() -> tuple[Any, BaseException | None]:
        try:
            return await awaitable, None
        except BaseException as error:  # noqa: BLE001 # raised again below, in the tool's own thread
            return None, error

    found: Any = call.run_coroutine(outcome())
    value, error = found
    if error is not None:
        raise error
    return value


def _run_captured(call: Call, plan: Plan, ready: Ready) -> dict[str, Any]:
    """Run a tool whose prints come back with its result, also when it fails."""
    from . import capture

    printed = capture.begin()
    try:
        result = _perform(call, plan, ready)
    except BaseException as error:  # noqa: BLE001 # as in `run`
        look_after_process()
        result = refused(call, error)
    finally:
        capture.end()
    return _with_prints(result, printed)


async def _run_captured_async(call: Call, plan: Plan, ready: Ready) -> dict[str, Any]:
    from . import capture

    printed = capture.begin()
    try:
        result = await _perform_async(call, plan, ready)
    except BaseException as error:  # noqa: BLE001 # as in `run_async`
        look_after_process()
        result = refused(call, error)
    finally:
        capture.end()
    return _with_prints(result, printed)


def _with_prints(result: dict[str, Any], printed: Capture) -> dict[str, Any]:
    """Put what a tool printed behind its content; a result without content says nothing to a model."""
    if "content" not in result:
        return result
    return {**result, "content": [*result["content"], *printed.blocks()]}


def refused(call: Call, error: Any) -> dict[str, Any]:
    """Tell questions that are still open, and faults of the server's surroundings, from faults of the tool."""
    if call.asker is not None:
        try:
            unfinished = call.asker.unfinished()
        except Exception as problem:  # noqa: BLE001 # what the client said cannot be kept
            return failed(call, problem)
        if unfinished is not None:
            return unfinished
    kind = type(error)  # `isinstance` would ask the exception itself, which may raise
    if issubclass(kind, ImportProblem) and (error.missing or not call.tool.reticent):
        from .masking import mask
        from .outcome import not_importable

        return not_importable(call, mask(error.message), error.missing)
    if issubclass(kind, EndlessResult):
        from .outcome import broken_result

        return broken_result(call, "", str(error))
    return failed(call, error)


def _resume(call: Call) -> dict[str, Any] | None:
    """Take the answers that a retry brings; return the result of one that is refused."""
    from .asking_replay import resume

    return resume(call)


def _begin_task(call: Call) -> None:
    """Let a call go on as a task, if its tool and its client want that."""
    from .task_start import begin

    begin(call)


def _need_tasks(call: Call) -> None:
    """Refuse a client that cannot have the task which the tool is, before the person is asked anything."""
    from .task_start import need

    need(call)


def _with_notes(call: Call, plan: Plan, result: dict[str, Any], notes: list[str]) -> dict[str, Any]:
    """Tell the client and the log what was coerced (decision 18)."""
    if not plan.tells_coercions:
        return result
    from . import logs

    logs.note(call, f"coerced {len(notes)} arguments")
    return {**result, "_meta": {**result.get("_meta", {}), META_COERCED: notes}}
