"""Proxies of the environment: chosen as others choose them, tunnelled through, their credentials kept apart."""

from __future__ import annotations

import socket
import threading

import pytest

from generator.runtime.client.message import Origin, Request
from generator.runtime.client.problem import ADDRESS_REFUSED, CANNOT_REACH
from generator.runtime.client.proxy import Proxies
from generator.runtime.client.transport import Transport, TransportProblem
from tests.runtime.client.test_tls import AUTHORITY, tls
from tests.runtime.client.upstream import answer, answering, patient, serving

NAMED = Origin("http", "api.test")
NAMED_SECURE = Origin("https", "api.test")
BASIC = "Basic dXNlcjpwQHNz"  # user:p@ss


def chosen(origin: Origin, **environment: str) -> str | None:
    proxy = Proxies(environment).of(origin)
    return proxy and f"{proxy.host}:{proxy.port}"


@pytest.mark.parametrize(
    ("environment", "plain", "secure"),
    [
        ({}, None, None),
        ({"HTTP_PROXY": "http://p:1"}, "p:1", None),
        ({"https_proxy": "http://p:1"}, None, "p:1"),
        ({"ALL_PROXY": "p:1", "HTTPS_PROXY": "http://q"}, "p:1", "q:80"),
        ({"http_proxy": "http://low:1", "HTTP_PROXY": "http://UP:1"}, "low:1", None),
        ({"http_proxy": "", "HTTP_PROXY": "http://up:1"}, None, None),
        ({"HTTP_PROXY": "http://p:1", "REQUEST_METHOD": "GET"}, None, None),
        ({"http_proxy": "http://p:1", "REQUEST_METHOD": "GET"}, "p:1", None),
        ({"HTTP_PROXY": "https://p"}, "p:443", None),
    ],
)
def test_each_scheme_has_its_proxy(environment, plain, secure):
    assert (chosen(NAMED, **environment), chosen(NAMED_SECURE, **environment)) == (plain, secure)


@pytest.mark.parametrize(
    ("direct", "host", "port", "bypassed"),
    [
        ("*", "api.test", 80, True),
        ("api.test", "api.test", 80, True),
        ("API.TEST", "api.test", 80, True),
        ("test", "api.test", 80, True),
        (".test", "api.test", 80, True),
        ("*.test", "api.test", 80, True),
        ("other, api.test", "api.test", 80, True),
        ("pi.test", "api.test", 80, False),
        ("api.test:8080", "api.test", 80, False),
        ("api.test:8080", "api.test", 8080, True),
        ("10.0.0.0/8", "10.1.2.3", 80, True),
        ("10.0.0.0/8", "11.1.2.3", 80, False),
        ("10.0.0.0/99,11.1.2.3", "11.1.2.3", 80, True),
        ("2001:db8::/32", "2001:db8::1", 80, True),
        ("[2001:db8::1]", "2001:db8::1", 80, True),
        ("", "api.test", 80, False),
        (",", "api.test", 80, False),
    ],
)
def test_no_proxy_names_hosts_to_reach_directly(direct, host, port, bypassed):
    found = chosen(Origin("http", host, port), HTTP_PROXY="http://p:1", NO_PROXY=direct)
    assert (found is None) == bypassed


@pytest.mark.parametrize("host", ["localhost", "app.localhost", "127.0.0.1", "127.1.2.3", "::1"])
def test_loopback_is_always_reached_directly(host):
    assert chosen(Origin("http", host), ALL_PROXY="http://p:1") is None


@pytest.mark.parametrize("url", ["socks5://user:s3cret@p:1", "http://", "http://p:99999", "ftp://p", "http://[::1"])
def test_a_proxy_of_no_use_is_explained_without_its_url(url):
    with pytest.raises(TransportProblem) as raised:
        chosen(NAMED, HTTP_PROXY=url)
    assert "HTTP_PROXY" in raised.value.suggestion
    assert "s3cret" not in raised.value.message + raised.value.suggestion


