"""Constraints in annotations, and Python's regular expressions in the syntax of JSON Schema."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from generator.frontends.python.constraint_keywords import PARAM_OPTIONS
from generator.frontends.python.ecma_patterns import Untranslatable, to_ecma
from generator.frontends.python.forms import ConstrainedForm
from generator.runtime.authoring import markers
from generator.runtime.schema.patterns import compile_pattern

from .typed import Typed

HEAD = """
import annotated_types as at, datetime as dt, math, msgspec
from annotated_types import *
from annotated_types import Not
from decimal import Decimal
from mcpgen import Param
from pydantic import BeforeValidator, Field, PositiveInt, StringConstraints, WithJsonSchema, conlist, constr
from typing import *
from typing_extensions import Doc
LIMIT = 5
Positive = Annotated[int, Gt(0)]
SHARED = Gt(0)
def even(number): return number % 2 == 0
"""


@pytest.fixture(scope="module")
def typed() -> Typed:
    return Typed(HEAD)


@pytest.mark.parametrize(
    ("annotation", "schema"),
    [
        ("Annotated[int, Gt(0), Le(LIMIT)]", {"type": "integer", "exclusiveMinimum": 0, "maximum": 5}),
        ("Annotated[int, at.Interval(gt=0, le=9)]", {"type": "integer", "exclusiveMinimum": 0, "maximum": 9}),
        ("Annotated[float, Lt(math.inf)]", {"type": "number"}),
        ("Annotated[str, Len(3)]", {"type": "string", "minLength": 3}),
        ("Annotated[list[int], Len(0, 2)]", {"type": "array", "items": {"type": "integer"}, "maxItems": 2}),
        (
            "Annotated[dict[str, int], MinLen(1)]",
            {"type": "object", "additionalProperties": {"type": "integer"}, "minProperties": 1},
        ),
        (
            "Annotated[int | str, Ge(3), MinLen(2)]",
            {"anyOf": [{"type": "integer", "minimum": 3}, {"type": "string", "minLength": 2}]},
        ),
        ("Annotated[Optional[str], MinLen(2)]", {"anyOf": [{"type": "string", "minLength": 2}, {"type": "null"}]}),
        ("Annotated[int, SHARED, 'a count']", {"type": "integer", "exclusiveMinimum": 0, "description": "a count"}),
        ("Annotated[Positive, Le(9)]", {"type": "integer", "exclusiveMinimum": 0, "maximum": 9}),
        ("Annotated[int, Doc('first'), Field(description='second')]", {"type": "integer", "description": "second"}),
        (
            "Annotated[str, Field(max_length=3, examples=['a'], json_schema_extra={'unit': 'm'})]",
            {"type": "string", "maxLength": 3, "examples": ["a"], "unit": "m"},
        ),
        (
            "Annotated[int, Param(ge=1, le=2, title='T', deprecated=True, schema={'x': 1}, header='H')]",
            {
                "type": "integer",
                "minimum": 1,
                "maximum": 2,
                "title": "T",
                "deprecated": True,
                "x": 1,
                "x-mcp-header": "H",
            },
        ),
        (
            "Annotated[str, msgspec.Meta(pattern='^a', description='d')]",
            {"type": "string", "pattern": "^a", "description": "d"},
        ),
        ("conlist(int, min_length=1)", {"type": "array", "items": {"type": "integer"}, "minItems": 1}),
        ("constr(pattern='a', to_lower=True)", {"type": "string", "pattern": "a"}),
        ("PositiveInt", {"type": "integer", "exclusiveMinimum": 0}),
        ("Annotated[int, WithJsonSchema({'type': 'integer', 'minimum': 7})]", {"type": "integer", "minimum": 7}),
        ("Annotated[int, Decimal('1'), object()]", {"type": "integer"}),
        ("Annotated[int, Ge(Decimal('1.5'))]", {"type": "integer", "minimum": 1.5}),
    ],
)
def test_a_constraint_becomes_the_keyword_of_its_type(typed: Typed, annotation: str, schema: object) -> None:
    assert typed.schema(annotation) == schema
    assert typed.findings(annotation) == []


@pytest.mark.parametrize(
    ("annotation", "check"),
    [
        (
            "Annotated[str, Predicate(str.islower)]",
            {"target": "builtins:str.islower", "say": "must satisfy str.islower", "convert": None},
        ),
        ("Annotated[int, Predicate(even)]", {"target": "m:even", "say": "must satisfy even", "convert": "integer"}),
        (
            "Annotated[str, Predicate(Not(str.islower))]",
            {"target": "builtins:str.islower", "say": "must not satisfy str.islower", "convert": None, "negate": True},
        ),
        (
            "IsNotNan[float]",
            {"target": "math:isnan", "say": "must not satisfy isnan", "convert": "number", "negate": True},
        ),
    ],
)
def test_a_predicate_is_checked_at_run_time_and_said(typed: Typed, annotation: str, check: object) -> None:
    assert typed.conversion(annotation)[0] == {"check": check}
    assert typed.findings(annotation) == [("runtime-only-constraint", "warning")]


def test_a_predicate_on_an_optional_leaves_none_alone(typed: Typed) -> None:
    spec = typed.conversion("Annotated[Optional[str], Predicate(str.islower)]")[0]
    assert list(spec) == ["nullable"]


@pytest.mark.parametrize(
    "annotation",
    [
        "Annotated[str, Predicate(lambda text: True)]",
        "Annotated[int, Ge(unknown())]",
        "Annotated[dt.date, Ge(dt.date(2020, 1, 1))]",
        "Annotated[Decimal, Ge(0)]",
        "Annotated[int, BeforeValidator(int)]",
    ],
)
def test_what_is_not_enforced_is_said(typed: Typed, annotation: str) -> None:
    assert typed.findings(annotation) == [("runtime-only-constraint", "warning")]


def test_text_clean_up_is_kept_for_the_call(typed: Typed) -> None:
    form = typed.form("Annotated[str, StringConstraints(strip_whitespace=True, to_lower=True, min_length=1)]")
    assert isinstance(form, ConstrainedForm)
    assert form.constraints.prepare == ("strip", "lower")


def test_a_pattern_json_schema_cannot_say_is_left_out_with_a_warning(typed: Typed) -> None:
    annotation = "Annotated[str, Field(pattern=r'(?>a)')]"
    assert typed.schema(annotation) == {"type": "string"}
    assert typed.findings(annotation) == [("untranslatable-pattern", "warning")]


@pytest.mark.parametrize(
    ("python", "ecma"),
    [
        (r"^[a-z]+$", r"^[a-z]+$"),
        (r"\Aab\Z", r"^ab$"),
        (r"(?P<y>\d+)-(?P=y)", r"(?<y>\d+)-\k<y>"),
        (r"(?i)ab[c-f]1", r"[aA][bB][c-fC-F]1"),
        (r"(?s).", r"[\s\S]"),
        (r"[]a]", r"[\]a]"),
        (r"[^]a[]", r"[^\]a\[]"),
        (r"a{,3}{x}", r"a{0,3}\{x\}"),
        (r"(?#c)a{2,3}?", r"a{2,3}?"),
        (r"\-\@\07", r"-@\x07"),
        (r"(?<=a)b(?!c)", r"(?<=a)b(?!c)"),
    ],
)
def test_a_pattern_is_spelled_for_ecma(python: str, ecma: str) -> None:
    assert to_ecma(python) == ecma


@pytest.mark.parametrize(
    "pattern", [r"a++", r"a{2}+", r"(?>a)", r"(?x)a b", r"(?i:a)", r"(a)(?(1)b|c)", r"(?m)^a", r"(?L)a", "("]
)
def test_a_pattern_ecma_has_no_word_for_is_refused(pattern: str) -> None:
    with pytest.raises(Untranslatable):
        to_ecma(pattern)


PIECES = st.sampled_from(
    [
        "a",
        "B",
        "1",
        r"\d",
        r"\w",
        "[a-c]",
        "[^b]",
        "[]x]",
        r"\.",
        "(?:ab)",
        "(a|b)",
        ".",
        r"\-",
        "{",
        "}",
        "-",
        r"\x41",
        "$",
        "^",
    ]
)
QUANTIFIERS = st.sampled_from(["", "", "*", "+?", "{1,2}", "{,2}"])
PATTERNS = st.tuples(
    st.sampled_from(["", "(?i)", "(?s)"]), st.lists(st.tuples(PIECES, QUANTIFIERS).map("".join), max_size=5)
).map(lambda parts: parts[0] + "".join(parts[1]))


@example("(?i)\\x41\\101[\\x62]\u00e9", "aAB\u00c9")
@given(PATTERNS, st.text("aAbBcx1-.{}]\\\x41 ", max_size=6))
def test_a_translated_pattern_accepts_the_same_texts(pattern: str, text: str) -> None:
    try:
        expected = re.compile(pattern)
        translated = to_ecma(pattern)
    except (re.error, Untranslatable):
        return
    assert bool(compile_pattern(translated)(text)) == bool(expected.search(text)), translated


def check(typed: Typed, annotation: str) -> dict:
    """Return the body of the outermost check of a conversion."""
    spec = typed.conversion(annotation)[0]
    return spec.get("nullable", spec)["check"]


@pytest.mark.parametrize(
    ("annotation", "bound"),
    [
        ("Annotated[dt.date, Ge(dt.date(2020, 1, 1))]", ["ge", "2020-01-01", "date"]),
        ("Annotated[dt.timedelta | None, Lt(dt.timedelta(hours=1))]", ["lt", "PT1H", "timedelta"]),
        ("Annotated[Decimal, Le(Decimal('5.50'))]", ["le", "5.50", "decimal"]),
        ("Annotated[Decimal, Gt(0.1)]", ["gt", "0.1", "decimal"]),
        ("Annotated[bytes, MaxLen(4)]", ["max_length", 4, None]),
    ],
)
def test_what_a_schema_cannot_compare_is_compared_when_the_tool_is_called(
    typed: Typed, annotation: str, bound: list
) -> None:
    assert check(typed, annotation)["bound"] == bound


def test_keys_are_text_for_the_schema_and_have_their_bounds_as_numbers(typed: Typed) -> None:
    key = typed.conversion("dict[Annotated[int, Ge(0)], str]")[0]["dict"]["key"]
    assert key == {"check": {"bound": ["ge", 0, None], "say": "must be at least 0", "convert": "integer"}}


@pytest.mark.parametrize(("zone", "wanted"), [("None", "none"), ("...", "any"), ("'UTC'", "UTC")])
def test_a_time_zone_is_asked_for_when_the_tool_is_called(typed: Typed, zone: str, wanted: str) -> None:
    annotation = f"Annotated[dt.datetime, at.Timezone({zone})]"
    assert check(typed, annotation)["zone"] == wanted
    assert typed.findings(annotation) == [("runtime-only-constraint", "warning")]


def test_digits_of_a_decimal_are_counted_when_the_tool_is_called(typed: Typed) -> None:
    found = check(typed, "Annotated[Decimal, Field(max_digits=4, decimal_places=2)]")
    assert found["digits"] == [4, 2]
    assert found["say"] == "must have at most 4 digits, at most 2 digits after the point"


def test_the_length_of_bytes_is_that_of_their_base64_in_the_schema(typed: Typed) -> None:
    found = typed.schema("Annotated[bytes, Len(2, 4)]")
    assert (found["minLength"], found["maxLength"]) == (4, 8)


@pytest.mark.parametrize(
    "annotation",
    [
        "Annotated[int, MinLen(3)]",
        "Annotated[str, Ge(3)]",
        "Annotated[list[int], Ge(0)]",
        "Annotated[int, MultipleOf(0)]",
        "Annotated[str, MinLen(-1)]",
        "Annotated[str, MaxLen(2.5)]",
        "Annotated[int, Ge('a')]",
        "Annotated[int, Field(pattern=5)]",
    ],
)
def test_a_constraint_that_cannot_hold_for_the_type_is_left_out_and_told(typed: Typed, annotation: str) -> None:
    assert typed.findings(annotation) == [("inapplicable-constraint", "warning")]
    plain = annotation.removeprefix("Annotated[").rpartition(", ")[0]
    assert typed.schema(annotation) == typed.schema(plain)


@pytest.mark.parametrize(
    ("annotation", "wrong"),
    [
        ("Annotated[int, Ge(5), Le(1)]", True),
        ("Annotated[float, Gt(1), Le(1)]", True),
        ("Annotated[str, Len(5, 1)]", True),
        ("Annotated[int, Ge(1), Le(1)]", False),
    ],
)
def test_constraints_that_nothing_can_meet_are_told(typed: Typed, annotation: str, wrong: bool) -> None:
    assert typed.findings(annotation) == ([("contradictory-constraints", "warning")] if wrong else [])


def test_an_option_that_param_does_not_have_is_an_error(typed: Typed) -> None:
    assert typed.findings("Annotated[int, Param(ge=1, min_items=2)]") == [("marker-argument", "error")]


def test_the_options_of_param_are_those_of_the_class_itself() -> None:
    assert frozenset(markers.Param.__slots__) == PARAM_OPTIONS
