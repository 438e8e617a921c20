"""Security schemes and the alternatives of operations."""

import pytest

KEY = {"type": "apiKey", "in": "header", "name": "X-Key"}
BASIC = {"type": "http", "scheme": "Basic"}


def document(schemes, security=None, operation=None, version="3.1.0"):
    paths = {"/x": {"get": operation or {}}}
    found = {"openapi": version, "paths": paths, "components": {"securitySchemes": schemes}}
    return found if security is None else {**found, "security": security}


def needed(operation):
    return [dict(each.schemes) for each in operation.security]


def test_alternatives_of_the_document_hold_unless_the_operation_has_its_own(upgrade):
    schemes = {"k": KEY, "b": {"$ref": "#/components/securitySchemes/c"}, "c": BASIC}
    everywhere = [{"k": [], "b": ["s"]}, {}]
    assert needed(upgrade(document(schemes, everywhere)).only) == [{"k": (), "b": ("s",)}, {}]
    assert needed(upgrade(document(schemes, everywhere, {"security": []})).only) == []
    assert needed(upgrade(document(schemes, everywhere, {"security": [{"c": []}]})).only) == [{"c": ()}]
    assert needed(upgrade(document(schemes)).only) == []


def test_every_kind_of_scheme_is_read(upgrade):
    flow = {"tokenUrl": "https://t", "authorizationUrl": "https://a", "refreshUrl": "https://r", "scopes": {"s": "S"}}
    device = {"deviceAuthorizationUrl": "https://d"}
    flows = {"authorizationCode": flow, "deviceAuthorization": device, "x-y": {}, "implicit": 1}
    schemes = {
        "key": KEY,
        "basic": BASIC,
        "bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"},
        "oauth": {"type": "oauth2", "oauth2MetadataUrl": "https://m", "flows": flows},
        "oidc": {"type": "openIdConnect", "openIdConnectUrl": "https://o"},
        "tls": {"type": "mutualTLS", "description": "d"},
    }
    found = upgrade(document(schemes, version="3.2.0")).api.schemes
    assert (found["key"].parameter, found["key"].location) == ("X-Key", "header")
    assert (found["basic"].http_scheme, found["bearer"].http_scheme) == ("basic", "bearer")
    code, device = found["oauth"].flows
    assert (code.kind, code.token_url, code.authorization_url, code.refresh_url, code.scopes) == (
        "authorizationCode",
        "https://t",
        "https://a",
        "https://r",
        {"s": "S"},
    )
    assert (device.kind, device.device_authorization_url) == ("deviceAuthorization", "https://d")
    assert (found["oidc"].openid_url, found["tls"].description) == ("https://o", "d")


@pytest.mark.parametrize("name", ["", "A B", "a:b", "x\r\ny", None, []])
def test_an_api_key_whose_name_is_no_token_costs_the_operations_that_need_it(upgrade, name):
    schemes = {"bad": {**KEY, "name": name}, "good": BASIC}
    read = upgrade(document(schemes, [{"bad": []}]))
    assert read.api.operations == ()
    assert read.api.unreadable == ("GET /x",)
    assert read.rules == ["unsendable-name"]
    assert read.errors[0].unit == "GET /x"
    assert read.errors[0].pointer == "api.json#/components/securitySchemes/bad/name"


def test_another_alternative_keeps_the_operation(upgrade):
    schemes = {"bad": {**KEY, "name": "A B"}, "good": BASIC}
    assert needed(upgrade(document(schemes, [{"bad": []}, {"good": []}])).only) == [{"good": ()}]
    assert needed(upgrade(document(schemes, [{"bad": []}], {"security": []})).only) == []


@pytest.mark.parametrize(
    "scheme",
    [
        {"type": "magic"},
        {"type": "http"},
        {**KEY, "in": "body"},
        {**KEY, "name": "Transfer-Encoding"},
        {**KEY, "name": "host"},
    ],
)
def test_a_scheme_that_cannot_be_used_only_takes_its_alternative_away(upgrade, scheme):
    read = upgrade(document({"odd": scheme, "good": BASIC}, [{"odd": []}, {"odd": [], "good": []}, {"good": []}]))
    assert needed(read.only) == [{"good": ()}]
    assert read.rules == ["unusable-security"]


@pytest.mark.parametrize("name", ["Authorization", "Cookie"])
def test_an_api_key_may_be_the_header_for_credentials(upgrade, name):
    assert upgrade(document({"k": {**KEY, "name": name}}, [{"k": []}])).diagnostics == []


def test_an_undeclared_scheme_is_warned_about_once(upgrade):
    paths = {f"/{number}": {"get": {"security": [{"missing": []}]}} for number in range(1000)}
    read = upgrade({"openapi": "3.0.0", "paths": paths})
    assert len(read.api.operations) == 1000
    assert read.rules == ["unusable-security"]
    assert "(1000 times)" in read.diagnostics[0].message


def test_a_requirement_may_name_a_scheme_by_its_address_since_3_2(upgrade):
    found = document({"k": KEY}, [{"#/components/securitySchemes/k": []}, {"#/x-schemes/b": []}], version="3.2.0")
    read = upgrade({**found, "x-schemes": {"b": BASIC}})
    assert needed(read.only) == [{"k": ()}, {"b": ()}]


@pytest.mark.parametrize("wrong", [{}, "x", [1], [["k"]]])
def test_security_of_another_type_costs_the_operation(upgrade, wrong):
    read = upgrade(document({"k": KEY}, operation={"security": wrong}))
    assert read.api.operations == ()
    assert read.rules == ["wrong-type"]


def test_swagger_definitions_become_schemes(upgrade):
    definitions = {
        "basic": {"type": "basic"},
        "key": {"type": "apiKey", "in": "query", "name": "key"},
        **{
            flow: {"type": "oauth2", "flow": flow, "tokenUrl": "https://t", "scopes": {"s": "S"}}
            for flow in ("accessCode", "application", "implicit", "password")
        },
        "odd": {"type": "oauth2", "flow": "magic"},
    }
    read = upgrade({"swagger": "2.0", "securityDefinitions": definitions})
    found = read.api.schemes
    assert (found["basic"].type, found["basic"].http_scheme) == ("http", "basic")
    assert (found["key"].location, found["key"].parameter) == ("query", "key")
    assert {name: each.flows[0].kind for name, each in found.items() if each.flows} == {
        "accessCode": "authorizationCode",
        "application": "clientCredentials",
        "implicit": "implicit",
        "password": "password",
    }
    assert read.rules == ["unusable-security"]
