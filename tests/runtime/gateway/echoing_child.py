"""A child that answers with the bytes it is told: `echoing_child.py legacy|modern`.

Its tool `next` keeps a line (base64, with `@ID@` where the id of the request belongs); the next request of any other
kind, or of its tool `t`, is answered with that line.
"""

from __future__ import annotations

import base64
import json
import os
import sys

PROTOCOL = "io.modelcontextprotocol/"
INFO = {"name": "echoing", "version": "1"}
CAPABILITIES = {"tools": {}, "resources": {}, "prompts": {}, "completions": {}}


def out(line: bytes) -> None:
    while line:
        line = line[os.write(1, line) :]


def send(request_id: object, **members: object) -> None:
    out(json.dumps({"jsonrpc": "2.0", "id": request_id, **members}).encode() + b"\n")


def main() -> None:
    modern = sys.argv[1] == "modern"
    told = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"} if modern else {}
    kept = b""
    for line in sys.stdin:
        message = json.loads(line)
        method, request_id, params = message.get("method"), message.get("id"), message.get("params") or {}
        if request_id is None or method is None:
            continue
        if method == ("server/discover" if modern else "initialize"):
            about = {"supportedVersions": ["2026-07-28"], **told} if modern else {"protocolVersion": "2025-11-25"}
            about |= {"_meta": {PROTOCOL + "serverInfo": INFO}} if modern else {"serverInfo": INFO}
            send(request_id, result={**about, "capabilities": CAPABILITIES})
        elif method in ("server/discover", "initialize"):
            send(request_id, error={"code": -32601, "message": "Method not found"})
        elif method.endswith("/list"):
            member = {"resources/templates/list": "resourceTemplates"}.get(method, method.partition("/")[0])
            send(request_id, result={member: [], **told})
        elif method == "tools/call" and params.get("name") == "next":
            kept = base64.b64decode(params["arguments"]["line"])
            send(request_id, result={"content": [], **({"resultType": "complete"} if modern else {})})
        else:
            out(kept.replace(b"@ID@", json.dumps(request_id).encode()) + b"\n")


if __name__ == "__main__":
    main()
