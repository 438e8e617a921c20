"""A server whose tools behave in every way that matters to the shell, and the few words tests speak to it with."""

from __future__ import annotations

import json
import subprocess
import time
from typing import TYPE_CHECKING

from generator.backends.server import render
from generator.ir.model import Limits, PythonCall, Server, Source, SourceFile, Tool

if TYPE_CHECKING:
    from pathlib import Path

MODULE = b"""
import asyncio
import atexit
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

order = []


def add(a, b):
    return {"sum": a + b}


def nap(seconds):
    time.sleep(seconds)
    return "rested"


def loop():
    while True:
        pass


async def anap(seconds):
    await asyncio.sleep(seconds)
    return "rested"


def alone(seconds):
    order.append("in")
    time.sleep(seconds)
    order.append("out")
    return list(order)


def noisy():
    print("POLLUTION")
    sys.stdout.write("POLLUTION")
    os.write(1, b"POLLUTION\\n")
    subprocess.run([sys.executable, "-c", "print('POLLUTION')"], check=True)
    return "quiet"


def reads():
    return input()


def reencode():
    sys.stdout.reconfigure(encoding="utf-8")
    print("PRINTED")
    return "done"


def fork():
    if os.fork() == 0:
        return "child"
    return "parent"


def ignore_term():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


def stays():
    threading.Thread(target=time.sleep, args=(3600,)).start()
    return "started"


def leaves(path):
    atexit.register(Path(path).write_text, "left", encoding="utf-8")
    return "noted"


def sometimes(seconds):
    if seconds:
        time.sleep(seconds)
    return "done"
"""

ANY = {"type": "object", "additionalProperties": True}
TOOLS = {
    "add": {},
    "nap": {},
    "loop": {"limits": Limits(timeout=0.5)},
    "anap": {"is_async": True},
    "alone": {"limits": Limits(max_concurrent=1)},
    "noisy": {},
    "reencode": {},
    "reads": {},
    "fork": {},
    "ignore_term": {},
    "stays": {},
    "leaves": {},
    "sometimes": {},
}


def tool(name: str, *, is_async: bool = False, limits: Limits | None = None) -> Tool:
    return Tool(
        name=name,
        description=name,
        input_schema=ANY,
        call=PythonCall(target=f".behaviour:{name}", is_async=is_async),
        limits=limits or Limits(),
    )


def emitted(folder: Path, settings: dict | None = None) -> Path:
    """Write a server whose tools behave in every way that matters to the shell."""
    server = Server(
        id="behaviour",
        package="behaviour_mcp",
        command="behaviour-mcp",
        tools=tuple(tool(name, **options) for name, options in TOOLS.items()),
        settings=settings or {},
        source=Source(kind="python", name="behaviour.py", files=(SourceFile(path="behaviour.py", content=MODULE),)),
    )
    for path, content in render(server).tree.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    return folder


def text(result: dict) -> str:
    return result["content"][0]["text"]


def line(number, method, **params) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode() + b"\n"


def call(number, name, **arguments) -> bytes:
    return line(number, "tools/call", name=name, arguments=arguments)


def piped(argv, data: bytes, *, seconds: float = 20, **options) -> tuple[int, list[dict], float]:
    begun = time.monotonic()
    done = subprocess.run(argv, input=data, capture_output=True, timeout=seconds, check=False, **options)
    return done.returncode, [json.loads(each) for each in done.stdout.splitlines()], time.monotonic() - begun
