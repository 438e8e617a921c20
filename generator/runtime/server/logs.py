"""The server's log: one line for each call on standard error or in a file, never an argument in it.

A line is built only if it will be written. Lines of quick calls may be held and leave together, since two system calls
for each would be a tenth of what such a call costs. One thread writes at a time, so lines do not mix. Nothing here
raises: a closed standard error must not end a call.
"""

from __future__ import annotations

import os
from _thread import allocate_lock
from os import write as _write  # bound before user code can replace it
from select import select

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .call import Call
    from .tool import Tool

STANDARD_ERROR = 2
"""The descriptor lines go to unless a file was named."""

MAX_LINE = 64 * 1024
"""Bytes of one line: a stack of a thousand frames still fits."""

WRITE_BYTES = 4096
"""What a pipe that is ready takes without blocking (POSIX asks for 512 at least, Linux has a page)."""

MAX_NAME = 1024
"""Bytes of a tool's name in such a line; names have at most 64 characters."""

SHORT_ID = 10**40
"""A request id below it is short enough for a line."""


class Options:
    """How the log is kept: `form` is text or json, `dev` adds stacks, `obscure_errors` hides messages from clients."""

    __slots__ = ("descriptor", "dev", "enabled", "form", "obscure_errors")

    def __init__(self) -> None:
        self.enabled = True
        self.form = "text"
        self.descriptor = STANDARD_ERROR
        self.dev = False
        self.obscure_errors = False


options = Options()
"""The process's options; `configure` sets them."""

_held: list[bytes] = []
_writing = allocate_lock()


def configure(
    *,
    log_format: str = "text",
    log_file: str | None = None,
    dev: bool = False,
    obscure_errors: bool = False,
    enabled: bool = True,
) -> None:
    """Set the options, at start; raises OSError for a log file that cannot be opened (appended to, mode 0600)."""
    options.form = log_format
    options.dev = dev
    options.obscure_errors = obscure_errors
    options.enabled = enabled
    if log_file is not None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0)
        options.descriptor = os.open(log_file, flags, 0o600)
    else:
        options.descriptor = STANDARD_ERROR


def call(call: Call, result: dict[str, Any] | None, seconds: float, *, hold: bool = False) -> None:
    """Write the line of one call: its tool, whether it went well, its id and time; None as result means cancelled.

    A line that is held leaves with the next `flush`, or in front of the next line.
    """
    if not options.enabled:
        return
    good = result is not None and not result.get("isError")
    asks = result is not None and "inputRequests" in result  # and its client calls again
    request_id = call.request_id
    if good and hold and not asks and held(name_of(call.tool), request_id, seconds):
        return
    error = "" if good else _error(result)
    milliseconds = round(seconds * 1000.0, 1)
    if options.form == "json":
        fields: dict[str, Any] = {"tool": call.tool.name, "ok": good, "id": request_id, "ms": milliseconds}
        write_json("info" if good else "error", "call", fields | ({"error": error} if error else {}), hold=hold)
        return
    state = "asks" if asks else "ok" if good else "failed"
    end = f" error={error}" if error else ""
    write(f"call {call.tool.name} {state} {milliseconds}ms id={_short(request_id)}{end}", hold=hold)


def held(name: bytes, request_id: str | int, seconds: float) -> bool:
    """Hold the line of a call that went well; False if it is not of the usual form, which is for `call`."""
    if not options.enabled:
        return True
    if options.form != "text" or type(request_id) is not int or not 0 <= request_id < SHORT_ID:
        return False
    _held.append(b"call %b ok %.1fms id=%d\n" % (name, seconds * 1000.0, request_id))
    return True


def name_of(tool: Tool) -> bytes:
    """Return a tool's name as lines of text have it."""
    return tool.name.encode("utf-8", "backslashreplace")[:MAX_NAME]


def fault(call: Call, fault_id: str, text: str, stack: str | None) -> None:
    """Write what a client was not told, under the id it was told."""
    if options.form == "json":
        fields = {"tool": call.tool.name, "ok": False, "id": call.request_id, "fault": fault_id, "error": text}
        write_json("error", "fault", fields | ({"stack": stack} if stack else {}))
        return
    write(f"fault {fault_id} {call.tool.name} {_one_line(text)}" + (f"\n{stack.rstrip()}" if stack else ""))


def note(call: Call, text: str) -> None:
    """Write a remark about one call, for example which arguments were coerced."""
    if not options.enabled:
        return
    if options.form == "json":
        write_json("info", "note", {"tool": call.tool.name, "id": call.request_id, "note": text})
    else:
        write(f"note {call.tool.name} id={_short(call.request_id)} {_one_line(text)}")


def warning(text: str) -> None:
    """Write a warning for the people who run the server; never switched off."""
    if options.form == "json":
        write_json("warning", "warning", {"warning": text})
    else:
        write(f"warning: {_one_line(text)}")


def write_json(level: str, message: str, fields: dict[str, Any], *, hold: bool = False) -> None:
    """Write one JSON line: level and msg first, then the fields."""
    from ..wire import jsonrpc

    try:
        line = jsonrpc.encode({"level": level, "msg": message, **fields})
    except Exception:  # noqa: BLE001 # the log never ends a call
        return
    _take(line, hold=hold)


def write(text: str, *, hold: bool = False) -> None:
    """Write one line of text; its own line breaks stay."""
    _take(text.encode("utf-8", "backslashreplace"), hold=hold)


def flush() -> None:
    """Write what is held, unless it would block: a host that never reads standard error must not stop the server."""
    with _writing:
        while _held:
            count = len(_held)
            data = b"".join(_held[:count])
            del _held[:count]
            try:
                for start in range(0, len(data), WRITE_BYTES):
                    if not select((), (options.descriptor,), (), 0)[1]:
                        break
                    _write(options.descriptor, data[start : start + WRITE_BYTES])
            except Exception:  # noqa: BLE001, S110 # the log never ends a call, nor a thread
                pass


def _take(line: bytes, *, hold: bool) -> None:
    _held.append(line[:MAX_LINE] + b"\n")
    if not hold:
        flush()


def _error(result: dict[str, Any] | None) -> str:
    """Return one word for what went wrong."""
    if result is None:
        return "cancelled"
    if "rpcError" in result:
        return str(result["rpcError"]["code"])
    facts = (result.get("_meta") or {}).get("mcpgen/error") or {}
    return facts.get("code") or facts.get("type") or facts.get("id") or "error"


def _one_line(text: str) -> str:
    return text if text.isprintable() else "".join(char if char.isprintable() else " " for char in text)


def _short(request_id: str | int) -> str:
    """Return a request id fit for a line of text: the client chose it."""
    return _one_line(str(request_id)[:40])
