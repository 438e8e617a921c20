"""The worker processes of an HTTP server: who runs a call, who replaces whom, and what is said of calls that are lost.

Rules. A call goes to the worker with the fewest; without one that is ready it waits. A worker that ends takes its calls
with it: they are answered M-RUN-004, never run again, for nobody knows how far they came. Another worker is started at
once, but after one that ended before it was ready there is a pause, ever longer; after a few of those, calls are
refused until one gets ready. A worker that does not let go of a call which timed out or was cancelled gets no calls any
more, is replaced, and is ended with the last call that somebody waits for: Python cannot end a thread, but the system a
process. Everything here is done by the thread that holds the server's role, apart from starting and waiting.
"""

from __future__ import annotations

from _thread import get_ident, start_new_thread
from collections import deque
from time import monotonic, sleep

from ..wire import jsonrpc
from . import logs
from .farm_frames import ANSWER, ASK, CALL, CHANGED, KEPT, NOTE, PING, PONG, READY, RESULT, TASK, frame
from .farm_process import Process, spawn, wait
from .lifetime import POLL_SECONDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from .call import Call
    from .http_server import HttpServer

    class Owner(Protocol):
        """Whom the farm tells what becomes of calls."""

        def ended(self, call: Call, content: bytes) -> None:
            """Take the end of a call: a line for the log and the answer, or nothing."""

        def lost(self, call: Call, how: str) -> None:
            """Take notice that a call's worker ended."""

        def refused(self, call: Call) -> None:
            """Take notice that a call cannot be run."""

        def asked(self, call: Call, line: bytes, answer: Callable[[bytes], None]) -> None:
            """Ask a call's client something."""

        def task(self, call: Call, said: bytes, answer: Callable[[bytes], None]) -> None:
            """Let a call go on as a task, or note how far it is."""

        def changed(self, kind: str, key: str) -> None:
            """Tell whoever listens of a change."""

        def kept(self, content: bytes) -> None:
            """Keep an answer that can be read as a resource."""


FIRST_PAUSE_SECONDS = 0.1
"""Seconds before another worker is started after one that never got ready; doubled each time."""

LONGEST_PAUSE_SECONDS = 30.0
"""The longest such pause, in seconds."""

BROKEN_AFTER = 3
"""Workers in a row that never got ready, after which calls are refused."""

MAX_WAITING = 10_000
"""Calls that wait for a worker to get ready; the next one is refused."""

START_SECONDS = 60.0
"""How long a worker may take to get ready, in seconds, on a machine that does much else; then it is ended."""

STUCK_SECONDS = 5.0
"""How long a call that timed out or was cancelled may go on before its worker is given up."""

DEAF_SECONDS = 1.0
"""A worker that did not react for so long gets calls only if all are like that: something holds its interpreter."""

LOOK_SECONDS = 0.5
"""How exact these times are."""

END_SECONDS = 0.2
"""How long workers may take to end after the server said its last words: their exit handlers had a moment before."""


