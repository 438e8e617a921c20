"""The three Python environments of the benchmarks: a clean one, one with the peers, one with mcpgen.

All are made from the interpreter that runs this. They are thrown away at the end unless a folder to keep them in is
given. An environment variable names a ready one instead:

- `MCPGEN_BENCH_CLEAN`, `MCPGEN_BENCH_PEERS`: an interpreter;
- `MCPGEN_BENCH_COMMAND`: the words that start mcpgen, an interpreter or an installed command first.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

PEERS = ("mcp==2.3.0", "fastmcp==4.2.3", "fastjsonschema", "jsonschema")
"""What the figures compare with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Environments:
    """Where things run: `clean` serves the generated servers and the bare scripts, `peers` the other servers."""

    clean: str
    peers: str
    mcpgen: tuple[str, ...]

    @property
    def beside_mcpgen(self) -> str:
        """The interpreter of mcpgen's own environment."""
        first = Path(self.mcpgen[0])
        return str(first if first.name.startswith("python") else first.parent / "python")


def prepare(folder: Path, *, peers: bool) -> Environments:
    """Return the environments, making those that neither exist below the folder nor are named by a variable."""
    named = os.environ.get
    command = named("MCPGEN_BENCH_COMMAND")
    return Environments(
        clean=named("MCPGEN_BENCH_CLEAN") or _made(folder / "clean", "--without-pip"),
        peers=named("MCPGEN_BENCH_PEERS") or (_with_peers(folder / "peers") if peers else ""),
        mcpgen=tuple(shlex.split(command)) if command else (_installed(folder / "mcpgen"),),
    )


def _installed(folder: Path) -> str:
    """Install this checkout and return its command; always afresh, because the checkout changes."""
    python = _made(folder)
    _install(python, str(ROOT))
    return str(Path(python).parent / "mcpgen")


def _with_peers(folder: Path) -> str:
    ready = (folder / "bin" / "python").exists()
    python = _made(folder)
    if not ready:
        _install(python, *PEERS)
    return python


def _made(folder: Path, *options: str) -> str:
    """Return the interpreter of a virtual environment, made if it is not there yet."""
    python = folder / "bin" / "python"
    if not python.exists():
        print(f"making the environment `{folder.name}` …", file=sys.stderr)
        _run(sys.executable, "-m", "venv", *options, str(folder))
    return str(python)


def _install(python: str, *requirements: str) -> None:
    _run(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *requirements)


def _run(*words: str) -> None:
    subprocess.run(words, check=True, stdin=subprocess.DEVNULL)
