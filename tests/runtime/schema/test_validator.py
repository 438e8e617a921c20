"""The two passes of the validator: what is accepted, and what is said about the rest."""

from __future__ import annotations

import threading
from decimal import Decimal
from typing import Any

import pytest

from generator.runtime.schema.kinds import SchemaError
from generator.runtime.schema.validator import compile_validator

DEEP = 100_000


def found(schema: Any, value: Any, limit: int = 10, **switches: Any) -> list[tuple[tuple[str | int, ...], str]]:
    validator = compile_validator(schema, **switches)
    problems = validator.problems(value, limit)
    assert validator.accepts(value) is (not problems)
    return [(problem.path, problem.keyword) for problem in problems]


CLOSED = {
    "type": "object",
    "properties": {"a": {"type": "integer"}, "b": {"type": "string", "maxLength": 3}},
    "required": ["a"],
    "additionalProperties": False,
}


def test_all_problems_of_an_object_are_reported_with_their_paths() -> None:
    assert found(CLOSED, {"b": "long", "c": 1}) == [
        (("b",), "maxLength"),
        (("a",), "required"),
        (("c",), "additionalProperties"),
    ]


def test_a_limit_stops_the_collecting() -> None:
    schema = {"type": "array", "items": {"type": "integer"}}
    assert len(found(schema, ["x"] * 50, limit=7)) == 7


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf"), Decimal("NaN"), Decimal("Infinity")])
@pytest.mark.parametrize("name", ["integer", "number"])
def test_what_is_not_finite_is_no_number(name: str, value: Any) -> None:
    assert found({"type": name}, value) == [((), "type")]


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"type": "integer"}, Decimal(5), Decimal("5.5")),
        ({"type": "integer"}, 1e300, 1e-300),
        ({"type": "number", "multipleOf": 0.0001}, 0.0075, 0.00075),
        ({"type": "number", "multipleOf": 0.01}, Decimal("4.02"), Decimal("4.025")),
        ({"type": "integer", "multipleOf": 3}, 3**400, 3**400 + 1),
        ({"type": "number", "multipleOf": 0.5}, 1e308, 0.25),
        ({"type": "number", "multipleOf": 2}, Decimal("1e100000"), Decimal("1e-100000")),
        ({"type": "integer", "exclusiveMinimum": 3}, 4, 3),
        ({"type": "integer", "exclusiveMinimum": 3.5}, 4, 3),
        ({"type": ["integer", "string"], "minimum": 3, "minLength": 2}, "ab", "a"),
        ({"type": ["integer", "string"], "minimum": 3, "minLength": 2}, 3, 2),
        ({"exclusiveMaximum": 3}, "any", 3),
        ({"const": 1}, 1.0, True),
        ({"const": [1, {"a": True}]}, [1.0, {"a": True}], [1, {"a": 1}]),
        ({"const": 0.1}, Decimal("0.10"), Decimal("0.11")),
        ({"enum": [False, None, "x"]}, False, 0),
        ({"enum": [10**30]}, Decimal("1e30"), 1e31),
        ({"uniqueItems": True}, [1, True, "1", [1], {"a": 1}], [1, 1.0]),
        ({"uniqueItems": True}, ["a", "b"], ["a", "b", "a"]),
        ({"uniqueItems": True}, [{"a": 1, "b": 2}, {"a": 2, "b": 1}], [{"a": 1, "b": 2}, {"b": 2, "a": 1.0}]),
        ({"maxLength": 1}, "\U0001f600", "ab"),
        ({"minProperties": 1, "type": "object"}, {"a": 1}, {}),
        ({"contains": {"const": 1}, "maxContains": 1}, [1, 2], [1, 1]),
        ({"contains": {"const": 1}, "minContains": 2}, [1, 1], [1, 2]),
    ],
)
def test_a_value_is_judged_by_its_json_meaning(schema: Any, good: Any, bad: Any) -> None:
    assert found(schema, good) == []
    assert found(schema, bad) != []


def test_a_tagged_union_is_explained_by_the_arm_that_the_tag_names() -> None:
    arms = [
        {
            "type": "object",
            "properties": {"kind": {"const": kind}, kind: {"type": "integer"}},
            "required": ["kind", kind],
        }
        for kind in ("cat", "dog")
    ]
    schema = {"oneOf": arms}
    assert found(schema, {"kind": "cat", "cat": 1}) == []
    assert found(schema, {"kind": "cat", "cat": "x"}) == [(("cat",), "type")]
    assert found(schema, {"kind": "cow"}) == [(("kind",), "enum")]
    assert found(schema, {"cat": 1}) == [(("kind",), "required")]
    assert found(schema, 3) == [((), "oneOf")]
    assert found({"anyOf": arms}, {"kind": ["cat"]}) == [(("kind",), "enum")]


