"""`exit_on_eof` and `exit_on_sigterm`: the process ends when its client leaves, with all that it started."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..conversation import Broken, Refused
from ..eras import LEGACY_ERA
from ..finding import PROCESS, Check, Finding, fail, ok, plural, warn

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..child import Child
    from ..context import Context

CLIENT_PATIENCE = 2.0
"""Seconds the Python SDK waits after closing a server's input before it ends the process."""

LEFT = "End every process and thread that the server started; clients do not know of them."


def exit_on_eof(context: Context) -> Finding:
    """Close the input after a handshake."""
    return _ended(context, "its input was closed", lambda child: child.close_input())


def exit_on_sigterm(context: Context) -> Finding:
    """Send SIGTERM after a handshake, as Gemini CLI and the TypeScript client do."""
    return _ended(context, "SIGTERM", lambda child: child.terminate())


def _ended(context: Context, cause: str, leave: Callable[[Child], None]) -> Finding:
    """Begin, leave, and look how long the end takes and what is left."""
    survey = context.best()
    if not survey.served:
        return context.blocked()
    try:
        with context.spoken() as conversation:
            if survey.era == LEGACY_ERA:
                conversation.initialize()
            else:
                conversation.discover()
            leave(conversation.child)
            seconds = conversation.child.wait(context.timeout)
    except (Broken, Refused) as problem:
        return fail(f"it could not be started once more: {problem}", "See mcp_transport.")
    if seconds is None:
        action = "End the process when standard input ends, and let SIGTERM end it."
        return fail(f"it still ran {context.timeout:g} s after {cause}", action)
    if left := conversation.child.orphans:
        return fail(f"{plural(left, 'process')} that it started outlived it", LEFT)
    if seconds > CLIENT_PATIENCE:
        return warn(
            f"it took {seconds:.1f} s to end after {cause}; clients wait {CLIENT_PATIENCE:g} s",
            "End what the server waits for at its end: threads, connections, exit handlers.",
        )
    return ok(f"it ended {seconds * 1000:.0f} ms after {cause}")


CHECKS = (
    Check(id="exit_on_eof", title="It ends with its input", run=exit_on_eof, kinds=PROCESS),
    Check(id="exit_on_sigterm", title="It ends at SIGTERM", run=exit_on_sigterm, kinds=PROCESS),
)
