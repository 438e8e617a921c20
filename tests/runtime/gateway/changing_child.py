"""A child that is of the other era once a file is there: `changing_child.py legacy|modern FILE`.

Its tool `line` answers with the line of its request (base64); `change` waits for the file and ends the process.
"""

from __future__ import annotations

import base64
import json
import os
import sys
import time
from pathlib import Path

PROTOCOL = "io.modelcontextprotocol/"
SECONDS = 20.0
INFO = {"name": "changing", "version": "1"}


def send(request_id: object, **members: object) -> None:
    os.write(1, json.dumps({"jsonrpc": "2.0", "id": request_id, **members}).encode() + b"\n")


def main() -> None:
    changed = Path(sys.argv[2])
    modern = (sys.argv[1] == "modern") != changed.exists()
    told = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"} if modern else {}
    for line in sys.stdin.buffer:
        message = json.loads(line)
        method, request_id = message["method"], message.get("id")
        if request_id is None:
            continue
        if method == ("server/discover" if modern else "initialize"):
            about = {"supportedVersions": ["2026-07-28"], **told} if modern else {"protocolVersion": "2025-11-25"}
            about |= {"_meta": {PROTOCOL + "serverInfo": INFO}} if modern else {"serverInfo": INFO}
            send(request_id, result={**about, "capabilities": {"tools": {}}})
        elif method != "tools/call":
            send(request_id, error={"code": -32601, "message": "Method not found"})
        elif message["params"]["name"] == "change":
            until = time.monotonic() + SECONDS
            while not changed.exists() and time.monotonic() < until:
                time.sleep(0.005)
            os._exit(1)
        else:
            text = base64.b64encode(line).decode()
            kind = {"resultType": "complete"} if modern else {}
            send(request_id, result={"content": [{"type": "text", "text": text}], **kind})


if __name__ == "__main__":
    main()
