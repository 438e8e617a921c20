"""Which addresses are called: decision 28's guard over every spelling of a private address."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.client.address import LOOPBACK, METADATA, PRIVATE, PUBLIC, Guard, is_encoded, kind_of
from generator.runtime.client.message import Origin, Request, Watch
from generator.runtime.client.problem import ADDRESS_REFUSED
from generator.runtime.client.transport import Transport, TransportProblem
from tests.runtime.client.upstream import answer, answering, patient, serving

KINDS = {
    PUBLIC: [
        "8.8.8.8",
        "1.1.1.1",
        "172.32.0.1",
        "100.128.0.1",
        "2606:4700::1111",
        "::ffff:8.8.8.8",
        "64:ff9b::808:808",
    ],
    LOOPBACK: ["127.0.0.1", "127.255.255.254", "::1"],
    PRIVATE: [
        *("0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "169.254.1.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"),
        *("192.0.0.1", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1"),
        *("255.255.255.255", "::", "::2", "::ffff:10.0.0.1", "::ffff:127.0.0.1", "::127.0.0.1", "fe80::1", "fec0::1"),
        *("fc00::1", "fd12::1", "ff02::1", "2001:db8::1", "2001:10::1", "64:ff9b::7f00:1", "64:ff9b::a00:1"),
        *("64:ff9b:1::1", "2002:7f00:1::", "2002:a00:1::1", "2002:808:808::", "3fff::1", "4000::1", "100::1"),
        "2001:0:808:808::f5ff:fffe",  # Teredo: a public server, the client 10.0.0.1
    ],
    METADATA: [
        *("169.254.169.254", "100.100.100.200", "192.0.0.192", "168.63.129.16", "fd00:ec2::254", "169.254.170.2"),
        *("::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::"),
    ],
}


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in KINDS.items() for text in texts])
def test_addresses_are_judged_by_where_they_lead(kind, text):
    assert kind_of(ip_address(text)) == kind


@given(st.ip_addresses(v=4))
def test_an_ipv4_address_inside_an_ipv6_one_is_never_judged_better(address):
    inside = kind_of(address)
    mapped = kind_of(IPv6Address(b"\0" * 10 + b"\xff\xff" + address.packed))
    translated = kind_of(IPv6Address(IPv6Address("64:ff9b::").packed[:12] + address.packed))
    assert mapped == translated == (PRIVATE if inside == LOOPBACK else inside)


@given(st.ip_addresses())
def test_what_python_calls_private_is_never_public(address):
    if address.is_private and not getattr(address, "ipv4_mapped", None):
        assert kind_of(address) != PUBLIC


@pytest.mark.parametrize(
    "host", ["2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "127.1", "127.0.0.1.", "10.0x1", "0x"]
)
def test_encoded_addresses_are_known(host):
    assert is_encoded(host)


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "::1", "api.example.com", "1e100.net", "0xabc.example", "a0x", "deadbeef"]
)
def test_plain_hosts_are_not_taken_for_encoded_ones(host):
    assert not is_encoded(host)


def problem_of(guard: Guard, origin: Origin, addresses: tuple[str, ...]) -> TransportProblem | None:
    try:
        guard.check_host(origin)
        guard.check_addresses(origin, [(2, (address, 80)) for address in addresses])
    except TransportProblem as problem:
        return problem
    return None


def refused(guard: Guard, origin: Origin, *addresses: str) -> bool:
    problem = problem_of(guard, origin, addresses)
    if problem is None:
        return False
    assert (problem.code, problem.retryable, problem.sent) == (ADDRESS_REFUSED, False, False)
    assert "BASE_URL" in problem.suggestion
    assert origin.host in problem.message
    return True


def test_one_refused_address_refuses_the_host():
    guard = Guard(None, allow_private=False)
    name = Origin("http", "api.example.com")
    assert not refused(guard, name, "8.8.8.8", "127.0.0.1")
    assert refused(guard, name, "8.8.8.8", "10.0.0.1")
    assert refused(guard, name, "8.8.8.8", "fe80::1%eth0")
    assert refused(guard, Origin("http", "10.0.0.1"))
    assert refused(guard, Origin("http", "0x7f.1"))


def test_the_operator_s_origin_is_called_wherever_it_is_and_no_other():
    guard = Guard(Origin("http", "metadata.internal"), allow_private=False)
    assert not refused(guard, Origin("http", "metadata.internal"), "169.254.169.254")
    assert refused(guard, Origin("https", "metadata.internal"), "169.254.169.254")
    assert refused(guard, Origin("http", "metadata.internal", 8080), "10.0.0.1")


def test_allowing_private_hosts_does_not_allow_a_cloud_s_credentials():
    guard = Guard(None, allow_private=True)
    assert not refused(guard, Origin("http", "api.internal"), "10.0.0.1", "fd12::1")
    assert not refused(guard, Origin("http", "0x7f.1"), "127.0.0.1")
    assert refused(guard, Origin("http", "api.internal"), "169.254.169.254")
    assert refused(guard, Origin("http", "[::ffff:169.254.169.254]".strip("[]")))


def test_a_name_that_a_proxy_resolves_is_judged_by_its_ending():
    guard = Guard(Origin("http", "db.internal"), allow_private=True)
    for host in ("db.internal", "other.internal", "api.example.com", "10.0.0.1"):
        guard.check_name(Origin("http", host))
    with pytest.raises(TransportProblem):
        guard.check_name(Origin("http", "metadata.google.internal."))


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.8.9.10"])
def test_loopback_is_called(host):
    transport = Transport({"retries": 0}, environment={})
    with serving(answering(answer(b"x"))) as server:
        if host == "127.8.9.10":
            with pytest.raises(TransportProblem) as raised:  # only the server is not there
                transport.send(Request("GET", Origin("http", host, server.port), "/"), patient())
            assert raised.value.code != ADDRESS_REFUSED
        else:
            assert transport.send(Request("GET", Origin("http", host, server.port), "/"), patient()).body == b"x"
    transport.close()


@pytest.mark.parametrize("host", ["0x7f.1", "2130706433", "0.0.0.0", "::ffff:127.0.0.1"])
def test_a_disguised_loopback_needs_the_operator(host):
    with serving(answering(answer(b"x"))) as server:
        origin = Origin("http", host, server.port)
        transport = Transport({"retries": 0}, environment={})
        with pytest.raises(TransportProblem) as raised:
            transport.send(Request("GET", origin, "/"), patient())
        assert raised.value.code == ADDRESS_REFUSED
        assert server.connections == 0
        trusting = Transport({"retries": 0}, environment={}, operator_origin=origin)
        if host != "::ffff:127.0.0.1":  # which needs a machine that speaks IPv6
            assert trusting.send(Request("GET", origin, "/"), patient()).body == b"x"
        trusting.close()
        transport.close()


def test_a_name_is_resolved_once_and_the_checked_address_is_called(monkeypatch):
    answers = iter(["127.0.0.1", "10.0.0.1"])

    def rebinding(host, port, **_):
        return [(2, 1, 6, "", (next(answers), port))]

    transport = Transport({"retries": 0}, environment={})
    with serving(answering(answer(b"x"))) as server:
        monkeypatch.setattr("socket.getaddrinfo", rebinding)
        origin = Origin("http", "rebind.example", server.port)
        assert transport.send(Request("GET", origin, "/"), patient()).body == b"x"
        transport.close()
        with pytest.raises(TransportProblem) as raised:
            transport.send(Request("GET", origin, "/"), patient())
    assert raised.value.code == ADDRESS_REFUSED
    assert server.asked[0].headers["host"] == f"rebind.example:{server.port}"


def test_a_resolver_that_hangs_is_left_at_the_deadline(monkeypatch):
    import threading

    over = threading.Event()
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: over.wait(10) and [])
    transport = Transport({"retries": 0}, environment={})
    try:
        with pytest.raises(TransportProblem) as raised:
            transport.send(Request("GET", Origin("http", "slow.example"), "/"), Watch(0.1))
        assert raised.value.code == "M-HTTP-004"
    finally:
        over.set()
