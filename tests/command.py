"""Run the real command line in a process of its own, as a user does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

SECONDS = 60
"""For one build on a loaded machine."""


def mcpgen(*words: str, cwd: Path, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run `mcpgen` with these words in a folder; the caller looks at how it ended."""
    command = [sys.executable, "-c", "from generator.cli.app import main; main()", *words]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", **(env or {})}
    return subprocess.run(
        command,
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=SECONDS,
        check=False,
    )


def built(folder: Path, name: str, source: str | Path, settings: str = "") -> Path:
    """Build the server of a module, given as text or by its path, and return its project; a failure fails the test."""
    (folder / f"{name}.py").write_bytes(source.read_bytes() if isinstance(source, Path) else source.encode("utf-8"))
    if settings:
        (folder / "mcpgen.toml").write_text(settings, encoding="utf-8")
    done = mcpgen("build", f"{name}.py", "-o", "project", "--quiet", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / "project"
