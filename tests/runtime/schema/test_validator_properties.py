"""Both passes agree with each other and, where it is right, with the jsonschema package, on schemas nobody wrote."""

from __future__ import annotations

from typing import Any

import jsonschema
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.runtime.schema.equality import canonical, unique
from generator.runtime.schema.repair import report
from generator.runtime.schema.validator import compile_validator

NAMES = st.sampled_from(["a", "b", "c", "kind"])
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 12),
    st.sampled_from([0.5, 1.0, 2.5, -1.0, 10.0]),
    st.sampled_from(["", "a", "ab", "abc", "12", "é", "x1"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(NAMES, inner, max_size=4)),
    max_leaves=10,
)
TYPES = st.sampled_from(["string", "integer", "number", "boolean", "null", "array", "object"])
SIZES = st.integers(0, 3)


def keywords(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    schemas = st.lists(inner, min_size=1, max_size=3)
    members = st.dictionaries(NAMES, inner, max_size=3)
    return st.fixed_dictionaries(
        {},
        optional={
            "type": st.one_of(TYPES, st.lists(TYPES, min_size=1, max_size=3, unique=True)),
            "enum": st.lists(SCALARS, min_size=1, max_size=3),
            "const": SCALARS,
            "minimum": st.integers(-2, 5),
            "exclusiveMaximum": st.integers(3, 12),
            "multipleOf": st.sampled_from([1, 2, 3]),
            "minLength": SIZES,
            "maxLength": SIZES,
            "pattern": st.sampled_from(["^a", "b$", "[0-9]", "^[a-z]*$"]),
            "properties": members,
            "required": st.lists(NAMES, max_size=2, unique=True),
            "additionalProperties": inner,
            "patternProperties": st.dictionaries(st.sampled_from(["^a", "b"]), inner, max_size=2),
            "propertyNames": inner,
            "minProperties": SIZES,
            "dependentRequired": st.dictionaries(NAMES, st.lists(NAMES, max_size=2, unique=True), max_size=2),
            "dependentSchemas": members,
            "unevaluatedProperties": inner,
            "items": inner,
            "prefixItems": schemas,
            "contains": inner,
            "minContains": SIZES,
            "maxContains": SIZES,
            "minItems": SIZES,
            "uniqueItems": st.booleans(),
            "unevaluatedItems": inner,
            "allOf": schemas,
            "anyOf": schemas,
            "oneOf": schemas,
            "not": inner,
            "if": inner,
            "then": inner,
            "else": inner,
        },
    )


SCHEMAS = st.recursive(st.booleans(), keywords, max_leaves=6)


@settings(max_examples=400, deadline=None)
@given(SCHEMAS, VALUES)
def test_a_value_is_accepted_exactly_when_no_problem_is_found(schema: Any, value: Any) -> None:
    validator = compile_validator(schema)
    assert validator.accepts(value) is (validator.problems(value) == [])


@settings(max_examples=400, deadline=None)
@given(SCHEMAS, VALUES)
def test_the_jsonschema_package_judges_alike(schema: Any, value: Any) -> None:
    expected = jsonschema.Draft202012Validator(schema).is_valid(value)
    assert compile_validator(schema).accepts(value) is expected


@settings(max_examples=200, deadline=None)
@given(SCHEMAS, VALUES)
def test_any_problem_can_be_reported_with_examples_that_the_schema_accepts(schema: Any, value: Any) -> None:
    problems = compile_validator(schema).problems(value)
    told = report("tool", problems, schema)
    assert len(told["problems"]) == len(problems)
    for problem, data in zip(problems, told["problems"], strict=True):
        if "example" in data:
            assert compile_validator(problem.schema).accepts(data["example"])


@settings(deadline=None)
@given(VALUES, VALUES)
def test_two_values_have_the_same_text_exactly_when_they_are_equal_json(first: Any, second: Any) -> None:
    equal = jsonschema.Draft202012Validator({"const": first}).is_valid(second)
    assert (canonical(first) == canonical(second)) is equal


@settings(deadline=None)
@given(st.lists(VALUES, max_size=6))
def test_items_are_unique_as_the_jsonschema_package_says(items: list[Any]) -> None:
    assert unique(items) is jsonschema.Draft202012Validator({"uniqueItems": True}).is_valid(items)
