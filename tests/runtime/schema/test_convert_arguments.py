"""The arguments object reaches every kind of parameter, and omitted ones keep the function's own default."""

from __future__ import annotations

import functools

import pytest
from pydantic import Field

from generator.runtime.schema.arguments import compile_arguments, prepare_arguments
from generator.runtime.schema.convert import ConversionProblem
from generator.runtime.schema.imports import load


def call(function, entry, arguments, **options):
    positional, keywords = compile_arguments(entry, load=load, function=function, **options)(arguments)
    return function(*positional, **keywords)


def refused(entry, arguments, function=None, **options):
    with pytest.raises(ConversionProblem) as caught:
        compile_arguments(entry, load=load, function=function, **options)(arguments)
    return caught.value


def test_arguments_that_need_nothing_are_the_keywords_themselves():
    arguments = {"a": 1, "b": [2]}
    positional, keywords = compile_arguments({"kind": "python", "target": "m:f"}, load=load)(arguments)
    assert positional == []
    assert keywords is arguments


def test_only_the_converted_arguments_change_and_the_given_dict_stays():
    arguments = {"a": 1.0, "b": "x"}
    _, keywords = compile_arguments({"conversions": {"a": "integer", "c": "bytes", "b": None}}, load=load)(arguments)
    assert keywords == {"a": 1, "b": "x"}
    assert type(arguments["a"]) is float


def test_a_property_may_have_another_name_than_its_parameter():
    entry = {"names": {"xValue": "x"}, "conversions": {"xValue": "integer"}}
    assert call(lambda x: x, entry, {"xValue": 1.0}) == 1
    assert refused(entry, {"xValue": 1.5}).path == ("xValue",)


def positional_only(a, b=2, c=3, /):
    return (a, b, c)


def test_positional_only_parameters_go_by_position():
    entry = {"positional": ["a", "b", "c"]}
    assert call(positional_only, entry, {"a": 1}) == (1, 2, 3)
    assert call(positional_only, entry, {"b": 5, "a": 1}) == (1, 5, 3)


def test_a_positional_parameter_that_is_skipped_gets_the_functions_own_default():
    entry = {"positional": ["a", "b", "c"]}
    assert call(positional_only, entry, {"a": 1, "c": 9}) == (1, 2, 9)

    @functools.wraps(positional_only)
    def wrapped(*values):
        return positional_only(*values)

    assert call(wrapped, entry, {"a": 1, "c": 9}) == (1, 2, 9)
    assert call(functools.partial(positional_only), entry, {"a": 1, "c": 9}) == (1, 2, 9)


def test_a_required_positional_parameter_that_is_missing_is_a_problem():
    assert refused({"positional": ["a", "b"]}, {"b": 1}, positional_only).path == ("a",)


def star(sep, *parts, end=""):
    return sep.join(parts) + end


def test_an_array_is_spread_over_star_parameters():
    entry = {"positional": ["sep"], "star": "parts"}
    assert call(star, entry, {"sep": ",", "parts": ["a", "b"], "end": "!"}) == "a,b!"
    assert call(star, entry, {"sep": ","}) == ""
    converted = {"star": "args", "conversions": {"args": {"list": "integer"}}}
    assert call(lambda *args: args, converted, {"args": [1.0, 2]}) == (1, 2)
    assert refused(converted, {"args": [1, 1.5]}).path == ("args", 1)


def test_defaults_before_spread_items_are_filled_in():
    def function(a=1, b=2, *rest):
        return (a, b, rest)

    entry = {"positional": ["a", "b"], "star": "rest"}
    assert call(function, entry, {"rest": [7]}) == (1, 2, (7,))
    assert call(function, entry, {"b": 5}) == (1, 5, ())


def test_further_keys_go_into_double_star_parameters():
    def function(a, /, **kw):
        return (a, kw)

    entry = {"positional": ["a"], "star_star": True}
    assert call(function, entry, {"a": 1, "b": 2, "self": 3}) == (1, {"b": 2, "self": 3})


