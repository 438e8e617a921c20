"""Redirects are followed within the origin, and only where the request may be repeated."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.client.message import Origin, Request, Response
from generator.runtime.client.redirect import redirected
from generator.runtime.client.transport import Transport
from tests.runtime.client.upstream import answer, answering, get, patient, post, serving

ORIGIN = Origin("https", "api.example.com")


@pytest.fixture
def transport():
    transport = Transport({"retries": 0}, environment={})
    yield transport
    transport.close()


def follow(method: str, status: int, location: str, target: str = "/v1/pets/7?a=b") -> Request | None:
    headers = [("Authorization", "x"), ("Content-Type", "text/plain")]
    request = Request(method, ORIGIN, target, headers, b"body", secrets={"authorization"})
    return redirected(request, Response(status, headers=[("Location", location)]))


def test_a_redirect_within_the_origin_is_followed_from_the_server_s_root(transport):
    moved = answer(b"", "Location: /resp/json-object", status="302 Found")
    with serving(answering(moved, answer(b'{"a":1}'))) as server:
        response = transport.send(get(server, "/v1/old?x=1"), patient())
    assert (response.status, response.body) == (200, b'{"a":1}')
    assert response.url == f"http://127.0.0.1:{server.port}/resp/json-object"
    assert [asked.target for asked in server.asked] == ["/v1/old?x=1", "/resp/json-object"]
    assert server.connections == 1


@pytest.mark.parametrize("location", ["http://other.example/steal", "//other.example/steal", "file:///etc/passwd"])
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_to_another_place_is_the_answer(transport, location, status):
    with serving(answering(answer(b"", f"Location: {location}", status=f"{status} Moved"))) as server:
        request = post(server) if status > 302 else get(server)
        response = transport.send(request, patient())
    assert (response.status, response.header("location")) == (status, location)
    assert len(server.asked) == 1


def test_redirects_end_after_a_few(transport):
    with serving(answering(answer(b"", "Location: /again", status="302 Found"))) as server:
        assert transport.send(get(server), patient()).status == 302
    assert len(server.asked) == 6


@pytest.mark.parametrize(
    ("location", "target"),
    [
        ("/x", "/x"),
        ("y?c=d", "/v1/pets/y?c=d"),
        ("?c=d", "/v1/pets/7?c=d"),
        ("../../../z", "/z"),
        ("https://API.example.com:443", "/"),
        ("/x#part", "/x"),
        ("/caf\u00c3\u00a9", "/caf%C3%A9"),
        ("/caf\u00e9", "/caf%C3%A9"),
        ("/a b", "/a%20b"),
        ("///path/x", "/path/x"),
    ],
)
def test_a_location_is_resolved_against_the_request(location, target):
    assert follow("GET", 302, location).target == target


@pytest.mark.parametrize(
    "location",
    [
        "http://api.example.com/x",
        "https://api.example.com:444/x",
        "https://api.example.com.evil.example/x",
        "https://api.example.com@evil.example/x",
        "https://user:pw@api.example.com/x",
        "\\\\evil.example/x",
        "/\\evil.example",
        "javascript:alert(1)",
        "gopher://api.example.com/x",
        "https://[::1",
    ],
)
def test_any_other_location_is_not_followed(location):
    assert follow("GET", 302, location) is None


@pytest.mark.parametrize(
    ("method", "status", "becomes"),
    [
        ("GET", 301, "GET"),
        ("HEAD", 303, "HEAD"),
        ("POST", 301, None),
        ("POST", 302, None),
        ("POST", 303, "GET"),
        ("DELETE", 303, "GET"),
        ("POST", 307, "POST"),
        ("PUT", 308, "PUT"),
        ("GET", 300, None),
        ("GET", 304, None),
        ("GET", 201, None),
    ],
)
def test_the_status_decides_what_becomes_of_the_method(method, status, becomes):
    following = follow(method, status, "/x")
    assert (following and following.method) == becomes


def test_a_post_turned_get_leaves_its_body_and_a_kept_one_takes_it_along():
    turned, kept = follow("POST", 303, "/x"), follow("POST", 307, "/x")
    assert (turned.body, turned.idempotent, turned.headers) == (None, True, [("Authorization", "x")])
    assert (kept.body, kept.idempotent) == (b"body", False)
    assert kept.header("content-type") == "text/plain"
    assert kept.secrets == {"authorization"}


@given(st.text(max_size=80) | st.text("htps:/.@\\#?[]%2eapi.example.com", max_size=60))
def test_no_location_leads_out_of_the_origin(location):
    following = follow("GET", 302, location)
    assert following is None or (following.origin == ORIGIN and following.target.startswith("/"))
