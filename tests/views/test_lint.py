"""What is said of a view's HTML without a browser."""

import pytest

from generator.views.lint import ViewText, lint
from generator.views.markup import allowed, read_markup
from generator.views.secrets import secrets

PAGE = "<!doctype html>\n"


def found(html: str, meta: dict | None = None) -> list[tuple[str, int]]:
    text = ViewText(text=html, path="view.html", first_line=1)
    return [(each.rule.name, each.span.line) for each in lint(text, "`ui://x/y`", meta or {}, None)]


@pytest.mark.parametrize(
    "html", [PAGE, "<!DOCTYPE HTML><p>", "<!-- made --> \n<!doctype html>", "\n <!Doctype  html >"]
)
def test_a_page_with_a_doctype_is_fine(html):
    assert found(html) == []


@pytest.mark.parametrize("html", ["<html><p>", "<!-- x --><HTML lang=en>"])
def test_a_page_without_one_is_told(html):
    assert found(html) == [("view-markup", 1)]


@pytest.mark.parametrize("html", ["", "plain text", "<p>part", "text <!doctype html>", '{"html": 1}', "<!doctype svg>"])
def test_what_is_no_page_is_an_error(html):
    assert found(html) == [("invalid-view", 1)]


@pytest.mark.parametrize(
    ("element", "member"),
    [
        ('<script src="https://a.example/x.js"></script>', "resourceDomains"),
        ('<link rel="stylesheet" href="https://a.example/x.css">', "resourceDomains"),
        ('<img srcset="https://a.example/1.png 1x">', "resourceDomains"),
        ("<style>p { background: url(https://a.example/p.png) }</style>", "resourceDomains"),
        ("<style>@import 'https://a.example/x.css';</style>", "resourceDomains"),
        ('<iframe src="https://a.example/"></iframe>', "frameDomains"),
        ('<base href="https://a.example/">', "baseUriDomains"),
        ('<script>fetch("https://a.example/data")</script>', "connectDomains"),
        ("<script>new WebSocket('https://a.example/live')</script>", "connectDomains"),
        ('<script type="module">import x from "https://a.example/x.js"</script>', "resourceDomains"),
        ('<script src="//a.example/x.js"></script>', "resourceDomains"),
    ],
)
def test_what_is_loaded_must_be_listed(element, member):
    assert found(PAGE + element) == [("unlisted-origin", 2)]
    assert found(PAGE + element, {"csp": {member: ["https://a.example"]}}) == []
    assert found(PAGE + element, {"csp": {member: ["https://b.example"]}}) == [("unlisted-origin", 2)]


@pytest.mark.parametrize(
    "element",
    [
        *('<a href="https://a.example">x</a>', '<img src="data:image/png;base64,AA">', "<script>let x = 1</script>"),
        *('<svg><use href="#x"/></svg>', '<link rel="canonical" href="https://a.example">', '<form action="#"></form>'),
        '<script>const text = "see https://a.example"</script>',
    ],
)
def test_what_loads_nothing_is_fine(element):
    assert found(PAGE + element) == []


def test_a_file_beside_a_view_does_not_exist():
    assert found(PAGE + '<script src="app.js"></script>') == [("unlisted-origin", 2)]


@pytest.mark.parametrize(
    ("address", "origin", "wanted"),
    [
        ("https://a.example/x", "https://a.example", True),
        ("https://a.example:443/x", "https://a.example", True),
        ("https://a.example:444/x", "https://a.example", False),
        ("http://a.example/x", "https://a.example", False),
        ("https://a.example/x", "http://a.example", True),
        ("https://b.a.example/x", "https://*.a.example", True),
        ("https://a.example/x", "https://*.a.example", False),
        ("https://a.example.evil.example/x", "https://a.example", False),
        ("https://[bad", "https://a.example", False),
    ],
)
def test_origins_are_matched_as_a_policy_does(address, origin, wanted):
    assert allowed(address, [origin]) is wanted


SECRETS = [
    *("AKIA" + "ABCDEFGHIJKLMNOP", "ghp_" + "a1B2" * 9, "sk-" + "proj-abcdefghijklmnopqrst", "AIza" + "b" * 35),
    *("-----BEGIN RSA " + "PRIVATE KEY-----", "xoxb-" + "1234567890-abc", "const apiKey = '" + "d41d8cd98f00b204'"),
    *(
        "https://user:" + "hunter22@db.example/x",
        'Authorization: "Bearer ' + "abcdefghijklmnopqrstuvwxyz",
        '"password": "' + 'correcthorse"',
    ),
]


@pytest.mark.requirement("R044")
@pytest.mark.parametrize("secret", SECRETS)
def test_what_looks_like_a_secret_is_told_by_its_line_and_never_shown(secret):
    text = ViewText(text=f"{PAGE}<script>\n{secret}\n</script>", path="view.html")
    (told,) = (each for each in lint(text, "`ui://x/y`", {}, None) if each.rule.name == "view-secret")
    assert told.span.line == 3
    assert secret not in told.message


@pytest.mark.parametrize(
    "text",
    [
        *(
            "<input type=password>",
            "const key = event.key",
            'token: "${token}"',
            "password = 'your password'",
            "sk-short",
        ),
        *("<label for='password'>Password</label>", "https://example.com:8080/a@b", "apiKey: '<your key here>'"),
    ],
)
def test_plain_words_are_no_secrets(text):
    assert list(secrets(text)) == []


def test_the_references_of_a_large_page_are_bounded():
    assert len(read_markup(PAGE + "<img src='https://a.example/x'>" * 1000).references) == 50
