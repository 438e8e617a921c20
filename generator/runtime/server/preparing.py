"""Prepare a tool for its first call, in the calling thread or beside the event loop."""

from __future__ import annotations

from time import monotonic

from ..schema.imports import ImportProblem
from .aftermath import accept_higher_limits, look_after_process

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .call import Call
    from .plan import Plan


def prepare(call: Call) -> Plan:
    """Prepare the call's tool, which is no time of the tool's own; raises ImportProblem."""
    try:
        plan = call.tool.prepare()
    except ImportProblem:  # what is missing may be installed before the next call: look at the folders afresh then
        from importlib import invalidate_caches

        invalidate_caches()
        raise
    accept_higher_limits()
    call.begun = monotonic()
    return plan


async def prepare_aside(call: Call) -> Plan:
    """Prepare on a thread of its own: a slow import must not stop the other tools of the loop."""
    from _thread import start_new_thread
    from asyncio import get_running_loop

    loop = get_running_loop()
    done: Any = loop.create_future()

    def tell(plan: Plan | None, error: BaseException | None) -> None:
        if not done.done():
            done.set_result((plan, error))

    def work() -> None:
        try:
            found: tuple[Plan | None, BaseException | None] = (prepare(call), None)
        except BaseException as error:  # noqa: BLE001 # importing runs user code
            found = (None, error)
        finally:
            look_after_process()
        try:
            loop.call_soon_threadsafe(tell, *found)
        except RuntimeError:  # the loop was closed in the meantime: nobody waits
            return

    start_new_thread(work, ())
    plan, error = await done
    if error is not None:
        raise error
    return plan  # type: ignore[no-any-return]  # what `tell` was given
