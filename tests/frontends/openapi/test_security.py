"""Credentials: which schemes the served operations need, and where their values come from."""

from __future__ import annotations

import re

import pytest

from generator.config.openapi import OperationRule
from generator.frontends.openapi.security import environment_name

from .described import description, messages, operation, parameter, request, rules, tools

ENVIRONMENT_NAME = re.compile(r"[A-Z][A-Z0-9_]{0,63}")

FLOWS = {
    "clientCredentials": {"tokenUrl": "https://auth.example.com/token", "scopes": {"read": "Read"}},
    "authorizationCode": {
        "authorizationUrl": "https://auth.example.com/authorize",
        "tokenUrl": "/token",
        "refreshUrl": "/refresh",
        "scopes": {},
    },
}


def secured(schemes, *security, **members):
    """Return a document with these schemes and one operation with these alternatives."""
    return description(
        {"/x": {"get": operation(security=list(security))}},
        components={"securitySchemes": schemes},
        **members,
    )


def entries(result):
    """Return environment name and secrecy of each configuration entry by name."""
    return {each.name: (each.env, each.sensitive) for each in result.server.config}


def test_every_server_has_a_base_url_and_a_folder_for_files(reader):
    result = reader(description({"/x": {"get": operation()}}), name="probe")
    assert entries(result) == {"base_url": ("PROBE_BASE_URL", False), "files": ("PROBE_FILES", False)}
    assert all(not each.required for each in result.server.config)


def test_the_base_url_says_what_it_is_without_it(reader):
    def about(**members):
        result = reader(description({"/x": {"get": operation()}}, **members))
        return next(each.description for each in result.server.config if each.name == "base_url")

    assert about() == "The base URL of the API (default: https://api.example.com/v1)."
    assert "has to be set" in about(servers=[])


def test_what_a_scheme_says_of_itself_is_told_with_its_credential(reader):
    text = "\nMake a token in your\taccount's [settings](https://example.com/a).\n\nMore."
    result = reader(secured({"key": {"type": "http", "scheme": "bearer", "description": text}}, {"key": []}))
    entry = next(each for each in result.server.config if each.name == "key")
    assert entry.description == "The token of the security scheme `key`: Make a token in your account's settings."
    long = reader(secured({"key": {"type": "http", "scheme": "bearer", "description": "word " * 99}}, {"key": []}))
    entry = next(each for each in long.server.config if each.name == "key")
    assert len(entry.description) < 220


@pytest.mark.parametrize(("status", "told"), [("401", 1), ("403", 1), ("404", 0)])
def test_an_api_that_refuses_callers_and_names_no_credentials_is_noted(reader, status, told):
    answers = {"200": {"description": "ok"}, status: {"description": "no"}}
    result = reader(description({"/x": {"get": {"responses": answers}}}))
    found = [each for each in result.diagnostics if each.rule.name == "no-security"]
    assert [each.level for each in found] == ["note"] * told


@pytest.mark.parametrize(
    ("scheme", "data", "credentials"),
    [
        (
            {"type": "apiKey", "in": "header", "name": "X-API-Key"},
            {"type": "apiKey", "in": "header", "name": "X-API-Key", "credentials": {"value": "my_key"}},
            {"my_key": ("PROBE_MY_KEY", True)},
        ),
        (
            {"type": "http", "scheme": "Basic"},
            {
                "type": "http",
                "scheme": "basic",
                "credentials": {"username": "my_key_username", "password": "my_key_password"},
            },
            {"my_key_username": ("PROBE_MY_KEY_USERNAME", False), "my_key_password": ("PROBE_MY_KEY_PASSWORD", True)},
        ),
        (
            {"type": "http", "scheme": "bearer"},
            {"type": "http", "scheme": "bearer", "credentials": {"value": "my_key"}},
            {"my_key": ("PROBE_MY_KEY", True)},
        ),
        (
            {"type": "mutualTLS"},
            {"type": "mutualTLS", "credentials": {"cert": "my_key_cert", "key": "my_key_key"}},
            {"my_key_cert": ("PROBE_MY_KEY_CERT", False), "my_key_key": ("PROBE_MY_KEY_KEY", False)},
        ),
        (
            {"type": "openIdConnect", "openIdConnectUrl": "https://auth.example.com/.well-known/openid-configuration"},
            {
                "type": "openIdConnect",
                "url": "https://auth.example.com/.well-known/openid-configuration",
                "credentials": {
                    "value": "my_key",
                    "client_id": "my_key_client_id",
                    "client_secret": "my_key_client_secret",
                },
            },
            {
                "my_key": ("PROBE_MY_KEY", True),
                "my_key_client_id": ("PROBE_MY_KEY_CLIENT_ID", False),
                "my_key_client_secret": ("PROBE_MY_KEY_CLIENT_SECRET", True),
            },
        ),
    ],
)  # fmt: skip
def test_each_kind_of_scheme_has_its_values(reader, scheme, data, credentials):
    result = reader(secured({"my-key": scheme}, {"my-key": []}), name="probe")
    assert result.server.http["schemes"] == {"my-key": data}
    found = {name: each for name, each in entries(result).items() if name not in ("base_url", "files")}
    assert found == credentials


