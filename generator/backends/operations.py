"""operations.json: how an API's operations are requested, read by the runtime at the first call (decision 9).

One operation a line: a change of the description shows as a changed line, and a large API's file stays small.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..digests import compact
from ..ir.codec import plain, thaw
from ..ir.model import HttpCall

if TYPE_CHECKING:
    from ..ir.model import JsonObject, Server

FORMAT = 1
"""Version of the file's form."""

PATH = "operations.json"


def operations(server: Server, service: JsonObject) -> dict[str, Any]:
    """Return the file's content: what the operations share, then each operation by its key, in the tools' order."""
    calls = [tool.call for tool in server.tools if isinstance(tool.call, HttpCall)]
    return {
        "format": FORMAT,
        **{key: value for key, value in thaw(service).items() if key not in ("format", "operations")},
        "operations": {call.operation: plain(call.request) for call in calls},
    }


def encoded(content: dict[str, Any]) -> bytes:
    """Return the content as ASCII JSON, one member and one operation a line; raises ValueError for NaN."""
    shared = [_member(key, value) for key, value in content.items() if key != "operations"]
    requests = [_member(key, value) for key, value in content["operations"].items()]
    inner = b",\n".join(requests)
    last = b'"operations":{' + (b"\n" + inner + b"\n" if inner else b"") + b"}"
    return b"{\n" + b",\n".join([*shared, last]) + b"\n}\n"


def _member(key: str, value: object) -> bytes:
    return compact(key) + b":" + compact(value)
