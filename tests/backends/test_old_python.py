"""A server that is started by a Python that is too old says so in one line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from generator.backends.server import render

SECONDS = 30
OLD = ("3.6", "3.7", "3.8", "3.9", "3.10")
WAYS = (["server.py"], ["-m", "weather_mcp"], ["weather_mcp/__main__.py"])


def interpreter(version: str) -> Path:
    """Return an interpreter of that version, or skip where there is none."""
    folders = sorted((Path.home() / ".pyenv" / "versions").glob(f"{version}.*"))
    found = next((folder / "bin" / "python" for folder in folders if (folder / "bin" / "python").is_file()), None)
    if found is None:
        pytest.skip(f"there is no Python {version} on this machine")
    return found


@pytest.fixture
def project(server, tmp_path) -> Path:
    for path, content in render(server).tree.items():
        place = tmp_path / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    return tmp_path


def refused(command: list[str], project: Path, version: str) -> None:
    done = subprocess.run(
        command, cwd=project, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert done.returncode == 1
    assert done.stdout == ""
    said = done.stderr.splitlines()
    assert len(said) == 1, done.stderr
    assert said[0].startswith(f"weather-mcp needs Python 3.11 or newer; this is {version}")
    assert said[0].endswith(": name another python in the host's settings")


@pytest.mark.parametrize("words", WAYS, ids=" ".join)
@pytest.mark.parametrize("version", OLD)
def test_an_old_python_is_named_with_what_to_do(project, version, words):
    refused([str(interpreter(version)), *words], project, version)


@pytest.mark.parametrize("words", WAYS, ids=" ".join)
def test_the_check_comes_before_anything_of_the_runtime(project, words):
    """Whatever interpreters there are: a child that takes itself for Python 3.10 imports nothing of the runtime."""
    run = (
        f"runpy.run_module({words[1]!r}, run_name='__main__')" if words[0] == "-m" else f"runpy.run_path({words[0]!r})"
    )
    program = (
        "import runpy, sys; sys.path.insert(0, '.'); sys.version_info = (3, 10, 1, 'final', 0); "
        f"sys.version = '3.10.1 (main)'; sys.modules['weather_mcp._runtime'] = None; {run}"
    )
    refused([sys.executable, "-I", "-c", program], project, "3.10.1")