def test_oauth_keeps_its_flows_with_absolute_addresses(reader):
    result = reader(secured({"o": {"type": "oauth2", "flows": FLOWS}}, {"o": ["read"]}), name="probe")
    scheme = result.server.http["schemes"]["o"]
    assert scheme["flows"]["clientCredentials"] == {"token_url": "https://auth.example.com/token", "scopes": ["read"]}
    assert scheme["flows"]["authorizationCode"]["token_url"] == "https://api.example.com/token"
    assert scheme["flows"]["authorizationCode"]["refresh_url"] == "https://api.example.com/refresh"
    assert sorted(scheme["credentials"]) == ["client_id", "client_secret", "refresh_token", "value"]


def test_an_address_that_secrets_must_not_go_to_is_not_used(reader):
    flows = {"clientCredentials": {"tokenUrl": "file:///etc/passwd", "scopes": {}}}
    result = reader(secured({"o": {"type": "oauth2", "flows": flows}}, {"o": []}))
    assert result.server.http["schemes"]["o"]["flows"] == {"clientCredentials": {"scopes": []}}
    assert "refused-address" in rules(result, "warning")


def test_alternatives_and_what_is_needed_together_are_in_the_request(reader):
    schemes = {
        "a": {"type": "http", "scheme": "bearer"},
        "b": {"type": "apiKey", "in": "query", "name": "k"},
    }
    result = reader(secured(schemes, {"a": ["x"], "b": []}, {"b": []}, {}))
    assert request(result.server.tools[0])["security"] == [{"a": ["x"], "b": []}, {"b": []}, {}]


def test_only_schemes_that_are_needed_are_asked_for(reader):
    key = {"type": "http", "scheme": "bearer"}
    result = reader(secured({"used": key, "idle": key}, {"used": []}))
    assert list(result.server.http["schemes"]) == ["used"]


def test_schemes_that_no_operation_needs_are_told(reader):
    result = reader(secured({"idle": {"type": "http", "scheme": "bearer"}}))
    assert messages(result, "unused-security") == [
        "no operation needs a credential, although `idle` is declared; none is sent"
    ]


def test_scheme_names_that_become_equal_get_a_number_and_a_warning(reader):
    key = {"type": "http", "scheme": "bearer"}
    result = reader(secured({"my-key": key, "my key": key}, {"my-key": []}, {"my key": []}), name="probe")
    assert entries(result)["my_key"] == ("PROBE_MY_KEY", True)
    assert entries(result)["my_key_2"] == ("PROBE_MY_KEY_2", True)
    assert messages(result, "renamed-credential") == [
        "the security scheme `my key` takes its value from PROBE_MY_KEY_2"
    ]


def test_a_scheme_called_base_url_does_not_take_the_base_urls_name(reader):
    result = reader(secured({"base-url": {"type": "http", "scheme": "bearer"}}, {"base-url": []}), name="probe")
    assert result.server.http["schemes"]["base-url"]["credentials"] == {"value": "base_url_2"}


@pytest.mark.parametrize("name", ["A B", "", "é", "\N{FIRE}", "x" * 100, "9", "a\nb", "$", "获取"])
def test_every_environment_name_is_one(name):
    assert ENVIRONMENT_NAME.fullmatch(environment_name("server", name, "client_id"))
    assert ENVIRONMENT_NAME.fullmatch(environment_name("9x", name))


def test_an_operation_that_only_a_refused_scheme_opens_is_left_out(reader, attacks):
    from generator.frontends.openapi.read import read
    from generator.frontends.openapi.settings import OpenApiRequest

    for name in ("security-space", "security-empty"):
        result = read(OpenApiRequest(source=str(attacks / f"{name}.json")))
        assert tools(result) == {}
        assert result.left_out == ("GET /items/{item_id}",)
        assert "unsendable-name" in rules(result, "error")
    for name in ("security-hop", "security-host"):
        result = read(OpenApiRequest(source=str(attacks / f"{name}.json")))
        assert list(tools(result)) == ["get_item"]
        assert result.server.http["schemes"] == {}
        assert "unusable-security" in rules(result, "warning")


def test_a_password_in_an_address_is_not_repeated(reader):
    flows = {"clientCredentials": {"tokenUrl": "https://user:pass@auth.example.com/token", "scopes": {}}}
    result = reader(secured({"o": {"type": "oauth2", "flows": flows}}, {"o": []}))
    (said,) = messages(result, "refused-address")
    assert "user:pass" not in said
    assert "https://…@auth.example.com/token" in said


def exposed(reader, *parameters, rules=None, **members):
    document = description({"/p": {"get": operation(parameters=list(parameters))}}, **members)
    return messages(reader(document, rules=rules or {}), "exposed-credential")


@pytest.mark.parametrize("name", ["api_key", "apikey", "access_token", "xi-api-key", "x-amz-security-token"])
@pytest.mark.parametrize("location", ["query", "header"])
def test_a_parameter_that_looks_like_a_credential_is_told(reader, name, location):
    said = f"the {location} parameter `{name}` of `GET /p` looks like a credential that the model would have to know"
    assert exposed(reader, parameter(name, location)) == [said]


def test_a_key_and_a_token_together_are_credentials_and_a_token_alone_is_none(reader):
    assert len(exposed(reader, parameter("key"), parameter("token"))) == 2
    for name in ("token", "key", "page_token", "next_token", "Idempotency-Key", "max_tokens"):
        assert exposed(reader, parameter(name)) == []


def test_the_value_of_a_credential_in_the_settings_is_published(reader):
    rules = {"GET /p": OperationRule(defaults={"api_key": "12345"})}
    (said,) = exposed(reader, parameter("api_key"), rules=rules)
    assert said.endswith("its value in `defaults` is published with the server")
    assert "12345" not in said
