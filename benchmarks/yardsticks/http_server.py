"""Answer calls of `add` with what the standard library brings: a thread a connection, kept alive. Usage: PORT."""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"


class Handler(BaseHTTPRequestHandler):
    """Answers with one write, and logs nothing."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self):
        """Add two numbers."""
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        arguments = message["params"]["arguments"]
        found = {"sum": arguments["a"] + arguments["b"]}
        content = [{"type": "text", "text": json.dumps(found)}]
        answer = {"jsonrpc": "2.0", "id": message["id"], "result": {"content": content, "structuredContent": found}}
        body = json.dumps(answer).encode()
        self.wfile.write(HEAD % len(body) + body)

    def log_message(self, *_):
        """Write nothing."""


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
