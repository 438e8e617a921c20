"""Answers made to hurt: slow, endless, exploding, redirecting, senseless; all end in time, in memory and in a line."""

from __future__ import annotations

import gzip
import json
import time
import tracemalloc
import zlib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.runtime.client.message import Watch
from generator.runtime.client.problem import BAD_ANSWER, TIMED_OUT
from generator.runtime.client.transport import Transport, TransportProblem
from tests.runtime.client.upstream import answer, answering, chunked, get, outcome, patient, serving

CAP = 100_000
HEAD = b"HTTP/1.1 200 OK\r\n"


@pytest.fixture
def transport():
    transport = Transport({"retries": 0, "max_answer_bytes": CAP, "breaker": False}, environment={})
    yield transport
    transport.close()


def packed(data: bytes) -> bytes:
    """Compress without the time in it: the data names its test, which every process has to call the same."""
    return gzip.compress(data, mtime=0)


def endless(head: bytes, piece: bytes):
    """Script a server that sends the piece again and again, as long as somebody takes it."""

    def script(peer):
        peer.read()
        peer.send(head)
        while not peer.server.over.is_set():
            peer.send(piece)

    return script


@pytest.mark.alone
@pytest.mark.requirement("R190")
@pytest.mark.parametrize(
    "dripped",
    [
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" * 10,
        answer(b"x" * 500),
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + chunked(*[b"x"] * 100),
        HEAD + b"\r\n" + b"x" * 500,
        HEAD + b"Content-Encoding: gzip\r\nContent-Length: 5000\r\n\r\n" + packed(bytes(range(256)) * 4),
    ],
)
@pytest.mark.parametrize("bound", ["request", "watch"])
def test_an_answer_that_drips_ends_at_the_deadline(transport, dripped, bound):
    def script(peer):
        peer.read()
        peer.drip(dripped)

    with serving(script) as server:
        began = time.monotonic()
        request, watch = (get(server, timeout=0.2), patient()) if bound == "request" else (get(server), Watch(0.2))
        with pytest.raises(TransportProblem) as raised:
            transport.send(request, watch)
        assert time.monotonic() - began < 2
    assert raised.value.code == TIMED_OUT
    assert raised.value.sent


def test_an_event_stream_that_goes_on_is_cut_at_the_deadline(transport):
    def script(peer):
        peer.read()
        peer.send(HEAD + b"Content-Type: text/event-stream\r\n\r\ndata: 1\n\n")
        peer.server.over.wait(10)

    with serving(script) as server:
        response = transport.send(get(server, timeout=0.2), patient())
    assert (response.body, response.truncated) == (b"data: 1\n\n", True)


@pytest.mark.parametrize(
    ("head", "piece"),
    [
        (HEAD + b"Content-Length: 1073741824\r\n\r\n", bytes(65536)),
        (HEAD + b"\r\n", bytes(65536)),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"10000\r\n" + bytes(65536) + b"\r\n"),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFF\r\n", bytes(65536)),
    ],
)
def test_an_endless_body_is_cut_at_the_cap(transport, head, piece):
    with serving(endless(head, piece)) as server:
        tracemalloc.start()
        try:
            response = transport.send(get(server), patient())
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert response.body == bytes(CAP)
    assert response.truncated
    assert peak < 20 * CAP


