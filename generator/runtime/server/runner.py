"""Running calls: on the reading thread, a worker or the event loop, and answering each of them once.

A tool whose last call took under a millisecond runs on the thread that read its call, which saves two thread switches;
any other runs on a worker thread, an asynchronous one on the event loop. What calls need is imported at the first of
them, before user code can stand in the way of imports.
"""

from __future__ import annotations

from _thread import allocate_lock
from time import monotonic, sleep

from ..wire import limits
from .call import REPEAT_KEY
from .lanes import Lanes
from .lifetime import FLUSH_SECONDS, POLL_SECONDS, Lifetime
from .output import Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import Any

    from .books import Books
    from .call import Call
    from .call_events import CallEvents
    from .event_loop import EventLoops
    from .role import Role
    from .session import Cancel
    from .ticket import Ticket
    from .tool import Tool
    from .watch import Watch
    from .workers import Workers

FAILED: dict[str, Any] = {"content": [{"type": "text", "text": "The tool could not be run."}], "isError": True}
"""The answer when nothing better can be said."""

QUICK_SECONDS = 0.001
"""A tool that took less may run on the reading thread next time, and does until the watch has to step in.

One call that took longer is no reason to give up: on a busy machine it is the scheduler's doing, and each change of
mind in a burst starts dozens of threads.
"""


