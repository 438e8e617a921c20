"""`allOf` of plain objects is one object; what cannot be joined without loss is kept."""

A = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
B = {"type": "object", "properties": {"b": {"type": "integer"}}}


def test_objects_become_one_object(written):
    schema = written({"allOf": [{"$ref": "#/components/schemas/A"}, B], "description": "Both."}, {"A": A})
    assert schema.arguments == {
        "type": "object",
        "description": "Both.",
        "properties": {"a": {"type": "string"}, "b": {"type": "integer"}},
        "required": ["a"],
    }


def test_a_single_reference_stays_one_with_its_texts(written):
    schema = written(
        {"type": "object", "properties": {"x": {"allOf": [{"$ref": "#/components/schemas/A"}], "title": "It"}}},
        {"A": A},
    )
    assert schema.arguments["properties"]["x"] == {"$ref": "#/$defs/A", "title": "It"}


def test_members_that_both_describe_must_satisfy_both(written):
    schema = written(
        {
            "allOf": [
                {"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}, "m": {"type": "string"}}},
                {"type": "object", "properties": {"n": {"type": "integer", "minimum": 5}, "m": {"maxLength": 2}}},
            ]
        }
    )
    assert schema.arguments["properties"]["m"] == {"type": "string", "maxLength": 2}
    assert schema.accepts({"n": 5, "m": "ab"})
    assert not schema.accepts({"n": 3})
    assert not schema.accepts({"m": "abc"})


def test_closed_pieces_make_a_closed_object_rather_than_an_impossible_one(written):
    schema = written({"allOf": [{**A, "additionalProperties": False}, {**B, "additionalProperties": False}]})
    assert schema.accepts({"a": "x", "b": 1})
    assert not schema.accepts({"a": "x", "c": 1})


def test_unevaluated_properties_beside_all_of_closes_the_whole(written):
    schema = written({"allOf": [A, B], "unevaluatedProperties": False}, version="3.1")
    assert schema.arguments["additionalProperties"] is False
    assert "unevaluatedProperties" not in schema.arguments


def test_what_is_no_plain_object_is_kept(written):
    schema = written({"allOf": [A, {"oneOf": [B, {"type": "object", "required": ["c"]}]}]})
    assert len(schema.arguments["allOf"]) == 2
    assert not schema.accepts({"b": 1})
    assert schema.accepts({"a": "x", "b": 1})


def test_a_text_with_further_limits_is_joined_in_place(written):
    schema = written({"allOf": [{"type": "string"}, {"maxLength": 2}]})
    assert schema.accepts("ab")
    assert not schema.accepts("abc")
    assert not schema.accepts(1)


def test_a_requirement_in_one_piece_for_a_read_only_member_of_another_is_dropped(written):
    base = {"type": "object", "properties": {"id": {"type": "integer", "readOnly": True}}}
    schema = written({"allOf": [{"$ref": "#/components/schemas/Base"}, {**B, "required": ["id", "b"]}]}, {"Base": base})
    assert schema.arguments["properties"] == {"b": {"type": "integer"}}
    assert schema.arguments["required"] == ["b"]
