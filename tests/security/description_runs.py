"""Runs of `from-openapi` under guard: what was opened, whether a socket was made, how much memory and work it took."""

from __future__ import annotations

import ast
import json
import os
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.command import ROOT

if TYPE_CHECKING:
    from pathlib import Path

SECONDS = 60
"""After this a run counts as hung; the bound on each case is its own."""

GUARDED = """
import json, os, sys
trail = open(os.environ["MCPGEN_TRAIL"], "a", encoding="utf-8", errors="backslashreplace")
def look(event, arguments):
    if event == "open" and isinstance(arguments[0], (str, bytes)):
        trail.write(json.dumps(["open", os.fsdecode(arguments[0])]) + "\\n")
    elif event.startswith(("socket.connect", "socket.getaddrinfo", "socket.bind", "subprocess", "os.system")):
        trail.write(json.dumps([event, str(arguments)[:200]]) + "\\n")
sys.addaudithook(look)
from generator.cli.app import main
try:
    main()
finally:
    with open("/proc/self/status", encoding="ascii") as status:
        peak = next(line.split()[1] for line in status if line.startswith("VmHWM"))
    trail.write(json.dumps(["peak", peak]) + "\\n")
"""
"""The command line with a hook that writes down every file that is opened and every connection, and its peak memory.

What the system says of an ended child counts the memory of the process that started it as well.
"""


LIMITED = """
import resource
resource.setrlimit(resource.RLIMIT_CPU, ({cpu}, {cpu}))
"""
"""What has the system end a command that works longer; waiting for a busy machine does not count."""


@dataclass(frozen=True)
class Run:
    """How one run ended: exit code, output, seconds of work, peak bytes of memory, and what it touched."""

    code: int
    said: str
    seconds: float
    memory: int
    trail: list[list[str]]

    def opened(self) -> list[str]:
        return [what for event, what in self.trail if event == "open"]

    def connections(self) -> list[list[str]]:
        return [each for each in self.trail if each[0] != "open"]


def generate(folder: Path, document: str, *words: str, cpu: int | None = None) -> Run:
    """Run the command on a document in a folder; the project is `demo-mcp`. After `cpu` seconds of work it is ended."""
    trail = folder / "trail.jsonl"
    trail.touch()
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
        "MCPGEN_TRAIL": str(trail),
        "MCPGEN_CANARY": str(folder / "canary"),
    }
    program = GUARDED if cpu is None else f"{LIMITED.format(cpu=cpu)}{GUARDED}"
    command = [sys.executable, "-c", program, "from-openapi", document, "--name", "demo", "-o", "demo-mcp", *words]
    with (folder / "said.txt").open("w+", encoding="utf-8", errors="replace") as said:
        child = subprocess.Popen(command, cwd=folder, env=environment, stdout=said, stderr=subprocess.STDOUT)
        killer = threading.Timer(SECONDS, lambda: os.kill(child.pid, signal.SIGKILL))
        killer.start()
        try:
            _, status, used = os.wait4(child.pid, 0)
        finally:
            killer.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read()
    lines = [json.loads(line) for line in trail.read_text(encoding="utf-8").splitlines()]
    seconds = used.ru_utime + used.ru_stime
    peak = next((int(what) * 1024 for event, what in lines if event == "peak"), 0)
    return Run(child.returncode, text, seconds, peak, [line for line in lines if line[0] != "peak"])


def skeletons(project: Path) -> dict[str, str]:
    """Return the shape of every templated Python file, constants masked; the runtime is copied, not made."""
    found = {}
    for path in sorted(project.rglob("*.py")):
        name = path.relative_to(project).as_posix()
        if "/_runtime/" not in name:
            tree = ast.parse(path.read_bytes())
            for node in ast.walk(tree):
                if isinstance(node, ast.Constant):
                    node.value = "x"
            found[name] = ast.dump(tree)
    return found
