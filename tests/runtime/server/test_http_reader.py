"""Bytes to requests, without a socket: whatever way they are cut, and what is refused."""

from __future__ import annotations

import base64
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.server.http_events import EventStore, Stream, place_of
from generator.runtime.server.http_head import TOKEN
from generator.runtime.server.http_limits import MAX_HEAD_BYTES, MAX_HEADERS
from generator.runtime.server.http_problem import HttpProblem
from generator.runtime.server.http_reader import KnownHeads, Reader
from generator.runtime.server.http_sentinel import Undecodable, decoded, encoded

LIMIT = 1000
MOST = 10_000


def read(*pieces: bytes) -> list[tuple[str, str, bytes]]:
    """Feed pieces and return method, path and body of every request in them."""
    reader = Reader(KnownHeads(), LIMIT)
    found, head = [], None
    for piece in pieces:
        reader.feed(piece)
        while True:
            head = head or reader.head()
            body = reader.body() if head is not None else None
            if head is None or body is None:
                break
            found.append((head.method, head.path, body))
            head = None
    return found


def head(*lines: str, request: str = "POST /mcp HTTP/1.1", host: str = "Host: h") -> bytes:
    return "\r\n".join([request, *([host] if host else []), *lines, "", ""]).encode("latin-1")


BY_LENGTH = head("Content-Length: 5") + b"hello"
CHUNKED = head("Transfer-Encoding: chunked") + b"3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\nTrailer: 1\r\n\r\n"
EMPTY = head(request="GET /health?x=1 HTTP/1.1")
ALL = [("POST", "/mcp", b"hello"), ("POST", "/mcp", b"hello"), ("GET", "/health", b"")]


@given(st.lists(st.integers(0, len(BY_LENGTH + CHUNKED + EMPTY)), max_size=8))
def test_requests_are_read_however_they_are_cut(places):
    data = BY_LENGTH + CHUNKED + EMPTY
    cuts = [0, *sorted(places), len(data)]
    assert read(*(data[start:end] for start, end in pairwise(cuts))) == ALL


HEADS = [
    head("Content-Length: 2"),
    head("Content-Length: 3"),
    head("Content-Length: 2", "X-Other: 1"),
    head("Content-Length: 2", "Expect: 100-continue"),
    head(request="GET /health HTTP/1.1"),
    head("Transfer-Encoding: chunked"),
    b"\r\n\r\n",
    b"POST /mcp HTTP/1.1\r\n\r\n",
]
BODIES = [b"", b"{}", b"[1]", b"\r\n\r\n", b"0\r\n\r\n", HEADS[0] + b"{}", b"{" * LIMIT]


@given(st.lists(st.tuples(st.sampled_from(HEADS), st.sampled_from(BODIES)), max_size=12))
def test_a_whole_request_is_the_same_whatever_came_before_on_its_connection(requests):
    known = KnownHeads()
    for each in HEADS[:6]:
        known.read(each.removesuffix(b"\r\n\r\n"))
    reader = Reader(known, LIMIT)
    for each, body in requests:
        data = each + body
        found, afresh = reader.whole(data), Reader(known, LIMIT).whole(data)
        assert found == afresh
        is_whole = each in HEADS[:3] and len(body) == int(each.partition(b"Length: ")[2][:1])
        assert (found is not None) == (is_whole or (each == HEADS[4] and body == b""))
        if found is not None:
            assert (found[0].path, found[1]) == (known.read(each.removesuffix(b"\r\n\r\n")).path, body)


