"""Whatever stands in a document: reading it ends with a value and diagnostics, never with an exception."""

import copy

from hypothesis import given, settings
from hypothesis import strategies as st

from generator.diagnostics.model import Severity

VALID_3 = {
    "openapi": "3.2.0",
    "info": {"title": "t", "version": "1"},
    "servers": [{"url": "https://{a}.example", "variables": {"a": {"default": "x", "enum": ["x"]}}}],
    "security": [{"k": []}],
    "tags": [{"name": "a", "description": "d"}],
    "paths": {
        "/x/{id}": {
            "parameters": [{"$ref": "#/components/parameters/id"}],
            "servers": [{"url": "/y"}],
            "post": {
                "operationId": "o",
                "tags": ["a"],
                "parameters": [
                    {"name": "q", "in": "query", "schema": {"type": "array"}, "style": "form", "explode": False},
                    {"name": "c", "in": "query", "content": {"application/json": {"schema": {}}}},
                    {"name": "H", "in": "header", "examples": {"e": {"value": 1}}},
                ],
                "requestBody": {
                    "content": {
                        "multipart/form-data": {
                            "schema": {"type": "object"},
                            "encoding": {"f": {"contentType": "a/b", "headers": {"X": {"schema": {}}}}},
                            "prefixEncoding": [{"style": "form"}],
                        }
                    }
                },
                "responses": {
                    "200": {"content": {"a/b": {"schema": {}}}, "headers": {"X": {}}, "links": {"l": {}}},
                    "default": {"$ref": "#/components/responses/r"},
                },
                "security": [{"k": []}, {"o": ["s"]}],
                "callbacks": {"c": {}},
            },
            "additionalOperations": {"COPY": {}},
        },
        "/y": {"$ref": "#/components/pathItems/p"},
    },
    "components": {
        "parameters": {"id": {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}},
        "responses": {"r": {"description": "d"}},
        "pathItems": {"p": {"get": {}}},
        "securitySchemes": {
            "k": {"type": "apiKey", "in": "header", "name": "X"},
            "o": {"type": "oauth2", "flows": {"implicit": {"authorizationUrl": "u", "scopes": {"s": "d"}}}},
        },
    },
    "webhooks": {"w": {}},
}

VALID_2 = {
    "swagger": "2.0",
    "info": {"title": "t"},
    "host": "a.example",
    "basePath": "/v1",
    "schemes": ["https"],
    "consumes": ["application/json"],
    "produces": ["application/json"],
    "paths": {
        "/x/{id}": {
            "parameters": [{"$ref": "#/parameters/id"}],
            "put": {
                "schemes": ["http"],
                "consumes": ["multipart/form-data"],
                "parameters": [
                    {"name": "f", "in": "formData", "type": "file"},
                    {"name": "g", "in": "formData", "type": "array", "items": {}, "collectionFormat": "multi"},
                ],
                "responses": {"200": {"schema": {"type": "file"}, "examples": {"a/b": 1}, "headers": {"X": {}}}},
            },
            "post": {
                "parameters": [{"name": "b", "in": "body", "schema": {}}],
                "responses": {"200": {"$ref": "#/responses/r"}},
            },
        }
    },
    "parameters": {"id": {"name": "id", "in": "path", "type": "array", "collectionFormat": "pipes", "required": True}},
    "responses": {"r": {"description": "d"}},
    "securityDefinitions": {
        "b": {"type": "basic"},
        "o": {"type": "oauth2", "flow": "accessCode", "tokenUrl": "u", "scopes": {"s": "d"}},
    },
    "security": [{"b": []}],
}

POINTERS = st.sampled_from(
    ["#", "#/paths", "#/paths/~1y", "#/components/pathItems/p", "#/parameters/id", "#/nowhere", "x"]
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
KEYS = st.sampled_from(["$ref", "name", "in", "get", "schema", "content", "type", "//", "/a/..", "x-a"]) | st.text(
    max_size=4
)
VALUES = st.recursive(
    SCALARS | st.builds(lambda pointer: {"$ref": pointer}, POINTERS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)


def places(value, above=()):
    yield above
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in members:
        yield from places(inner, (*above, key))


def put(document, place, value):
    if not place:
        return value
    holder = document
    for key in place[:-1]:
        try:
            holder = holder[key]
        except (KeyError, IndexError, TypeError):
            return document
    if isinstance(holder, dict) or (isinstance(holder, list) and place[-1] in range(len(holder))):
        holder[place[-1]] = value
    return document


@settings(max_examples=400, deadline=None)
@given(data=st.data())
def test_reading_a_changed_document_never_raises(upgrade_class, data):
    document = copy.deepcopy(data.draw(st.sampled_from([VALID_3, VALID_2])))
    spots = list(places(document))
    for _ in range(data.draw(st.integers(1, 4))):
        document = put(document, data.draw(st.sampled_from(spots)), data.draw(VALUES))
    read = upgrade_class(document)
    assert read.api is not None or read.errors
    keys = [each.key for each in read.api.operations] if read.api else []
    assert len(keys) == len(set(keys))
    if read.api and read.api.unreadable:
        assert any(each.level is Severity.ERROR for each in read.diagnostics)
    for each in read.diagnostics:
        assert each.message.isprintable()
        assert each.pointer


def test_both_documents_are_read_whole_when_nothing_is_changed(upgrade_class):
    assert upgrade_class(VALID_3).diagnostics == []
    assert [each.key for each in upgrade_class(VALID_3).api.operations] == ["POST /x/{id}", "COPY /x/{id}", "GET /y"]
    assert upgrade_class(VALID_2).diagnostics == []
    assert len(upgrade_class(VALID_2).api.operations) == 2
