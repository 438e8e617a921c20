"""A server of HTTP operations by hand, as the generator writes it, and an API that answers what a test tells it to."""

from __future__ import annotations

import base64
import contextlib
import json
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from generator.backends.runtime_files import runtime_files
from generator.runtime import VERSION

if TYPE_CHECKING:
    from pathlib import Path

PACKAGE = "petstore_mcp"
START = "from ._runtime.server.main import serve\n\nserve(__package__, __file__.rpartition('/')[0])\n"

CONFIG = {
    "base_url": {"env": "PETSTORE_BASE_URL", "sensitive": False, "required": False},
    "files": {"env": "PETSTORE_FILES", "sensitive": False, "required": False},
    "key": {"env": "PETSTORE_KEY", "sensitive": True, "required": False},
    "token": {"env": "PETSTORE_TOKEN", "sensitive": True, "required": False},
}


def operation(path: str, method: str = "GET", **request: Any) -> dict[str, Any]:
    """Return a REQUEST of operations.json."""
    idempotent = method in {"GET", "HEAD", "PUT", "DELETE", "OPTIONS"}
    made = {"method": method, "path": path, "idempotent": idempotent, "read_only": method in {"GET", "HEAD"}}
    return {"accept": "application/json", "parameters": [], **made, **request}


def query(*names: str, **more: Any) -> list[dict[str, Any]]:
    """Return plain query parameters."""
    return [{"argument": n, "name": n, "in": "query", "style": "form", "explode": True, **more} for n in names]


class Tools:
    """Collects tools and the operations behind them, and writes them as the generator does."""

    def __init__(self, **service: Any) -> None:
        self.entries: list[dict[str, Any]] = []
        self.operations: dict[str, Any] = {}
        self.service = service
        self.settings: dict[str, Any] = {}

    def add(
        self,
        name: str,
        request: dict[str, Any],
        *,
        properties: dict[str, Any] | None = None,
        output: dict[str, Any] | None = None,
        wrap: bool = False,
        **entry: Any,
    ) -> Tools:
        key = f"{request['method']} {request['path']}"
        schema = {"type": "object", "properties": properties or {}, "additionalProperties": False}
        definition = {"name": name, "description": name, "inputSchema": schema}
        if output is not None:
            shape = {"type": "object", "properties": {"result": output}, "required": ["result"]} if wrap else output
            definition["outputSchema"] = shape
        call = {"kind": "http", "operation": key}
        result = {"kind": "json" if output is not None else "content", "wrap": wrap}
        self.entries.append({"definition": definition, "ui": None, "call": call, "result": result, **entry})
        self.operations[key] = request
        return self

    def catalog(self) -> dict[str, Any]:
        return {
            "format": 1,
            "runtime": VERSION,
            "id": "petstore",
            "needs_site": False,
            "server": {"name": "petstore", "version": "1.0.0"},
            "settings": {"coerce": True, "page_size": 0, "timeout": 20, **self.settings},
            "config": CONFIG,
            "tools": self.entries,
        }

    def described(self) -> dict[str, Any]:
        return {
            "format": 1,
            "servers": [],
            "base_url": "base_url",
            "files": "files",
            "schemes": {},
            "limits": {"timeout": 10, "retries": 0},
            "hooks": False,
            **self.service,
            "operations": self.operations,
        }

    def write(self, folder: Path, *, handlers: str | None = None) -> Path:
        """Write the data of a package and return its folder; `handlers` is the source of the user's module."""
        package = folder / PACKAGE
        package.mkdir(parents=True)
        if handlers is not None:
            self.service["hooks"] = True
            (package / "handlers.py").write_text(handlers, encoding="utf-8")
        (package / "__init__.py").write_text("", encoding="utf-8")
        (package / "catalog.json").write_text(json.dumps(self.catalog()), encoding="utf-8")
        (package / "operations.json").write_text(json.dumps(self.described()), encoding="utf-8")
        return package

    def write_server(self, folder: Path, **options: Any) -> Path:
        """Write a package that runs as a process; returns the folder to start it in."""
        package = self.write(folder, **options)
        (package / "__main__.py").write_text(START, encoding="utf-8")
        for path, content in runtime_files(http=True).items():
            place = package / "_runtime" / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
        return folder


class Listener(ThreadingHTTPServer):
    """A server that ends the connections too when it is closed: clients keep theirs, and each has a thread here."""

    daemon_threads = True

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        self._open: set[Any] = set()
        super().__init__(("127.0.0.1", 0), handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def server_close(self) -> None:
        super().server_close()
        for request in self._open.copy():
            with contextlib.suppress(OSError):  # it has ended by itself
                request.shutdown(socket.SHUT_RDWR)


class Api:
    """A local API: `answers` by path are (status, headers, body) or functions of the request; `requests` came in."""

    def __init__(self, answers: dict[str, Any]) -> None:
        self.answers = answers
        self.requests: list[dict[str, Any]] = []
        self.broken = threading.Event()
        self.release = threading.Event()
        self._lock = threading.Lock()
        self.most_at_once = 0
        self._at_once = 0
        self._server = Listener(type("Bound", (Handler,), {"api": self}))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        self.release.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)

    def arrived(self, count: int, seconds: float = 10) -> bool:
        """Wait until so many requests are being answered at once."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with self._lock:
                if self.most_at_once >= count:
                    return True
            self.release.wait(0.01)
        return False

    def enter(self, change: int) -> None:
        with self._lock:
            self._at_once += change
            self.most_at_once = max(self.most_at_once, self._at_once)


class Handler(BaseHTTPRequestHandler):
    """Answers one connection of an `Api`."""

    api: Api
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        pass

    def answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        seen = {"method": self.command, "target": self.path, "headers": dict(self.headers), "body": body}
        self.api.requests.append(seen)
        self.api.enter(1)
        try:
            self.respond(self.api.answers[self.path.partition("?")[0]], seen)
        except (ConnectionError, TimeoutError):
            self.api.broken.set()
        finally:
            self.api.enter(-1)

    def respond(self, planned: Any, seen: dict[str, Any]) -> None:
        if planned == "hang":
            self.hang()
            return
        if planned == "wait":
            self.api.release.wait(10)
            planned = (200, {"Content-Type": "application/json"}, b'{"waited":true}')
        status, headers, content = planned(seen) if callable(planned) else planned
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD" and status != 204:
            self.wfile.write(content)

    def hang(self) -> None:
        """Never answer; note when the client closes the connection."""
        self.connection.settimeout(10)
        if not self.connection.recv(1):
            self.api.broken.set()
        self.close_connection = True


for _method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"):
    setattr(Handler, f"do_{_method}", Handler.answer)


def json_answer(value: Any, status: int = 200, **headers: str) -> tuple[int, dict[str, str], bytes]:
    return status, {"Content-Type": "application/json", **headers}, json.dumps(value).encode()


def blob(block: dict[str, Any]) -> bytes:
    return base64.b64decode(block["data"] if "data" in block else block["resource"]["blob"])
