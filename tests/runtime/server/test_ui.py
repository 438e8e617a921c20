"""Views in a session: who sees them, and what becomes of those that are none."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.server.view_plan import is_document

from .offering import Server

UI = {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}}
PAGE = "<!doctype html>\n<title>\N{SNOWMAN}</title>"
URI = "ui://t/x"


@pytest.fixture
def server(monkeypatch):
    return Server(monkeypatch)


def view(server, function, uri=URI, **more):
    server.add("views", function, {"uri": uri, "name": "x", "mimeType": "text/html;profile=mcp-app", **more})


def meta(capabilities):
    prefix = "io.modelcontextprotocol/"
    return {f"{prefix}protocolVersion": "2026-07-28", f"{prefix}clientCapabilities": capabilities}


def read(server, **more):
    return server.ask("resources/read", uri=URI, _meta=meta(UI), **more)


def giving(value):
    def page():
        return value

    return page


@pytest.mark.requirement("R033")
def test_a_text_is_text_and_bytes_are_the_same_blob_each_time(server):
    view(server, giving(PAGE))
    content = read(server)["result"]["contents"][0]
    assert content == {"uri": URI, "mimeType": "text/html;profile=mcp-app", "text": PAGE}


@pytest.mark.requirement("R033")
@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_bytes_are_a_blob(server, kind):
    async def page():
        return kind(PAGE.encode())

    view(server, page, _meta={"ui": {"prefersBorder": True}})
    content = read(server)["result"]["contents"][0]
    assert base64.b64decode(content["blob"]).decode() == PAGE
    assert content["_meta"] == {"ui": {"prefersBorder": True}}
    assert read(server)["result"]["contents"] == [content]


@pytest.mark.requirement("R042")
@pytest.mark.parametrize(
    "value", ["", "text", "<p>part", None, 3, {"a": 1}, b"\xff", b"<p>", ["<!doctype html>"], "<!-- "]
)
def test_what_is_no_page_is_an_invalid_view(server, value):
    view(server, giving(value))
    error = read(server)["error"]
    assert (error["code"], error["data"]["errorCode"]) == (-32603, "M-UI-001")
    assert error["data"]["uri"] == URI


@pytest.mark.requirement("R042")
def test_a_failing_view_cannot_be_read_and_does_not_tell_why(server):
    def page():
        raise OSError("/home/me/secret.html is gone")

    view(server, page)
    error = read(server)["error"]
    assert (error["code"], error["data"]["errorCode"]) == (-32603, "M-UI-004")
    assert "secret" not in str(error)


@pytest.mark.requirement("R042")
def test_a_view_whose_file_is_gone_cannot_be_read(server):
    server._data["views"] = [
        {"definition": {"uri": URI, "name": "x"}, "call": {"kind": "view", "path": "_views/none.html"}},
    ]
    assert read(server)["error"]["data"]["errorCode"] == "M-UI-004"


@pytest.mark.requirement("R042")
def test_a_view_that_is_too_large_says_what_happened_as_the_cause(server):
    server.add("views", giving(PAGE), {"uri": URI, "name": "x"}, limits={"max_result_bytes": 5})
    data = read(server)["error"]["data"]
    assert (data["errorCode"], data["cause"]) == ("M-UI-004", "M-OUT-001")


@pytest.mark.requirement("R042")
@pytest.mark.parametrize("uri", ["ui://t/none", "ui://", "UI://t/x"])
def test_a_uri_that_no_view_has_is_told(server, uri):
    view(server, giving(PAGE))
    error = server.ask("resources/read", uri=uri, _meta=meta(UI))["error"]
    assert (error["code"], error["data"]["errorCode"]) == (-32602, "M-UI-001")


@pytest.mark.requirement("R038")
@pytest.mark.requirement("R039")
@pytest.mark.parametrize(
    "capabilities",
    [
        {},
        {"extensions": None},
        {"extensions": []},
        {"extensions": {"io.modelcontextprotocol/ui": {}}},
        {"extensions": {"io.modelcontextprotocol/ui": None}},
        {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": "text/html;profile=mcp-app"}}},
        {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html", "text/html; profile=mcp-app"]}}},
        {"extensions": {"ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}},
        {"experimental": UI["extensions"]},
    ],
)
def test_only_who_lists_the_media_type_sees_views(server, capabilities):
    view(server, giving(PAGE))
    error = server.ask("resources/read", uri=URI, _meta=meta(capabilities))["error"]
    assert error["code"] == -32602
    assert (error["data"]["errorCode"], error["data"]["reason"]) == ("M-UI-003", "ui_extension_not_negotiated")
    assert server.ask("resources/list", _meta=meta(capabilities))["result"]["resources"] == []
    found = server.ask("server/discover", _meta=meta(capabilities))["result"]["capabilities"]
    assert "extensions" not in found


@pytest.mark.requirement("R038")
def test_a_connection_opts_in_by_its_handshake(server):
    view(server, giving(PAGE))
    asked = {"protocolVersion": "2025-11-25", "capabilities": UI, "clientInfo": {"name": "x", "version": "1"}}
    assert server.ask("initialize", **asked)["result"]["capabilities"]["extensions"] == UI["extensions"]
    assert server.ask("resources/read", uri=URI)["result"]["contents"][0]["text"] == PAGE
    # A request of 2026-07-28 on the same connection speaks for itself.
    assert server.ask("resources/read", uri=URI, _meta=meta({}))["error"]["data"]["errorCode"] == "M-UI-003"
    # A second handshake decides anew.
    server.ask("initialize", **{**asked, "capabilities": {}})
    assert server.ask("resources/read", uri=URI)["error"]["data"]["errorCode"] == "M-UI-003"


def test_a_server_without_views_knows_no_such_scheme(server):
    server.resource(giving("text"))
    error = server.ask("resources/read", uri=URI, _meta=meta(UI))["error"]
    assert error["data"] == {"uri": URI}
    assert "extensions" not in server.ask("server/discover", _meta=meta(UI))["result"]["capabilities"]


@pytest.mark.parametrize(
    "start", ["<!doctype html>", "<!DOCTYPE HTML PUBLIC 'x'>", "\ufeff<html>", "<!---->\n<!-- a --> <HTML>"]
)
def test_a_page_may_begin_with_comments(start):
    assert is_document(start)


@given(st.text(alphabet="<!->htmldocype \n\ufeff", max_size=40))
def test_whatever_begins_a_page_is_answered(text):
    assert is_document(text) in (True, False)
    assert is_document(f"<!--{text.replace('>', '')}--><html>")
