"""Parameters of OpenAPI 3.x."""

import pytest


def one(upgrade_operation, value, **more):
    return upgrade_operation({"parameters": [value]}, **more)


@pytest.mark.parametrize(
    ("location", "style", "explode"),
    [("path", "simple", False), ("query", "form", True), ("header", "simple", False), ("cookie", "form", True)],
)
def test_style_and_explode_have_the_defaults_of_the_location(upgrade_operation, location, style, explode):
    (found,) = one(upgrade_operation, {"name": "a", "in": location}, path="/{a}").only.parameters[:1]
    assert (found.location, found.style, found.explode) == (location, style, explode)
    assert found.required is (location == "path")


@pytest.mark.parametrize(
    ("location", "style", "explode"),
    [
        ("path", "label", False),
        ("path", "matrix", False),
        ("query", "spaceDelimited", False),
        ("query", "deepObject", False),
        ("cookie", "cookie", True),
    ],
)
def test_explode_depends_on_the_style(upgrade_operation, location, style, explode):
    written = {"name": "a", "in": location, "style": style}
    assert one(upgrade_operation, written, path="/{a}").only.parameters[0].explode is explode
    written["explode"] = not explode
    assert one(upgrade_operation, written, path="/{a}").only.parameters[0].explode is not explode


@pytest.mark.parametrize("style", ["deepObject", "nonsense", 1, [], {}])
def test_a_style_the_location_does_not_allow_is_passed_over(upgrade_operation, style):
    read = one(upgrade_operation, {"name": "a", "in": "header", "style": style})
    assert read.only.parameters[0].style == "simple"
    assert read.rules == ["ignored-member"]


def test_flags_texts_examples_and_extensions_are_kept(upgrade_operation):
    written = {
        "name": "a",
        "in": "query",
        "required": True,
        "deprecated": True,
        "allowReserved": True,
        "allowEmptyValue": True,
        "description": "d",
        "example": 1,
        "examples": {"x": {"value": 2}, "y": {"dataValue": 3}, "z": {"$ref": "#/nowhere"}, "w": {"externalValue": "u"}},
        "x-note": 1,
        "schema": {"type": "integer"},
    }
    (found,) = one(upgrade_operation, written).only.parameters
    assert (found.required, found.deprecated, found.allow_reserved, found.allow_empty_value) == (True,) * 4
    assert (found.description, found.examples, found.extensions) == ("d", (1, 2, 3), {"x-note": 1})
    assert found.schema.place.text == "api.json#/paths/~1x/get/parameters/0/schema"


def test_a_content_parameter_has_a_media_type_and_its_schema(upgrade_operation):
    written = {"name": "a", "in": "query", "content": {"application/json": {"schema": {"type": "object"}}}}
    (found,) = one(upgrade_operation, written).only.parameters
    assert (found.content_type, found.schema.value) == ("application/json", {"type": "object"})


def test_the_whole_query_may_be_a_parameter_and_needs_no_name(upgrade_operation):
    written = {"in": "querystring", "content": {"application/x-www-form-urlencoded": {"schema": {"type": "object"}}}}
    (found,) = one(upgrade_operation, written, version="3.2.0").only.parameters
    assert (found.name, found.location, found.content_type) == (
        "querystring",
        "querystring",
        "application/x-www-form-urlencoded",
    )


def test_a_type_beside_the_schema_is_read_with_a_warning(upgrade_operation):
    read = one(upgrade_operation, {"name": "a", "in": "query", "type": "integer", "format": "int32"}, version="3.0.0")
    assert read.only.parameters[0].schema.value == {"type": "integer", "format": "int32"}
    assert read.rules == ["ignored-member"]


def test_a_boolean_schema_is_a_schema(upgrade_operation):
    assert one(upgrade_operation, {"name": "a", "in": "query", "schema": True}).only.parameters[0].schema.value is True


def test_references_are_followed(upgrade_operation):
    parameters = {"A": {"$ref": "#/components/parameters/B"}, "B": {"name": "b", "in": "query"}}
    read = one(upgrade_operation, {"$ref": "#/components/parameters/A"}, components={"parameters": parameters})
    assert read.only.parameters[0].place.text == "api.json#/components/parameters/B"


@pytest.mark.parametrize(
    "name", ["Accept", "content-type", "Authorization", "Host", "Cookie", "Transfer-Encoding", "TE"]
)
def test_a_header_that_belongs_to_the_client_is_left_out(upgrade_operation, name):
    read = one(upgrade_operation, {"name": name, "in": "header", "schema": {}})
    assert read.only.parameters == ()
    assert read.rules == ["reserved-header"]
    assert read.errors == []


@pytest.mark.parametrize("location", ["header", "cookie"])
@pytest.mark.parametrize("name", ["", "A B", "a:b", "a\r\nb", "é", "a;b", "a=b"])
def test_a_header_or_cookie_name_that_is_no_token_costs_the_operation(upgrade_operation, location, name):
    read = one(upgrade_operation, {"name": name, "in": location})
    assert read.api.operations == ()
    assert read.rules == ["unsendable-name"]
    assert read.errors[0].pointer == "api.json#/paths/~1x/get/parameters/0/name"
    assert read.errors[0].unit == "GET /x"


@pytest.mark.parametrize("name", ["ids[]", "$top", "filter[a]", "é", "a b", "1", "a\nb"])
def test_query_names_may_be_anything_that_can_be_encoded(upgrade_operation, name):
    assert one(upgrade_operation, {"name": name, "in": "query"}).only.parameters[0].name == name


@pytest.mark.parametrize(("name", "read_as"), [(1, "1"), (True, "true"), (1.5, "1.5")])
def test_a_name_that_yaml_reads_as_another_type_is_text(upgrade_operation, name, read_as):
    assert one(upgrade_operation, {"name": name, "in": "query"}).only.parameters[0].name == read_as


@pytest.mark.parametrize(
    ("written", "rule", "tail"),
    [
        ({"in": "query"}, "missing-member", ""),
        ({"name": "a"}, "missing-member", ""),
        ({"name": [], "in": "query"}, "wrong-type", "/name"),
        ({"name": "a", "in": 1}, "wrong-type", "/in"),
        ({"name": "a", "in": "formData"}, "wrong-type", "/in"),
        ({"name": "a", "in": "query", "schema": []}, "wrong-type", "/schema"),
        ({"name": "a", "in": "query", "content": []}, "wrong-type", "/content"),
        ([], "wrong-type", ""),
        (None, "wrong-type", ""),
        ({"$ref": 1}, "wrong-type", "/$ref"),
        ({"$ref": "#/nowhere"}, "wrong-type", ""),
    ],
)
def test_a_parameter_that_cannot_be_read_costs_its_operation_only(upgrade, written, rule, tail):
    paths = {"/x": {"get": {"parameters": [written]}, "put": {}}}
    read = upgrade({"openapi": "3.1.0", "paths": paths})
    assert [each.key for each in read.api.operations] == ["PUT /x"]
    assert read.api.unreadable == ("GET /x",)
    assert read.rules == [rule]
    assert read.errors[0].pointer == "api.json#/paths/~1x/get/parameters/0" + tail


@pytest.mark.parametrize("wrong", [{"a": 1}, "x", 1, True])
def test_parameters_of_another_type_cost_the_operation(upgrade_operation, wrong):
    read = upgrade_operation({"parameters": wrong})
    assert read.rules == ["wrong-type"]
    assert read.errors[0].message.startswith("`parameters` must be an array, found")
