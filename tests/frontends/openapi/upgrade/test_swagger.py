"""Operations of Swagger 2.0 in OpenAPI 3's terms."""

import pytest


def swagger(upgrade_operation, operation, **document):
    return upgrade_operation(operation, version="2.0", **document)


@pytest.mark.parametrize(
    ("location", "format_", "style", "explode"),
    [
        ("query", None, "form", False),
        ("query", "csv", "form", False),
        ("query", "multi", "form", True),
        ("query", "ssv", "spaceDelimited", False),
        ("query", "tsv", "tabDelimited", False),
        ("query", "pipes", "pipeDelimited", False),
        ("path", None, "simple", False),
        ("path", "pipes", "pipeDelimited", False),
        ("header", "csv", "simple", False),
    ],
)
def test_a_collection_format_is_a_style(upgrade_operation, location, format_, style, explode):
    written = {"name": "a", "in": location, "type": "array", "items": {"type": "string", "collectionFormat": "pipes"}}
    if format_:
        written["collectionFormat"] = format_
    read = swagger(upgrade_operation, {"parameters": [written]}, path="/{a}" if location == "path" else "/x")
    (found,) = read.only.parameters
    assert (found.style, found.explode) == (style, explode)
    assert found.schema.value == {"type": "array", "items": written["items"]}
    assert found.schema.dialect == "2.0"
    assert read.diagnostics == []


@pytest.mark.parametrize(("location", "format_"), [("header", "multi"), ("query", "odd"), ("query", {})])
def test_an_unknown_collection_format_is_csv(upgrade_operation, location, format_):
    written = {"name": "a", "in": location, "type": "array", "collectionFormat": format_}
    read = swagger(upgrade_operation, {"parameters": [written]})
    assert read.only.parameters[0].explode is False
    assert read.rules == ["ignored-member"]


def test_the_keywords_of_a_parameter_are_its_schema(upgrade_operation):
    keywords = {
        "type": "integer",
        "format": "int64",
        "default": 1,
        "maximum": 5,
        "exclusiveMaximum": True,
        "enum": [1, 2],
        "x-nullable": True,
    }
    written = {"name": "a", "in": "query", "description": "d", "x-example": 2, "allowEmptyValue": True, **keywords}
    (found,) = swagger(upgrade_operation, {"parameters": [written]}).only.parameters
    assert found.schema.value == keywords
    assert (found.description, found.examples, found.allow_empty_value) == ("d", (2,), True)
    assert found.schema.place == found.place


def test_a_body_takes_what_the_operation_or_else_the_document_consumes(upgrade_operation):
    body = {"parameters": [{"name": "pet", "in": "body", "required": True, "schema": {"$ref": "#/definitions/P"}}]}
    found = swagger(upgrade_operation, body).only.body
    assert (found.name, found.required, [each.type for each in found.content]) == ("pet", True, ["application/json"])
    assert found.content[0].schema.value == {"$ref": "#/definitions/P"}
    found = swagger(upgrade_operation, body, consumes=["application/xml"]).only.body
    assert [each.type for each in found.content] == ["application/xml"]
    own = {**body, "consumes": ["text/plain", "application/json"]}
    found = swagger(upgrade_operation, own, consumes=["application/xml"]).only.body
    assert [each.type for each in found.content] == ["text/plain", "application/json"]


def test_form_data_is_a_form_with_an_object(upgrade_operation):
    fields = [
        {"name": "a", "in": "formData", "type": "string", "description": "d", "required": True},
        {"name": "b", "in": "formData", "type": "array", "items": {"type": "string"}, "collectionFormat": "multi"},
    ]
    read = swagger(upgrade_operation, {"parameters": fields}, consumes=["application/json"])
    body = read.only.body
    assert body.required
    (media,) = body.content
    assert media.type == "application/x-www-form-urlencoded"
    assert media.schema.value == {
        "type": "object",
        "properties": {
            "a": {"type": "string", "description": "d"},
            "b": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["a"],
    }
    assert {key: (each.style, each.explode) for key, each in media.encoding.items()} == {"b": ("form", True)}
    assert read.only.parameters == ()


@pytest.mark.parametrize(
    ("consumes", "kind", "types"),
    [
        ([], "file", ["multipart/form-data"]),
        (["application/x-www-form-urlencoded"], "file", ["multipart/form-data"]),
        (["multipart/form-data"], "string", ["multipart/form-data"]),
        (
            ["application/x-www-form-urlencoded", "multipart/form-data"],
            "string",
            ["application/x-www-form-urlencoded", "multipart/form-data"],
        ),
        (["application/x-www-form-urlencoded", "multipart/form-data"], "file", ["multipart/form-data"]),
    ],
)
def test_a_file_travels_in_a_multipart_body(upgrade_operation, consumes, kind, types):
    operation = {"consumes": consumes, "parameters": [{"name": "f", "in": "formData", "type": kind}]}
    body = swagger(upgrade_operation, operation).only.body
    assert [each.type for each in body.content] == types
    assert body.content[0].schema.value["properties"] == {"f": {"type": kind}}


def test_a_body_wins_over_form_data(upgrade_operation):
    both = [{"name": "f", "in": "formData", "type": "string"}, {"name": "b", "in": "body", "schema": {}}]
    read = swagger(upgrade_operation, {"parameters": both})
    assert read.only.body.name == "b"
    assert read.rules == ["ignored-member"]


def test_parameters_and_responses_are_followed_through_references(upgrade_operation):
    operation = {"parameters": [{"$ref": "#/parameters/P"}], "responses": {"200": {"$ref": "#/responses/R"}}}
    read = swagger(
        upgrade_operation,
        operation,
        parameters={"P": {"name": "p", "in": "query", "type": "string"}},
        responses={"R": {"description": "d", "schema": {"type": "string"}, "headers": {"X": {"type": "integer"}}}},
    )
    (response,) = read.only.responses
    assert read.only.parameters[0].name == "p"
    assert response.content[0].type == "application/json"


@pytest.mark.parametrize(
    ("response", "produces", "types"),
    [
        ({}, ["text/csv"], []),
        ({"schema": {}}, [], ["application/json"]),
        ({"schema": {}}, ["text/csv", "application/json"], ["text/csv", "application/json"]),
        ({"schema": {"type": "file"}}, [], ["application/octet-stream"]),
        ({"schema": {"type": "file"}}, ["image/png"], ["image/png"]),
        ({"schema": {}, "examples": {"text/plain": "x"}}, [], ["text/plain"]),
    ],
)
def test_an_answer_has_the_types_the_operation_produces(upgrade_operation, response, produces, types):
    read = swagger(upgrade_operation, {"responses": {"200": response}}, produces=produces)
    assert [each.type for each in read.only.responses[0].content] == types


def test_examples_of_an_answer_are_kept(upgrade_operation):
    response = {"schema": {}, "examples": {"application/json": {"a": 1}}}
    found = swagger(upgrade_operation, {"responses": {"200": response}}).only.responses[0].content[0]
    assert found.examples == ({"a": 1},)


@pytest.mark.parametrize("location", ["cookie", "querystring", "x"])
def test_a_location_swagger_does_not_have_costs_the_operation(upgrade_operation, location):
    read = swagger(upgrade_operation, {"parameters": [{"name": "a", "in": location, "type": "string"}]})
    assert read.rules == ["wrong-type"]
