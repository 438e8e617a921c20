"""Discovery over a real server: three tools find, describe and call the others, which are callable by name as well."""

from __future__ import annotations

import json
import os
import sys

import pytest

from tests.command import mcpgen
from tests.echo_api import echo_api
from tests.stdio_client import CallFailed, StdioServer


def operation(name: str, summary: str) -> dict:
    where = {"name": "id", "in": "path", "required": True, "schema": {"type": "integer", "format": "int64"}}
    return {"operationId": name, "summary": summary, "parameters": [where], "responses": {"200": {"description": "ok"}}}


DOCUMENT = {
    "openapi": "3.0.3",
    "info": {"title": "Shop", "version": "1"},
    "paths": {
        "/orders/{id}": {
            "get": operation("orders_get", "Get an order"),
            "delete": operation("orders_delete", "Cancel an order that was not shipped"),
        },
        "/customers/{id}": {"get": operation("customers_get", "Get a customer of the shop")},
        "/invoices/{id}": {"get": operation("invoices_get", "Get the invoice of an order")},
    },
}


@pytest.fixture
def shop(tmp_path):
    """A running server in discovery, and the API behind it."""
    (tmp_path / "shop.json").write_text(json.dumps(DOCUMENT), encoding="utf-8")
    done = mcpgen("from-openapi", "shop.json", "--name", "shop", "-o", "shop-mcp", "--discovery", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    with echo_api(tmp_path) as echo:
        environment = {**os.environ, "SHOP_BASE_URL": echo.base}
        with StdioServer([sys.executable, "-m", "shop_mcp"], cwd=tmp_path / "shop-mcp", env=environment) as server:
            server.initialize()
            yield server, echo


def test_only_the_three_are_listed(shop):
    server, _ = shop
    assert [tool["name"] for tool in server.tools()] == ["search_tools", "describe_tool", "call_tool"]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("cancel an order", "orders_delete"),
        ("customer", "customers_get"),
        ("invoices of orders", "invoices_get"),
        ("orders_get", "orders_get"),
        ("custom", "customers_get"),
        ("DELETE /orders", "orders_delete"),
    ],
)
def test_a_search_finds_the_tool_that_is_meant_first(shop, query, first):
    server, _ = shop
    found = server.call("search_tools", {"query": query})["structuredContent"]["tools"]
    assert found[0]["name"] == first
    assert found[0]["arguments"] == ["id"]


def test_a_search_without_a_match_says_what_to_do(shop):
    server, _ = shop
    result = server.call("search_tools", {"query": "weather"})
    assert result["structuredContent"] == {"tools": []}
    assert "4 tools" in result["content"][0]["text"]


def test_a_tool_is_described_whole_and_called_with_every_digit(shop):
    server, echo = shop
    described = server.call("describe_tool", {"name": "orders_get"})["structuredContent"]
    assert described["inputSchema"]["required"] == ["id"]
    arguments = {"name": "orders_get", "arguments": {"id": 12345678901234567890}}
    assert not server.call("call_tool", arguments).get("isError")
    assert not server.call("orders_get", {"id": 7}).get("isError")
    assert [each["target"] for each in echo.requests()] == ["/orders/12345678901234567890", "/orders/7"]


def test_wrong_arguments_are_told_of_the_tool_that_was_called(shop):
    server, echo = shop
    result = server.call("call_tool", {"name": "orders_get", "arguments": {"id": "many"}})
    assert result["content"][0]["text"].startswith("1 problem with the arguments of orders_get:")
    assert server.call("call_tool", {"name": "orders_get"})["isError"] is True
    assert echo.requests() == []


def test_arguments_beside_the_name_are_not_lost(shop):
    server, echo = shop
    result = server.call("call_tool", {"name": "orders_get", "id": 1})
    assert result["isError"] is True
    assert "Put it into `arguments`" in result["content"][0]["text"]
    assert echo.requests() == []


def test_a_name_that_is_none_is_answered_with_the_nearest(shop):
    server, _ = shop
    for tool in ("describe_tool", "call_tool"):
        result = server.call(tool, {"name": "order_get"})
        assert result["isError"] is True
        assert "orders_get" in result["content"][0]["text"]
    nested = server.call("call_tool", {"name": "call_tool", "arguments": {}})
    assert nested["isError"] is True
    assert "Did you mean call_tool" not in nested["content"][0]["text"]
    with pytest.raises(CallFailed):
        server.call("order_get", {})
