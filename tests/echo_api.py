"""The echo API of the probes for tests: in a process of its own, on a free port, with what it was asked at hand."""

from __future__ import annotations

import base64
import contextlib
import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

PROBES = Path(__file__).parent / "cases" / "openapi" / "probes"


class Echo:
    """A running echo API: its port, and the requests it got, oldest first."""

    def __init__(self, port: int, log: Path) -> None:
        self.port = port
        self._log = log

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def requests(self) -> list[dict]:
        """Return the requests so far; headers by lower-case name, `body` as bytes."""
        found = []
        for line in self._log.read_text(encoding="utf-8").splitlines():
            one = json.loads(line)
            headers: dict[str, str] = {}
            for name, value in one["headers"]:
                key = name.lower()
                headers[key] = f"{headers[key]}, {value}" if key in headers else value
            found.append({**one, "headers": headers, "body": base64.b64decode(one["body_b64"])})
        return found


@contextlib.contextmanager
def echo_api(folder: Path, port: int = 0) -> Iterator[Echo]:
    """Serve the probes' own echo API, in a process of its own, until the block ends."""
    log = folder / "requests.jsonl"
    log.touch()
    command = [sys.executable, "-u", str(PROBES / "echo_server.py"), "--port", str(port), "--log", str(log)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
        try:
            yield Echo(int(server.stdout.readline()), log)
        finally:
            server.kill()
