"""The samples are what an author would be proud of: formatted, free of lint, strictly typed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ["weather/weather.py", "invoices/invoices.py", "text_tools/text_tools.py", "board/board.py"]
SECONDS = 100


def run(*words: str, cwd: Path, **extra: str) -> None:
    command = [sys.executable, "-m", *words]
    environment = {**os.environ, **extra}
    done = subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("sample", SAMPLES)
def test_a_sample_is_formatted_and_free_of_lint(sample: str) -> None:
    folder = (ROOT / "samples" / sample).parent
    run("ruff", "format", "--isolated", "--check", "--line-length=120", "--no-cache", str(folder), cwd=folder)
    run(
        "ruff",
        "check",
        "--isolated",
        "--line-length=120",
        "--no-cache",
        "--extend-select=B,I,UP,SIM,RUF",
        ".",
        cwd=folder,
    )


@pytest.mark.parametrize("sample", SAMPLES)
def test_a_sample_is_strictly_typed(sample: str, tmp_path: Path) -> None:
    file = ROOT / "samples" / sample
    shutil.copytree(
        ROOT / "generator/runtime/authoring", tmp_path / "mcpgen", ignore=shutil.ignore_patterns("__pycache__")
    )
    words = ("mypy", "--strict", "--config-file=", f"--cache-dir={tmp_path / 'cache'}", file.name)
    run(*words, cwd=file.parent, MYPYPATH=str(tmp_path))
