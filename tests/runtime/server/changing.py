"""A server that tells of changes in every way there is: what the tests over pipes and over HTTP share."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.command import built
from tests.http_client import Wire, call, modern, request
from tests.stdio_client import stub

EVENTS = {"Accept": "text/event-stream"}
NOW = "changing://now"
SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
UPDATED = "notifications/resources/updated"
ALL = {
    "toolsListChanged": True,
    "promptsListChanged": True,
    "resourcesListChanged": True,
    "resourceSubscriptions": [NOW],
}

MODULE = '''"""Tell of changes."""

import asyncio
import threading
import time

from mcpgen import Context, SyncContext, prompt, resource


async def change(kinds: list[str], ctx: Context) -> str:
    """Tell that lists have changed."""
    for kind in kinds:
        await {
            "tools": ctx.tools_changed, "prompts": ctx.prompts_changed, "resources": ctx.resources_changed
        }[kind]()
    return "told"


def update(uri: str, ctx: SyncContext, times: int = 1) -> str:
    """Tell that a resource has changed."""
    for _ in range(times):
        ctx.resource_updated(uri)
    return "told"


def flood(ctx: SyncContext) -> str:
    """Tell of as many resources as one client may subscribe to."""
    for number in range(256):
        ctx.resource_updated(f"changing://one/{number}")
    return "told"


def later(uri: str, ctx: SyncContext) -> str:
    """Tell it from a thread, after the call has ended."""

    def run() -> None:
        time.sleep(0.1)
        ctx.resource_updated(uri)

    threading.Thread(target=run).start()
    return "soon"


async def polls(ctx: Context, times: int = 1, first: bool = False) -> str:
    """Let go of the stream, say something meanwhile, and answer."""
    if first:
        await ctx.info("before")
    for number in range(times):
        await ctx.close_stream()
        await asyncio.sleep(0.2)
        await ctx.info(f"meanwhile {number}")
    await asyncio.sleep(0.2)
    return "polled"


def wrong(ctx: SyncContext) -> str:
    """Name no URI."""
    ctx.resource_updated(7)
    return "never"


@resource("changing://now")
def now() -> str:
    """The time."""
    return str(time.time())


@resource("changing://one/{number}")
def one(number: int) -> str:
    """One of many."""
    return str(number)


@prompt
def hello() -> str:
    """Say hello."""
    return "hello"
'''


def changing_project(folder: Path) -> Path:
    """Build the server and return its project."""
    return built(folder, "changing", MODULE)


def changing_server(folder: Path) -> list[str]:
    """Build the server and return the words that start it."""
    return stub(changing_project(folder), sys.executable)


def listens(server, headers, last: str | None = None) -> Wire:
    """Open the session's own stream."""
    wire = server.wire()
    wire.send(server.head("GET", headers={**headers, **EVENTS, **({"Last-Event-ID": last} if last else {})}))
    head = wire.head()
    assert (head.status, head.headers["content-type"]) == (200, "text/event-stream")
    return wire


def listen(server, notifications, number="l", wire=None):
    """Send a listen request and return its connection and its events."""
    wire = wire or server.wire()
    message, headers = modern(request(number, "subscriptions/listen", {"notifications": notifications}))
    wire.send(server.bytes_of(message, headers))
    head = wire.head()
    assert (head.status, head.headers["content-type"]) == (200, "text/event-stream")
    assert head.headers["x-accel-buffering"] == "no"
    return wire, wire.events()


def change(server, *kinds):
    message, headers = modern(call(1, "change", {"kinds": [*kinds]}))
    assert server.post(message, headers).status == 200


def update(server, uri=NOW, **more):
    message, headers = modern(call(1, "update", {"uri": uri, **more}))
    assert server.post(message, headers).json["result"]["content"][0]["text"] == "told"


def memory_of(process) -> int:
    """Return the kilobytes a server takes."""
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")))


def methods(events, count):
    return [next(events).json["method"] for _ in range(count)]
