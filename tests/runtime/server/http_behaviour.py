"""A server whose tools matter to the HTTP shell: they talk, they wait, they are guarded, they mirror headers."""

from __future__ import annotations

import hashlib
import json
import sys
from typing import TYPE_CHECKING

from tests.command import built
from tests.stdio_client import stub

if TYPE_CHECKING:
    from pathlib import Path

MODULE = '''"""Talk and wait."""

import asyncio
import os
import select
import threading
import time
from typing import Annotated

from mcpgen import Context, Param, SyncContext


def add(a: int, b: int) -> int:
    """Add."""
    return a + b


def nap(seconds: float) -> str:
    """Sleep."""
    time.sleep(seconds)
    return "rested"


def sometimes(seconds: float) -> str:
    """Sleep now and then."""
    if seconds:
        time.sleep(seconds)
    return "done"


met = threading.Event()


def meets(who: str) -> str:
    """End, the first one, while the second one runs."""
    if who == "first":
        met.wait(10)
    elif who == "second":
        met.set()
        time.sleep(0.0015)
    else:
        met.clear()
    return who


talking, hushed = [], threading.Event()


def says(ctx: SyncContext, count: int) -> str:
    """Say much, until it is enough."""
    talking.append(count)
    for _ in range(count):
        if hushed.is_set():
            break
        ctx.info("x" * 100)
    talking.remove(count)
    return "said"


def hush() -> int:
    """Say that it is enough, and count who talked."""
    hushed.set()
    return len(talking)


taken = []


def closes(below: int) -> str:
    """Close all descriptors below a number, and take some of the numbers."""
    os.closerange(3, below)
    taken.extend(select.epoll() for _ in range(10))
    return "closed"


def big(size: int) -> str:
    """Return much."""
    return "x" * size


def chatty(ctx: SyncContext) -> str:
    """Say two things and how far it is."""
    ctx.info("one")
    ctx.progress(50, 100)
    ctx.info("two")
    return "said"


async def waits(seconds: float, ctx: Context) -> str:
    """Say that it begins, and wait."""
    await ctx.info("begun")
    await asyncio.sleep(seconds)
    await ctx.info("ended")
    return "waited"


def placed(
    region: Annotated[str, Param(header="Region")] = "x",
    size: Annotated[int, Param(header="Size")] = 1,
    deep: Annotated[bool, Param(header="Deep")] = False,
) -> str:
    """Say where."""
    return f"{region} {size} {deep}"


def guarded() -> str:
    """Need a scope."""
    return "let in"
'''

TOKENS = {"reader": ["read"], "writer": ["read", "write"], "plain": None}
"""Tokens of the tests, each its own name, and their scopes."""


def guarded_server(folder: Path) -> list[str]:
    """Build the server, with a scope for one of its tools, and return the words that start it."""
    project = built(folder, "talks", MODULE)
    catalog = project / "talks_mcp" / "catalog.json"
    data = json.loads(catalog.read_bytes())
    for entry in data["tools"]:
        if entry["definition"]["name"] == "guarded":
            entry["scopes"] = ["write"]
    catalog.write_text(json.dumps(data), encoding="utf-8")
    return stub(project, sys.executable)


def tokens_file(folder: Path) -> str:
    """Write the tokens' hashes and return the file."""
    entries = []
    for name, scopes in TOKENS.items():
        entry = {"name": name, "sha256": hashlib.sha256(name.encode()).hexdigest()}
        entries.append(entry if scopes is None else {**entry, "scopes": scopes})
    place = folder / "tokens.json"
    place.write_text(json.dumps(entries), encoding="utf-8")
    return str(place)


def bearer(name: str) -> dict[str, str]:
    """Return the header of a token."""
    return {"Authorization": f"Bearer {name}"}
