"""Emitted servers as ASGI applications under the servers people use, in the place of the own HTTP server.

The options of the command line that tests give become the variables that the application reads.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

import pytest

from tests.http_client import HttpServer

VARIABLES = {
    "--tokens": "MCPGEN_TOKENS",
    "--path": "MCPGEN_PATH",
    "--allow-host": "MCPGEN_ALLOW_HOSTS",
    "--allow-origin": "MCPGEN_ALLOW_ORIGINS",
}


class AsgiServer(HttpServer):
    """A server that runs the package's application; skipped where it is not installed."""

    is_ours = False
    module = ""
    words: tuple[str, ...] = ()

    def _started_by(self, argv, options, env):
        if importlib.util.find_spec(self.module) is None:
            pytest.skip(f"needs {self.module}: install the dependency group test")
        project = Path(argv[-1]).parent
        (package,) = [each.parent.name for each in project.glob("*/asgi.py")]
        told = dict(zip(map(VARIABLES.__getitem__, options[::2]), options[1::2], strict=True))
        environment = {**(env or os.environ), **told, "PYTHONPATH": str(project), "PYTHONUNBUFFERED": "1"}
        return [sys.executable, "-m", self.module, f"{package}.asgi:app", *self.words], environment


class Uvicorn(AsgiServer):
    """Under uvicorn."""

    module = "uvicorn"
    words = ("--port", "0", "--no-access-log", "--timeout-keep-alive", "60", "--timeout-graceful-shutdown", "2")


class Hypercorn(AsgiServer):
    """Under hypercorn."""

    module = "hypercorn"
    words = ("--bind", "127.0.0.1:0", "--graceful-timeout", "2")


SERVERS = [HttpServer, Uvicorn, Hypercorn]
"""The own server and those that run the application."""
