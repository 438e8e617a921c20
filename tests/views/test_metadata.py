"""What a view may ask its host for, and how that is spelled on the wire."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.views.metadata import csp_problem, domain_problem, origin_problem, permissions_problem, view_meta


@pytest.mark.parametrize(
    "origin",
    [
        *(
            "https://a.example",
            "http://localhost:3000",
            "wss://live.a.example",
            "https://*.a.example",
            "https://[::1]:8443",
        ),
        *("https://127.0.0.1", "https://xn--bcher-kva.example", "https://a_b.example:65535"),
    ],
)
def test_a_single_origin_is_accepted(origin):
    assert origin_problem(origin) is None


@pytest.mark.requirement("R035")
@pytest.mark.parametrize(
    "origin",
    [
        *(
            "*",
            "https:",
            "https://",
            "https://*",
            "https://*.example",
            "https://a.*.example",
            "https://a.example; script-src *",
        ),
        *(
            "https://a.example https://b.example",
            "https://a.example,https://b.example",
            "https://a.example/path",
            "a.example",
        ),
        *(
            "javascript:alert(1)",
            "data:",
            "'unsafe-eval'",
            "https://u:p@a.example",
            "https://a.example:0",
            "https://a..example",
        ),
        *(
            "https://a.example:70000",
            "https://a.example\n",
            "ftp://a.example",
            "https://a.example?x",
            "HTTPS://a.example",
            1,
            None,
        ),
        "https://" + "a" * 400,
    ],
)
def test_anything_that_could_change_a_policy_is_refused(origin):
    assert origin_problem(origin)
    assert csp_problem({"connect_domains": [origin]})


@given(st.text(alphabet="ahtps:/.*;, '\"[]0@?#\\\n", max_size=30))
def test_an_accepted_origin_has_nothing_that_ends_a_source(text):
    if origin_problem(text) is None:
        assert not set(text) & set("; ,'\"\n\t@?#\\")
        assert text not in ("*", "https://*")


@pytest.mark.parametrize("csp", [[], {"script_domains": []}, {"connect_domains": "https://a.example"}, {1: []}])
def test_a_policy_has_four_lists(csp):
    assert csp_problem(csp)


@pytest.mark.parametrize("permissions", ["camera", {"usb": {}}, ["clipboard-write"], 1])
def test_permissions_have_names(permissions):
    assert permissions_problem(permissions)


@pytest.mark.parametrize("domain", ["a b", "a;b", "", "x" * 400, "a..b", 3, "javascript:x"])
def test_a_domain_is_one_host(domain):
    assert domain_problem(domain)
    assert domain_problem("a904.hosts.example") is None


@pytest.mark.requirement("R035")
def test_the_wire_form_is_the_same_whatever_the_spelling_and_the_order():
    ours = {
        "prefers_border": False,
        "permissions": ["clipboard_write", "camera", "geolocation", "microphone"],
        "domain": "a.example",
        "csp": {
            "base_uri_domains": ["https://d.example"],
            "frame_domains": ["https://c.example"],
            "connect_domains": ["https://b.example", "https://a.example", "https://b.example"],
            "resource_domains": [],
        },
    }
    theirs = {
        "csp": {
            "connectDomains": ["https://b.example", "https://a.example"],
            "frameDomains": ["https://c.example"],
            "baseUriDomains": ["https://d.example"],
        },
        "permissions": {"camera": {}, "microphone": {}, "geolocation": {}, "clipboardWrite": {}},
        "domain": "a.example",
        "prefersBorder": False,
    }
    found = view_meta(ours)
    assert repr(found) == repr(theirs)
    again = view_meta({"csp": theirs["csp"], "permissions": theirs["permissions"]})
    assert list(again) == ["csp", "permissions"]
    assert again["csp"] == theirs["csp"]
    assert view_meta({}) == {}