def test_the_values_of_further_keys_have_their_own_conversion():
    entry = {"star_star": True, "conversions": {"a": None, "**": "integer"}}
    assert call(lambda a, **kw: (a, kw), entry, {"a": 1.5, "b": 2.0}) == (1.5, {"b": 2})
    declared = {"star_star": True, "conversions": {"**": "integer"}}
    assert call(lambda a, **kw: (a, kw), declared, {"a": 1.5, "b": 2.0}, properties=["a"]) == (1.5, {"b": 2})
    assert refused(entry, {"a": 1, "b": 2.5}).path == ("b",)


def test_a_further_key_never_takes_the_place_of_a_parameter():
    entry = {"star_star": True, "names": {"xValue": "x"}, "inject": {"ctx": "async"}}
    assert refused(entry, {"xValue": 1, "x": 2}).path == ("x",)
    assert refused(entry, {"ctx": 1}).path == ("ctx",)


def test_contexts_take_their_place_among_positional_and_keyword_parameters():
    def function(sep=",", ctx=None, *parts, end=""):
        return (sep, ctx, parts, end)

    entry = {"positional": ["sep", "ctx"], "star": "parts", "inject": {"ctx": "sync"}}
    bind = compile_arguments(entry, load=load, function=function)
    for arguments, expected in [
        ({}, (",", "context", (), "")),
        ({"sep": ";", "parts": ["a"], "end": "!"}, (";", "context", ("a",), "!")),
    ]:
        positional, keywords = bind(arguments, {"ctx": "context"})
        assert function(*positional, **keywords) == expected
    arguments = {"a": 1}
    assert compile_arguments({}, load=load)(arguments, {"ctx": 2}) == ([], {"a": 1, "ctx": 2})
    assert arguments == {"a": 1}


def test_an_omitted_argument_is_asked_of_the_descriptor_that_stands_as_its_default():
    def function(x: int = Field(default=7), tags: list[str] = Field(default_factory=list)):  # noqa: B008  # the point
        return (x, tags)

    entry = {"field_defaults": ["x", "tags"]}
    assert call(function, entry, {}) == (7, [])
    assert call(function, entry, {"x": 1, "tags": ["a"]}) == (1, ["a"])
    first = call(function, entry, {})[1]
    assert call(function, entry, {})[1] is not first


def test_a_mutable_default_is_the_functions_own_object_and_never_sent():
    shared = []

    def function(items=shared):
        return items

    assert call(function, {"conversions": {"items": {"list": "integer"}}}, {}) is shared


def test_the_problems_of_all_arguments_are_told_together():
    entry = {"conversions": {"a": "bytes", "b": {"list": "uuid"}, "c": "integer"}}
    problem = refused(entry, {"a": "!", "b": ["x"], "c": 1})
    assert [problem.path, *(more.path for more in problem.more)] == [("a",), ("b", 0)]
    assert str(problem) == "/a: not a valid base64 string"


def test_an_argument_nested_beyond_the_stack_is_a_problem():
    deep: list[object] = []
    for _ in range(5_000):
        deep = [deep]
    entry = {"conversions": {"a": {"ref": "L"}}, "definitions": {"conversions": {"L": {"set": {"ref": "L"}}}}}
    assert refused(entry, {"a": deep}).path == ("a",)


def test_exact_numbers_are_floats_where_nothing_asks_for_them():
    from decimal import Decimal

    entry = {"exact_numbers": True, "conversions": {"d": "decimal"}}
    values = call(lambda **kw: kw, entry, {"d": Decimal("1.10"), "other": Decimal("1.5")})
    assert str(values["d"]) == "1.10"
    assert type(values["other"]) is float


def test_strings_are_cleaned_before_they_are_validated():
    arguments = {"a": "  X ", "b": 1, "c": "same"}
    cleaned = prepare_arguments(arguments, {"a": ["strip", "lower"], "b": ["strip"], "c": ["strip"], "gone": ["upper"]})
    assert cleaned == {"a": "x", "b": 1, "c": "same"}
    assert arguments["a"] == "  X "
    assert prepare_arguments(arguments, {"c": ["strip"]}) is arguments
