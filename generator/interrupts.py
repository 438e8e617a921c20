"""Ctrl-C, which must end a run whatever Python does at that moment.

Theory of operation. An interrupt can get lost in two ways: its KeyboardInterrupt is raised where Python drops
exceptions (a callback of the import system, `__del__`), or it comes between Python's last look at signals and a wait
for a lock, which then nobody ends. So there are three times. While the command is imported nothing needs an end, and
the handler leaves at once. While a verb runs, every signal is also written to a pipe by the interpreter's own handler,
and whoever waits does so in short pieces and looks (`patiently`). Before another program takes this one's place the
system's own action is restored first, and then it is looked once more: what comes later ends the process by itself.
"""

from __future__ import annotations

import os
import signal
import threading
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence
    from concurrent.futures import Future
    from types import FrameType
    from typing import NoReturn

Result = TypeVar("Result")

STATUS = 130
"""The exit code of an interrupted run (decision 8)."""

LOOK_SECONDS = 0.1
"""How late an interrupt may be noticed that came just before a wait."""

_pipe: list[int] = []


def leave_at_once() -> None:
    """Have an interrupt end the process from now on; to be called before anything is begun that would need an end."""
    if _is_ours(signal.default_int_handler):
        signal.signal(signal.SIGINT, _leave)


def tell() -> None:
    """Have an interrupt raise KeyboardInterrupt from now on, and be remembered where that gets lost."""
    if not _is_ours(signal.default_int_handler, _leave):
        return
    if not _pipe and hasattr(os, "set_blocking"):
        _pipe.extend(os.pipe())
        for descriptor in _pipe:
            os.set_blocking(descriptor, False)
        signal.set_wakeup_fd(_pipe[1], warn_on_full_buffer=False)
    signal.signal(signal.SIGINT, signal.default_int_handler)


def check() -> None:
    """Raise KeyboardInterrupt if an interrupt came since `tell` and was not looked for yet."""
    if not _pipe:
        return
    try:
        came = os.read(_pipe[0], 4096)
    except (BlockingIOError, InterruptedError):
        return
    if signal.SIGINT in came:
        raise KeyboardInterrupt


def patiently(wanted: Sequence[Future[Result]]) -> list[Result]:
    """Return the results of futures in their order; raises the first failure, and KeyboardInterrupt in time."""
    from concurrent import futures

    open_ones = set(wanted)
    try:
        while open_ones:
            check()
            done, open_ones = futures.wait(open_ones, LOOK_SECONDS, futures.FIRST_EXCEPTION)
            for each in done:
                each.result()
    except BaseException:
        for each in open_ones:
            each.cancel()
        raise
    return [each.result() for each in wanted]


def give_way() -> None:
    """Have an interrupt end the process by the system's own action, because another program takes its place now.

    Raises KeyboardInterrupt if one came before.
    """
    if _is_ours(signal.default_int_handler, _leave):
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        check()


def _is_ours(*handlers: object) -> bool:
    """Tell whether an interrupt is ours to handle: not one that is ignored, or that a program around us handles."""
    return threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) in handlers


def _leave(_: int, __: FrameType | None) -> NoReturn:
    os._exit(STATUS)
