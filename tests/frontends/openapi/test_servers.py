"""Base URLs: filled, resolved, and refused where they could lead astray (decision 28)."""

from __future__ import annotations

import pytest

from generator.frontends.openapi.hosts import private_kind

from .described import description, messages, operation, request, rules, tools


def urls(result) -> list[str]:
    """Return the base URLs of the server that was read."""
    assert result.server is not None, messages(result)
    return [each["url"] for each in result.server.http["servers"]]


def served(*servers, **members):
    """Return a document with these servers."""
    written = [{"url": each} if isinstance(each, str) else each for each in servers]
    return description({"/x": {"get": operation(**members)}}, servers=written)


def test_servers_are_taken_in_order_without_a_slash_at_the_end(reader):
    assert urls(reader(served("https://a.example.com/v1/", "http://b.example.com:8080"))) == [
        "https://a.example.com/v1",
        "http://b.example.com:8080",
    ]


def test_variables_have_their_defaults(reader):
    variables = {"host": {"default": "eu"}, "port": {"default": "8443", "enum": ["8443", "443"]}}
    server = {"url": "https://{host}.example.com:{port}/api", "variables": variables}
    assert urls(reader(served(server))) == ["https://eu.example.com:8443/api"]


def test_a_default_outside_its_own_list_is_not_used(reader):
    variables = {"host": {"default": "evil.example/#", "enum": ["a", "b"]}}
    assert urls(reader(served({"url": "https://{host}.example.com/", "variables": variables}))) == [
        "https://a.example.com"
    ]


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "ftp://api.example.com",
        "javascript:alert(1)",
        "https://user:pass@api.example.com",
        "https://x.example\r\nHost: evil.example",
        "https://x.example\\@evil.example",
    ],
)
def test_a_dangerous_server_is_refused(reader, url):
    result = reader(served(url))
    assert result.server is None
    assert rules(result, "error") == {"refused-server"}
    assert all(each.pointer.endswith("#/servers/0/url") for each in result.diagnostics if each.level == "error")


def test_a_password_in_a_server_is_not_repeated(reader):
    result = reader(served("https://user:pass@api.example.com"))
    assert messages(result, "refused-server") == [
        "the server `https://…@api.example.com` is refused: it carries a user name or password"
    ]


def test_a_refused_server_beside_a_good_one_is_a_warning(reader):
    result = reader(served("file:///etc/passwd", "https://api.example.com"))
    assert urls(result) == ["https://api.example.com"]
    assert "refused-server" in rules(result, "warning")


def test_the_operators_base_url_makes_the_documents_servers_irrelevant(reader):
    result = reader(served("https://user:pass@api.example.com"), base_url="https://mine.example.com/v2")
    assert result.server is not None
    assert result.server.http["pinned"] == "https://mine.example.com/v2"
    assert "refused-server" in rules(result, "warning")


@pytest.mark.parametrize("url", ["/v1", "", "v1", "https://{tenant}.example.com", "localhost:8080/v1", "https://"])
def test_an_incomplete_server_needs_the_operators_base_url(reader, url):
    result = reader(served(url))
    assert urls(result) == []
    assert rules(result, "warning") == {"incomplete-server"}
    assert rules(reader(served(url), base_url="https://mine.example.com")) == set()


def test_a_document_without_servers_says_so(reader):
    result = reader(served())
    assert urls(result) == []
    assert rules(result) == {"missing-server"}


@pytest.mark.parametrize(
    "url",
    [
        "http://169.254.169.254/latest",
        "http://2852039166/",
        "http://0xa9.0xfe.0xa9.0xfe/",
        "http://[::ffff:169.254.169.254]/",
        "http://[64:ff9b::a9fe:a9fe]/",
        "http://10.0.0.1",
        "http://192.168.1.1:8080/api",
        "http://[fd00::1]/",
        "http://printer.local",
    ],
)
def test_a_private_server_is_a_warning_until_it_is_allowed(reader, url):
    assert "private-server" in rules(reader(served(url)), "warning")
    assert rules(reader(served(url), allow_private_hosts=True)) == set()


@pytest.mark.parametrize("url", ["http://127.0.0.1:8765/v1", "http://localhost/v1", "http://[::1]:80/"])
def test_loopback_is_no_private_server(reader, url):
    assert rules(reader(served(url))) == set()


def test_disguised_addresses_are_told():
    assert private_kind("0177.0.0.1") == "a private address"
    assert private_kind("2130706433") == "a private address"
    assert private_kind("0x08080808") == "an address in a disguise"
    assert private_kind("8.8.8.8") is None
    assert private_kind("1.2.3.4.5") is None
    assert private_kind("999.1.1.1") is None
    assert private_kind("09.1.1.1") is None
    assert private_kind("api.example.com") is None


def test_an_operation_may_have_a_server_of_its_own(reader):
    members = {"servers": [{"url": "https://other.example.com/o"}]}
    result = reader(served("https://api.example.com/v1", **members))
    assert request(result.server.tools[0])["server"] == "https://other.example.com/o"
    assert urls(result) == ["https://api.example.com/v1"]


def test_a_relative_server_of_an_operation_is_beside_the_documents(reader):
    result = reader(served("https://api.example.com/v1", servers=[{"url": "/other"}]))
    assert request(result.server.tools[0])["server"] == "https://api.example.com/other"


def test_the_documents_own_server_is_not_repeated(reader):
    result = reader(served("https://api.example.com/v1", servers=[{"url": "https://api.example.com/v1/"}]))
    assert "server" not in request(result.server.tools[0])


def test_an_operation_whose_server_is_refused_is_left_out(reader):
    paths = {"/a": {"get": operation(servers=[{"url": "file:///x"}])}, "/b": {"get": operation()}}
    result = reader(description(paths))
    assert list(tools(result)) == ["get_b"]
    assert result.left_out == ("GET /a",)
    assert "refused-server" in rules(result, "error")
