"""A server whose tools ask, for tests that talk to it as a process."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from tests.command import built
from tests.stdio_client import stub

if TYPE_CHECKING:
    from pathlib import Path

MODULE = '''"""Ask."""

import asyncio

from mcpgen import Context, Elicit, Roots, SyncContext, ToolCall, prompt, resource, tool


def greet(ctx: SyncContext) -> str:
    """Greet."""
    return f"hello {ctx.elicit('who', 'Who?', schema=str)}"


async def agreet(ctx: Context) -> str:
    """Greet."""
    await ctx.progress(1, 2)
    return f"hello {await ctx.elicit('who', 'Who?', schema=str)}"


def quick(ask: bool, ctx: SyncContext) -> str:
    """Ask, or do not."""
    return f"hello {ctx.elicit('who', 'Who?', schema=str)}" if ask else "nobody"


async def both(ctx: Context) -> str:
    """Ask two at once."""
    found = await ctx.ask(who=Elicit("Who?", str), where=Roots())
    return f"{found['who']} {found['where'][0].uri}"


@tool(timeout=1)
def impatient(ctx: SyncContext) -> str:
    """Ask and do not wait long."""
    return f"hello {ctx.elicit('who', 'Who?', schema=str)}"


@tool(confirm=True, destructive=True)
def purge(days: int) -> str:
    """Purge."""
    return f"purged {days}"


def reads(uri: str, ctx: SyncContext) -> str:
    """Read a resource of this server."""
    return ", ".join(f"{file.mime_type}={file.text or repr(file.data)}" for file in ctx.read_resource(uri))


async def areads(uri: str, ctx: Context) -> str:
    """Read a resource of this server."""
    return ", ".join(f"{file.mime_type}={file.text or repr(file.data)}" for file in await ctx.read_resource(uri))


@resource("ask://plain")
def plain() -> str:
    """Plain."""
    return "text"


@resource("ask://bytes/{number}")
async def binary(number: int) -> bytes:
    """Bytes."""
    await asyncio.sleep(0)
    return bytes([0, number])


@resource("ask://who")
def who(ctx: SyncContext) -> str:
    """Ask whoever reads."""
    return f"read by {ctx.elicit('reader', 'Who reads?', schema=str)}"


@resource("ask://broken")
def broken() -> str:
    """Fail."""
    raise ValueError("broken")


@prompt
async def letter(to: str, ctx: Context) -> str:
    """Write a letter."""
    return f"Dear {to}, yours {await ctx.elicit('from', 'Who writes?', schema=str)}"


def rename(call: ToolCall) -> None:
    """Repair an argument."""
    if "day" in call.arguments:
        call.arguments["days"] = call.arguments.pop("day")
'''

SETTINGS = """
middleware = ["asks:rename"]
schema_resource_uri = "ask://schema"
"""


def asking_server(folder: Path) -> list[str]:
    """Build the server and return the words that start it."""
    return stub(built(folder, "asks", MODULE, SETTINGS), sys.executable)
