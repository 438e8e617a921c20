"""Requests, answers and origins as values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.client.message import Origin, Request, Response, split_url


@pytest.mark.parametrize(
    ("url", "origin", "path"),
    [
        ("https://api.example.com", Origin("https", "api.example.com"), ""),
        ("HTTPS://API.Example.com:443/v1/", Origin("https", "api.example.com", 443), "/v1/"),
        ("http://localhost:8000/a b".replace(" ", "%20"), Origin("http", "localhost", 8000), "/a%20b"),
        ("http://[::1]:8080/x", Origin("http", "::1", 8080), "/x"),
        ("http://[2001:DB8:0::1]", Origin("http", "2001:db8::1"), ""),
        ("https://b\u00fccher.example/\u00fc", Origin("https", "xn--bcher-kva.example"), "/%C3%BC"),
        ("http://under_score.example", Origin("http", "under_score.example"), ""),
    ],
)
def test_a_url_is_split_into_origin_and_path(url, origin, path):
    assert split_url(url) == (origin, path)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "api.example.com/v1",
        "//api.example.com",
        "file:///etc/passwd",
        "ftp://example.com",
        "javascript:alert(1)",
        "http://",
        "http:///path",
        "http://user@example.com",
        "http://user:pass@example.com",
        "http://example.com:0",
        "http://example.com:99999",
        "http://example.com:port",
        "http://exa mple.com",
        "http://example.com/a\r\nb",
        "http://example.com\\@evil.example",
        "http://example.com/a?b=c",
        "http://example.com/#x",
        "http://example.com/#",
        "http://[::1",
        "http://[::1]x",
        "http://[fe80::1%25eth0]",
        "http://[v1.x]",
        "http://ex%61mple.com",
        "http://a,b.example",
        "http://..",
        "http://" + "a" * 300,
        "http://example.com/" + "a" * 20_000,
    ],
)
def test_what_is_no_plain_web_address_is_refused(url):
    with pytest.raises(ValueError, match=r"."):
        split_url(url)


def test_a_query_is_kept_when_asked_for():
    assert split_url("http://example.com?a=b c".replace(" ", "%20"), query=True)[1] == "/?a=b%20c"


@given(st.text(max_size=60) | st.text("htps:/[]@#?%.0123456789abcdef\\\u00e9", max_size=60).map("http://".__add__))
def test_any_text_is_split_or_refused(text):
    try:
        origin, path = split_url(text, query=True)
    except ValueError:
        return
    assert path.isascii()
    assert origin.text.isascii()
    again, _ = split_url(origin.text)
    assert again == origin


def test_the_port_is_spelt_only_where_it_is_not_the_scheme_s_own():
    assert Origin("https", "a.example", 443).text == "https://a.example"
    assert Origin("http", "a.example", 443).authority == "a.example:443"
    assert Origin("http", "::1", 81).authority == "[::1]:81"


def test_origins_are_equal_by_scheme_host_and_port():
    assert Origin("http", "a") == Origin("http", "a", 80)
    assert len({Origin("http", "a"), Origin("http", "a", 80), Origin("https", "a"), Origin("http", "b")}) == 3
    assert Origin("http", "a") != "http://a"


def test_secret_query_parameters_are_masked_in_the_url():
    request = Request("GET", Origin("http", "a"), "/x?q=1&key=s3cret&keys=2&key", secret_query={"key"})
    assert request.url == "http://a/x?q=1&key=***&keys=2&key=***"


def test_headers_are_found_and_set_in_any_case():
    request = Request("GET", Origin("http", "a"), "/", [("Accept", "a"), ("accept", "b"), ("X", "1")])
    assert request.header("ACCEPT") == "a"
    request.set_header("ACCEPT", "c")
    assert request.headers == [("X", "1"), ("ACCEPT", "c")]
    assert Response(200, headers=[("Retry-After", "1")]).header("retry-after") == "1"
    assert request.header("absent") is None
