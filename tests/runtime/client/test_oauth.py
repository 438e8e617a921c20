"""Access tokens: how they are asked for, kept, renewed, and where the secrets for them may go."""

import base64
import json
import threading
from time import monotonic
from urllib.parse import parse_qs

import pytest

from generator.runtime.client.credentials import CredentialProblem, Credentials, MissingCredentials
from generator.runtime.client.message import Origin, Request, Response, Watch
from generator.runtime.client.problem import TransportProblem

API = Origin("https", "api.example.com")
NEW = {"access_token": "T1", "token_type": "Bearer", "expires_in": 3600}
CONFIGURED = {"id": "i:d", "secret": "s&cret"}


class Endpoint:
    """Stands for the transport: gives prepared answers, the last one again and again, and keeps what was asked."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []

    def send(self, request, watch):
        assert watch.remaining() > 0
        self.asked.append(request)
        status, body = self.answers[0] if len(self.answers) == 1 else self.answers.pop(0)
        return Response(status, "", [], body if isinstance(body, bytes) else json.dumps(body).encode())

    def form(self, index=0):
        return {name: value for name, (value,) in parse_qs(self.asked[index].body.decode()).items()}


def scheme(token_url="https://id.example.com/token", kind="clientCredentials", **flow):
    return {
        "type": "oauth2",
        "flows": {kind: {"token_url": token_url, "scopes": [], **flow}},
        "credentials": {"value": "token", "client_id": "id", "client_secret": "secret", "refresh_token": "refresh"},
    }


def credentials(endpoint, described=None, values=CONFIGURED, **options):
    return Credentials({"o": described or scheme()}, lambda: values, endpoint, {API}, **options)


def authorized(found, scopes=()):
    request = Request("GET", API, "/x")
    found.apply(request, [{"o": list(scopes)}], Watch(5))
    return request.header("Authorization")


def test_a_token_is_asked_for_by_client_credentials_in_the_authorization_header():
    endpoint = Endpoint((200, NEW))
    assert authorized(credentials(endpoint), ["read", "write"]) == "Bearer T1"
    (asked,) = endpoint.asked
    assert (asked.method, asked.origin.text, asked.target) == ("POST", "https://id.example.com", "/token")
    assert endpoint.form() == {"grant_type": "client_credentials", "scope": "read write"}
    assert asked.header("Authorization") == "Basic " + base64.b64encode(b"i%3Ad:s%26cret").decode()
    assert "authorization" in asked.secrets


def test_a_token_is_kept_until_it_ends_for_each_set_of_scopes():
    endpoint = Endpoint((200, NEW))
    found = credentials(endpoint)
    for _ in range(3):
        assert authorized(found) == "Bearer T1"
    authorized(found, ["write"])
    assert len(endpoint.asked) == 2


@pytest.mark.parametrize("lifetime", [0.5, 20, "20"])
def test_a_token_that_is_about_to_end_is_not_used_again(lifetime):
    endpoint = Endpoint((200, {**NEW, "expires_in": lifetime}))
    found = credentials(endpoint)
    authorized(found)
    authorized(found)
    assert len(endpoint.asked) == 2


@pytest.mark.parametrize("lifetime", [None, "soon", -5, 1e300, True, [1]])
def test_a_lifetime_that_cannot_be_believed_is_taken_for_an_hour(lifetime):
    endpoint = Endpoint((200, {**NEW, "expires_in": lifetime}))
    found = credentials(endpoint)
    assert authorized(found) == authorized(found) == "Bearer T1"
    assert len(endpoint.asked) == 1


@pytest.mark.parametrize(
    "refusal", [(401, {"error": "invalid_client"}), (400, {"error": "invalid_request"}), (401, b"")]
)
def test_a_client_that_is_refused_in_the_header_names_itself_in_the_body(refusal):
    endpoint = Endpoint(refusal, (200, NEW))
    found = credentials(endpoint)
    assert authorized(found) == "Bearer T1"
    assert endpoint.form(1) == {"grant_type": "client_credentials", "client_id": "i:d", "client_secret": "s&cret"}
    assert endpoint.asked[1].header("Authorization") is None
    authorized(found, ["other"])
    assert len(endpoint.asked) == 3


def test_a_refusal_is_told_by_its_code_and_nothing_else():
    endpoint = Endpoint((400, {"error": "invalid_scope", "error_description": "s&cret leaks"}))
    with pytest.raises(CredentialProblem) as caught:
        authorized(credentials(endpoint))
    assert caught.value.message == "no access token: https://id.example.com answered 400 (invalid_scope)"
    assert len(endpoint.asked) == 1
    with pytest.raises(CredentialProblem) as caught:
        authorized(credentials(Endpoint((401, {"error": "s&cret"}))))
    assert "s&cret" not in caught.value.message + caught.value.suggestion


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, {}),
        (200, b"not json"),
        (200, []),
        (200, {"access_token": ""}),
        (200, {"access_token": "a\r\nX-Evil: 1"}),
        (200, {"access_token": "x" * 20_000}),
        (200, {"access_token": "x", "token_type": "DPoP"}),
        (500, {}),
        (302, b""),
    ],
)
def test_an_answer_without_a_usable_token_is_a_problem(status, body):
    with pytest.raises(CredentialProblem):
        authorized(credentials(Endpoint((status, body))))


@pytest.mark.parametrize(
    "url",
    [
        "http://id.example.com/token",
        "http://10.0.0.1/token",
        "ftp://id.example.com/t",
        "https://u:p@id.example.com/t",
        "/token",
    ],
)
def test_secrets_are_not_sent_without_encryption_or_to_a_dubious_address(url):
    endpoint = Endpoint((200, NEW))
    with pytest.raises(CredentialProblem):
        authorized(credentials(endpoint, scheme(url)))
    assert endpoint.asked == []


def test_plain_http_is_for_loopback_and_the_operators_own_origin():
    operator = Origin("http", "10.0.0.1")
    assert authorized(credentials(Endpoint((200, NEW)), scheme("http://127.0.0.1:8765/token"))) == "Bearer T1"
    assert (
        authorized(credentials(Endpoint((200, NEW)), scheme("http://10.0.0.1/token"), operator_origin=operator))
        == "Bearer T1"
    )


def test_a_token_that_the_api_refuses_is_replaced_once_for_all_who_have_it():
    endpoint = Endpoint((200, NEW), (200, {**NEW, "access_token": "T2"}))
    found = credentials(endpoint)
    first, second = Request("GET", API, "/x"), Request("GET", API, "/x")
    for request in (first, second):
        found.apply(request, [{"o": []}], Watch(5))
    assert found.refresh(first, Watch(5))
    assert found.refresh(second, Watch(5))
    assert first.header("Authorization") == second.header("Authorization") == "Bearer T2"
    assert len(endpoint.asked) == 2


def test_a_credential_that_was_not_fetched_is_not_replaced():
    endpoint = Endpoint((200, NEW))
    found = credentials(endpoint, values={"token": "GIVEN"})
    request = Request("GET", API, "/x")
    assert not found.refresh(request, Watch(5))
    found.apply(request, [{"o": []}], Watch(5))
    assert not found.refresh(request, Watch(5))
    assert endpoint.asked == []


def test_a_refresh_token_gives_access_tokens_and_the_newest_one_is_used():
    endpoint = Endpoint((200, {**NEW, "expires_in": 1, "refresh_token": "R2"}), (200, {**NEW, "access_token": "T2"}))
    described = scheme(kind="authorizationCode", refresh_url="https://id.example.com/refresh")
    found = credentials(endpoint, described, {"id": "i", "refresh": "R1"})
    assert [authorized(found), authorized(found), authorized(found)] == ["Bearer T1", "Bearer T2", "Bearer T2"]
    assert endpoint.form(0) == {"grant_type": "refresh_token", "refresh_token": "R1", "client_id": "i"}
    assert endpoint.form(1)["refresh_token"] == "R2"
    assert {request.target for request in endpoint.asked} == {"/refresh"}


def test_a_given_token_that_is_refused_is_renewed_by_its_refresh_token():
    endpoint = Endpoint((200, NEW))
    found = credentials(endpoint, scheme(kind="authorizationCode"), {"token": "OLD", "refresh": "R", **CONFIGURED})
    request = Request("GET", API, "/x")
    found.apply(request, [{"o": []}], Watch(5))
    assert request.header("Authorization") == "Bearer OLD"
    assert found.refresh(request, Watch(5))
    assert request.header("Authorization") == authorized(found) == "Bearer T1"
    assert len(endpoint.asked) == 1


def test_a_refresh_token_goes_to_the_flow_that_gave_it():
    endpoint = Endpoint((200, NEW))
    described = scheme("https://id.example.com/client")
    described["flows"]["authorizationCode"] = {"token_url": "https://id.example.com/code", "scopes": []}
    assert authorized(credentials(endpoint, described, {"id": "i", "refresh": "R"})) == "Bearer T1"
    assert endpoint.asked[0].target == "/code"


def test_a_flow_that_needs_a_person_names_the_token_to_set():
    described = scheme(kind="authorizationCode")
    with pytest.raises(MissingCredentials) as caught:
        authorized(credentials(Endpoint((200, NEW)), described, {}))
    assert caught.value.alternatives == [[("token", "TOKEN")], [("refresh", "REFRESH"), ("id", "ID")]]


OIDC = {
    "type": "openIdConnect",
    "url": "https://id.example.com/.well-known/openid-configuration",
    "credentials": {"value": "token", "client_id": "id", "client_secret": "secret"},
}


def test_openid_connect_finds_its_token_endpoint():
    endpoint = Endpoint((200, {"token_endpoint": "https://tokens.example.com/t?x=1"}), (200, NEW))
    assert authorized(credentials(endpoint, OIDC)) == "Bearer T1"
    discovery, token = endpoint.asked
    assert (discovery.method, discovery.target, discovery.body) == ("GET", "/.well-known/openid-configuration", None)
    assert (token.origin.text, token.target) == ("https://tokens.example.com", "/t?x=1")


@pytest.mark.parametrize(
    "document", [{}, {"token_endpoint": "http://tokens.example.com/t"}, {"token_endpoint": 5}, b"<html>"]
)
def test_a_discovery_document_cannot_lead_secrets_to_a_dubious_address(document):
    endpoint = Endpoint((200, document))
    with pytest.raises(CredentialProblem):
        authorized(credentials(endpoint, OIDC))
    assert len(endpoint.asked) == 1


class Slow(Endpoint):
    """Answers when it is told to."""

    def __init__(self, *answers):
        super().__init__(*answers)
        self.entered = threading.Event()
        self.answering = threading.Event()

    def send(self, request, watch):
        self.entered.set()
        assert self.answering.wait(5)
        return super().send(request, watch)


def test_one_thread_fetches_and_the_others_wait_for_its_token():
    endpoint = Slow((200, NEW))
    found = credentials(endpoint)
    tokens = []
    threads = [threading.Thread(target=lambda: tokens.append(authorized(found))) for _ in range(5)]
    for thread in threads:
        thread.start()
    assert endpoint.entered.wait(5)
    endpoint.answering.set()
    for thread in threads:
        thread.join(5)
    assert tokens == ["Bearer T1"] * 5
    assert len(endpoint.asked) == 1


def test_a_call_does_not_wait_for_a_token_longer_than_it_may_take():
    endpoint = Slow((200, NEW))
    found = credentials(endpoint)
    first = threading.Thread(target=lambda: authorized(found))
    first.start()
    assert endpoint.entered.wait(5)
    started = monotonic()
    with pytest.raises(CredentialProblem, match="waiting") as caught:
        found.apply(Request("GET", API, "/x"), [{"o": []}], Watch(0.05))
    assert monotonic() - started < 5
    assert caught.value.retryable
    endpoint.answering.set()
    first.join(5)


def test_a_fetch_that_fails_is_tried_again_by_the_next_call():
    endpoint = Endpoint((500, {}), (200, NEW))
    found = credentials(endpoint)
    with pytest.raises(CredentialProblem) as caught:
        authorized(found)
    assert caught.value.retryable
    assert authorized(found) == "Bearer T1"


@pytest.mark.parametrize("kind", ["oauth2", "openIdConnect"])
def test_a_token_endpoint_that_is_not_reached_is_named_and_not_the_api(kind):
    class Unreachable(Endpoint):
        def send(self, request, watch):
            raise TransportProblem(
                "M-HTTP-002", "id.example.com could not be reached", retryable=True, suggestion="Later."
            )

    described = scheme("https://id.example.com/token?tenant=7")
    if kind == "openIdConnect":
        named = {"value": "token", "client_id": "id", "client_secret": "secret"}
        described = {"type": kind, "url": "https://id.example.com/token", "credentials": named}
    with pytest.raises(TransportProblem) as caught:
        authorized(credentials(Unreachable(), described))
    said = (
        "the access token could not be fetched from https://id.example.com/token: id.example.com could not be reached"
    )
    assert caught.value.message == said
    assert (caught.value.code, caught.value.retryable, caught.value.sent) == ("M-HTTP-002", True, False)