class Farm:
    """The workers of one server, their environment, and what is `told` to each of them."""

    def __init__(
        self, size: int, server: HttpServer, owner: Owner, told: bytes, environment: dict[bytes, bytes]
    ) -> None:
        self._size = size
        self._server = server
        self._owner = owner
        self._told = told
        self._environment = environment
        self._processes: list[Process] = []
        self._waiting: deque[tuple[Call, bytes]] = deque()
        self._places: dict[Call, tuple[Process, int]] = {}
        self._starting = 0
        self._failures = 0
        self._next = 0
        self._next_look = 0.0
        self._role = 0
        self._ending = False

    # -- calls

    def is_ready(self) -> bool:
        """Say whether a worker takes calls."""
        return any(process.ready for process in self._processes)

    def run(self, call: Call, content: bytes) -> bool:
        """Have a call run, now or when a worker is ready; False when it must be refused."""
        process = self._chosen()
        if process is None:
            if self._failures >= BROKEN_AFTER or len(self._waiting) >= MAX_WAITING:
                return False
            self._waiting.append((call, content))
            return True
        self._next = number = self._next % 0xFFFFFFFF + 1
        self._places[call] = process, number
        process.give(number, call, frame(CALL, number, content))
        return True

    def cancel(self, call: Call) -> None:
        """Ask the worker of a call to end it."""
        place = self._places.get(call)
        if place is not None:
            place[0].cancel(place[1], monotonic())

    def _chosen(self) -> Process | None:
        found = [process for process in self._processes if process.ready and not process.retiring]
        if len(found) < 2:
            return found[0] if found else None
        now = monotonic()
        return min(found, key=lambda each: (each.pinged > 0.0 and now - each.pinged > DEAF_SECONDS, len(each.calls)))

    # -- time

    def flush(self) -> None:
        """Send what waits for the workers, and look at the clock now and then; any other thread sends nothing."""
        if self._role != get_ident():
            return
        for process in self._processes:
            process.flush()
        now = monotonic()
        if now >= self._next_look:
            self._next_look = now + LOOK_SECONDS
            self._look(now)

    def _look(self, now: float) -> None:
        for process in self._processes:
            if process.calls and not process.pinged:
                process.pinged = now
                process.send(frame(PING))
                process.flush()
            if not process.retiring and any(now - since > STUCK_SECONDS for since in process.stuck.values()):
                self._retire(process)
            if not process.began and now - process.since > START_SECONDS:
                process.kill()
            if process.retiring and all(call.finished for call in process.calls.values()):
                process.kill()
        self._fill()

    def _retire(self, process: Process) -> None:
        """Give a worker no more calls, unless too many are on their way out already."""
        if sum(each.retiring for each in self._processes) < self._size:
            process.retiring = True
            logs.warning(f"worker {process.pid} holds a call that should have ended; another takes its place")

    # -- processes

    def begin(self) -> None:
        """Start the workers."""
        self._server.post(self._begin)

    def _begin(self) -> None:
        self._role = get_ident()
        self._fill()

    def _fill(self) -> None:
        """Start workers until there are enough."""
        while not self._ending and self._starting + sum(not each.retiring for each in self._processes) < self._size:
            pause = (
                min(FIRST_PAUSE_SECONDS * 2 ** (self._failures - 1), LONGEST_PAUSE_SECONDS) if self._failures else 0.0
            )
            try:
                start_new_thread(self._keep, (pause,))
            except (RuntimeError, MemoryError):
                return  # no thread is left: the next look tries again
            self._starting += 1

    def _keep(self, pause: float) -> None:
        """Start a worker and wait for its end; a thread of its own, which lives as long as the worker."""
        sleep(pause)
        try:
            process = spawn(self._server, self._environment)
        except Exception as error:  # noqa: BLE001 # no process, descriptor or memory is left
            self._server.post(self._not_started, type(error).__name__)
            return
        self._server.post(self._started, process)
        self._server.post(self._ended, process, wait(process))

    def _not_started(self, how: str) -> None:
        self._starting -= 1
        self._failed(f"no worker could be started: {how}")

    def _started(self, process: Process) -> None:
        self._starting -= 1
        self._processes.append(process)
        process.attach(self._take, self._told)
        if self._ending:
            process.kill()

    def _ended(self, process: Process, how: str) -> None:
        """Answer what a worker left open, and have another take its place."""
        process.read_rest()
        self._processes.remove(process)
        process.detach()
        calls, process.calls = process.calls, {}
        lost = sum(not call.finished for call in calls.values())
        if not self._ending:
            said = f"worker {process.pid} {how}" + (f", and {lost} call{'s' * (lost > 1)} with it" if lost else "")
            if process.began:
                logs.warning(said)
            else:
                self._failed(f"{said}, before it was ready")
        for call in calls.values():
            del self._places[call]
            self._owner.lost(call, how)
        self._fill()

    def _failed(self, text: str) -> None:
        """Count a worker that never got ready; after too many in a row nobody waits for the next."""
        self._failures += 1
        logs.warning(text)
        if self._failures >= BROKEN_AFTER and not self.is_ready():
            while self._waiting:
                self._owner.refused(self._waiting.popleft()[0])

    def begin_end(self) -> None:
        """Have the workers end with the server. Any thread."""
        self._ending = True
        for process in self._processes.copy():
            process.end_input()

    def end(self) -> None:
        """End those that are still there after a moment for their exit handlers. Any thread."""
        until = monotonic() + END_SECONDS
        while self._processes and monotonic() < until:
            sleep(POLL_SECONDS)
        for process in self._processes.copy():
            process.kill()

    # -- what workers say

    def _take(self, process: Process, kind: int, number: int, content: bytes) -> None:
        """Take one frame of a worker."""
        if kind == PONG:
            process.pinged = 0.0
        elif kind == READY:
            process.began = process.ready = True
            self._failures = 0
            self._feed()
        elif kind == KEPT:
            self._owner.kept(content)
        elif kind == CHANGED:
            self._owner.changed(*jsonrpc.parse(content))
        else:
            self._take_about_call(process, kind, number, content)

    def _take_about_call(self, process: Process, kind: int, number: int, content: bytes) -> None:
        call = process.calls.get(number)
        if call is None:
            return
        if kind == RESULT:
            del process.calls[number], self._places[call]
            process.stuck.pop(number, None)
            self._owner.ended(call, content)
        elif kind == NOTE:
            call.send(content)
        elif kind in (ASK, TASK):
            take = self._owner.asked if kind == ASK else self._owner.task
            take(call, content, lambda answer: process.send(frame(ANSWER, number, answer)))

    def _feed(self) -> None:
        """Hand out the calls that waited for a worker."""
        waiting, self._waiting = self._waiting, deque()
        for call, content in waiting:
            if call.finished:
                self._owner.ended(call, b"")
            elif not self.run(call, content):
                self._owner.refused(call)
