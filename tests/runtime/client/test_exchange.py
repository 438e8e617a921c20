"""One request and its answer: framing, interim answers, sloppy servers, connections kept and given up."""

from __future__ import annotations

import socket
import time

import pytest

from generator.runtime.client.message import Origin, Request
from generator.runtime.client.problem import BAD_ANSWER, CANNOT_REACH, CANNOT_SEND
from generator.runtime.client.transport import Transport, TransportProblem
from tests.runtime.client.upstream import answer, answering, chunked, get, patient, post, serving

CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.fixture
def transport():
    transport = Transport({"retries": 0}, environment={})
    yield transport
    transport.close()


def test_an_answer_has_status_reason_headers_and_body(transport):
    with serving(answering(answer(b'{"a":1}', "Content-Type: application/json", status="201 Created"))) as server:
        response = transport.send(get(server, "/pets?limit=1"), patient())
    assert (response.status, response.reason, response.body) == (201, "Created", b'{"a":1}')
    assert response.header("CONTENT-TYPE") == "application/json"
    assert not response.truncated
    assert response.url == f"http://127.0.0.1:{server.port}/pets?limit=1"


def test_a_request_is_sent_as_built_with_the_client_s_own_headers(transport):
    with serving(answering(answer())) as server:
        request = post(server, b'{"x":1}')
        request.headers += [("X-Trace", "7"), ("Content-Length", "999"), ("Transfer-Encoding", "chunked")]
        transport.send(request, patient())
    asked = server.asked[0]
    assert (asked.method, asked.target, asked.body) == ("POST", "/", b'{"x":1}')
    assert asked.headers["host"] == f"127.0.0.1:{server.port}"
    assert asked.headers["x-trace"] == "7"
    assert asked.headers["content-length"] == "7"
    assert asked.headers["accept-encoding"] == "gzip, deflate"
    assert "transfer-encoding" not in asked.headers


def test_a_post_without_a_body_says_so(transport):
    with serving(answering(answer())) as server:
        transport.send(Request("POST", server.origin, "/"), patient())
        transport.send(get(server), patient())
    assert server.asked[0].headers["content-length"] == "0"
    assert "content-length" not in server.asked[1].headers


@pytest.mark.parametrize(
    "request_of",
    [
        lambda origin: Request("GET", origin, "/", [("X-Key", "a\r\nX-Evil: 1")]),
        lambda origin: Request("GET", origin, "/", [("X Key", "a")]),
        lambda origin: Request("GET", origin, "/", [("", "a")]),
        lambda origin: Request("GET", origin, "/a b"),
        lambda origin: Request("GET", origin, "/a\r\nHost: evil"),
        lambda origin: Request("GET", origin, "http://other.example/"),
        lambda origin: Request("GET", origin, "/caf\u00e9"),
        lambda origin: Request("GET /x", origin, "/"),
    ],
)
def test_what_http_cannot_carry_is_not_sent(transport, request_of):
    with serving(answering(answer())) as server, pytest.raises(TransportProblem) as raised:
        transport.send(request_of(server.origin), patient())
    assert raised.value.code == CANNOT_SEND
    assert not raised.value.sent
    assert server.asked == []