@pytest.fixture
def through():
    """Make a transport that goes through a proxy."""
    made = []

    def through(port: int, credentials: str = "", **limits) -> Transport:
        url = f"http://{credentials}127.0.0.1:{port}"
        made.append(Transport({"retries": 0, "ca_file": AUTHORITY, **limits}, environment={"ALL_PROXY": url}))
        return made[-1]

    yield through
    for transport in made:
        transport.close()


def tunnel_to(port: int, seen: list):
    """Script a proxy that makes tunnels to one server, whatever host is asked for."""

    def script(peer):
        seen.append(peer.read())
        with socket.create_connection(("127.0.0.1", port), 10) as onward:
            peer.send(b"HTTP/1.1 200 Connection established\r\n\r\n")
            back = threading.Thread(target=pump, args=(onward, peer.socket))
            back.start()
            pump(peer.socket, onward)
            back.join(10)

    return script


def pump(source: socket.socket, sink: socket.socket) -> None:
    try:
        while piece := source.recv(65536):
            sink.sendall(piece)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def test_a_plain_request_goes_whole_to_the_proxy_and_the_connection_is_kept(through):
    with serving(answering(answer(b"x"))) as proxy:
        transport = through(proxy.port, "user:p%40ss@")
        request = Request("GET", NAMED, "/a?b=c", [("Authorization", "Bearer k")], idempotent=True)
        for _ in range(2):
            assert transport.send(request, patient()).body == b"x"
    asked = proxy.asked[1]
    assert asked.target == "http://api.test/a?b=c"
    assert asked.headers["host"] == "api.test"
    assert asked.headers["proxy-authorization"] == BASIC
    assert proxy.connections == 1


def test_a_secure_request_goes_through_a_tunnel_and_the_proxy_s_credentials_stay_outside(through):
    tunnels = []
    with (
        serving(answering(answer(b"x")), tls()) as server,
        serving(tunnel_to(server.port, tunnels)) as proxy,
    ):
        transport = through(proxy.port, "user:p%40ss@")
        for _ in range(2):
            assert transport.send(Request("GET", NAMED_SECURE, "/a", idempotent=True), patient()).body == b"x"
        transport.close()
    assert len(tunnels) == 1
    assert (tunnels[0].method, tunnels[0].target) == ("CONNECT", "api.test:443")
    assert tunnels[0].headers["proxy-authorization"] == BASIC
    assert server.asked[0].target == "/a"
    assert "proxy-authorization" not in server.asked[0].headers


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (answer(b"", status="407 Proxy Authentication Required"), "407 Proxy Authentication Required"),
        (b"what?\r\n\r\n", "cannot be read"),
        (b"HTTP/1.1 200 OK\r\n\r\nsmuggled", "sent something"),
        (b"", "could not be reached"),
    ],
)
def test_a_tunnel_that_is_not_made_is_explained(through, raw, said):
    def script(peer):
        peer.read()
        peer.send(raw)

    with serving(script) as proxy, pytest.raises(TransportProblem) as raised:
        through(proxy.port, "user:s3cret@").send(Request("GET", NAMED_SECURE, "/", idempotent=True), patient())
    problem = raised.value
    assert problem.code == CANNOT_REACH
    assert f"the proxy 127.0.0.1:{proxy.port}" in problem.message
    assert said in problem.message
    assert "s3cret" not in problem.message + problem.suggestion
    assert not problem.sent


@pytest.mark.parametrize(
    "host", ["169.254.169.254", "10.0.0.1", "metadata.google.internal", "printer.local", "intranet"]
)
def test_a_private_host_is_refused_before_the_proxy_hears_of_it(through, host):
    with serving(answering(answer())) as proxy, pytest.raises(TransportProblem) as raised:
        through(proxy.port).send(Request("GET", Origin("http", host), "/"), patient())
    assert raised.value.code == ADDRESS_REFUSED
    assert proxy.connections == 0
