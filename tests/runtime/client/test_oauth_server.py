"""Access tokens over the real transport, from a token endpoint on loopback."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from generator.runtime.client.credentials import Credentials
from generator.runtime.client.message import Origin, Request, Watch
from generator.runtime.client.transport import Transport


class Handler(BaseHTTPRequestHandler):
    """Gives a new token each time; takes the client's name in the body only, and leads GET requests nowhere."""

    protocol_version = "HTTP/1.1"
    given = 0

    def do_POST(self):
        form = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if "client_secret=s3cret" not in form:
            return self.answer(401, {"error": "invalid_client"})
        type(self).given += 1
        return self.answer(200, {"access_token": f"T{self.given}", "token_type": "bearer", "expires_in": 3600})

    def answer(self, status, body):
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args):
        pass


@pytest.fixture
def port():
    Handler.given = 0
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server.server_address[1]
    server.shutdown()
    server.server_close()
    thread.join(5)


def test_a_token_is_fetched_kept_and_renewed_over_http(port):
    api = Origin("http", "127.0.0.1", port)
    scheme = {
        "type": "oauth2",
        "flows": {"clientCredentials": {"token_url": f"http://127.0.0.1:{port}/token", "scopes": []}},
        "credentials": {"value": "v", "client_id": "i", "client_secret": "s"},
    }
    transport = Transport({"timeout": 5, "retries": 0}, allow_private=False, operator_origin=None)
    credentials = Credentials({"o": scheme}, lambda: {"i": "me", "s": "s3cret"}, transport, {api})
    try:
        for _ in range(2):
            request = Request("GET", api, "/x")
            credentials.apply(request, [{"o": ["read"]}], Watch(5))
            assert request.header("Authorization") == "Bearer T1"
        assert credentials.refresh(request, Watch(5))
        assert request.header("Authorization") == "Bearer T2"
    finally:
        transport.close()
