"""The command as a process of its own: what the console script starts.

A process that ends gives its memory back whole. Taking apart what was built of a large description, value by value,
would be a tenth of the run, and the collector of cycles would only walk values that all live to the end: it stays off.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys

from .. import interrupts
from ..collector import keep_to_the_end


def main() -> None:
    """Run the command line and end the process with its exit code."""
    interrupts.leave_at_once()
    gc.disable()
    keep_to_the_end()
    from .app import main as run

    try:
        run()
    except SystemExit as ending:
        _leave(ending.code)
        raise


def _leave(code: object) -> None:
    """End the process here, after what Python does at an end that could be missed; return where more is to be done.

    A status that is no number is a message that Python prints, and output that cannot be flushed is told by Python.
    """
    if not isinstance(code, int) or _is_watched() or _has_threads():
        return
    atexit._run_exitfuncs()  # noqa: SLF001 - the only way to run them; multiprocessing's children do the same
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except (OSError, ValueError):
        return
    os._exit(code)


def _is_watched() -> bool:
    """Tell whether a debugger, a profiler or a prompt waits for the end."""
    if sys.flags.inspect or sys.gettrace() is not None or sys.getprofile() is not None:
        return True
    monitoring = getattr(sys, "monitoring", None)  # since Python 3.12; six tools have a number
    return monitoring is not None and any(monitoring.get_tool(number) is not None for number in range(6))


def _has_threads() -> bool:
    threading = sys.modules.get("threading")
    return threading is not None and threading.active_count() > 1
