"""The front process's runner: keeps the books, the clock and the lanes, and leaves the running to workers."""

from __future__ import annotations

import sys
from secrets import token_urlsafe
from time import monotonic

from ..wire import jsonrpc
from . import logs, system
from .farm import Farm
from .http_runner import Books, HttpRunner
from .runner import FAILED
from .sealing import KEY_VARIABLE, LEAST_KEY
from .serve_settings import token_variables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .call import Call
    from .catalog import Catalog
    from .options import Options


class FarmBooks(Books):
    """Also takes answers that are framed already."""

    __slots__ = ()

    def forward(self, call: Call, line: bytes) -> bool:
        """Answer a call with a line; False when it needs no answer any more."""
        exchange = self._exchanges.get(call)
        answer = exchange.core.forward(call, line) if exchange is not None else None
        if exchange is None or answer is None:
            return False
        self.leave(call)
        if answer:
            self.server.tell(exchange.answer, answer)
        return True

    def sender(self, call: Call) -> Callable[[bytes], None]:
        """Return what sends a call's notifications; the holder of the role says them, and must never be held back."""
        exchange = self._exchanges[call]
        return lambda line: self.server.post(exchange.notify, line)


class FarmRunner(HttpRunner):
    """Runs the calls in the books on worker processes."""

    __slots__ = ("_asked", "_catalog", "_farm", "_forward")

    def __init__(self, books: FarmBooks, catalog: Catalog) -> None:
        super().__init__(books)
        self._forward = books.forward
        self._catalog = catalog
        self._asked: dict[Call, list[str]] = {}
        self._farm: Farm

    def begin(self, options: Options) -> None:
        """Start the workers; the server must be attached."""
        told = {
            "argv": sys.argv,
            "package": self._catalog.package,
            "folder": self._catalog.folder,
            "log": {
                "log_format": logs.options.form,
                "log_file": options.log_file,
                "dev": logs.options.dev,
                "obscure_errors": logs.options.obscure_errors,
            },
            "texts": self.events is not None and options.serve.get("event_values") == "all",
            "limits": options.serve.get("limits") or {},
        }
        environment = {**system.environ}
        for name in token_variables(self._catalog.settings.get("serve") or {}, options.token_env):
            environment.pop(name.encode(), None)  # tools have no use for it
        if len(environment.get(KEY_VARIABLE.encode(), b"")) < LEAST_KEY:  # workers take up each other's calls
            environment[KEY_VARIABLE.encode()] = token_urlsafe(LEAST_KEY).encode()
        self._farm = Farm(options.workers, self.books.server, self, jsonrpc.encode(told), environment)
        self._farm.begin()

    def is_ready(self) -> bool:
        """Say whether calls can run."""
        return self._farm.is_ready()

    def flush(self) -> None:
        """Send workers what waits for them, then the log."""
        self._farm.flush()
        super().flush()

    # -- to the workers

    def _load(self) -> None:
        from . import outcome  # noqa: F401 # here for the day it is needed

        self._keep_log()
        self.lifetime.started_user_code = True

    def _dispatch(self, call: Call) -> bool:
        call.on_cancel = lambda: self.books.server.tell(self._farm.cancel, call)
        if self._farm.run(call, _content(call, has_place=call.tool.task is not None and self._keep_place(call))):
            return True
        self._forget(call)
        self._refuse(call)
        return False

    def _keep_place(self, call: Call) -> bool:
        """Keep a place for a task, if the call may become one; False when there is none."""
        from .task_start import knows_tasks
        from .tasks import tasks_of

        return knows_tasks(call) and tasks_of(self._catalog).reserve(call)

    def _refuse(self, call: Call) -> None:
        from .outcome import busy, no_worker

        self._answer(call, busy(call) if self._farm.is_ready() else no_worker(call))

    def _end_workers(self) -> None:
        self._farm.begin_end()

    def _give_up(self) -> None:
        super()._give_up()
        self._farm.end()

    # -- from the workers

    def ended(self, call: Call, content: bytes) -> None:
        """Take the end of a call: a line for the log and the answer, or nothing."""
        self._forget(call)
        if content:
            summary, _, line = content.partition(b"\n")
            if call.task is not None:
                self._answer(call, jsonrpc.parse(line))
            else:
                self._relay(call, jsonrpc.parse(summary), line)
        elif not call.finished:
            self._answer(call, FAILED)
        self._leave(call.tool)

    def lost(self, call: Call, how: str) -> None:
        """Take notice that a call's worker ended."""
        self._forget(call)
        if not call.finished:
            from .outcome import worker_ended

            self._answer(call, worker_ended(call, how))
        self._leave(call.tool)

    def refused(self, call: Call) -> None:
        """Take notice that a call cannot be run."""
        self._forget(call)
        if not call.finished:
            self._refuse(call)
        self._leave(call.tool)

    def asked(self, call: Call, line: bytes, answer: Callable[[bytes], None]) -> None:
        """Ask a call's client something; ids of requests are unlike those of any other process."""
        if call.session is None or call.finished:
            return
        if call.task is not None:
            from .farm_tasks import ask

            ask(call.task, jsonrpc.parse(line))
            return
        request_id = jsonrpc.parse(line)["id"]
        call.session.asked[request_id] = lambda response: answer(jsonrpc.encode(response))
        self._asked.setdefault(call, []).append(request_id)
        call.send(line)

    def task(self, call: Call, said: bytes, answer: Callable[[bytes], None]) -> None:
        """Let a call go on as a task, or note how far it is."""
        if not said:
            from .farm_tasks import begin

            begin(call, answer)
        elif call.task is not None:
            call.task.say(jsonrpc.parse(said))

    def changed(self, kind: str, key: str) -> None:
        """Tell whoever listens of a change."""
        if self._catalog.hub is not None:
            self._catalog.hub.publish(kind, key)

    def kept(self, content: bytes) -> None:
        """Keep an answer that can be read as a resource: the store is here as in the worker."""
        from .carried import answer_store

        facts, _, body = content.partition(b"\n")
        answer_store(self._catalog).adopt(jsonrpc.parse(facts), body)

    def _forget(self, call: Call) -> None:
        """Expect no more responses of a client to what a call asked, and keep no place for it."""
        if self._catalog.tasks is not None:
            self._catalog.tasks.release(call)
        if call.task is not None:
            call.task.wake.clear()  # its worker wants no answers any more
        for number in self._asked.pop(call, ()):
            if call.session is not None:
                call.session.asked.pop(number, None)

    def _relay(self, call: Call, summary: dict[str, Any], line: bytes) -> None:
        self.answering.add(call)
        if call.repeat is not None:
            call.repeat.end(jsonrpc.parse(line).get("result"))
        try:
            if self._forward(call, line):
                self._log(call, summary, monotonic() - call.started)
        finally:
            self.answering.discard(call)


def _content(call: Call, *, has_place: bool) -> bytes:
    """Return what a worker needs of a call: its session's state in a line, then its message."""
    session = call.session
    assert session is not None  # noqa: S101 # for the type checker: every call of a server has one
    state = [session.dialect.version, session.log_level, session.client, session.principal, call.answerable, has_place]
    return jsonrpc.encode(state) + b"\n" + (call.raw or jsonrpc.encode(_message(call)))


def _message(call: Call) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": call.request_id, "method": call.method, "params": call.params}