def test_an_empty_line_before_a_request_is_overlooked():
    assert read(b"\r\n" + BY_LENGTH) == ALL[:1]
    assert read(b"\r", b"\n", BY_LENGTH) == ALL[:1]


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"\n", 400),
        (b"\rP", 400),
        (b"GET /mcp\r\n", 400),
        (b"GET  /mcp HTTP/1.1\r\n", 400),
        (b"GET /mcp HTTP/1.1 \r\n", 400),
        (b"GET /mcp HTTP/1.1\n", 400),
        (b"GET /m\x00cp HTTP/1.1\r\n", 400),
        ("GET /mäp HTTP/1.1\r\n".encode(), 400),
        (b"GET /mcp#x HTTP/1.1\r\n", 400),
        (b"G\x01T /mcp HTTP/1.1\r\n", 400),
        (b"GET /mcp HTTP/11\r\n", 400),
        (b"GET /mcp http/1.1\r\n", 400),
        (b"GET /mcp HTTP/2.0\r\n", 505),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\n", 400),
        (b"GET /" + b"x" * 3000, 414),
        (b"GET /" + b"x" * 2100 + b" HTTP/1.1\r\n", 414),
        (head("X: a\nY: b"), 400),
        (head("X: a\rY: b"), 400),
        (head("X: a\x00"), 400),
        (head(" folded"), 400),
        (head("X: a", "\tfolded"), 400),
        (head("X : a"), 400),
        (head(": a"), 400),
        (head("X"), 400),
        (head("X y: a"), 400),
        (head("Ä: a"), 400),
        (head(host=""), 400),
        (head("host: again"), 400),
        (head("Content-Length: 1", "Content-Length: 1"), 400),
        (head("Content-Length: 1, 1"), 400),
        (head("Content-Length: +1"), 400),
        (head("Content-Length: -1"), 400),
        (head("Content-Length: 1_0"), 400),
        (head("Content-Length: 0x1"), 400),
        (head("Content-Length: ²"), 400),
        (head("Content-Length:"), 400),
        (head("Content-Length: 1001"), 413),
        (head("Content-Length: " + "9" * 400), 413),
        (head("Content-Length: 1", "Transfer-Encoding: chunked"), 400),
        (head("Transfer-Encoding: chunked", "Transfer-Encoding: chunked"), 400),
        (head("Transfer-Encoding: gzip, chunked"), 501),
        (head("Transfer-Encoding: identity"), 501),
        (head("Transfer-Encoding: \x0bchunked"), 400),
        (head("Transfer-Encoding: chunked", request="POST /mcp HTTP/1.0"), 400),
        (head(*[f"X-{number}: a" for number in range(MAX_HEADERS)]), 431),
        (b"GET / HTTP/1.1\r\nX: " + b"a" * MAX_HEAD_BYTES, 431),
        (b"GET / HTTP/1.1\r\nX: a\r\n\n", 400),
        (CHUNKED.replace(b"3\r\n", b"0x3\r\n"), 400),
        (CHUNKED.replace(b"3\r\n", b"-3\r\n"), 400),
        (CHUNKED.replace(b"3\r\n", b" 3\r\n"), 400),
        (CHUNKED.replace(b"3\r\n", b"3\n"), 400),
        (CHUNKED.replace(b"3\r\n", b"3\rx\r\n"), 400),
        (CHUNKED.replace(b"hel\r\n", b"hello"), 400),
        (CHUNKED.replace(b"3\r\n", b"fff\r\n"), 413),
        (CHUNKED.replace(b"3\r\n", b"0" * 40 + b"3\r\n"), 400),
        (CHUNKED.replace(b"3\r\n", b"3;" + b"x" * 400), 400),
        (CHUNKED.replace(b"Trailer: 1\r\n", b"T: 1\r\n" * 40), 431),
    ],
)
def test_what_could_be_read_in_two_ways_is_refused(data, status):
    for pieces in ([data], [bytes([byte]) for byte in data]):
        with pytest.raises(HttpProblem) as problem:
            read(*pieces)
        assert problem.value.status == status


def attempted(data: bytes) -> list[tuple[str, str, bytes]]:
    """Read requests; what is refused, in whatever way that is not foreseen here, raises."""
    try:
        return read(data)
    except HttpProblem:
        return []


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data):
    for method, _, body in attempted(data):
        assert set(method.encode()) <= set(TOKEN)
        assert len(body) <= LIMIT


@given(st.binary(max_size=60), st.sampled_from([b"\r\n", b"\n", b": ", b"\r", b" ", b"Content-Length: 3", b"\0"]))
def test_bytes_in_the_middle_of_a_request_are_read_or_refused(noise, more):
    for method, path, _ in attempted(BY_LENGTH[:25] + noise + more + BY_LENGTH[25:]):
        assert method.isascii()
        assert path.isprintable()


# -- sentinels and events


@given(st.text(max_size=40))
def test_every_text_comes_back_from_its_header(text):
    value = encoded(text)
    assert value.isascii()
    assert "\n" not in value
    assert "\r" not in value
    assert decoded(value) == text


@given(st.text(st.sampled_from("ABwx01+/=_-? !\xe4"), max_size=12))
def test_a_text_has_one_form_in_base64(value):
    try:
        text = decoded(f"=?base64?{value}?=")
    except Undecodable:
        return
    assert base64.b64encode(text.encode()).decode() == value


def test_the_oldest_events_are_dropped_first_across_streams(monkeypatch):
    monkeypatch.setattr("generator.runtime.server.http_limits.MAX_EVENT_BYTES", MOST)
    store = EventStore()
    first, second = Stream(1, store, primes=True), Stream(2, store, primes=False)
    half = b"x" * (MOST // 2)
    first.add(half)
    second.add(b"small")
    assert len(first.events) == 1
    second.add(half)
    assert (len(first.events), len(second.events)) == (0, 2)
    assert second.after(1).startswith(b"id: 2-2\n")


@pytest.mark.parametrize("event_id", ["", "1", "1-", "-1", "a-b", "1-2-3", "٣-1", "1" * 30 + "-1", "1--2"])
def test_an_event_id_that_is_not_ours_names_no_place(event_id):
    assert place_of(event_id) is None