class Runner:
    """Runs the calls of one session and writes their answers to `output`; the shell attaches `role` and `watch`."""

    __slots__ = (
        "_flush_elsewhere", "_flush_log", "_lanes", "_log", "_quick", "_run", "_session", "_starting", "answering",
        "events", "farewell", "gateway", "lifetime", "loops", "output", "restore", "role", "straight", "straighten",
        "watch", "workers",
    )  # fmt: skip

    LIFETIME = Lifetime
    role: Role
    watch: Watch

    def __init__(self, session: Books, sink: int) -> None:
        self._session = session
        self.answering: set[Call | Ticket] = set()
        self._lanes = Lanes()
        self._quick: set[Tool] = set()
        self._run: Callable[[Call], dict[str, Any]]  # bound at the first call, like _log: not needed to start
        self._log: Callable[..., None]
        self._flush_log: Callable[[], None] = _nothing
        self._flush_elsewhere: Callable[[], None] = _nothing
        self.restore: Callable[[], None] = _nothing
        self.farewell: Callable[[], object] = _nothing  # what the shell says when everything is answered
        self.lifetime = self.LIFETIME(self._is_busy, self._give_up)
        self.output = Output(sink, self.lifetime.end)
        self.events: CallEvents | None = None
        self.straight: Any = None  # where plain calls go over stdio, once there are any
        self.straighten: Callable[[], None] = _nothing  # has the shell make that, before user code runs
        self.gateway: Any = None  # the servers behind this one, from the first call of a tool of theirs on
        self.workers: Workers | None = None
        self.loops: EventLoops | None = None
        self._starting = allocate_lock()  # held while one of the two above is made: several threads may be the first

    def flush(self) -> None:
        """Write what was collected so far: calls for other servers, answers, then lines of the log. Never raises."""
        try:
            self._flush_elsewhere()
            self.output.flush()
            self._flush_log()
        except:  # noqa: E722 # the same reason
            self.restore()

    def start(self, call: Call, *, aside: bool = False) -> bool:
        """Run a call, `aside` never on this thread; False when this thread lost the reader's role on the way."""
        tool = call.tool
        self.prepare(call, now := monotonic())
        if len(self._session.open) > limits.MAX_CALLS:
            self.refuse(call)
            return True
        if REPEAT_KEY in call.meta and self._is_repeated(call):
            return True
        if tool.task is not None:
            call.hand_over = self._handing_over(call)
        if tool in self._quick and not aside:
            self.watch.begin(call)
            return self.end_quick(call, self._result_of(call))
        if tool.remote is None and not self.lifetime.started_user_code:
            self._load()
        if self._lanes.enter(call) and not self._dispatch(call):
            self._leave(tool)
        if tool.remote is None or call.deadline - now < limits.WATCH_SECONDS:
            self.watch.attend()
        return True

    def prepare(self, call: Call, started: float) -> None:
        """Tie a call that began at `started` to this shell."""
        call.send = self._sender(call)
        call.run_coroutine = self._run_coroutine
        call.started = started
        call.deadline = started + (call.tool.timeout or limits.DEFAULT_TIMEOUT)

    def is_quick(self, tool: Tool) -> bool:
        """Say whether a call of this tool may run on the thread that read it."""
        return tool in self._quick

    def log(self, call: Call, result: dict[str, Any], seconds: float) -> None:
        """Log a call that was answered."""
        self._log(call, result, seconds, hold=True)

    def _is_repeated(self, call: Call) -> bool:
        """Answer a call that was sent before; False for the first of its key, which runs."""
        if call.tool.framing is not None or call.tool.task is not None:
            return False  # reading again does no harm, and a task has an id of its own
        from .repeats import repeats_of

        earlier = repeats_of(call.tool.catalog).begin(call)
        if earlier is not None:
            self.refuse(call, earlier)
        return earlier is not None

    def refuse(self, call: Call, result: dict[str, Any] | None = None) -> None:
        """Answer a call without running it; None as result says that the server is busy."""
        if not self.lifetime.started_user_code:
            self._load()
        from .outcome import busy

        call.started = call.started or monotonic()
        self._answer(call, busy(call) if result is None else result)

    def _sender(self, _: Call) -> Callable[[bytes], None]:
        """Return what sends a call's notifications."""
        return self.output.send

    def _handing_over(self, _: Call) -> Callable[[bytes], None]:
        """Return what answers the request of a call that goes on as a task."""
        return self.output.send

    def _load(self) -> None:
        """Import what calls need and starting does not, before user code can stand in the way of imports."""
        from . import faults, logs, outcome, workers  # noqa: F401 # here for the day they are needed
        from .invoke import run
        from .restoring import restore

        self._run, self.restore = run, restore
        self.straighten()
        self._keep_log()
        self.lifetime.started_user_code = True

    def _keep_log(self) -> None:
        """Log calls from now on, and tell of them where somebody wants to know."""
        from . import logs

        self._log = logs.call if self.events is None else self.events.beside(logs.call)
        self._flush_log = logs.flush

    def _dispatch(self, call: Call) -> bool:
        """Hand the call to a thread, the loop or another server; False when it had to be refused."""
        try:
            if call.tool.remote is not None:
                self._send_elsewhere(call)
                return True
            if call.tool.is_async:
                from .invoke import run_async

                self._event_loops().one().submit(call, run_async)
                return True
            if self.pool().submit(call):
                return True
            refused = None
        except (OSError, RuntimeError, MemoryError):
            refused = None  # no thread, no descriptor or no memory is left
        except Exception as error:  # noqa: BLE001 # user code broke what imports need
            from .faults import failed

            refused = failed(call, error)
        from .outcome import busy

        self._answer(call, refused or busy(call))
        return False

    def _send_elsewhere(self, call: Call) -> None:
        """Have a call answered by the server behind this one that has its tool."""
        if self.gateway is None:
            self._keep_log()
            self.straighten()
            self.gateway = call.tool.remote.gateway
            self._flush_elsewhere = self.gateway.serve(self.flush, self._flush_log)
            self._flush_log = _nothing  # the gateway does, now and then
            self.lifetime.farewell_seconds = limits.CHILDREN_SECONDS
        call.tool.remote.begin(call, lambda result: self.answer_later(call, result))

    def answer_later(self, call: Call, result: dict[str, Any]) -> None:
        """Answer a call that another server answered; whoever tells of it flushes when the burst is over."""
        try:
            self._end_here(call, result)
        finally:
            self._leave(call.tool)

    def end_quick(self, call: Call, result: dict[str, Any]) -> bool:
        """Answer a call that ran on the thread that has the role; False when that went elsewhere meanwhile."""
        if not self.role.end(call):
            self._end_late(call, result)
            return False
        self._end_here(call, result)
        return True

    def _end_late(self, call: Call, result: dict[str, Any]) -> None:
        """Answer a call that was slow, on the thread that has lost the role by it."""
        self._quick.discard(call.tool)
        try:
            self._answer(call, result)
        finally:
            self.pool().settle(call)

    def _end_here(self, call: Call, result: dict[str, Any]) -> None:
        """Answer a call with the next flush."""
        self.answering.add(call)  # it leaves the open calls before its answer is on its way
        try:
            line = self._finish(call, result)
            if line is not None:
                now = monotonic()
                self._log(call, result, now - call.started, hold=True)  # first: should it fail, there is no answer yet
                if line:
                    self.output.put(line, now)
        finally:
            self.answering.discard(call)

    def hand_over(self, running: Call | Ticket) -> None:
        """Give the role to another thread, unless the call ends before that; raises RuntimeError without a thread."""
        call = self._named(running)
        if call is None:
            return
        pool, passed = self.pool(), False
        pool.adopt(call)  # before its thread, without the role, can settle it
        try:
            passed = self.role.pass_on(call)
        finally:
            if not passed:
                pool.settle(call)
        if passed:
            self.flush()  # what was collected must not wait until the next holder finds nothing to do

    def _named(self, running: Any) -> Call | None:
        """Return the call that runs, made now if it runs under a ticket; None if it has ended."""
        return running if self.straight is None else self.straight.named(running)  # type: ignore[no-any-return]

    def _result_of(self, call: Call) -> dict[str, Any]:
        try:
            return self._run(call)
        except:  # noqa: E722 # only if user code took away what `run` itself stands on
            self.restore()
            return FAILED

    def _run_on_worker(self, call: Call) -> None:
        tool = call.tool
        if call.finished:  # cancelled or timed out while it waited for a thread
            self._answer(call, {})
            self._leave(tool)
            return
        call.begun, call.pool = monotonic(), self.workers
        try:
            result = self._result_of(call)
            if monotonic() - call.begun < QUICK_SECONDS and not (tool.max_concurrent or tool.task):
                self._quick.add(tool)  # before the answer, which may bring the next calls at once
            self.restore()
            self._answer(call, result)
        finally:
            self._leave(tool)

    def _answer_async(self, call: Call, result: dict[str, Any]) -> None:
        self.restore()
        self._answer(call, result)
        self._leave(call.tool)

    def _answer(self, call: Call, result: dict[str, Any]) -> None:
        self.answering.add(call)  # it leaves the open calls before its answer is on its way
        try:
            line = self._finish(call, result)
            if line is not None:
                self.output.send(line)
                self._log(call, result, monotonic() - call.started)
        finally:
            self.answering.discard(call)

    def _finish(self, call: Call, result: dict[str, Any]) -> bytes | None:
        """Answer the call, if need be with less: one whose result cannot be told must not be waited for for ever."""
        if call.repeat is not None:
            call.repeat.end(result)
        try:
            return self._session.finish(call, result)
        except:  # noqa: E722 # only if user code took away what this itself stands on
            self.restore()
            return self._session.finish(call, FAILED)

    def _is_busy(self) -> bool:
        return bool(self._session.open or self.answering)

    def _leave(self, tool: Tool) -> None:
        following = self._lanes.leave(tool)
        while following is not None and not self._dispatch(following):
            following = self._lanes.leave(tool)

    # -- not waiting any longer

    def time_out(self, call: Call) -> None:
        """Answer a call that is over its time, and wait for it no longer."""
        from .outcome import timed_out

        if call.tool.is_async and self.loops is not None:
            self.loops.look()  # the client's next call may need another loop
        seconds, remote = call.deadline - call.started, call.tool.remote
        self._answer(call, timed_out(call, seconds) if remote is None else remote.late(call, seconds))
        if not call.finished:
            return  # it becomes a task in this moment, which has more time
        call.cancelled = True
        self._stop_waiting(call)

    def cancel(self, effect: Cancel) -> None:
        """Wait no longer for a call its client gave up."""
        call = effect.call
        if call.repeat is not None:
            call.repeat.end(None)
        self._log(call, None, monotonic() - call.started)
        if effect.answer is not None:
            self.output.put(effect.answer)
        if effect.reply is not None:
            self.output.put(effect.reply)
        self._stop_waiting(call)

    def _stop_waiting(self, call: Call) -> None:
        stop = call.on_cancel
        stopped = stop() if stop is not None else None
        if call.tool.remote is not None:
            if stopped:  # otherwise its end is on its way
                self._leave(call.tool)
        elif not call.tool.is_async and self.workers is not None:
            self.workers.abandon(call)  # what `stop` ended comes back in a moment; nothing else is sure to

    def _give_up(self) -> None:
        """Answer what is still open when the process ends."""
        if (running := self.role.running) is not None:
            self._named(running)  # under a ticket it is in no book
        for call in self._session.open.copy():
            from .outcome import stopped

            self._answer(call, stopped(call, input_ended=self.lifetime.input_is_over))
        until = monotonic() + FLUSH_SECONDS
        while self.answering and monotonic() < until:
            sleep(POLL_SECONDS)  # another thread is about to answer one
        self.farewell()
        self.flush()
        if self.gateway is not None:
            self._end_elsewhere()
        if self.events is not None:
            self.events.close()

    def _end_elsewhere(self) -> None:
        """End the servers behind this one."""
        self.gateway.close()
        self.gateway.children.wait_closed(limits.CHILDREN_SECONDS)

    def pool(self) -> Workers:
        """Return the worker threads, started when first needed."""
        if self.workers is None:
            from .workers import Workers

            with self._starting:
                self.workers = self.workers or Workers(self._run_on_worker)
        return self.workers

    def _event_loops(self) -> EventLoops:
        if self.loops is None:
            from .event_loop import EventLoops

            with self._starting:
                self.loops = self.loops or EventLoops(self._answer_async)
        return self.loops

    def _run_coroutine(self, awaitable: Awaitable[object]) -> object:
        return self._event_loops().one().wait(awaitable)


def _nothing() -> None:
    """Stand for what is not needed until user code runs."""
