"""A child whose tools answer in each of the ways there are: `mirroring_child.py legacy|modern`."""

from __future__ import annotations

import json
import sys
from typing import Any

PROTOCOL = "io.modelcontextprotocol/"
INFO = {"name": "mirroring", "version": "1"}
NAMES = ("add", "both", "says", "fails", "nothing", "numbers", "placed")


def text(value: Any) -> dict[str, str]:
    return {"type": "text", "text": value if type(value) is str else json.dumps(value)}


def answer(params: dict[str, Any]) -> dict[str, Any]:
    """Return result or error of a call."""
    name, arguments = params["name"], params["arguments"]
    if name == "numbers":
        return {"error": {"code": -32050, "message": "No numbers today", "data": params}}
    results = {
        "add": lambda: {"content": [text("3")], "structuredContent": {"result": 3}},
        "both": lambda: {"content": [text(params)]},  # what it was sent
        "says": lambda: {"content": [text(str(arguments.get("text")))], "_meta": {"x": 1}},
        "fails": lambda: {"content": [text("no")], "isError": True},
        "nothing": lambda: {"content": []},
        "placed": lambda: {"content": [{"type": "resource_link", "uri": "file:///a", "name": "a"}]},
    }
    return {"result": results[name]()}


def main() -> None:
    modern = sys.argv[1] == "modern"
    for line in sys.stdin:
        message = json.loads(line)
        method, number, params = message.get("method"), message.get("id"), message.get("params") or {}
        if number is None or method is None:
            continue
        if method == ("server/discover" if modern else "initialize"):
            about = {"supportedVersions": ["2026-07-28"]} if modern else {"protocolVersion": "2025-11-25"}
            told: dict[str, Any] = {"result": {**about, "serverInfo": INFO, "capabilities": {"tools": {}}}}
        elif method == "tools/call" and params["name"] in NAMES:
            told = answer(params)
        else:
            told = {"error": {"code": -32601, "message": "Method not found"}}
        if modern and "result" in told:
            own = {**told["result"].pop("_meta", {}), PROTOCOL + "serverInfo": INFO}
            told["result"] = {"resultType": "complete", **told["result"], "_meta": own}
        print(json.dumps({"jsonrpc": "2.0", "id": number, **told}, separators=(",", ":")), flush=True)


if __name__ == "__main__":
    main()