def test_a_union_is_explained_by_the_closest_arm() -> None:
    schema = {
        "anyOf": [
            {
                "type": "object",
                "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
                "required": ["a", "b"],
            },
            {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
            {"type": "null"},
        ]
    }
    assert found(schema, {"a": 5}) == [(("b",), "required")]
    assert found(schema, "x") == [((), "anyOf")]
    assert compile_validator(schema).problems("x")[0].message == 'expected object or null, got string "x"'


def test_two_matching_arms_of_one_of_are_a_problem() -> None:
    schema = {"oneOf": [{"type": "integer"}, {"minimum": 3}]}
    assert found(schema, 5) == [((), "oneOf")]
    assert "2 of the alternatives" in compile_validator(schema).problems(5)[0].message


def test_definitions_serve_a_schema_that_has_none() -> None:
    validator = compile_validator({"$ref": "#/$defs/day"}, definitions={"day": {"enum": ["mon", "tue"]}})
    assert validator.accepts("mon")
    assert not validator.accepts("sun")


def test_a_nested_value_that_is_too_deep_is_a_problem_and_no_crash() -> None:
    validator = compile_validator(
        {"$defs": {"t": {"type": "array", "items": {"$ref": "#/$defs/t"}}}, "$ref": "#/$defs/t"}
    )
    value: Any = []
    for _ in range(DEEP):
        value = [value]
    assert not validator.accepts(value)
    assert [problem.keyword for problem in validator.problems(value)] == ["depth"]
    while value:  # taken apart by hand: freeing it is recursive
        value = value.pop()


def test_a_schema_that_only_refers_to_itself_accepts_nothing() -> None:
    assert found({"$ref": "#"}, 1) == [((), "depth")]


def test_a_recursive_union_takes_no_exponential_time() -> None:
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/either"}, "v": {"type": "integer"}}}
    schema = {
        "$defs": {"a": node, "b": {**node}, "either": {"anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}]}},
        "$ref": "#/$defs/either",
    }
    value: Any = {"v": "wrong"}
    for _ in range(60):  # 2**60 steps if each arm walked its parts anew
        value = {"next": value}
    assert found(schema, value) == [(("next",) * 60 + ("v",), "type")]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "strange"},
        {"type": 5},
        {"properties": []},
        {"required": "a"},
        {"items": 5},
        {"enum": 5},
        {"minimum": "1"},
        {"multipleOf": 0},
        {"maxLength": -1},
        {"anyOf": {}},
        {"$ref": "#/$defs/none"},
        {"$ref": "#none"},
        {"$ref": "elsewhere.json"},
        {"$ref": 5},
        {"pattern": 5},
        "text",
        None,
    ],
)
def test_a_schema_that_cannot_be_compiled_says_so(schema: Any) -> None:
    with pytest.raises(SchemaError):
        compile_validator(schema)


def test_an_untranslatable_pattern_is_an_annotation_unless_strictness_is_asked_for() -> None:
    schema = {"pattern": r"\p{Script=Latin}", "type": "string"}
    assert found(schema, "x") == []
    with pytest.raises(SchemaError, match="Script"):
        compile_validator(schema, strict_patterns=True)


def test_a_member_name_that_an_unenforced_pattern_might_match_is_not_refused() -> None:
    schema = {"patternProperties": {r"\p{Script=Latin}": {"type": "integer"}}, "additionalProperties": False}
    assert found(schema, {"x": "anything"}) == []


def test_patterns_to_skip_are_annotations() -> None:
    schema = {"pattern": "^(a+)+$", "type": "string"}
    assert found(schema, "b") == [((), "pattern")]
    assert found(schema, "b", skip_patterns=["^(a+)+$"]) == []


def test_formats_and_content_are_asserted_only_when_switched_on() -> None:
    schema = {"type": "string", "format": "date", "contentEncoding": "base64"}
    assert found(schema, "no date") == [((), "format"), ((), "contentEncoding")]
    assert found(schema, "no date", assert_formats=False, assert_content=False) == []


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"contentEncoding": "base64"}, "aGk=", "aGk"),
        ({"contentEncoding": "base64"}, "", "a Gk="),
        ({"contentEncoding": "base64url"}, "_-8", "/+8"),
        ({"contentEncoding": "base16"}, "00fF", "0"),
        ({"contentMediaType": "application/json"}, '{"a": 1}', "{a: 1}"),
        ({"contentMediaType": "application/json", "contentSchema": {"type": "integer"}}, "1", '"1"'),
        ({"contentMediaType": "application/json", "contentEncoding": "base64"}, "e30=", "e30"),
    ],
)
def test_content_is_decoded_and_checked(schema: Any, good: str, bad: str) -> None:
    assert found(schema, good) == []
    assert found(schema, bad) != []


def test_a_value_is_never_repeated_whole() -> None:
    secret = "secret-" * 100
    validator = compile_validator({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"maxLength": 3}}})
    for problem in validator.problems({"a": secret, "b": secret}):
        assert "secret" not in problem.message
        assert "secret" not in repr(problem)


def test_one_validator_serves_many_threads() -> None:
    tree = {
        "anyOf": [
            {"type": "null"},
            {"type": "array", "items": {"$ref": "#"}},
            {"type": "array", "items": {"$ref": "#"}},
        ]
    }
    validator = compile_validator(tree)
    good = [[None, [None]], [[[]]]] * 20
    answers: list[bool] = []

    def ask() -> None:
        answers.extend(validator.accepts(good) and not validator.accepts([good, [1]]) for _ in range(50))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert answers == [True] * 200


def test_a_type_that_is_listed_twice_is_the_same_type() -> None:
    assert found({"type": ["null", "null"]}, None) == []
    assert found({"type": []}, None) == [((), "type")]


def test_the_older_keyword_for_definitions_can_be_referred_to() -> None:
    assert found({"definitions": {"a": {"type": "integer"}}, "$ref": "#/definitions/a"}, "x") == [((), "type")]


def test_a_schema_object_used_in_two_places_is_two_parts() -> None:
    part = {"type": "integer"}
    assert found({"type": "object", "properties": {"a": part, "b": part}}, {"a": "x", "b": "y"}) == [
        (("a",), "type"),
        (("b",), "type"),
    ]


def test_a_shared_part_means_something_else_in_another_resource() -> None:
    part = {"$ref": "#/$defs/t"}
    schema = {
        "$defs": {"t": {"type": "integer"}},
        "properties": {"a": part, "b": {"$id": "other", "$defs": {"t": {"type": "string"}}, "properties": {"c": part}}},
    }
    assert found(schema, {"a": 1, "b": {"c": "text"}}) == []
    assert found(schema, {"a": "text", "b": {"c": 1}}) == [(("a",), "type"), (("b", "c"), "type")]
