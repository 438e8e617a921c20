"""An endpoint of nobody's over HTTP, right in both eras, until a test has it do one thing wrong."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, ClassVar

from .foreign import SCRIPT

if TYPE_CHECKING:
    from collections.abc import Iterator

WAYS = ("json", "events", "garbage", "html", "error", "drip", "open", "token", "cut")
"""How it answers; `json` and `events` are right."""


class Endpoint(BaseHTTPRequestHandler):
    way = "json"
    server_module: ClassVar[dict] = {}

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.headers.get("Origin") and self.way != "open":
            self._send(403, b"", "text/plain")
        elif self.way == "token" and self.headers.get("Authorization") != "Bearer sesame":
            self._send(401, b"", "text/plain")
        elif "id" not in message:
            self._send(202, b"", "text/plain")
        else:
            self._answer(message)

    def do_DELETE(self) -> None:
        self._send(405, b"", "text/plain")

    def _answer(self, message: dict) -> None:
        said: list[dict] = []
        self.server_module["send"] = said.append
        self.server_module["take"](message)
        body = json.dumps(said[0]).encode()
        if self.way == "events":
            ping = json.dumps({"jsonrpc": "2.0", "method": "notifications/message", "params": {"data": 1}}).encode()
            self._send(
                200, b": hi\n\ndata: " + ping + b"\n\nevent: message\ndata: " + body + b"\n\n", "text/event-stream"
            )
        elif self.way == "drip":
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", "1000000")
            self.end_headers()
            with contextlib.suppress(OSError):
                for _ in range(600):
                    self.wfile.write(b" ")
                    self.wfile.flush()
                    time.sleep(0.1)  # what this way is: a byte now and then
        elif self.way == "cut":
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b"{")
            self.close_connection = True
        else:
            kinds = {"garbage": (200, b"{", "application/json"), "html": (200, b"<p>", "text/html")}
            kinds["error"] = (500, b"", "text/plain")
            self._send(*kinds.get(self.way, (200, body, "application/json")))

    def _send(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Keep the test's output quiet."""


@contextlib.contextmanager
def endpoint(way: str = "json", wrong: str = "") -> Iterator[str]:
    """Serve the foreign server over HTTP in one way; yields the URL."""
    module: dict = {}
    exec(SCRIPT.partition("# WRONG")[0] + wrong, module)
    handler = type("Handler", (Endpoint,), {"way": way, "server_module": module})
    serving = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    serving.daemon_threads = True
    serving.block_on_close = False
    thread = threading.Thread(target=serving.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{serving.server_port}/mcp"
    finally:
        serving.shutdown()
        serving.server_close()
        thread.join(10)
