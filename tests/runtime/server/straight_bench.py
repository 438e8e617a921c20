"""Servers in this process whose connections are made of lists: what the tests of the straight path share."""

from __future__ import annotations

import contextlib
import json
import re
import socket
import sys
import time
from types import ModuleType
from typing import TYPE_CHECKING, Any

from generator.runtime import VERSION
from generator.runtime.authoring.errors import ToolError
from generator.runtime.server.call_events import CallEvents
from generator.runtime.server.catalog import Catalog
from generator.runtime.server.http_connection import Connection
from generator.runtime.server.http_main import endpoint_of
from generator.runtime.server.http_runner import Books, HttpRunner, ServerWatch
from generator.runtime.server.http_server import HttpServer
from generator.runtime.server.options import read

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PATIENCE = 20.0
BODY_LIMIT = 60_000
PACKAGE = "straight_tools"


def add(a: int, b: int) -> int:
    return a + b


def both(**given: Any) -> dict[str, Any]:
    return given


def says(text: str) -> str:
    return text


def fails(text: str) -> str:
    raise ToolError(text)


def nothing() -> None:
    return None


def numbers(count: int) -> Any:
    return range(count)  # no JSON: the result is refused


def placed(region: str = "x") -> str:
    return region


INTEGERS = {"a": {"type": "integer"}, "b": {"type": "integer"}}
TEXT = {"text": {"type": "string", "maxLength": 30}}
TOOLS: dict[Any, tuple[dict[str, Any], dict[str, Any]]] = {
    add: (
        {"properties": INTEGERS, "required": ["a", "b"]},
        {"kind": "json", "schema": {"type": "integer"}, "wrap": True},
    ),
    both: ({}, {"kind": "json", "schema": {"type": "object"}}),
    says: ({"properties": TEXT, "required": ["text"]}, {"kind": "json", "schema": {"type": "string"}, "wrap": True}),
    fails: ({"properties": TEXT, "required": ["text"]}, {"kind": "json"}),
    nothing: ({"additionalProperties": False}, {"kind": "none"}),
    numbers: ({"properties": {"count": {"type": "integer"}}}, {"kind": "json"}),
    placed: ({"properties": {"region": {"type": "string", "x-mcp-header": "Region"}}}, {"kind": "json"}),
}


def catalog_in(folder: Path) -> Catalog:
    """Write a catalog of the tools above and read it."""
    module = sys.modules.setdefault(f"{PACKAGE}.tools", ModuleType(f"{PACKAGE}.tools"))
    sys.modules.setdefault(PACKAGE, ModuleType(PACKAGE))
    tools = []
    for function, (schema, result) in TOOLS.items():
        setattr(module, function.__name__, function)
        definition = {"name": function.__name__, "inputSchema": {"type": "object", **schema}}
        call = {"kind": "python", "target": f".tools:{function.__name__}"}
        tools.append({"definition": definition, "call": call, "result": result})
    data = {"format": 1, "runtime": VERSION, "id": "straight", "settings": {}, "tools": tools}
    data["server"] = {"name": "straight", "version": "1"}
    (folder / "catalog.json").write_text(json.dumps(data), encoding="utf-8")
    return Catalog(PACKAGE, str(folder))


class Link:
    """Stands for a socket: what comes is said beforehand, what leaves is kept."""

    def __init__(self) -> None:
        self.coming: list[bytes] = []
        self.left = bytearray()
        self.is_closed = False

    def recv(self, _: int) -> bytes:
        return self.coming.pop(0)

    def send(self, data: bytes) -> int:
        self.left += data
        return len(data)

    def fileno(self) -> int:
        return -1 if self.is_closed else 100_000  # the server never waits for it

    def shutdown(self, _: int) -> None:
        pass

    def close(self) -> None:
        self.is_closed = True


class Bench:
    """A server of which this thread holds the role; its tools count as quick. It is `told` of each call, or not."""

    def __init__(self, folder: Path, *, straight: bool, told: bool = True, options: tuple[str, ...] = ()) -> None:
        self.catalog = catalog_in(folder)
        self.events: list[dict[str, Any]] = []
        if told:
            self.catalog.events = CallEvents(self.catalog, "all")
            self.catalog.events.add(lambda event, _: self.events.append(event))
        self.runner = HttpRunner(Books())
        self.runner.events = self.catalog.events
        self.endpoint = endpoint_of(
            self.catalog, read(["--http", *options], "x", "1"), self.runner, None, reachable=False
        )
        self.server = HttpServer(socket.create_server(("127.0.0.1", 0)), self.runner, self.endpoint, BODY_LIMIT)
        self.runner.books.server = self.server
        self.runner.role = self.server.role
        self.runner.watch = ServerWatch(
            self.runner.books.open,
            self.server.role,
            hand_over=self.runner.hand_over,
            overdue=self.runner.time_out,
            client_gone=bool,
            end=lambda: None,
        )
        self.server.straight = self.endpoint.straight() if straight else None
        self.runner._load()
        for tool in self.catalog.tools.values():
            tool.prepare()
            self.runner._quick.add(tool)
        self.server.role.hold()

    def connect(self) -> Connection:
        connection = Connection(self.server, Link())  # type: ignore[arg-type] # all that it asks of a socket
        self.server._connections.add(connection)
        return connection

    def ask(self, connection: Connection, data: bytes) -> bytes:
        """Return what leaves for a request that comes in one piece, once it is answered."""
        link: Any = connection.socket
        link.coming.append(data)
        link.left.clear()
        connection.readable()
        self._go_on()
        until = time.monotonic() + PATIENCE
        while connection.busy and time.monotonic() < until:  # a batch, whose calls run elsewhere
            self.server._read_mail()
            if connection.busy:
                self.server._wait()
            self._go_on()
        assert not connection.busy
        while self.runner.answering and time.monotonic() < until:
            time.sleep(0)  # another thread is about to log what it answered
        return re.sub(rb"Date: [^\r]*\r\n", b"", bytes(link.left))

    def _go_on(self) -> None:
        """Do what is left of a turn, as the server does."""
        while self.server._pending:
            self.server._turn(*self.server._pending.pop())
        self.server._send_held()


@contextlib.contextmanager
def hand_over_in(bench: Bench, name: str) -> Iterator[None]:
    """Have the watch find a tool slow each time it runs."""
    plan = bench.catalog.tools[name].plan
    handler = plan.handler

    def slow(*positional: Any, **keywords: Any) -> Any:
        with contextlib.suppress(RuntimeError):
            bench.runner.hand_over(bench.server.role.running)
        return handler(*positional, **keywords)

    plan.handler = slow
    try:
        yield
    finally:
        plan.handler = handler