@pytest.mark.parametrize(
    ("raw", "body"),
    [
        (CHUNKED + chunked(b"hello ", b"world"), b"hello world"),
        (CHUNKED + b"5;name=value\r\nhello\r\n0\r\nX-Trailer: 1\r\n\r\n", b"hello"),
        (CHUNKED + b"00005 \r\nhello\r\n000\r\n\r\n", b"hello"),
        (b"HTTP/1.1 200 OK\nContent-Length: 2\n\nok", b"ok"),
        (b"HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok", b"ok"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\ncontent-length: 2\r\n\r\nok", b"ok"),
        (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + answer(b"ok"), b"ok"),
        (b"HTTP/1.1 200 OK\r\nnonsense without a colon\r\nContent-Length: 2\r\n\r\nok", b"ok"),
        (b"HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n", b""),
        (b"HTTP/1.1 304 Not Modified\r\n\r\n", b""),
    ],
)
def test_answers_of_every_framing_are_read(transport, raw, body):
    with serving(answering(raw)) as server:
        assert transport.send(get(server), patient()).body == body
        assert transport.send(get(server), patient()).body == body
    assert server.connections == 1


def test_an_answer_without_a_length_ends_with_the_connection(transport):
    def script(peer):
        peer.read()
        peer.send(b"HTTP/1.1 200 OK\r\n\r\nall ")
        peer.send(b"of it")

    with serving(script) as server:
        assert transport.send(get(server), patient()).body == b"all of it"


def test_the_answer_to_head_has_no_body_whatever_its_length_says(transport):
    with serving(answering(b"HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n")) as server:
        request = Request("HEAD", server.origin, "/", idempotent=True)
        assert transport.send(request, patient()).body == b""
        assert transport.send(request, patient()).header("content-length") == "999"
    assert server.connections == 1


def test_a_folded_header_is_one_value_without_control_characters(transport):
    raw = b"HTTP/1.1 200 OK\r\nX-Long: one\r\n  two\r\n\tthree\r\nX-Odd: a\x00b\rc\r\nContent-Length: 0\r\n\r\n"
    with serving(answering(raw)) as server:
        response = transport.send(get(server), patient())
    assert response.header("x-long") == "one two three"
    assert response.header("x-odd") == "a b c"


@pytest.mark.parametrize(
    "raw",
    [
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"HTTP/2 200 OK\r\n\r\n",
        b"HTTP/1.1 OK\r\n\r\n",
        b"HTTP/1.1 20 OK\r\n\r\n",
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n" * 50,
        b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nok",
        b"HTTP/1.1 200 OK\r\nContent-Length: 2, 3\r\n\r\nok",
        b"HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\nok",
        b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
        CHUNKED + b"zz\r\n",
        CHUNKED + b"-5\r\nhello\r\n",
        CHUNKED + b"5\r\nhelloworld\r\n",
        CHUNKED + b"\r\n",
        CHUNKED + b"5" + b";" * 100_000,
        CHUNKED + b"0\r\n" + b"X: " + b"y" * 4000 + b"\r\n" + (b"X: " + b"y" * 4000 + b"\r\n") * 20,
        b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 300 + b"\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"y" * 200_000 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"y" * 200_000,
    ],
)
def test_an_answer_that_breaks_http_is_refused_and_its_connection_given_up(transport, raw):
    with serving(answering(raw)) as server:
        for _ in range(2):
            with pytest.raises(TransportProblem) as raised:
                transport.send(get(server), patient())
            assert raised.value.code == BAD_ANSWER
            assert f"127.0.0.1:{server.port}" in raised.value.message
    assert server.connections == 2


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nContent-Len",
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
        CHUNKED + b"5\r\nhel",
        CHUNKED + b"5\r\nhello\r\n",
        CHUNKED + b"5\r\nhello\r\n0\r\n",
    ],
)
def test_an_answer_that_breaks_off_is_a_broken_connection(transport, raw):
    def script(peer):
        peer.read()
        peer.send(raw)

    with serving(script) as server, pytest.raises(TransportProblem) as raised:
        transport.send(post(server), patient())
    assert raised.value.code == CANNOT_REACH
    assert not raised.value.retryable
    assert "check what it changed" in raised.value.suggestion


def test_connections_are_used_again_and_apart_by_origin(transport):
    with serving(answering(answer(b"1"))) as one, serving(answering(answer(b"2"))) as other:
        for _ in range(3):
            assert transport.send(get(one), patient()).body == b"1"
            assert transport.send(post(other), patient()).body == b"2"
    assert (one.connections, other.connections) == (1, 1)


