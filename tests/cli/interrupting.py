"""Ctrl-C at any moment of `mcpgen registry serve`: run as a program, it tries as many moments as it is told.

`python -m tests.cli.interrupting [COUNT]` sends SIGINT to COUNT processes, each at another moment of its first second,
and prints those that did not end. Behind every other one is a server that never answers, behind the others one that
answers, so that the gateway takes the command's place: only the signal ends either.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.command import ROOT, mcpgen

SERVE = [sys.executable, "-c", "from generator.cli.process import main; main()", "registry", "serve"]

HUNG = """
import os, sys, time
with open(sys.argv[1] + ".new", "w") as stream:
    stream.write(str(os.getpid()))
os.rename(sys.argv[1] + ".new", sys.argv[1])
time.sleep(600)
"""

ANSWERING = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked.get("method") == "initialize":
        about = {"name": "a", "version": "1"}
        told = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": about}
    elif asked.get("method") == "tools/list":
        told = {"tools": [{"name": "t", "inputSchema": {"type": "object"}}]}
    elif "id" in asked:
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -32601, "message": "no"}}), flush=True)
        continue
    else:
        continue
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": told}), flush=True)
"""

SECONDS = 10.0
"""How long a process may take to end; what it waits for would take three times as long."""

ENDED = (130, -signal.SIGINT, 1)
"""How it ends; 1 is of an interpreter that had not begun to run the program."""


def environment(folder: Path, *, program: str = HUNG) -> dict[str, str]:
    """Return the environment of a user whose registry, with one server, and cache are in a folder."""
    named = {"MCPGEN_REGISTRY": str(folder / "own" / "registry.json"), "XDG_CACHE_HOME": str(folder / "cache")}
    env = {**os.environ, "PYTHONPATH": str(ROOT), **named}
    (folder / "server.py").write_text(program, encoding="utf-8")
    words = (sys.executable, str(folder / "server.py"), str(folder / "pid"))
    done = mcpgen("registry", "add", "server", "--", *words, cwd=folder, env=env)
    assert done.returncode == 0, done.stderr
    return env


def interrupted(folder: Path, env: dict[str, str], delay: float) -> tuple[int | None, bytes, float]:
    """Send SIGINT to a process so many seconds after its start; return its status (None: it went on) and what it said.

    Its children are ended too: the last member is how long that took from the signal on.
    """
    (folder / "pid").unlink(missing_ok=True)
    with subprocess.Popen(
        SERVE, env=env, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        time.sleep(delay)
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
        try:
            said = process.communicate(timeout=SECONDS)[1]
        except subprocess.TimeoutExpired:
            process.kill()
            return None, process.communicate()[1], SECONDS
    return process.returncode, said, time.monotonic() - begun


def left(folder: Path) -> bool:
    """Tell whether the server is still there after its time."""
    try:
        pid = int((folder / "pid").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return False
    until = time.monotonic() + SECONDS / 2
    while Path(f"/proc/{pid}").exists():
        if time.monotonic() > until:
            return True
        time.sleep(0.02)
    return False


def main() -> int:
    """Try many moments; return 1 if one of them went wrong."""
    wrong = 0
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else time.time_ns() % 1_000_000
    moments = random.Random(seed)
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        places = [(Path(one), environment(Path(one))), (Path(other), environment(Path(other), program=ANSWERING))]
        for number in range(int(sys.argv[1]) if len(sys.argv) > 1 else 60):
            folder, env = places[number % 2]
            delay = moments.random()
            status, said, seconds = interrupted(folder, env, delay)
            stays = left(folder)
            bad = status not in ENDED or stays
            wrong += bad
            if bad or b"Traceback" in said:
                last = said.decode("utf-8", "replace").strip().splitlines()[-1:]
                print(f"{delay:.4f} s: status {status} after {seconds:.2f} s, left {stays}: {last}", flush=True)
    print(f"seed {seed}: {wrong} went wrong")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
