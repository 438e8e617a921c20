"""Patterns that are enforced, and those that are only shown."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.jsonschema.ambiguity import growth
from generator.jsonschema.patterns import pattern_problems
from generator.runtime.schema.patterns import translate


@pytest.mark.parametrize(
    "pattern",
    [
        "^(a+)+$",
        "^(a*)*$",
        r"^(\w+\s?)*$",
        "(x+x+)+y",
        "^(([a-z])+.)+[A-Z]$",
        "^(a|b|ab)*$",
        "^(?:ab?|a)+$",
        "^(?:b|(?:[ab]|[ab]))*$",
        "^(a{1,100}){1,100}$",
        "^(a?){50}a{50}$",
        "^(?=(a+)+$)a",
        "^(.*,){11}P",
    ],
)
def test_a_pattern_with_many_ways_round_a_loop_is_exponential(pattern):
    assert growth(translate(pattern)) == "exponential"


@pytest.mark.parametrize("pattern", [r"^\d*\d*x$", "^.*x.*y$", r"^\S+@\S+\.\S+$", "^a*b?a*$", "^(a+){2,5}$"])
def test_a_pattern_with_loops_that_share_a_text_is_polynomial(pattern):
    assert growth(translate(pattern)) == "polynomial"


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        "^[a-z]+$",
        "^[a-z]+(-[a-z]+)*$",
        r"^([a-z]+\.)*[a-z]+$",
        r"^(\d{1,3}\.){3}\d{1,3}$",
        r"^[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}$",
        "^[A-Za-z0-9_-]{1,64}$",
        r"^\d{4}-\d{2}-\d{2}$",
        r"^([a-z]{1,63}\.){1,10}[a-z]{2,63}$",
        "^(?:a|b|c)*$",
        r"^(\s*a)*$",
        "^(?=.*a)(?=.*b).+$",
        "^(a|ab)*$",
    ],
)
def test_a_pattern_that_reads_a_text_in_one_way_is_linear(pattern):
    assert growth(translate(pattern)) == "linear"


def test_a_pattern_that_is_too_large_to_look_into_counts_as_slow():
    assert growth("(?:" + "|".join(f"{chr(97 + number % 26)}{number}" for number in range(300)) + ")*") == "exponential"


atoms = st.sampled_from(["a", "b", "[ab]", "a?", "(a|b)"])
pieces = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        inner.map(lambda text: f"(?:{text})*"),
        inner.map(lambda text: f"(?:{text})+"),
        st.tuples(inner, inner).map(lambda pair: f"(?:{pair[0]}|{pair[1]})"),
    ),
    max_leaves=5,
)


@settings(deadline=None, max_examples=60)
@given(pieces)
def test_a_pattern_called_linear_is_quick_on_texts_that_nearly_match(pattern):
    if growth(pattern) != "linear":
        return
    compiled = re.compile(f"^(?:{pattern})$")
    started = time.process_time()
    for text in ("a" * 18 + "!", "b" * 18 + "!", "ab" * 9 + "!"):
        compiled.search(text)
    assert time.process_time() - started < 0.5


def kinds(schema) -> list[tuple[str, str]]:
    return [(problem.pattern, problem.kind) for problem in pattern_problems(schema)]


def test_patterns_are_found_wherever_schemas_are():
    schema = {
        "properties": {"a": {"items": {"pattern": "(a+)+"}}, "pattern": {"const": {"pattern": "(b+)+"}}},
        "patternProperties": {"(c+)+": {"pattern": "(d+)+"}},
        "$defs": {"X": {"anyOf": [{"pattern": "(e+)+"}]}},
    }
    assert sorted(pattern for pattern, _ in kinds(schema)) == ["(a+)+", "(c+)+", "(d+)+", "(e+)+"]


def test_a_short_text_may_be_matched_by_a_polynomial_pattern():
    assert kinds({"pattern": "^.*x.*y$", "maxLength": 100}) == []
    assert kinds({"pattern": "^.*x.*y$"}) == [("^.*x.*y$", "slow")]
    assert kinds({"pattern": "^(a+)+$", "maxLength": 100}) == [("^(a+)+$", "slow")]


@pytest.mark.parametrize("pattern", ["[", "(?P<x>a)", "\\A", "a++", "(?#x)"])
def test_a_pattern_that_is_not_ecma_262_cannot_be_enforced(pattern):
    assert kinds({"pattern": pattern}) == [(pattern, "untranslatable")]
