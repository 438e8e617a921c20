"""Servers and their variables."""

import pytest


def test_servers_keep_their_template_and_variables(upgrade):
    written = [
        {
            "url": "https://{region}.example/{base}",
            "description": "d",
            "variables": {"region": {"default": "eu", "enum": ["eu", "us"]}, "base": {"enum": ["v1"]}, "bad": 1},
        },
        {"url": "/v2", "name": "second"},
    ]
    first, second = upgrade({"openapi": "3.2.0", "servers": written}).api.servers
    assert first.url == "https://{region}.example/{base}"
    assert {name: (each.default, each.enum) for name, each in first.variables.items()} == {
        "region": ("eu", ("eu", "us")),
        "base": ("v1", ("v1",)),
    }
    assert (second.url, second.description) == ("/v2", "second")


def test_a_server_without_address_is_left_out(upgrade):
    read = upgrade({"openapi": "3.0.0", "servers": [{"description": "d"}, {"url": 1}, {"url": "/"}]})
    assert [each.url for each in read.api.servers] == ["/"]
    assert read.rules == ["ignored-member"]
    assert "(2 times)" in read.diagnostics[0].message


@pytest.mark.parametrize("wrong", [{}, "x", [1], [[]]])
def test_servers_of_another_type_are_an_error_and_cost_nothing_else(upgrade, wrong):
    read = upgrade({"openapi": "3.0.0", "servers": wrong, "paths": {"/x": {"get": {}}}})
    assert read.only.key == "GET /x"
    assert [each.rule.name for each in read.errors] == ["wrong-type"]


@pytest.mark.parametrize(
    ("root", "urls"),
    [
        (
            {"host": "a.example", "basePath": "/v1/", "schemes": ["http", "https", "wss"]},
            ["https://a.example/v1", "http://a.example/v1"],
        ),
        ({"host": "a.example:8080", "schemes": ["http"]}, ["http://a.example:8080"]),
        ({"host": "a.example", "basePath": "v1"}, ["https://a.example/v1"]),
        ({"host": "http://a.example/"}, ["http://a.example"]),
        ({"basePath": "/v1"}, ["/v1"]),
        ({}, ["/"]),
        ({"host": [], "basePath": {}, "schemes": 1}, ["/"]),
    ],
)
def test_host_base_path_and_schemes_of_swagger_are_servers(upgrade, root, urls):
    assert [each.url for each in upgrade({"swagger": "2.0", **root}).api.servers] == urls


def test_an_operation_of_swagger_may_have_schemes_of_its_own(upgrade_operation):
    read = upgrade_operation({"schemes": ["http"]}, version="2.0", host="a.example", schemes=["https"])
    assert [each.url for each in read.only.servers] == ["http://a.example"]
