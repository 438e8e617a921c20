"""Members that only go one way, and references that lead nowhere."""

import pytest

from generator.frontends.openapi.schemas import SchemaProblem

USER = {
    "type": "object",
    "required": ["id", "name"],
    "properties": {
        "id": {"type": "integer", "readOnly": True},
        "name": {"type": "string"},
        "password": {"type": "string", "writeOnly": True},
    },
}


def ref(name):
    return {"$ref": f"#/components/schemas/{name}"}


def test_arguments_have_no_read_only_members_and_do_not_require_them(written):
    schema = written(ref("User"), {"User": USER}).arguments["$defs"]["User"]
    assert schema["properties"] == {"name": {"type": "string"}, "password": {"type": "string"}}
    assert schema["required"] == ["name"]


def test_answers_have_no_write_only_members(written):
    assert written(ref("User"), {"User": USER}).answer["properties"].keys() == {"id", "name"}


@pytest.mark.parametrize(
    "member",
    [
        ref("Stamp"),
        {"allOf": [ref("Stamp")]},
        {"allOf": [ref("Text")], "readOnly": True},
        {**ref("Text"), "readOnly": True},
    ],
    ids=str,
)
def test_a_member_is_read_only_when_what_it_refers_to_or_stands_beside_says_so(written, member):
    schema = written(
        {"type": "object", "properties": {"at": member, "n": {"type": "string"}}},
        {"Stamp": {"type": "string", "readOnly": True}, "Text": {"type": "string"}},
    )
    assert schema.arguments["properties"] == {"n": {"type": "string"}}


def test_arguments_cannot_do_without_a_schema_they_refer_to(written):
    schema = written(
        {"type": "object", "properties": {"a": ref("A")}}, {"A": {"type": "object", "properties": {"b": ref("Gone")}}}
    )
    for convert in ("arguments", "shape"):
        with pytest.raises(SchemaProblem) as caught:
            getattr(schema, convert)
        [problem] = caught.value.diagnostics
        assert problem.rule.name == "unresolved-reference"
        assert problem.pointer == "api.json#/components/schemas/A/properties/b"


def test_a_tool_that_does_not_need_a_broken_schema_is_not_touched_by_it(written):
    schema = written(ref("Good"), {"Good": {"type": "string"}, "Bad": ref("Gone")})
    assert schema.arguments == {"$ref": "#/$defs/Good", "$defs": {"Good": {"type": "string"}}}
    bad = schema.schemas.assembly("input")
    with pytest.raises(SchemaProblem):
        bad.schema(schema.node_of("Bad"))


def test_an_answer_can_do_without_a_part_that_cannot_be_read(written):
    schema = written({"type": "object", "properties": {"a": ref("Gone"), "b": {"type": "string"}}})
    assert schema.answer == {"type": "object", "properties": {"a": {}, "b": {"type": ["string", "null"]}}}
    assert schema.rules == ["unreadable-answer-schema"]


def test_many_unreadable_parts_of_answers_are_one_diagnostic(written):
    schema = written({"type": "object", "properties": {f"p{i}": ref(f"Gone{i}") for i in range(100)}})
    assert schema.answer["properties"].keys() == {f"p{i}" for i in range(100)}
    assert schema.rules == ["unreadable-answer-schema"]
    assert schema.found[0].notes == ("99 more references in answers cannot be read",)


def test_an_answer_that_cannot_be_read_at_all_is_a_problem(written):
    with pytest.raises(SchemaProblem):
        written(ref("Gone")).answer  # noqa: B018 (reading it converts)


def test_a_refused_reference_is_a_problem_even_deep_in_an_answer(written):
    schema = written(
        {"type": "object", "properties": {"a": {"type": "array", "items": {"$ref": "http://evil.example/x"}}}}
    )
    with pytest.raises(SchemaProblem) as caught:
        schema.answer  # noqa: B018 (reading it converts)
    assert caught.value.diagnostics[0].rule.name == "refused-reference"
