"""Public API implementations from packages, each started in a process of its own on a free port.

`.ci/apis` installs them, pinned, and MCPGEN_APIS names the folder: an environment `venv`, and `docs_src` with the
sample applications of FastAPI.
"""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SECONDS = 60.0
"""For an API to answer its first request on a loaded machine."""

HTTPBIN = "import sys; from httpbin import app; app.run(port=int(sys.argv[1]), threaded=True)"
FASTAPI = "docs_src.sql_databases.tutorial002:app"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def running(command: list[str], folder: Path, ready: str, **environment: str) -> Iterator[None]:
    """Run an API until the block ends; it is up when the address `ready` answers at all."""
    log = (folder / "api.log").open("wb")
    child = subprocess.Popen(
        command, cwd=folder, env={**os.environ, **environment}, stdout=log, stderr=subprocess.STDOUT
    )
    try:
        deadline = time.monotonic() + SECONDS
        while not answers(ready):
            assert child.poll() is None, (folder / "api.log").read_text(encoding="utf-8", errors="replace")[-2_000:]
            assert time.monotonic() < deadline, f"{ready} did not answer"
            time.sleep(0.05)
        yield
    finally:
        child.terminate()
        try:
            child.wait(10)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        log.close()


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=2):
            return True
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False


def fetched(address: str, path: Path) -> Path:
    """Save a description that an API gives itself."""
    with urllib.request.urlopen(address, timeout=SECONDS) as answer:
        path.write_bytes(answer.read())
    return path


@contextlib.contextmanager
def httpbin(apis: Path, folder: Path) -> Iterator[tuple[str, Path]]:
    """Run httpbin; yield its base address and its description (Swagger 2.0)."""
    port = free_port()
    base = f"http://127.0.0.1:{port}"
    with running([str(apis / "venv/bin/python"), "-c", HTTPBIN, str(port)], folder, f"{base}/uuid"):
        yield base, fetched(f"{base}/spec.json", folder / "httpbin.json")


@contextlib.contextmanager
def heroes(apis: Path, folder: Path) -> Iterator[tuple[str, Path]]:
    """Run FastAPI's sample with a database; yield its base address and its description (3.1)."""
    port = free_port()
    base = f"http://127.0.0.1:{port}"
    command = [str(apis / "venv/bin/python"), "-m", "uvicorn", FASTAPI, "--port", str(port)]
    with running(command, folder, f"{base}/openapi.json", PYTHONPATH=str(apis)):
        yield base, fetched(f"{base}/openapi.json", folder / "heroes.json")


@contextlib.contextmanager
def jupyter(apis: Path, folder: Path) -> Iterator[tuple[str, Path]]:
    """Run jupyter-server on an empty folder without a token; yield its base address and its description (2.0, YAML)."""
    port = free_port()
    base = f"http://127.0.0.1:{port}"
    (folder / "notebooks").mkdir()
    command = [str(apis / "venv/bin/jupyter"), "server", "--no-browser", "--allow-root", f"--port={port}"]
    command += ["--IdentityProvider.token=", "--ServerApp.disable_check_xsrf=True", "--ServerApp.root_dir=notebooks"]
    places = {name: str(folder) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "HOME")}
    (description,) = (apis / "venv").glob("lib/python3*/site-packages/jupyter_server/services/api/api.yaml")
    with running(command, folder, f"{base}/api", **places):
        copy = folder / "jupyter.yaml"
        copy.write_bytes(description.read_bytes())
        yield base, copy
