"""Run the official conformance suite against the fixture of tests/conformance, over the native server and over ASGI.

    python benchmarks/official_suite.py [--only native|asgi] [LEG ...]

Prints one line a leg and returns 1 when a check fails. Needs the `shared` folder beside the checkout (or
MCPGEN_SHARED) with the suite's script, what `.ci/clients` installs (or MCPGEN_CLIENTS), and for ASGI an interpreter
with uvicorn: MCPGEN_BENCH_PEERS names one, otherwise it is installed for the occasion.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from environments import prepare
from http_load import PORT, Served
from measure import Command, ServerFailed

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
FIXTURE = ROOT / "tests" / "conformance" / "fixture.py"
LEGS = ("2025-11-25", "2026-07-28", "all", "stable", "suite:2025-06-18", "suite:2025-03-26")
SECONDS = 300
"""For one leg; it takes 10 to 20."""


def main() -> int:
    """Build the fixture and run the legs; returns an exit code."""
    parser = argparse.ArgumentParser(description="Run the official conformance suite.")
    parser.add_argument("legs", nargs="*", default=LEGS, metavar="LEG", help=", ".join(LEGS))
    parser.add_argument("--only", choices=("native", "asgi"))
    options = parser.parse_args()
    good = True
    with tempfile.TemporaryDirectory(prefix="mcpgen-official-") as scratch:
        project = built(Path(scratch))
        for command in commands(project, Path(scratch), options.only):
            with Served(command) as server:
                server.ready()
                for leg in options.legs:
                    good &= passed(command.name, server.port, leg)
    return 0 if good else 1


def built(folder: Path) -> Path:
    """Build the fixture with the checkout's own command line."""
    words = [sys.executable, "-c", "import sys; from generator.cli.app import main; main()", "build", str(FIXTURE)]
    subprocess.run([*words, "-o", str(folder / "fixture-mcp"), "--quiet"], cwd=ROOT, check=True)
    return folder / "fixture-mcp"


def commands(project: Path, scratch: Path, only: str | None) -> Iterator[Command]:
    """Yield how the server is started in each way."""
    if only != "asgi":
        stub = (sys.executable, "-I", "-S", str(project / "server.py"))
        yield Command(name="native", words=(*stub, "--http", "--port", PORT))
    if only != "native":
        python = os.environ.get("MCPGEN_BENCH_PEERS") or prepare(scratch / "environments", peers=True).peers
        words = (python, "-m", "uvicorn", "fixture_mcp.asgi:app", "--port", PORT, "--log-level", "error")
        yield Command(name="asgi", words=words, folder=project)


def passed(name: str, port: int, leg: str) -> bool:
    """Run one leg, show its line; say whether no check failed."""
    shared = Path(os.environ.get("MCPGEN_SHARED") or ROOT.parent / "shared")
    clients = Path(os.environ.get("MCPGEN_CLIENTS") or ROOT / ".venv" / "clients")
    nodes = [str(place.parent) for place in clients.glob("node_modules/node-linux-*/bin/node")]
    environment = {
        **os.environ,
        "PATH": os.pathsep.join([*nodes, os.environ["PATH"]]),
        "CONF_DIR": str(clients / "conformance"),
    }
    words = ["bash", str(shared / "protocol" / "run-conformance.sh"), f"http://localhost:{port}/mcp", leg]
    begun = time.monotonic()
    done = subprocess.run(words, env=environment, stdout=subprocess.PIPE, text=True, timeout=SECONDS, check=False)
    said = done.stdout.partition("(exit")[0].removeprefix("== ").strip()
    print(f"{name:8} {said or 'nothing came'}, {time.monotonic() - begun:.0f} s", flush=True)
    if done.returncode:
        print(done.stdout, file=sys.stderr)
    return done.returncode == 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        raise SystemExit(main())
    except ServerFailed as failure:
        raise SystemExit(f"cannot run: {failure}") from None
