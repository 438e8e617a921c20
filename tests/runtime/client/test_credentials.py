"""Credentials on a request: which alternative is taken, where a value stands, what is refused, what is never shown."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.client.credentials import CredentialProblem, Credentials, MissingCredentials
from generator.runtime.client.masking import shown
from generator.runtime.client.message import Origin, Request, Watch

API = Origin("https", "api.example.com")
SCHEMES = {
    "hdr": {"type": "apiKey", "in": "header", "name": "X-API-Key", "credentials": {"value": "hdr"}},
    "query": {"type": "apiKey", "in": "query", "name": "api key", "credentials": {"value": "query"}},
    "cookie": {"type": "apiKey", "in": "cookie", "name": "SESSION", "credentials": {"value": "cookie"}},
    "basic": {"type": "http", "scheme": "basic", "credentials": {"username": "user", "password": "pass"}},
    "bearer": {"type": "http", "scheme": "bearer", "credentials": {"value": "bearer"}},
    "custom": {"type": "http", "scheme": "token", "credentials": {"value": "custom"}},
    "tls": {"type": "mutualTLS", "credentials": {"cert": "cert", "key": "key"}},
    "oauth": {
        "type": "oauth2",
        "flows": {"clientCredentials": {"token_url": "https://id.example.com/token", "scopes": []}},
        "credentials": {"value": "oauth", "client_id": "oauth_id", "client_secret": "oauth_secret"},
    },
    "oidc": {
        "type": "openIdConnect",
        "url": "https://id.example.com/.well-known/openid-configuration",
        "credentials": {"value": "oidc", "client_id": "oidc_id", "client_secret": "oidc_secret"},
    },
}
VALUES = {
    "hdr": "K-HDR", "query": "K Q&", "cookie": "K-C=", "user": "u", "pass": "p:ü", "bearer": "TOK", "custom": "abc",
    "cert": "/c.pem", "key": "/k.pem", "oauth": "READY", "oidc": "OIDC",
}  # fmt: skip


class Silent:
    """A transport that must not be used."""

    def send(self, request, watch):
        raise AssertionError(request)


def credentials(values=VALUES, origins=(API,), schemes=SCHEMES):
    return Credentials(schemes, lambda: values, Silent(), set(origins), variables={"hdr": "PETSTORE_HDR"})


def applied(*alternatives, values=VALUES, target="/v1/x?a=1"):
    request = Request("GET", API, target, [("Accept", "application/json"), ("Cookie", "sid=1")])
    credentials(values).apply(request, list(alternatives), Watch(5))
    return request


def only(*names):
    return {name: VALUES[name] for name in names}


@pytest.mark.parametrize(
    ("scheme", "header", "value"),
    [
        ("hdr", "X-API-Key", "K-HDR"),
        ("cookie", "Cookie", "sid=1; SESSION=K-C="),
        ("basic", "Authorization", "Basic " + base64.b64encode("u:p:ü".encode()).decode()),
        ("bearer", "Authorization", "Bearer TOK"),
        ("custom", "Authorization", "Token abc"),
        ("oauth", "Authorization", "Bearer READY"),
        ("oidc", "Authorization", "Bearer OIDC"),
    ],
)
def test_a_credential_stands_where_its_scheme_says_and_is_marked_as_secret(scheme, header, value):
    request = applied({scheme: []})
    assert request.header(header) == value
    assert header.lower() in request.secrets
    assert value not in str(shown(request))


def test_a_key_in_the_query_is_encoded_masked_and_not_given_twice():
    request = applied({"query": []}, target="/v1/x?a=1&api%20key=other")
    assert request.target == "/v1/x?a=1&api%20key=K%20Q%26"
    assert request.url == "https://api.example.com/v1/x?a=1&api%20key=***"
    assert applied({"query": []}, target="/v1/x").target == "/v1/x?api%20key=K%20Q%26"


def test_a_client_certificate_is_put_on_the_request():
    assert applied({"tls": []}).certificate == ("/c.pem", "/k.pem")
    assert applied({"tls": []}, values=only("cert")).certificate == ("/c.pem", "/c.pem")


@pytest.mark.parametrize(
    ("scheme", "value", "header"),
    [("bearer", "Bearer TOK", "Bearer TOK"), ("custom", "token abc", "token abc"), ("oauth", "Bearer X", "Bearer X")],
)
def test_a_value_that_names_its_scheme_is_not_given_it_again(scheme, value, header):
    assert applied({scheme: []}, values={scheme: value}).header("Authorization") == header


def test_all_schemes_of_an_alternative_are_applied():
    request = applied({"hdr": [], "query": []})
    assert request.header("X-API-Key") == "K-HDR"
    assert "api%20key" in request.target


def test_the_first_alternative_that_is_fully_configured_is_taken():
    alternatives = [{"oidc": []}, {"hdr": [], "bearer": []}, {"bearer": []}]
    request = applied(*alternatives, values=only("bearer", "custom"))
    assert request.header("Authorization") == "Bearer TOK"
    assert request.header("X-API-Key") is None


@pytest.mark.parametrize("alternatives", [[{}, {"bearer": []}], [{"bearer": []}, {}]])
def test_an_optional_credential_is_sent_if_it_is_there(alternatives):
    assert applied(*alternatives).header("Authorization") == "Bearer TOK"
    assert applied(*alternatives, values={}).header("Authorization") is None


@pytest.mark.parametrize("alternatives", [None, [], [{}]])
def test_nothing_is_sent_where_nothing_is_needed(alternatives):
    request = Request("GET", API, "/x")
    credentials().apply(request, alternatives, Watch(5))
    assert (request.headers, request.target, request.secrets) == ([], "/x", set())


def test_what_is_missing_is_named_for_each_alternative_and_each_way():
    with pytest.raises(MissingCredentials) as caught:
        applied({"hdr": [], "basic": []}, {"oauth": []}, values={"user": "u", "oauth_id": "i"})
    assert caught.value.alternatives == [
        [("hdr", "PETSTORE_HDR"), ("pass", "PASS")],
        [("oauth", "OAUTH")],
        [("oauth_secret", "OAUTH_SECRET")],
    ]


def test_a_requirement_of_many_schemes_is_told_shortly():
    schemes = {f"o{number}": SCHEMES["oauth"] for number in range(40)}
    with pytest.raises(MissingCredentials) as caught:
        credentials({}, schemes=schemes).apply(Request("GET", API, "/x"), [dict.fromkeys(schemes, ())], Watch(5))
    assert len(caught.value.alternatives) <= 8


def test_an_empty_value_is_no_credential_except_for_a_password():
    with pytest.raises(MissingCredentials):
        applied({"hdr": []}, values={"hdr": ""})
    assert applied({"basic": []}, values={"user": "u", "pass": ""}).header("Authorization") == "Basic dTo="


def test_a_scheme_that_is_not_declared_does_not_hold_a_request_up():
    assert applied({"unknown": []}).header("Authorization") is None


def test_credentials_go_only_to_origins_that_are_named():
    for other in (
        Origin("http", "api.example.com"),
        Origin("https", "api.example.com", 8443),
        Origin("https", "evil.example"),
    ):
        request = Request("GET", other, "/x")
        with pytest.raises(CredentialProblem, match="not sent to"):
            credentials().apply(request, [{"hdr": []}], Watch(5))
        assert request.headers == []


@pytest.mark.parametrize("scheme", ["hdr", "query", "cookie", "bearer", "custom", "oauth"])
@pytest.mark.parametrize("ending", ["\r\nX-Evil: 1", "\n", "\0", "\x7f", "\u2028"])
def test_a_credential_with_control_characters_is_refused_without_being_shown(scheme, ending):
    with pytest.raises(CredentialProblem) as caught:
        applied({scheme: []}, values={scheme: f"SECRET{ending}"})
    assert "SECRET" not in f"{caught.value.message}{caught.value.suggestion}"


@pytest.mark.parametrize(
    ("scheme", "value"), [("cookie", "a;b"), ("cookie", "a b"), ("hdr", "日本"), ("bearer", "日本"), ("basic", None)]
)
def test_a_credential_that_its_place_cannot_hold_is_refused_without_being_shown(scheme, value):
    values = {"user": "a:b", "pass": "p"} if value is None else {scheme: value}
    with pytest.raises(CredentialProblem) as caught:
        applied({scheme: []}, values=values)
    assert str(value) not in caught.value.message


def test_no_representation_holds_a_secret():
    assert repr(credentials()) == f"Credentials({', '.join(SCHEMES)})"


secret_texts = st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=6, max_size=20).map(
    "s3c-{}".format
)


@given(secret_texts, st.sampled_from([name for name in SCHEMES if name not in ("tls", "basic")]))
def test_a_dry_run_never_shows_a_credential(secret, scheme):
    request = Request("GET", API, "/x?b=2", [("X-Other", "1")])
    credentials({scheme: secret}).apply(request, [{scheme: []}], Watch(5))
    assert secret not in str(shown(request))
    assert "***" in str(shown(request))
