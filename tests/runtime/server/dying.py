"""A server whose tools die, hang and wait: what the tests of worker processes share."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from tests.command import built
from tests.http_client import call
from tests.stdio_client import stub

PATIENCE_SECONDS = 20.0
"""Longest wait for something that happens by itself."""

HAS_PROC = Path("/proc/self/stat").exists()
"""Workers are looked up there."""

MODULE = '''"""Die, hang and wait."""

import asyncio
import ctypes
import os
import signal
import subprocess
import sys
import time
from decimal import Decimal
from typing import Annotated

from mcpgen import Context, Param, SyncContext, prompt, resource, tool


def pid(seconds: float = 0.0) -> int:
    """Say which process this is."""
    time.sleep(seconds)
    return os.getpid()


def dies(how: str = "exit") -> str:
    """End the process."""
    if how == "exit":
        os._exit(7)
    if how == "crash":
        ctypes.string_at(0)
    if how == "closes":
        for number in range(3, 4096):
            try:
                os.close(number)
            except OSError:
                pass
        time.sleep(60)
    if how == "scribbles":
        for number in range(3, 4096):
            try:
                os.write(number, b"POLLUTION")
            except OSError:
                pass
        time.sleep(60)
    if how == "stops":
        signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
        os.kill(os.getpid(), signal.SIGSTOP)
    os.kill(os.getpid(), signal.SIGKILL)
    return how


def nap(seconds: float) -> str:
    """Sleep."""
    time.sleep(seconds)
    return "rested"


@tool(timeout=0.5)
def hogs() -> str:
    """Never give the interpreter's lock back."""
    ctypes.pythonapi.sleep(60)
    return "never"


async def talks(ctx: Context) -> str:
    """Say how far it is, until it is cancelled."""
    await ctx.info("begun")
    try:
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        print("CANCELLED", file=sys.stderr)
        raise
    return "never"


def exact(amount: Decimal) -> str:
    """Give every digit back."""
    return str(amount)


@tool(max_concurrent=1)
def alone(seconds: float) -> list[float]:
    """Be the only one."""
    begun = time.time()
    time.sleep(seconds)
    return [begun, time.time()]


def child() -> int:
    """Leave a process behind."""
    return subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]).pid


@tool(read_only=True)
async def confirms(ctx: Context) -> str:
    """Ask before it goes on."""
    first = await ctx.elicit("first", "Go on?", schema=bool)
    second = await ctx.elicit("second", "Really?", schema=bool)
    return f"{first} {second}"


async def announces(ctx: Context) -> str:
    """Tell of a change."""
    await ctx.tools_changed()
    return "told"


def environment(name: str) -> str:
    """Read a variable."""
    return os.environ.get(name, "none")


def asks() -> list[str]:
    """Say what this process was started as."""
    return sys.argv


@resource("pid://worker")
def worker() -> str:
    """Say which process reads."""
    return str(os.getpid())


@prompt
def greeting(name: str) -> str:
    """Greet."""
    return f"{os.getpid()} greets {name}"
'''


def dying_server(folder):
    """Build the server and return the words that start it."""
    return stub(built(folder, "dying", MODULE), sys.executable)


def result_of(answer):
    assert answer.status == 200, answer
    return answer.json["result"]


def text(answer):
    return result_of(answer)["content"][0]["text"]


def ask(server, name, arguments=None):
    return text(server.post(call(1, name, arguments)))


def status_of(pid):
    """Return a process's state and parent, None when there is no such process."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return None
    return fields[0], int(fields[1])


def is_alive(pid):
    status = status_of(pid)
    return status is not None and status[0] != "Z"


def wait_until(found):
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until:
        if found():
            return True
        time.sleep(0.01)
    return False


def workers_of(server):
    """Return the processes whose parent the server is."""
    pids = [int(each.name) for each in Path("/proc").iterdir() if each.name.isdigit()]
    return [pid for pid in pids if is_alive(pid) and status_of(pid)[1:] == (server.process.pid,)]


def are_ready(server):
    """Say whether two calls at once run on two workers."""
    with server.wire() as one, server.wire() as other:
        for wire in (one, other):
            wire.send(server.bytes_of(call(1, "pid", {"seconds": 0.1})))
        return text(one.answer()) != text(other.answer())
