"""A server that somebody else wrote: legacy, with texts and members that clients do not take."""

import json
import sys

LISTS = {
    "tools/list": {
        "tools": [
            {
                "name": "echo.text",
                "description": "Say it\u202e again.",
                "title": None,
                "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}, "loud": True}},
            },
            {"name": "", "inputSchema": {"type": "object"}},
        ]
    },
    "resources/list": {"resources": [{"uri": "note://today", "name": "today", "mimeType": "text/plain"}]},
    "resources/templates/list": {"resourceTemplates": []},
}

for line in sys.stdin:
    message = json.loads(line)
    method = message.get("method")
    if "id" not in message:
        continue
    if method == "initialize":
        answer = {
            "result": {
                "protocolVersion": "2025-06-18",
                "capabilities": {"tools": {"listChanged": True}, "resources": {}},
                "serverInfo": {"name": "other", "version": "9"},
                "instructions": "Speak slowly.",
            }
        }
    elif method == "tools/call":
        said = message["params"]["arguments"].get("text", "")
        answer = {"result": {"content": [{"type": "text", "text": f"{message['params']['name']}: {said}"}]}}
    elif method in LISTS:
        answer = {"result": LISTS[method]}
    else:
        answer = {"error": {"code": -32601, "message": "no such method"}}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **answer}), flush=True)
