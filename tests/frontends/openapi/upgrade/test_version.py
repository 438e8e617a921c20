"""Which documents are read, and as what."""

import pytest

PLAIN = {"info": {"title": "t"}, "paths": {"/x": {"get": {"responses": {}}}}}


@pytest.mark.parametrize(
    ("head", "dialect"),
    [
        ({"swagger": "2.0"}, "2.0"),
        ({"swagger": 2}, "2.0"),
        ({"swagger": 2.0}, "2.0"),
        ({"openapi": "3.0.4"}, "3.0"),
        ({"openapi": "3.0.0-RC1"}, "3.0"),
        ({"openapi": 3.1}, "3.1"),
        ({"openapi": "3.1.1"}, "3.1"),
        ({"openapi": "3.2.0"}, "3.1"),
        ({"openapi": "3.7.0"}, "3.1"),
    ],
)
def test_every_known_version_is_read(upgrade, head, dialect):
    body = {"get": {"parameters": [{"name": "q", "in": "query", "schema": {"type": "string"}}]}}
    read = upgrade({**head, **PLAIN, "paths": {"/x": body}})
    assert read.only.parameters[0].schema.dialect == dialect
    assert read.errors == []


@pytest.mark.parametrize("head", [{"swagger": 2.0}, {"openapi": 3.1}])
def test_a_version_written_as_a_number_is_warned_about(upgrade, head):
    assert upgrade({**head, **PLAIN}).rules == ["version-not-text"]


def test_a_later_minor_version_is_read_as_the_newest_with_a_warning(upgrade):
    read = upgrade({"openapi": "3.9.1", **PLAIN, "paths": {"/x": {"query": {"responses": {}}}}})
    assert read.rules == ["unknown-version"]
    assert read.only.key == "QUERY /x"
    assert read.api.version == "3.9.1"


@pytest.mark.parametrize("version", ["1.2", "4.0.0", "version", "", "31.0", "2.1", "30.1.0"])
def test_other_versions_are_refused(upgrade, version):
    read = upgrade({"openapi": version, **PLAIN})
    assert read.api is None
    assert read.rules == ["unsupported-version"]
    assert read.diagnostics[0].span is not None


@pytest.mark.parametrize(
    ("document", "says"),
    [
        ({"hello": []}, "neither"),
        ({"asyncapi": "3.0.0"}, "AsyncAPI"),
        ({"overlay": "1.0.0"}, "--overlay"),
        ({"swaggerVersion": "1.2"}, "Swagger 1"),
        ([], "an array"),
        (None, "null"),
        ("openapi: 3.0.0", "text"),
    ],
)
def test_what_is_no_api_description_is_named(upgrade, document, says):
    read = upgrade(document)
    assert read.api is None
    assert read.rules == ["not-an-api-description"]
    assert says in read.diagnostics[0].message
    assert read.diagnostics[0].advice


@pytest.mark.parametrize("value", [{}, [], True, pytest.param(10**5000, id="huge")])
def test_a_version_of_another_type_is_refused(upgrade, value):
    read = upgrade({"openapi": value, **PLAIN})
    assert read.api is None
    assert len(read.errors) == 1


def test_every_wrong_part_of_a_document_has_a_diagnostic_of_its_own_in_a_fixed_order(upgrade):
    read = upgrade({"openapi": 3.0, "info": [], "servers": {}, "paths": [1], "components": "x"})
    assert [each.pointer for each in read.diagnostics] == [
        "api.json#/openapi",
        "api.json#/info",
        "api.json#/servers",
        "api.json#/components",
        "api.json#/paths",
    ]
    assert read.api.operations == ()
