"""Children for tests of routing: only what a test is about is given."""

from __future__ import annotations

from typing import Any

from generator.ir.routes import Child, Offered, OfferedTool, Snapshot, Start

SCHEMA = {"type": "object", "properties": {"q": {"type": "string"}}}


def tool(name: str, *, ui: dict | None = None, scopes: tuple[str, ...] = (), **members: Any) -> OfferedTool:
    return OfferedTool(definition={"name": name, "inputSchema": SCHEMA, **members}, ui=ui, scopes=scopes)


def resource(uri: str, **members: Any) -> Offered:
    return Offered(definition={"uri": uri, "name": "r", **members})


def template(uri: str) -> Offered:
    return Offered(definition={"uriTemplate": uri, "name": "t"})


def prompt(name: str, *, completes: bool = False) -> Offered:
    return Offered(definition={"name": name}, completes=completes)


def view(uri: str) -> Offered:
    return Offered(definition={"uri": uri, "name": "v", "mimeType": "text/html;profile=mcp-app"})


def child(name: str, *tools: OfferedTool | str, policy: dict | None = None, **snapshot: Any) -> Child:
    """Return a child whose tools are given as they are, or by their names."""
    made = Snapshot(
        name=name,
        origin=snapshot.pop("origin", "generated"),
        start=Start(command=("run", name)),
        era="dual",
        digest="sha256:" + "0" * 64,
        tools=tuple(tool(each) if isinstance(each, str) else each for each in tools),
        **snapshot,
    )
    return Child(id=name, snapshot=made, **(policy or {}))
