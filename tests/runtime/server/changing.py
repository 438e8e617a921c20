"""A server that tells of changes in every way there is: what the tests over pipes and over HTTP share."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from tests.command import built
from tests.stdio_client import stub

if TYPE_CHECKING:
    from pathlib import Path

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
