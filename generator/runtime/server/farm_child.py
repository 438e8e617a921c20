"""A worker process of an HTTP server: reads calls from the front process, runs them, writes what comes of them.

It is the stdio shell with frames for lines: the same reader, threads, loops and watch. A session lives in the front;
a call brings what it needs of it, and its message is judged here once more. Time limits are the front's business, and
the log of calls too; a worker ends as soon as the front does, however that ended. Signals of a terminal do not reach
it, because it leads a process group of its own.
"""

from __future__ import annotations

import sys
from _thread import start_new_thread

from ..wire import jsonrpc
from ..wire.dialects import DIALECTS
from . import logs, system
from .call import Call
from .catalog import Catalog, CatalogError
from .farm_books import ChildBooks
from .farm_frames import ANSWER, CALL, CANCEL, CHANGED, PING, PONG, READY, RESULT, START, TASK, FrameReader, frame
from .lifetime import Lifetime
from .role import Role
from .runner import FAILED, Runner
from .session import Cancel, Session
from .stdio import Stdio
from .streams import set_apart, set_aside
from .watch import Watch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

    from .farm_tasks import FarTasks

DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG of Linux's prctl."""

KILL = 9


def serve(descriptor: int) -> NoReturn:
    """Serve the front process at the other end of a descriptor until it ends; leaves the process."""
    set_apart()
    front = system.getppid()
    link = set_aside(descriptor)
    if link != descriptor:
        system.close(descriptor)
    _end_with(front)
    system.register_at_fork(after_in_child=lambda: system.close(link))
    Child(link).serve()


def _end_with(front: int) -> None:
    """Have the system end this process when the front is gone, even while user code lets no thread of ours run."""
    if not sys.platform.startswith("linux"):
        return
    try:
        import ctypes

        ctypes.CDLL(None).prctl(DEATH_SIGNAL, KILL, 0, 0, 0)
    except (ImportError, OSError, AttributeError):
        return  # the watch looks, too
    if system.getppid() != front:  # it ended before
        system.leave(1)


class ChildLifetime(Lifetime):
    """Ends at once when the front is gone: nobody reads answers any more."""

    __slots__ = ()

    def input_ended(self) -> None:
        """End because the front closed the link, or is gone."""
        self.end(0)


class ChildWatch(Watch):
    """Leaves the clock of calls to the front."""

    __slots__ = ()

    def _end_overdue(self, now: float) -> None:
        pass


class ChildRunner(Runner):
    """Runs the calls of one worker. What ends unanswered here is answered by the front."""

    __slots__ = ("_books",)

    LIFETIME = ChildLifetime

    def __init__(self, books: ChildBooks, sink: int) -> None:
        self._books = books
        super().__init__(books, sink)

    def _load(self) -> None:
        super()._load()
        self._log = _nothing

    def _is_repeated(self, call: Call) -> bool:  # noqa: ARG002 # the front looks
        return False

    def _sender(self, call: Call) -> Callable[[bytes], None]:
        send = self.output.send
        return lambda line: send(self._books.note(call, line))

    def _handing_over(self, call: Call) -> Callable[[bytes], None]:
        return lambda _: self.output.send(self._books.about(call, TASK))  # the front has an answer of its own

    def _give_up(self) -> None:
        self.flush()

    def fail(self, number: int) -> None:
        """Answer a call whose handling failed in a way nobody foresaw."""
        call = self._books.calls.get(number)
        if call is not None:
            self._answer(call, FAILED)
        elif number:
            self.output.put(frame(RESULT, number))


class ChildReader(FrameReader):
    """Ends the process when no frame can be read any more: another worker takes its place."""

    __slots__ = ()

    def feed(self, chunk: bytes) -> list[tuple[int, int, bytes]]:
        """Return the frames this chunk completes."""
        try:
            return super().feed(chunk)
        except BaseException:  # noqa: BLE001 # no memory, or not a frame
            system.leave(1)


