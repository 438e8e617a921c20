"""TLS is verified, explained when it fails, and carries client certificates."""

from __future__ import annotations

import ssl
from pathlib import Path

import pytest

from generator.runtime.client.message import Origin, Request, Watch
from generator.runtime.client.problem import CANNOT_REACH, TIMED_OUT
from generator.runtime.client.transport import Transport, TransportProblem
from tests.runtime.client.upstream import answer, answering, get, patient, serving

CERTIFICATES = Path(__file__).parent / "certificates"
AUTHORITY = str(CERTIFICATES / "authority.pem")
CLIENT = (str(CERTIFICATES / "client.pem"), str(CERTIFICATES / "client-key.pem"))


def tls(name: str = "server.pem", *, mutual: bool = False):
    """Return what puts the server's side of TLS on a connection."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATES / name)
    if mutual:
        context.load_verify_locations(AUTHORITY)
        context.verify_mode = ssl.CERT_REQUIRED
    return lambda connection: context.wrap_socket(connection, server_side=True)


@pytest.fixture
def transport():
    transport = Transport({"retries": 0, "ca_file": AUTHORITY}, environment={})
    yield transport
    transport.close()


def test_a_trusted_server_is_called_and_its_connection_kept(transport):
    with serving(answering(answer(b"x" * 200_000)), tls()) as server:
        for _ in range(3):
            assert transport.send(get(server), patient()).body == b"x" * 200_000
    assert server.connections == 1
    assert server.asked[0].headers["host"] == f"127.0.0.1:{server.port}"


def test_a_tls_connection_closed_while_idle_is_replaced(transport):
    def script(peer):
        peer.read()
        peer.send(answer(b"x"))

    with serving(script, tls()) as server:
        transport.send(get(server), patient())
        server._threads[1].join(10)
        assert transport.send(get(server), patient()).body == b"x"
    assert server.connections == 2


@pytest.mark.parametrize("variable", ["REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"])
def test_the_environment_may_name_an_authority(variable):
    transport = Transport({"retries": 0}, environment={variable: AUTHORITY})
    with serving(answering(answer()), tls()) as server:
        assert transport.send(get(server), patient()).status == 200
    transport.close()


def test_openssl_s_own_variable_names_an_authority(monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", AUTHORITY)
    transport = Transport({"retries": 0}, environment={})
    with serving(answering(answer()), tls()) as server:
        assert transport.send(get(server), patient()).status == 200
    transport.close()


def test_an_unknown_authority_is_refused_and_explained():
    transport = Transport({}, environment={})
    with serving(answering(answer()), tls()) as server, pytest.raises(TransportProblem) as raised:
        transport.send(get(server, "/?key=secret", headers=[("Authorization", "Bearer secret")]), patient())
    problem = raised.value
    assert (problem.code, problem.retryable, problem.sent) == (CANNOT_REACH, False, False)
    assert f"the certificate of 127.0.0.1:{server.port} is not trusted" in problem.message
    assert "SSL_CERT_FILE" in problem.suggestion
    assert server.asked == []
    assert server.connections == 1, "it was tried again although that cannot help"


def test_a_certificate_for_another_host_is_refused(transport):
    with serving(answering(answer()), tls("elsewhere.pem")) as server, pytest.raises(TransportProblem) as raised:
        transport.send(get(server), patient())
    assert "not trusted" in raised.value.message
    assert server.asked == []


def test_a_server_that_speaks_no_tls_is_explained(transport):
    with serving(answering(answer())) as server:
        origin = Origin("https", "127.0.0.1", server.port)

        def script_problem():
            with pytest.raises(TransportProblem) as raised:
                transport.send(Request("GET", origin, "/", idempotent=True, timeout=0.5), patient())
            return raised.value

        problem = script_problem()
    assert problem.code in (CANNOT_REACH, TIMED_OUT)
    assert str(server.port) in problem.message


def test_a_handshake_that_never_ends_is_left_at_the_deadline(transport):
    with serving(lambda peer: peer.server.over.wait(10)) as server:
        origin = Origin("https", "127.0.0.1", server.port)
        with pytest.raises(TransportProblem) as raised:
            transport.send(Request("GET", origin, "/", idempotent=True), Watch(0.2))
    assert raised.value.code == TIMED_OUT
    assert not raised.value.sent


def test_a_client_certificate_is_presented(transport):
    with serving(answering(answer(b"x")), tls(mutual=True)) as server:
        for _ in range(2):
            assert transport.send(get(server, certificate=CLIENT), patient()).body == b"x"
    assert server.connections == 1


def test_a_missing_client_certificate_is_explained(transport):
    with serving(answering(answer()), tls(mutual=True)) as server, pytest.raises(TransportProblem) as raised:
        transport.send(get(server), patient())
    assert raised.value.code == CANNOT_REACH
    assert server.asked == []


def test_connections_with_and_without_a_certificate_are_kept_apart(transport):
    with serving(answering(answer(b"x")), tls()) as server:
        transport.send(get(server, certificate=CLIENT), patient())
        transport.send(get(server), patient())
    assert server.connections == 2


@pytest.mark.parametrize("key", ["client-key-locked.pem", "no-such-key.pem", "authority.pem"])
def test_an_unusable_client_certificate_is_explained_without_its_path(transport, key):
    with serving(answering(answer()), tls(mutual=True)) as server, pytest.raises(TransportProblem) as raised:
        transport.send(get(server, certificate=(CLIENT[0], str(CERTIFICATES / key))), patient())
    assert "client certificate" in raised.value.message
    assert "/" not in raised.value.message
    assert not raised.value.retryable
