"""A client of a gateway in tests: either era, with capabilities, that can be asked and told."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from tests.runtime.gateway.gatewaying import gateway, tool
from tests.runtime.gateway.hand_made import TOOLS
from tests.stdio_client import LATEST, MODERN, StdioServer, stub

if TYPE_CHECKING:
    from collections.abc import Iterable

HAND_MADE = Path(__file__).with_name("hand_made.py")
PROTOCOL = "io.modelcontextprotocol/"
TASKS = f"{PROTOCOL}tasks"
UI = f"{PROTOCOL}ui"
APPS = {"extensions": {UI: {"mimeTypes": ["text/html;profile=mcp-app"]}}}
ASKABLE = {"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}}
ALL = {**ASKABLE, "extensions": {**APPS["extensions"], TASKS: {}}}
SECONDS = 20.0


def hand_made(era: str, *words: str, **row: Any) -> dict[str, Any]:
    """Return the row of a child by hand."""
    capabilities = {"tools": {}, "resources": {}, "prompts": {}, "completions": {}, "logging": {}}
    if era == "modern":
        capabilities["extensions"] = {TASKS: {}}
    command = ["${python}", "-I", "-S", str(HAND_MADE), era, *words]
    return {"command": command, "era": era, "capabilities": capabilities, **row}


def over(
    folder: Path,
    servers: dict[str, dict[str, Any]],
    *,
    names: Iterable[str] = TOOLS,
    tools_by_hand: Iterable[dict[str, Any]] = (),
    **more: Any,
) -> Path:
    """Write a gateway over children by hand, with everything they have."""
    tools = [tool(server, name) for server in servers for name in names] + list(tools_by_hand)
    return gateway(folder, servers, tools, **(offers(servers) | more))


def offers(servers: Iterable[str]) -> dict[str, Any]:
    """Return the members of a catalog for what children by hand have besides tools; the first one's URIs are known."""
    first = next(iter(servers))

    def proxy(original: str, server: str = first) -> dict[str, str]:
        return {"kind": "proxy", "server": server, "original": original}

    greet = {"name": f"{first}__greet", "arguments": [{"name": "who"}]}
    template = {"uriTemplate": "file:///t/{id}", "name": "t"}
    views = [
        {"definition": {"uri": view(server, uri), "name": uri}, "call": proxy(uri, server)}
        for server in servers
        for uri in ("ui://app/main", "ui://app/broken")
    ]
    return {
        "resources": [
            {"definition": {"uri": uri, "name": uri}, "call": proxy(uri)} for uri in ("file:///a", "file:///gone")
        ],
        "templates": [{"definition": template, "call": proxy("file:///t/{id}"), "completions": True}],
        "prompts": [{"definition": greet, "call": proxy("greet"), "completions": True}],
        "views": views,
        "changes": ["tools", "prompts", "resources", "resource"],
    }


def view(server: str, uri: str) -> str:
    """Return a gateway's URI of a child's view."""
    return f"ui://mcpgen-gateway/{server}/{quote(uri, safe='')}"


class Client(StdioServer):
    """A client of a gateway, with these capabilities."""

    def __init__(self, project: Path, era: str = "legacy", capabilities: dict | None = None, version: str = "") -> None:
        super().__init__(stub(project, sys.executable), timeout=SECONDS)
        self.capabilities = ASKABLE if capabilities is None else capabilities
        if era == "legacy":
            self.initialize(version or LATEST, capabilities=self.capabilities)
        else:
            self.era = version or MODERN

    def send(self, method: str, params: dict | None = None) -> int:
        """Send a request; a modern one says what the client can do, unless `_meta` says it."""
        if self.era == "legacy":
            return super().send(method, params)
        told = dict(params or {})
        told["_meta"] = {f"{PROTOCOL}clientCapabilities": self.capabilities, **told.get("_meta", {})}
        return super().send(method, told)

    def begin(self, name: str, arguments: dict | None = None, **more: Any) -> int:
        """Send a call without waiting."""
        return self.send("tools/call", {"name": name, "arguments": arguments or {}, **more})

    def until(self, found: Any, what: str) -> Any:
        """Take messages until `found` returns something."""
        until = time.monotonic() + SECONDS
        while True:
            got = found()
            if got is not None:
                return got
            self._take(until - time.monotonic(), what)

    def question(self) -> dict:
        """Wait for a request of the server."""
        return self.until(lambda: self.requests.pop(0) if self.requests else None, "a question")

    def told(self, method: str) -> dict:
        """Wait for a notification and return its params."""

        def found() -> dict | None:
            for at, message in enumerate(self.notifications):
                if message["method"] == method:
                    return self.notifications.pop(at).get("params") or {}
            return None

        return self.until(found, method)

    def reply(self, question: dict, result: dict | None = None, error: dict | None = None) -> None:
        """Answer a request of the server."""
        body = {"error": error} if error is not None else {"result": result or {}}
        self._write({"jsonrpc": "2.0", "id": question["id"], **body})

    def seen(self, server: str) -> dict:
        """Return what a child by hand was told so far."""
        return self.call(f"{server}__seen")["structuredContent"]

    def until_seen(self, server: str, wanted: Any) -> Any:
        """Ask a child again and again what it was told, until that is as wanted."""
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            found = wanted(self.seen(server))
            if found:
                return found
        message = f"not seen in time; last: {self.seen(server)['seen'][-5:]}"
        raise AssertionError(message)

    def until_noted(self, text: str) -> None:
        """Wait until the gateway's log says something."""
        until = time.monotonic() + SECONDS
        while text not in self.stderr:
            assert time.monotonic() < until, self.stderr[-2_000:]
            time.sleep(0.005)


def text_of(result: dict) -> Any:
    """Return what a child's text says."""
    return json.loads(result["content"][0]["text"])