@pytest.mark.parametrize(
    "raw",
    [
        answer(b"x", "Connection: close"),
        b"HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx",
        answer(b"x") + b"HTTP/1.1 200 OK\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked(b"x"),
    ],
)
def test_a_connection_that_cannot_be_trusted_is_not_used_again(transport, raw):
    with serving(answering(raw)) as server:
        for _ in range(2):
            assert transport.send(get(server), patient()).body == b"x"
    assert server.connections == 2


def test_an_http_1_0_server_may_keep_the_connection(transport):
    raw = b"HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 1\r\n\r\nx"
    with serving(answering(raw)) as server:
        for _ in range(2):
            transport.send(get(server), patient())
    assert server.connections == 1


@pytest.mark.parametrize("build", [get, post])
def test_a_connection_closed_while_idle_is_replaced(transport, build):
    def script(peer):
        peer.read()
        peer.send(answer(b"x"))  # and closes, without having said so

    with serving(script) as server:
        transport.send(build(server), patient())
        server._threads[1].join(10)
        assert transport.send(build(server), patient()).body == b"x"
    assert server.connections == 2


def dies_at_the_second_request(peer):
    peer.read()
    peer.send(answer(b"x"))
    if peer.number == 0:
        peer.read()


def test_a_kept_connection_that_dies_with_a_safe_request_is_replaced_once(transport):
    with serving(dies_at_the_second_request) as server:
        transport.send(get(server), patient())
        assert transport.send(get(server), patient()).body == b"x"
    assert server.connections == 2


def test_a_post_that_was_sent_on_a_dying_connection_is_not_sent_again(transport):
    with serving(dies_at_the_second_request) as server:
        transport.send(get(server), patient())
        with pytest.raises(TransportProblem) as raised:
            transport.send(post(server), patient())
    assert raised.value.code == CANNOT_REACH
    assert [asked.method for asked in server.asked] == ["GET", "POST"]


def test_an_answer_given_before_the_body_was_read_counts(transport):
    def script(peer):
        while b"\r\n\r\n" not in peer.socket.recv(1 << 16):
            pass
        peer.send(answer(b"too much", "Connection: close", status="413 Content Too Large"))
        while peer.socket.recv(1 << 20):
            pass

    with serving(script) as server:
        assert transport.send(post(server, b"x" * 3_000_000), patient()).status == 413


def test_a_refused_connection_says_who_and_what_to_do(transport):
    with serving(answering()) as server:
        pass
    with pytest.raises(TransportProblem) as raised:
        transport.send(get(server, "/?key=secret"), patient())
    problem = raised.value
    assert problem.code == CANNOT_REACH
    assert not problem.sent
    assert problem.message == f"127.0.0.1:{server.port} could not be reached: it refused the connection"
    assert "whether it runs" in problem.suggestion


@pytest.mark.parametrize(
    ("number", "said", "retryable"),
    [(socket.EAI_NONAME, "does not exist", False), (socket.EAI_AGAIN, "could not be looked up just now", True)],
)
def test_a_name_without_an_address_is_named(transport, monkeypatch, number, said, retryable):
    def nowhere(*_, **__):
        raise socket.gaierror(number, "for the test")

    monkeypatch.setattr("socket.getaddrinfo", nowhere)
    with pytest.raises(TransportProblem) as raised:
        transport.send(Request("GET", Origin("http", "api.invalid"), "/", idempotent=True), patient())
    assert (raised.value.code, raised.value.retryable) == (CANNOT_REACH, retryable)
    assert raised.value.message == f"the name of api.invalid {said}"


@pytest.mark.skipif(not hasattr(socket, "TCP_QUICKACK"), reason="only Linux lets a program acknowledge at once")
def test_a_server_that_writes_head_and_body_apart_is_not_made_to_wait(transport):
    def script(peer):
        while peer.read():
            peer.send(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n")
            peer.send(b"ok")

    seconds = []
    with serving(script) as server:
        for _ in range(40):
            began = time.monotonic()
            transport.send(get(server), patient())
            seconds.append(time.monotonic() - began)
    assert server.connections == 1
    assert min(seconds[20:]) < 0.035, "each answer waits for a delayed acknowledgement, 40 ms"