class Child(Stdio):
    """The shell: frames in, effects of the session core, frames out."""

    __slots__ = ("_books", "_catalog", "_listed", "_tasks")

    def __init__(self, link: int) -> None:
        self._source = link
        self._limit = 0
        self._lines: Any = ChildReader()
        self._pending = []
        self._listed: dict[str, bytes] = {}
        self._catalog: Catalog | None = None
        self._tasks: FarTasks | None = None
        self._books = self._session = ChildBooks()  # type: ignore[assignment]  # what the shell asks of a session
        self._runner = ChildRunner(self._books, link)
        self._role = self._runner.role = Role(self._read)
        self._watch = self._runner.watch = ChildWatch(
            self._books.open,
            self._role,
            hand_over=self._runner.hand_over,
            overdue=self._runner.time_out,
            client_gone=self._runner.output.is_unread,
            end=self._runner.lifetime.end,
        )

    def serve(self) -> NoReturn:
        """Serve until the link ends; leaves the process."""
        self._runner.lifetime.catch_signals()
        start_new_thread(self._read, (True,))
        self._runner.lifetime.wait()

    def _line(self, line: Any) -> bool:
        try:
            return self._carry_out(line)
        except:  # noqa: E722 # user code may have deleted the very names of exceptions
            if not self._role.keep():
                return False
            self._runner.restore()
            self._runner.fail(line[1])  # type: ignore[attr-defined]  # the runner is a ChildRunner
            return True

    def _carry_out(self, line: Any) -> bool:
        kind, number, content = line
        if kind == CALL:
            return self._begin(number, content)
        if kind == CANCEL:
            self._cancel(number)
        elif kind == PING:
            self._runner.output.put(frame(PONG))
        elif kind == ANSWER:
            self._books.answered(number, content)
        elif kind == START:
            self._start(jsonrpc.parse(content))
        return True

    def _start(self, told: dict[str, Any]) -> None:
        """Take the configuration of the front, and say that calls can come."""
        sys.argv[:] = told["argv"]
        logs.configure(**told["log"])
        self._books.tells_texts = told["texts"]
        if told["limits"]:
            from .serve_settings import apply_limits

            apply_limits(told["limits"], http=False)
        try:
            self._catalog = self._books.catalog = Catalog(told["package"], told["folder"])
            self._catalog.tools  # noqa: B018 # read now, not in the first call
        except CatalogError as error:  # somebody built the server again, with another mcpgen
            logs.warning(str(error))
            system.leave(2)
        if self._catalog.header.get("tasks"):
            from .farm_tasks import FarTasks

            send = self._runner.output.send
            self._tasks = self._catalog.tasks = FarTasks(
                lambda call, kind, said: send(self._books.about(call, kind, said))
            )
        self._runner.output.put(frame(READY))

    def _begin(self, number: int, content: bytes) -> bool:
        state, _, raw = content.partition(b"\n")
        version, level, client, principal, answerable, has_place = jsonrpc.parse(state)
        assert self._catalog is not None, "START comes first"  # noqa: S101 # for the type checker
        session = Session(self._catalog, self._listed, principal)
        session.dialect = DIALECTS[version]
        session.log_level, session.client = level, client
        effect = session.receive(jsonrpc.parse(raw), raw)
        if isinstance(effect, Call):
            effect.answerable = answerable
            effect.publish = self._publish
            if has_place and self._tasks is not None:
                self._tasks.enter(effect)
            self._books.enter(effect, number)
            return self._runner.start(effect)
        self._runner.output.put(self._books.at_once(number, effect if isinstance(effect, bytes) else b""))
        return True

    def _publish(self, kind: str, key: str) -> None:
        """Tell the front of a change, for everybody who listens; any thread, also after the call."""
        self._runner.output.send(frame(CHANGED, 0, jsonrpc.encode([kind, key])))

    def _cancel(self, number: int) -> None:
        call = self._books.calls.get(number)
        if call is None or call.session is None:
            return
        if call.session.give_up(call):
            self._books.open.discard(call)
            if call.task is not None:
                call.task.cancel()  # the front knows; from now on nothing is said of it
            self._runner.cancel(Cancel(call))


def _nothing(*_: object, **__: object) -> None:
    """Stand for the log of calls, which the front keeps."""
