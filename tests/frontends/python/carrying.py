"""Sources on disk, carried, and run from the place they were carried to: what the tests of carrying share."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from generator.frontends.python.carry import Carried, carry
from generator.frontends.python.environment import Environment

EMPTY = Environment(paths=())


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return folder


def carried(folder: Path, files: dict[str, str], entry: str = "weather.py", **options) -> Carried:
    write(folder, files)
    return carry(folder / entry, package="weather_mcp", environment=EMPTY, **options)


def paths(result: Carried) -> list[str]:
    return [file.path for file in result.files]


def codes(result: Carried) -> list[str]:
    return [one.rule.code for one in result.diagnostics]


def run(result: Carried, folder: Path, code: str) -> object:
    """Write the carried files as the package weather_mcp elsewhere, run code that assigns `answer`, and return it."""
    package = folder / "emitted" / "weather_mcp"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text('"""Generated."""\n', encoding="utf-8")
    for file in result.files:
        target = package / file.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.content)
    program = f"import sys, json\nsys.path.insert(0, {str(package.parent)!r})\n{code}\nprint(json.dumps(answer))"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd=folder / "emitted",
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
