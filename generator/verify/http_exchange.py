"""A small client of Streamable HTTP: one request at a time, JSON or a stream of events, bounded in time and size."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import threading
import time
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

from .conversation import Broken, Refused
from .eras import LEGACY, LEGACY_ERA, MODERN, about
from .finding import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MAX_BODY = 64 << 20
"""Bytes of one answer."""

ACCEPT = "application/json, text/event-stream"


class HttpConversation:
    """The same conversation as over standard streams, with an endpoint."""

    def __init__(self, url: str, timeout: float, *, headers: Mapping[str, str] | None = None) -> None:
        """Talk to the endpoint at `url`; `headers` go with every request. Raises Broken for a URL that is none."""
        self.timeout = timeout
        self.era = LEGACY_ERA
        self.capabilities: dict[str, Any] = {}
        self.faults: list[str] = []
        self.impure: list[str] = []
        self.version = ""
        self._headers = dict(headers or {})
        self._session = ""
        self._next = 0
        try:
            self._parts = urlsplit(url)
            _ = self._parts.port
        except ValueError:
            raise Broken(f"{shown(url)} is no URL") from None
        if self._parts.scheme not in ("http", "https") or not self._parts.hostname:
            raise Broken(f"{shown(url)} is no http or https URL")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._session:
            with contextlib.suppress(Broken):
                self.post(None, method="DELETE")

    def initialize(self, version: str = LEGACY, *, extensions: dict[str, Any] | None = None) -> dict[str, Any]:
        """Shake hands; return the server's answer."""
        self.era, self.version = LEGACY_ERA, ""
        capabilities = {"extensions": extensions} if extensions else {}
        result = self.request(
            "initialize", {"protocolVersion": version, "capabilities": capabilities, "clientInfo": about()}
        )
        self.version = str(result.get("protocolVersion", version))
        self.post({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return result

    def discover(self, *, extensions: dict[str, Any] | None = None) -> dict[str, Any]:
        """Begin without a handshake; return the server's answer."""
        self.era = self.version = MODERN
        self.capabilities = {"extensions": extensions} if extensions else {}
        return self.request("server/discover")

    def request(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """Send a request and return its result; raises Refused and Broken."""
        self._next += 1
        given = dict(params or {})
        if self.era == MODERN:
            given["_meta"] = {
                "io.modelcontextprotocol/protocolVersion": MODERN,
                "io.modelcontextprotocol/clientInfo": about(),
                "io.modelcontextprotocol/clientCapabilities": self.capabilities,
                **given.get("_meta", {}),
            }
        status, answer = self.post({"jsonrpc": "2.0", "id": self._next, "method": method, "params": given})
        if not isinstance(answer, dict):
            raise Broken(f"{method} was answered by HTTP {status} without a JSON-RPC message")
        if "error" in answer:
            raise Refused(answer["error"] if isinstance(answer["error"], dict) else {"message": answer["error"]})
        if not isinstance(answer.get("result"), dict):
            raise Broken(f"the answer to {method} has no result that is an object")
        result: dict[str, Any] = answer["result"]
        return result

    def post(
        self, message: dict[str, Any] | None, *, method: str = "POST", headers: Mapping[str, str] | None = None
    ) -> tuple[int, dict[str, Any] | None]:
        """Send one HTTP request; return its status and the JSON-RPC response in it, if there is one. Raises Broken."""
        parts = self._parts
        secure = parts.scheme == "https"
        kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        connection = kind(parts.hostname or "", parts.port, timeout=self.timeout)
        body = None if message is None else json.dumps(message).encode()
        watch: threading.Timer | None = None
        try:
            connection.connect()
            watch = threading.Timer(2 * self.timeout, _cut, (connection.sock,))
            watch.daemon = True
            watch.start()
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            connection.request(method, path, body, {**self._own_headers(message), **(headers or {})})
            response = connection.getresponse()
            session = response.getheader("Mcp-Session-Id")
            if session and message is not None and message.get("method") == "initialize":
                self._session = session
            return response.status, self._answer(response, None if message is None else message.get("id"))
        except TimeoutError:
            raise Broken(f"no answer within {self.timeout:g} s") from None
        except (OSError, http.client.HTTPException, ValueError) as failure:
            raise Broken(f"the exchange failed: {type(failure).__name__}: {shown(str(failure), 160)}") from None
        finally:
            if watch is not None:
                watch.cancel()
            connection.close()

    def _own_headers(self, message: dict[str, Any] | None) -> dict[str, str]:
        """Return the headers of a request: what the era wants, and what the user gave."""
        found = {"Accept": ACCEPT, "Content-Type": "application/json", **self._headers}
        if self.version:
            found["MCP-Protocol-Version"] = self.version
        if self._session:
            found["Mcp-Session-Id"] = self._session
        if self.era == MODERN and message is not None:
            params = message.get("params", {})
            named = params.get("name") or params.get("uri")
            found["Mcp-Method"] = str(message.get("method"))
            if named:
                found["Mcp-Name"] = str(named)
        return found

    def _answer(self, response: http.client.HTTPResponse, identity: object) -> dict[str, Any] | None:
        """Read the JSON-RPC response of an HTTP answer, JSON or events; None where there is none."""
        kind = (response.getheader("Content-Type") or "").partition(";")[0].strip().lower()
        if kind == "text/event-stream":
            for data in _events(response, time.monotonic() + self.timeout):
                message = json.loads(data)
                if isinstance(message, dict) and "method" not in message and message.get("id") == identity:
                    return message
            return None
        body = response.read(MAX_BODY + 1)
        if len(body) > MAX_BODY:
            raise Broken(f"an answer has more than {MAX_BODY >> 20} MiB")
        if kind != "application/json" or not body:
            return None
        message = json.loads(body)
        return message if isinstance(message, dict) else None


def _cut(connected: socket.socket) -> None:
    """End an exchange that goes on byte by byte: a socket's own time-out is for each of them."""
    with contextlib.suppress(OSError):
        connected.shutdown(socket.SHUT_RDWR)


def _events(response: http.client.HTTPResponse, deadline: float) -> Iterator[str]:
    """Yield the data of each event (WHATWG HTML, 9.2.6) until the stream's end; raises Broken for too much."""
    data: list[str] = []
    taken = 0
    while line := response.readline(MAX_BODY):
        taken += len(line)
        if taken > MAX_BODY or time.monotonic() > deadline:
            raise Broken("a stream of events had no answer in time")
        text = line.decode("utf-8", "replace").rstrip("\r\n")
        if not text:
            if data and any(data):
                yield "\n".join(data)
            data = []
        elif text.startswith("data:"):
            data.append(text[5:].removeprefix(" "))
