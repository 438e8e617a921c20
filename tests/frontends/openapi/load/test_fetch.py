"""Documents from other hosts: which addresses are asked, and what a server may do."""

import http.server
import socket
import threading
import time

import pytest

from generator.frontends.openapi import fetch as fetching
from generator.frontends.openapi.documents import LoadOptions, LoadProblem, ReferenceProblem, open_description
from generator.frontends.openapi.fetch import fetch
from generator.frontends.openapi.load_problem import TextProblem

REMOTE = LoadOptions(allow_remote_refs=True, allow_private_hosts=True)

PUBLIC = [
    "93.184.216.34",
    "2606:2800:220:1:248:1893:25c8:1946",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
]
PRIVATE = [
    "127.0.0.1", "127.1.2.3", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
    "224.0.0.1", "240.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1", "::1", "::", "fe80::1", "fe80::1%eth0",
    "fc00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe", "64:ff9b:1::7f00:1", "2002:7f00:1::", "2002:a9fe:a9fe::1", "2002:808:808::1", "2001:db8::1",
    "2001:0:4136:e378:8000:63bf:80ff:fffe", "fec0::1",
]  # fmt: skip


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers from `pages`: path -> (status, headers, body); a subclass has the pages and what was asked."""

    def do_GET(self):
        self.asked.append(self.path)
        status, headers, body = self.pages.get(self.path, (404, {}, b"SECRET of the server"))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if "Content-Length" not in headers and "Transfer-Encoding" not in headers:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    handler = type("Pages", (Handler,), {"pages": {}, "asked": []})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        handler.address = f"http://127.0.0.1:{running.server_port}"
        yield handler
        running.shutdown()
        thread.join()


def soon():
    return time.monotonic() + 10


def refused(address, *, private_hosts=True):
    with pytest.raises(TextProblem) as caught:
        fetch(address, private_hosts=private_hosts, deadline=soon())
    return caught.value


@pytest.fixture
def connected(monkeypatch):
    """Where it was tried to connect to, which leads nowhere."""
    tried = []

    def connect(place, **_):
        tried.append(place)
        raise ConnectionRefusedError

    monkeypatch.setattr(fetching.socket, "create_connection", connect)
    return tried


def at(monkeypatch, *addresses):
    """Have every host name lead to these addresses."""
    found = [(socket.AF_UNSPEC, socket.SOCK_STREAM, 6, "", (each, 80)) for each in addresses]
    monkeypatch.setattr(fetching.socket, "getaddrinfo", lambda *_, **__: found)


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_may_be_asked(address, monkeypatch, connected):
    at(monkeypatch, address)
    assert "private address" not in refused("http://api.example/", private_hosts=False).message
    assert connected == [(address, 80)]


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_may_not_be_asked_in_any_form(address, monkeypatch, connected):
    at(monkeypatch, address)
    assert "private address" in refused("http://api.example/", private_hosts=False).message
    assert connected == []


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "2130706433", "0x7f000001", "0177.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "127.1"]
)
def test_a_private_host_is_refused_before_it_is_connected_to(watching, host):
    with watching() as events:
        problem = refused(f"http://{host}:9/x.yaml", private_hosts=False)
    assert problem.rule == "refused-reference"
    assert not [event for event, _ in events if event == "socket.connect"]


def test_the_address_a_user_types_may_be_this_machine_and_needs_no_option(server):
    server.pages["/openapi.json"] = (200, {}, b'{"openapi": "3.1.0", "x": {"$ref": "/other.json"}}')
    documents = open_description(f"{server.address}/openapi.json")
    assert documents.root["openapi"] == "3.1.0"
    with pytest.raises(ReferenceProblem, match="--allow-remote-refs"):
        documents.resolve("/other.json", documents.entry.at("x"))
    assert server.asked == ["/openapi.json"]


def test_a_redirect_from_the_typed_address_to_another_private_host_is_refused(server):
    port = server.address.rpartition(":")[2]
    server.pages["/a"] = (302, {"Location": f"http://127.1:{port}/b"}, b"")
    with pytest.raises(TextProblem, match="private address"):
        fetch(f"{server.address}/a", private_hosts=False, deadline=soon(), typed=True)
    assert server.asked == ["/a"]


def test_one_private_address_among_public_ones_is_enough_to_refuse(monkeypatch, watching):
    at(monkeypatch, "93.184.216.34", "10.0.0.1")
    with watching() as events:
        assert "private address" in refused("http://rebound.example/", private_hosts=False).message
    assert events == []


def test_the_checked_address_is_the_one_connected_to(monkeypatch, server):
    looked_up = []

    def answers(host, port, **_):
        looked_up.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    server.pages["/a"] = (200, {}, b"a")
    connected = []
    original = socket.create_connection
    monkeypatch.setattr(fetching.socket, "getaddrinfo", answers)
    monkeypatch.setattr(
        fetching.socket, "create_connection", lambda to, **more: connected.append(to) or direct(to, original, **more)
    )
    port = server.address.rpartition(":")[2]
    assert fetch(f"http://api.example:{port}/a", private_hosts=True, deadline=soon()).data == b"a"
    assert looked_up == ["api.example"]
    assert connected == [("127.0.0.1", int(port))]


def direct(to, _original, timeout):
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.settimeout(timeout)
    made.connect(to)
    return made


@pytest.mark.parametrize(
    "address",
    ["http://user:secret@127.0.0.1/", "http:///x", "http://127.0.0.1:0/", "http://127.0.0.1:99999/", "http://[::1/"],
)
def test_addresses_that_are_none_are_refused(watching, address):
    with watching() as events:
        problem = refused(address)
    assert problem.rule == "refused-reference"
    assert "secret" not in problem.message
    assert events == []


def test_references_are_followed_on_the_host_relative_to_the_document(server, watching):
    server.pages["/api/openapi.yaml"] = (200, {}, b"x: {$ref: 'b%20c.json#/B'}\nlocal: {$ref: 'file:///etc/passwd'}\n")
    server.pages["/api/b%20c.json"] = (200, {}, b'{"B": 1}')
    documents = open_description(f"{server.address}/api/openapi.yaml", options=REMOTE)
    assert documents.node(documents.root["x"], documents.entry.at("x"))[0] == 1
    assert list(documents.inputs) == [f"{server.address}/api/openapi.yaml", f"{server.address}/api/b%20c.json"]
    with watching() as events, pytest.raises(ReferenceProblem, match="may not refer to files"):
        documents.resolve("file:///etc/passwd", documents.entry)
    assert events == []
    documents.resolve("b%20c.json", documents.entry)
    assert server.asked == ["/api/openapi.yaml", "/api/b%20c.json"]


def test_a_file_may_refer_to_a_host_when_that_is_allowed(api, server):
    server.pages["/b.yaml"] = (200, {}, b"b: 1\n")
    documents = api({"a.yaml": "x: 1\n"}, allow_remote_refs=True, allow_private_hosts=True)
    assert documents.resolve(f"{server.address}/b.yaml#/b", documents.entry)[0] == 1
    documents = api({"a.yaml": "x: 1\n"}, allow_remote_refs=True)
    with pytest.raises(ReferenceProblem, match="private address"):
        documents.resolve(f"{server.address}/b.yaml#/b", documents.entry)


def test_redirects_are_followed_and_are_the_new_base(server):
    server.pages["/old/a.yaml"] = (302, {"Location": "/new/a.yaml"}, b"")
    server.pages["/new/a.yaml"] = (200, {}, b"x: 1\n")
    server.pages["/new/b.yaml"] = (200, {}, b"b: 2\n")
    documents = open_description(f"{server.address}/old/a.yaml", options=REMOTE)
    assert documents.resolve("b.yaml#/b", documents.entry)[0] == 2


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://127.0.0.1/x", "http://user@127.0.0.1/"])
def test_redirects_lead_to_http_only(server, watching, target):
    server.pages["/a"] = (302, {"Location": target}, b"")
    with watching() as events:
        assert refused(f"{server.address}/a").rule == "refused-reference"
    assert not [path for event, path in events if event == "open"]


def test_redirects_are_checked_like_the_first_address(server):
    server.pages["/a"] = (302, {"Location": "http://169.254.169.254/latest/"}, b"")
    with pytest.raises(TextProblem, match=r"`169\.254\.169\.254` has a private address") as caught:
        fetch(f"{server.address}/a", private_hosts=False, deadline=soon(), typed=True)
    assert caught.value.rule == "refused-reference"
    assert server.asked == ["/a"]


def test_redirects_have_an_end(server):
    server.pages["/a"] = (302, {"Location": "/a"}, b"")
    assert "redirects" in refused(f"{server.address}/a").message
    assert len(server.asked) == fetching.MAX_REDIRECTS + 1


def test_what_the_server_says_is_not_repeated(server):
    problem = refused(f"{server.address}/none")
    assert (problem.rule, problem.message) == (
        "unreachable-reference",
        "`127.0.0.1` cannot be asked: the server answers 404",
    )


def test_too_many_bytes_are_refused(server, monkeypatch):
    monkeypatch.setattr(fetching, "MAX_FETCH_BYTES", 1_000)
    server.pages["/a"] = (200, {}, b"x" * 1_001)
    assert refused(f"{server.address}/a").rule == "loading-limit"


def test_an_encoding_that_was_not_asked_for_is_refused(server):
    server.pages["/a"] = (200, {"Content-Encoding": "gzip"}, b"x")
    assert "encoding" in refused(f"{server.address}/a").message


def test_an_answer_that_breaks_off_is_refused(server):
    server.pages["/a"] = (200, {"Content-Length": "100", "Connection": "close"}, b"x")
    assert refused(f"{server.address}/a").rule == "unreachable-reference"


@pytest.mark.parametrize(
    "answer", [b"", b"SSH-2.0-x\r\n", b"HTTP/1.1 abc\r\n\r\n", b"HTTP/1.1 200 OK\r\nX" + b"x" * 70_000]
)
def test_an_answer_that_is_no_http_is_refused(answer):
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=answer_once, args=(listening, answer))
        thread.start()
        problem = refused(f"http://127.0.0.1:{listening.getsockname()[1]}/")
        thread.join()
    assert problem.rule == "unreachable-reference"


def answer_once(listening, answer):
    connection, _ = listening.accept()
    with connection:
        connection.recv(65_536)
        connection.sendall(answer)


def test_a_server_that_never_answers_is_given_up(monkeypatch):
    monkeypatch.setattr(fetching, "MAX_FETCH_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        assert "in time" in refused(f"http://127.0.0.1:{listening.getsockname()[1]}/").message


def test_a_closed_port_is_told():
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    assert "refused or broken" in refused(f"http://127.0.0.1:{port}/").message


def test_a_description_that_cannot_be_fetched_is_a_diagnostic(server):
    with pytest.raises(LoadProblem) as caught:
        open_description(f"{server.address}/none", options=REMOTE)
    assert caught.value.diagnostics[0].rule.name == "unreachable-reference"
