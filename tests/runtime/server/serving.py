"""A server whose settings say how it is served: scopes, tokens, a check of tokens, rates, limits, events."""

from __future__ import annotations

import contextlib
import json
import sys
import time
from typing import TYPE_CHECKING

from tests.command import built
from tests.stdio_client import stub

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MODULE = '''"""Weather."""

import os
import time

from mcpgen import ToolError, prompt, resource, tool


@tool(scopes=["weather:read"])
def forecast(city: str) -> str:
    """Forecast."""
    return f"sunny in {city}"


@tool(scopes=["weather:read", "weather:write"])
def record(city: str) -> str:
    """Record."""
    return f"recorded {city}"


def add(a: int, b: int) -> int:
    """Add."""
    return a + b


def fails(why: str) -> str:
    """Fail."""
    raise ToolError(why)


def nap(seconds: float) -> str:
    """Sleep."""
    time.sleep(seconds)
    return "rested"


def sign_in(user: str, password: str = "", note: str = "") -> str:
    """Sign in."""
    return f"welcome {user}"


@tool(name="dies")
def end_the_process() -> None:
    """End the process."""
    os._exit(3)


@resource("weather://now")
def now() -> str:
    """Now."""
    return "sunny"


@prompt
def ask(city: str) -> str:
    """Ask."""
    return f"How is {city}?"


def verify(token: str):
    """Say who holds a token."""
    if token == "slow":
        time.sleep(60)
    if token == "broken":
        raise ValueError(token)
    if token == "strange":
        return 5
    if token == "elsewhere":
        return {"name": "ann", "scopes": ["weather:read"], "aud": "https://other.example"}
    if token == "late":
        return {"name": "ann", "scopes": ["weather:read"], "exp": 1}
    if token.startswith("ann-"):
        return {"sub": "ann", "scope": "weather:read", "aud": ["https://weather.example/mcp"], "exp": time.time() + 60}
    if token == "bob":
        return ("bob", ["weather:read", "weather:write"])
    return "carl" if token == "carl" else None
'''

SETTINGS = 'scopes = ["weather:read", "weather:write"]\nhide = ["verify"]\n'


def server_words(folder: Path, serve: str = "") -> list[str]:
    """Build the server with `serve` as the lines of its table, and return the words that start it."""
    table = f"[serve]\n{serve}\n" if serve else ""
    return stub(built(folder, "weather", MODULE, SETTINGS + table), sys.executable)


def serve_of(argv: list[str]) -> dict:
    """Return what the built server's catalog says of serving."""
    from pathlib import Path

    catalog = Path(argv[-1]).parent / "weather_mcp" / "catalog.json"
    return json.loads(catalog.read_bytes())["settings"].get("serve", {})


def waited_for(found: Callable[[], object], seconds: float = 10.0) -> object:
    """Return what is found, at last."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with contextlib.suppress(FileNotFoundError):
            value = found()
            if value:
                return value
        time.sleep(0.01)
    raise AssertionError("it did not come")


def events_in(path: Path) -> list[dict]:
    """Return the events of a file so far."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
