"""What the log says of children: that they started, ended, failed, and what a failing one had to say."""

from __future__ import annotations

from ..server import logs
from ..wire import jsonrpc


def started(server: str, era: str, seconds: float) -> None:
    """Write that a child takes calls."""
    if logs.options.form == "json":
        logs.write_json(
            "info", "child started", {"server": server, "era": era, "ms": round(seconds * 1000.0)}, hold=True
        )
    else:
        logs.write(f"child {server} started in {seconds * 1000.0:.0f}ms ({era})", hold=True)


def left(server: str, why: str) -> None:
    """Write that a child was ended because it was not needed."""
    if logs.options.form == "json":
        logs.write_json("info", "child ended", {"server": server, "why": why})
    else:
        logs.write(f"child {server} ended: {why}")


def failed(server: str, reason: str, detail: str, tail: str) -> None:
    """Write that a child ended by itself or did not start; `tail` is the end of its standard error."""
    if logs.options.form == "json":
        said = {"stderr": tail} if tail else {}
        logs.write_json("error", "child failed", {"server": server, "reason": reason, "detail": detail, **said})
        return
    lines = "".join(f"\n  | {line}" for line in tail.splitlines())
    logs.write(f"child {server} failed: {reason}{': ' + jsonrpc.printable(detail) if detail else ''}{lines}")


def overheard(server: str, line: str) -> None:
    """Write a line of a child's standard error, for those who develop one."""
    if logs.options.form == "json":
        logs.write_json("info", "child says", {"server": server, "line": line})
    else:
        logs.write(f"child {server}: {line}")
