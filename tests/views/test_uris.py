"""Which texts are URIs of views, and what their files are called."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.views.uris import LONGEST, file_stem, is_view_uri, uri_problem


@pytest.mark.parametrize(
    "uri",
    ["ui://weather", "ui://weather/forecast", "ui://a.b-c_d~/e/f.html", "ui://shop/offers?of=today", "ui://x/%C3%A5/"],
)
def test_a_plain_uri_is_one(uri):
    assert uri_problem(uri) is None


@pytest.mark.parametrize(
    "uri",
    [
        *(
            "",
            "ui:",
            "ui://",
            "ui:///x",
            "UI://x",
            "http://evil.example/x.html",
            "javascript:alert(1)",
            "data:text/html,x",
        ),
        *("file:///etc/passwd", "ui://../../etc/passwd", "ui://demo/../x", "ui://demo/%2e%2e/x", "ui://demo/a%2Fb"),
        *("ui://demo/./x", "ui://demo/%5c..", "ui://user@host/x", "ui://host:80/x", "ui://demo/x#y", "ui://demo//x"),
        *(
            "ui://demo/{x}",
            "ui://demo/a b",
            "ui://demo/å",
            "ui://demo/%zz",
            "ui://demo/\n",
            " ui://demo",
            "ui://..",
            'ui://"',
        ),
        "ui://" + "x" * LONGEST,
    ],
)
def test_anything_else_is_none(uri):
    assert uri_problem(uri)


@pytest.mark.parametrize(("uri", "stem"), [("ui://a/b/c", "a-b-c"), ("ui://a/?b=c", "a-b-c"), ("ui://~", "view")])
def test_a_file_is_called_like_the_uri(uri, stem):
    assert file_stem(uri) == stem


@given(st.text(max_size=40).map("ui://".__add__) | st.text(max_size=40))
def test_what_is_accepted_makes_a_safe_name(uri):
    if uri_problem(uri) is None:
        stem = file_stem(uri)
        assert is_view_uri(uri)
        assert stem.isascii()
        assert stem.strip(".") == stem
        assert not set(stem) & set('/\\:*?"<>| ')