def bomb(wrapper_bits: int, size: int = 100_000_000) -> bytes:
    """Compress zeros, a thousand to one."""
    packer = zlib.compressobj(9, zlib.DEFLATED, wrapper_bits)
    return b"".join([*(packer.compress(bytes(1_000_000)) for _ in range(size // 1_000_000)), packer.flush()])


@pytest.mark.parametrize(("coding", "bits"), [("gzip", 31), ("deflate", 15), ("deflate", -15)])
def test_a_decompression_bomb_is_cut_at_the_cap(transport, coding, bits):
    bytes_sent = answer(bomb(bits), f"Content-Encoding: {coding}")
    with serving(answering(bytes_sent)) as server:
        tracemalloc.start()
        try:
            response = transport.send(get(server), patient())
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert response.body == bytes(CAP)
    assert response.truncated
    assert peak < 20 * CAP


def test_a_compressed_stream_of_nothing_is_given_up(transport):
    nothing = zlib.compressobj(9, zlib.DEFLATED, 31)
    start, empty_block = nothing.flush(zlib.Z_FULL_FLUSH), nothing.flush(zlib.Z_FULL_FLUSH)
    blocks = (empty_block or b"\0\0\0\xff\xff") * 1000
    with serving(endless(HEAD + b"Content-Encoding: gzip\r\n\r\n" + start, blocks)) as server:
        response = transport.send(get(server), patient())
    assert (response.body, response.truncated) == (b"", True)


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        ("gzip", packed(b"hello")),
        ("x-gzip", packed(b"hello")),
        ("gzip", packed(b"hel") + packed(b"lo") + b"\0\0padding"),
        ("deflate", zlib.compress(b"hello")),
        ("deflate", zlib.compress(b"hello")[2:-4]),
        ("identity", b"hello"),
        ("br", b"hello"),
    ],
)
def test_a_compressed_answer_is_read(transport, coding, body):
    with serving(answering(answer(body, f"Content-Encoding: {coding}"))) as server:
        for _ in range(2):
            response = transport.send(get(server), patient())
            assert response.body == b"hello"
    assert (response.header("content-encoding") is None) == (coding not in ("identity", "br"))
    assert server.connections == 1


@pytest.mark.parametrize(
    "body",
    [b"no gzip at all", packed(b"hello" * 50)[:-9], b"\x1f\x8b\x08", packed(b"") * 3000],
)
def test_broken_compression_is_refused(transport, body):
    with (
        serving(answering(answer(body, "Content-Encoding: gzip"))) as server,
        pytest.raises(TransportProblem) as raised,
    ):
        transport.send(get(server), patient())
    assert raised.value.code == BAD_ANSWER
    assert "compression" in raised.value.message


def test_a_body_of_tiny_chunks_costs_a_bounded_effort():
    transport = Transport({"retries": 0}, environment={})
    body = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
    with serving(endless(body, b"1\r\nx\r\n" * 10_000)) as server, pytest.raises(TransportProblem) as raised:
        transport.send(get(server), patient())
    assert raised.value.code == BAD_ANSWER
    transport.close()


@given(
    start=st.sampled_from([b"", b"HTTP/1.1 ", HEAD, HEAD + b"\r\n", HEAD + b"Transfer-Encoding: chunked\r\n\r\n"])
    | st.just(HEAD + b"Content-Encoding: gzip\r\nContent-Length: 20\r\n\r\n")
    | st.just(HEAD + b"Content-Encoding: deflate\r\nTransfer-Encoding: chunked\r\n\r\n14\r\n"),
    noise=st.binary(max_size=300) | st.text("0123456789abcdef\r\n:; ,HTP/.gzipchunked", max_size=300).map(str.encode),
    status=st.sampled_from([b"", b"\r\n\r\n", b"\r\n0\r\n\r\n"]),
)
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_random_bytes_end_in_an_answer_or_a_problem(noisy, start, noise, status):
    transport, server, raw = noisy
    raw[0] = start + noise + status
    ended = outcome(transport, get(server, timeout=5), Watch(5))
    if isinstance(ended, TransportProblem):
        assert ended.code != TIMED_OUT
    else:
        assert 200 <= ended.status <= 999


@pytest.fixture
def noisy(transport):
    raw = [b""]

    def script(peer):
        peer.read()
        peer.send(raw[0])

    with serving(script) as server:
        yield transport, server, raw


def stub(case: dict):
    """Script the behaviour that a case of the given attacks asks for in words."""
    head = f"HTTP/1.1 {case['status']} Stubbed\r\n".encode()
    head += b"".join(f"{k}: {v}\r\n".encode() for k, v in case["headers"].items() if k != "X-Stub")
    order = case["headers"].get("X-Stub", "")

    def script(peer):
        peer.read()
        if "zeros" in order:
            peer.send(head + b"Content-Length: 1073741824\r\n\r\n")
            while not peer.server.over.is_set():
                peer.send(bytes(65536))
        elif "byte a second" in order:
            peer.send(head + b"Content-Length: 600\r\n\r\n")
            peer.drip(b"x" * 600)
        else:
            peer.send(head + b"Content-Length: %d\r\n\r\n%b" % (len(order), order.encode()))

    return script


@pytest.mark.parametrize("name", ["bad-json", "huge-body", "redirect-file", "redirect-other-host", "slow-drip"])
def test_the_given_attacks_of_an_upstream_end_in_time_within_the_cap(transport, shared, name):
    case = json.loads((shared / "cases" / "attacks" / "http" / f"upstream-{name}.json").read_text(encoding="utf-8"))
    secret = [("Authorization", "Bearer canary-0123456789")]
    with serving(stub(case)) as server:
        began = time.monotonic()
        ended = outcome(transport, get(server, headers=secret, secrets={"authorization"}, timeout=0.5))
        if name == "slow-drip":
            assert ended.code == TIMED_OUT
            assert "canary" not in ended.message + ended.suggestion
        else:
            assert ended.status == case["status"]
            assert len(ended.body) <= CAP
            assert ended.truncated == (name == "huge-body")
        assert time.monotonic() - began < 4
    assert len(server.asked) == 1
