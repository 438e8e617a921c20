"""One worker process as the front sees it: started afresh, tied by a socket pair, watched by a thread until its end.

Everything but starting and waiting is done by the thread that holds the server's role.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
from time import monotonic

from .farm_frames import CANCEL, START, FrameProblem, FrameReader, frame
from .http_sockets import lifted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .call import Call
    from .http_server import HttpServer

LINK = 3
"""The descriptor on which a worker finds its end of the pair."""

READ_BYTES = 256 * 1024
"""One read: as much as such a pair holds."""

CODE = "import sys; sys.path[:] = sys.argv[3:]; __import__(sys.argv[1], fromlist=['x']).serve(int(sys.argv[2]))"
"""What a worker's interpreter runs; all that differs is in its arguments."""

CHILD = f"{__package__}.farm_child"


class Process:
    """A worker. `calls` are those it has not reported as ended; `stuck` says since when some of them should be.

    `began` says that it was `ready` at some time, `over` that it ended and its number may soon be another's. `pinged`
    is when a question was sent that it has not answered yet, 0.0 for none; `since` is when it was started.
    """

    __slots__ = (
        "_out",
        "_reader",
        "_server",
        "_taken",
        "began",
        "calls",
        "over",
        "pid",
        "pinged",
        "reads",
        "ready",
        "retiring",
        "since",
        "socket",
        "stuck",
        "take",
        "writes",
    )

    def __init__(self, pid: int, link: socket.socket, server: HttpServer) -> None:
        self.pid = pid
        self.socket = link
        self.calls: dict[int, Call] = {}
        self.stuck: dict[int, float] = {}
        self.pinged = 0.0
        self.since = monotonic()
        self.began = self.ready = self.retiring = self.over = False
        self.reads, self.writes = True, False
        self.take: Callable[[Process, int, int, bytes], None]
        self._server = server
        self._reader = FrameReader()
        self._out = bytearray()
        self._taken = 0

    def attach(self, take: Callable[[Process, int, int, bytes], None], told: bytes) -> None:
        """Begin to listen to the worker, and tell it what it needs to know."""
        self.take = take
        self._server.watch(self)
        self.send(frame(START, 0, told))

    def send(self, data: bytes) -> None:
        """Have bytes leave with the next flush."""
        self._out += data

    def give(self, number: int, call: Call, data: bytes) -> None:
        """Hand a call over."""
        self.calls[number] = call
        self._out += data

    def cancel(self, number: int, now: float) -> None:
        """Ask the worker to end a call that nobody waits for."""
        self.stuck.setdefault(number, now)
        self._out += frame(CANCEL, number)

    def flush(self) -> None:
        """Send what waits, as far as the worker takes it."""
        if self._out and not self.writes:
            self.writable()

    def writable(self) -> None:
        """Go on sending."""
        try:
            sent = self.socket.send(self._out)
        except BlockingIOError:
            sent = 0
        except OSError:
            self._out.clear()  # it is gone, which its end will tell
            return
        del self._out[:sent]
        if bool(self._out) != self.writes:
            self.writes = bool(self._out)
            self._server.watch(self)

    def readable(self) -> None:
        """Take what the worker sent."""
        try:
            data = self.socket.recv(READ_BYTES)
            frames = self._reader.feed(data)
        except BlockingIOError:
            return
        except (OSError, FrameProblem):
            data, frames = b"", []
        self._taken += len(data)
        for each in frames:
            self.take(self, *each)
        if not data:  # it is gone, or user code closed or took its end: no use any more
            self.reads = self.writes = False
            self._server.watch(self)
            self.kill()

    def kill(self) -> None:
        """End the worker and what it started, at once."""
        self.ready = False
        if not self.over:
            kill_group(self.pid)

    def end_input(self) -> None:
        """Tell the worker that the server ends; any thread."""
        try:
            self.socket.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # it has ended

    def read_rest(self) -> None:
        """Take what the worker said before it ended."""
        while self.reads:
            before = self._taken
            self.readable()
            if self._taken == before:
                return

    def detach(self) -> None:
        """Let go of a worker that ended."""
        self._server.forget(self)
        self.socket.close()


def kill_group(pid: int) -> None:
    """Kill a worker, and its process group with it."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except OSError:
        pass  # nobody is left


def spawn(server: HttpServer, environment: dict[bytes, bytes]) -> Process:
    """Start a worker; raises OSError."""
    ours, its = socket.socketpair()
    ours, its = lifted(ours), lifted(its)
    its.setblocking(True)  # noqa: FBT003 # it takes it by position only
    words = [sys.executable, *_flags(), "-c", CODE, CHILD, str(LINK), *sys.path]
    try:
        pid = os.posix_spawn(
            sys.executable,
            words,
            environment,
            file_actions=[(os.POSIX_SPAWN_DUP2, its.fileno(), LINK)],
            setpgroup=0,
            setsigdef=(signal.SIGINT, signal.SIGTERM),
        )
    except BaseException:
        ours.close()
        raise
    finally:
        its.close()
    return Process(pid, ours, server)


def wait(process: Process) -> str:
    """Wait for a worker's end, end what it left behind, and say how it ended. Blocks."""
    try:
        if hasattr(os, "waitid"):
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
            kill_group(process.pid)  # while its number is still its own
            process.over = True
        _, status = os.waitpid(process.pid, 0)
    except OSError:
        return "is gone"
    finally:
        process.over = True
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return f"ended with exit status {code}"
    try:
        return f"was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"was ended by signal {-code}"


def _flags() -> list[str]:
    """Return the options that give a worker's interpreter the ways of this one."""
    flags = sys.flags
    found = ["-I"] if flags.isolated else ["-E"] * flags.ignore_environment + ["-s"] * flags.no_user_site
    found += ["-S"] * flags.no_site + ["-O"] * flags.optimize + ["-B"] * flags.dont_write_bytecode
    found += [f"-W{warning}" for warning in sys.warnoptions]
    if flags.utf8_mode:
        found += ["-X", "utf8"]
    return found
