"""Request bodies and media types of OpenAPI 3.x."""

import pytest


def test_media_types_keep_order_schema_and_examples(upgrade_operation):
    content = {
        "application/json": {"schema": {"type": "object"}, "examples": {"a": {"value": 1}}},
        "text/csv; charset=utf-8": {},
        "application/xml": None,
    }
    body = upgrade_operation({"requestBody": {"required": True, "description": "d", "content": content}}).only.body
    assert (body.required, body.description, body.name) == (True, "d", None)
    assert [each.type for each in body.content] == ["application/json", "text/csv; charset=utf-8", "application/xml"]
    assert body.content[0].schema.value == {"type": "object"}
    assert body.content[0].examples == (1,)
    assert body.content[1].schema is None


def test_bodies_and_media_types_may_be_references(upgrade_operation):
    components = {
        "requestBodies": {"B": {"content": {"application/json": {"$ref": "#/components/mediaTypes/M"}}}},
        "mediaTypes": {"M": {"schema": True, "itemSchema": {"type": "string"}}},
    }
    operation = {"requestBody": {"$ref": "#/components/requestBodies/B"}}
    body = upgrade_operation(operation, version="3.2.0", components=components).only.body
    assert body.content[0].schema.value is True
    assert body.content[0].item_schema.value == {"type": "string"}
    assert body.place.text == "api.json#/components/requestBodies/B"


def test_encoding_objects_are_kept(upgrade_operation):
    encoding = {
        "a": {"contentType": "image/png", "headers": {"X-A": {"schema": {"type": "string"}, "required": True}}},
        "b": {"style": "deepObject", "explode": True, "allowReserved": True},
        "c": 1,
    }
    content = {"multipart/form-data": {"schema": {}, "encoding": encoding}}
    found = upgrade_operation({"requestBody": {"content": content}}).only.body.content[0].encoding
    assert sorted(found) == ["a", "b"]
    assert (found["a"].content_type, found["a"].style, found["a"].explode) == ("image/png", None, None)
    assert [(each.name, each.required, each.style) for each in found["a"].headers] == [("X-A", True, "simple")]
    assert (found["b"].style, found["b"].explode, found["b"].allow_reserved) == ("deepObject", True, True)


def test_encodings_by_position_are_kept_by_position(upgrade_operation):
    media = {"prefixEncoding": [{"contentType": "a/b"}], "itemEncoding": {"contentType": "c/d"}}
    operation = {"requestBody": {"content": {"multipart/mixed": media}}}
    found = upgrade_operation(operation, version="3.2.0").only.body.content[0].encoding
    assert {key: each.content_type for key, each in found.items()} == {"0": "a/b", "*": "c/d"}


@pytest.mark.parametrize("key", ["json", "", "a/b\r\nX: y", "a/b\n", "x"])
def test_a_key_that_is_no_media_type_is_left_out(upgrade_operation, key):
    read = upgrade_operation({"requestBody": {"content": {key: {}, "text/plain": {}}}})
    expected = ["a/b", "text/plain"] if key == "a/b\n" else ["text/plain"]
    assert [each.type for each in read.only.body.content] == expected


def test_no_body_and_an_empty_body_are_told_apart(upgrade_operation):
    assert upgrade_operation({"requestBody": None}).only.body is None
    assert upgrade_operation({"requestBody": {}}).only.body.content == ()


@pytest.mark.parametrize(
    ("wrong", "tail"),
    [
        ([], ""),
        ({"content": []}, "/content"),
        ({"content": {"a/b": 1}}, "/content/a~1b"),
        ({"content": {"a/b": {"schema": "x"}}}, "/content/a~1b/schema"),
    ],
)
def test_a_body_of_another_type_costs_the_operation(upgrade_operation, wrong, tail):
    read = upgrade_operation({"requestBody": wrong})
    assert read.api.operations == ()
    assert read.errors[0].pointer == "api.json#/paths/~1x/get/requestBody" + tail
