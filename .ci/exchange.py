"""Talk to the sample's server as a client does, and show both sides so that people can read them.

Every message is one line on the wire; the first two are shown like that as well. Otherwise a request is shown by its
method and parameters and an answer by its result, long ones over several lines, with `…` where they would fill the
screen.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from typing import IO, Any

WIDTH = 110
"""Columns of a line; a value that fits is not broken."""

SECONDS = 30
"""How long the whole conversation may take; it needs far less than one."""

LEFT_OUT = ("outputSchema", "schema")
"""Members that are shown as `{…}` when they are long."""

CLIENT = {"name": "demo", "version": "1"}
"""How this client introduces itself."""

HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": CLIENT}

MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": CLIENT,
    "io.modelcontextprotocol/clientCapabilities": {},
}
"""What every request of the revision without a handshake carries."""

RIGHT = {"name": "forecast", "arguments": {"city": "Oslo", "days": 2}}
TOOLS = 4
"""Tools of the sample."""

WRONG = {"name": "forecast", "arguments": {"city": "Oslo", "days": "thre", "units": "kelvin"}}
SLOW = {"name": "compare", "arguments": {"cities": ["Oslo", "Lisbon"]}, "_meta": {"progressToken": "p1"}}


def main(server: str) -> int:
    """Hold the conversation; returns 1 when an answer is not what it should be."""
    command = [sys.executable, "-I", "-S", server]
    with (
        tempfile.TemporaryFile() as log,
        subprocess.Popen(  # noqa: S603 # the server that was built a moment ago
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log
        ) as process,
    ):
        if process.stdin is None or process.stdout is None:
            return 1
        alarm = threading.Timer(SECONDS, process.kill)
        alarm.start()
        good = converse(Wire(process.stdin, process.stdout))
        alarm.cancel()
        process.stdin.close()
        closed = time.monotonic()
        status = process.wait(timeout=10)
        show(f"\n7. The input is closed: the server ends with status {status} after {since(closed)} ms. Its log:", "")
        log.seek(0)
        show(log.read().decode("utf-8", "replace").rstrip(), "   ")
    return 0 if good and status == 0 else 1


def converse(wire: Wire) -> bool:
    """Ask one thing after the other; returns whether every answer was right."""
    show("1. The handshake of a client that speaks 2025-11-25.", "")
    wire.ask("initialize", HELLO, raw=True)
    wire.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
    show("\n2. Which tools are there? (One of the four is shown.)", "")
    tools = wire.ask("tools/list", {}, only="forecast")["tools"]
    show("\n3. A call.", "")
    called = wire.ask("tools/call", RIGHT)
    show("\n4. A wrong call: everything that is wrong comes back at once, with what to do about it.", "")
    refused = wire.ask("tools/call", WRONG)
    show("the model reads:", "   ")
    show(refused["content"][0]["text"], "   | ")
    show("\n5. A call that says how far it is.", "")
    compared = wire.ask("tools/call", SLOW)
    show("\n6. The same server, the same connection, a client of 2026-07-28: no handshake, _meta in every request.", "")
    found = wire.ask("server/discover", {"_meta": MODERN})
    right = [
        len(tools) == TOOLS,
        "isError" not in called and called["structuredContent"]["city"] == "Oslo",
        refused.get("isError") is True,
        "isError" not in compared,
        "2026-07-28" in found["supportedVersions"],
    ]
    return all(right)


class Wire:
    """The client's end of the two pipes."""

    def __init__(self, requests: IO[bytes], answers: IO[bytes]) -> None:
        self._requests = requests
        self._answers = answers
        self._number = 0

    def send(self, message: dict[str, Any]) -> bytes:
        """Write one message as one line."""
        show_layout(f"-> {message['method']} ", message.get("params", ""))
        line = json.dumps(message, ensure_ascii=False).encode("utf-8") + b"\n"
        self._requests.write(line)
        self._requests.flush()
        return line

    def ask(self, method: str, params: dict[str, Any], *, only: str = "", raw: bool = False) -> dict[str, Any]:
        """Send a request and return its answer, showing what comes; of a list of tools only the one named `only`."""
        self._number += 1
        sent = time.monotonic()
        request = self.send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        for line in self._answers:
            message: dict[str, Any] = json.loads(line)
            if "method" in message:
                show_layout(f"<- {message['method']} ", message["params"])
                continue
            took = since(sent)
            if "error" in message:
                raise SystemExit(f"the server refused: {message['error']}")
            result: dict[str, Any] = message["result"]
            show_layout("<- ", shortened(result, only) if only else result)
            if raw:
                show("on the wire:", "   ")
                show(request.decode("utf-8") + line.decode("utf-8").rstrip(), "   | ")
            show(f"({took} ms, {len(line):,} bytes)", "   ")
            return result
        raise SystemExit("the server closed its output")


def shortened(result: dict[str, Any], name: str) -> dict[str, Any]:
    """Return a list of tools with one in full and the others by name."""
    tools = [tool if tool["name"] == name else {"name": tool["name"], "…": "…"} for tool in result["tools"]]
    return {**result, "tools": tools}


def show_layout(head: str, value: Any) -> None:
    """Print a JSON value, laid out."""
    first, *others = lines(value, head, 2) if value != "" else [head]
    show("\n".join([first.rstrip(), *(f"   {line}" for line in others)]), "")


def lines(value: Any, head: str, level: int = 0) -> list[str]:
    """Return a JSON value as lines of at most WIDTH columns, where that can be done by breaking between members."""
    flat = head + json.dumps(value, ensure_ascii=False)
    room = WIDTH - 2 * level
    if len(flat) <= room:
        return [flat]
    if not isinstance(value, dict | list):
        return [f"{flat[: room - 3]}…{flat[-1] if isinstance(value, str) else ''}"]
    if head.startswith(tuple(f'"{name}"' for name in LEFT_OUT)):
        return [head + "{…}"]
    members = list(value.items()) if isinstance(value, dict) else [("", item) for item in value]
    inner = [lines(item, f'"{name}": ' if name else "", level + 1) for name, item in members]
    body = [f"  {line}" for part in with_commas(inner) for line in part]
    brackets = "{}" if isinstance(value, dict) else "[]"
    return [head + brackets[0], *body, brackets[1]]


def with_commas(parts: list[list[str]]) -> list[list[str]]:
    """Put a comma behind every part but the last."""
    return [[*part[:-1], f"{part[-1]},"] for part in parts[:-1]] + parts[-1:]


def since(moment: float) -> str:
    """Return the milliseconds since a moment, for people."""
    return f"{(time.monotonic() - moment) * 1000:.1f}"


def show(text: str, margin: str) -> None:
    """Print a text with something in front of each of its lines."""
    sys.stdout.write(textwrap.indent(text, margin, lambda _: True) + "\n")


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
