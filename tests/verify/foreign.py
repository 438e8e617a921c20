"""A server of nobody's: right in both eras, until a test has it do one thing wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

SCRIPT = r"""
import json, os, signal, sys, time
MODERN = "2026-07-28"
VIEW = "text/html;profile=mcp-app"
TOOLS = [{
    "name": "add", "description": "Add two numbers.", "annotations": {"readOnlyHint": True},
    "inputSchema": {"type": "object", "required": ["a", "b"], "examples": [{"a": 1, "b": 2}],
        "properties": {name: {"type": "integer", "description": "A number."} for name in "ab"}},
    "outputSchema": {"type": "object", "properties": {"sum": {"type": "integer"}}, "required": ["sum"]},
}]
CAPABILITIES = {"tools": {}}
PAGE = "<!doctype html><title>x</title><p>x"

class Error(Exception):
    pass

def refuse(code, text="no"):
    raise Error({"code": code, "message": text})

def call(params):
    if params.get("name") != "add":
        refuse(-32602, "Unknown tool")
    total = params["arguments"]["a"] + params["arguments"]["b"]
    return {"content": [{"type": "text", "text": f"the sum is {total}"}], "structuredContent": {"sum": total}}

def greeting(method, params):
    if method == "initialize":
        return {"protocolVersion": params["protocolVersion"], "capabilities": CAPABILITIES,
                "serverInfo": {"name": "foreign", "version": "1"}}
    return {"supportedVersions": [MODERN], "capabilities": CAPABILITIES}

def answer(method, params):
    if method in ("initialize", "server/discover"):
        return greeting(method, params)
    if method == "ping":
        return {}
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        return call(params)
    if method == "resources/list" and "resources" in CAPABILITIES:
        return {"resources": []}
    if method == "resources/read" and "resources" in CAPABILITIES:
        return {"contents": [{"uri": params["uri"], "mimeType": VIEW, "text": PAGE}]}
    refuse(-32601, "Method not found")

def modern(params):
    return params.get("_meta", {}).get("io.modelcontextprotocol/protocolVersion") == MODERN

def send(message):
    print(json.dumps(message), flush=True)

def take(message):
    method, params = message["method"], message.get("params", {})
    if "id" not in message:
        return
    try:
        result = answer(method, params)
        if modern(params):
            result = {"resultType": "complete", "ttlMs": 0, "cacheScope": "public", **result}
        send({"jsonrpc": "2.0", "id": message["id"], "result": result})
    except Error as error:
        send({"jsonrpc": "2.0", "id": message["id"], "error": error.args[0]})

# WRONG

for line in sys.stdin:
    take(json.loads(line))

# END
"""


def script(folder: Path, wrong: str = "", end: str = "") -> Path:
    """Write the server with something wrong, as code that goes before its loop, and `end` after it; return its path."""
    path = folder / "foreign.py"
    path.write_text(SCRIPT.replace("# WRONG", wrong).replace("# END", end), encoding="utf-8")
    return path


LEGACY_ONLY = """
right = answer
def answer(method, params):
    if method == "server/discover":
        refuse(-32601, "Method not found")
    return right(method, params)
"""
"""A server of before 2026-07-28."""

VIEWS = """
CAPABILITIES = {"tools": {}, "resources": {}, "extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": [VIEW]}}}
TOOLS[0]["_meta"] = {"ui": {"resourceUri": "ui://foreign/page"}}
"""
"""A tool with a view, shown to everybody."""
