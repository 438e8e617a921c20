"""Arrays and objects become the containers that the annotations name."""

from __future__ import annotations

import collections
import types
import uuid

import pytest
from conversion_samples import Color, Level, Name, Perm, Point
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.schema.convert import ConversionProblem, compile_conversion
from generator.runtime.schema.imports import load
from generator.runtime.schema.results import to_json


def convert(spec, value, **options):
    return compile_conversion(spec, load=load, **options)(value)


def refused(spec, value, **options):
    with pytest.raises(ConversionProblem) as caught:
        convert(spec, value, **options)
    return caught.value


POINT = {"record": {"target": "conversion_samples:Point", "fields": {"x": {"name": "x"}, "y": {"name": "y"}}}}

ACCEPTED = [
    ({"list": None}, [1, "a"], [1, "a"]),
    ({"list": "integer"}, [1.0, 2], [1, 2]),
    ({"list": {"list": "bytes"}}, [["aGk="]], [[b"hi"]]),
    ({"set": None}, [1, 2, 2], {1, 2}),
    ({"set": "integer"}, [1.0], {1}),
    ({"frozenset": None}, ["a"], frozenset("a")),
    ({"deque": None}, [1], collections.deque([1])),
    ({"tuple": {"prefix": [], "rest": None}}, [1, "a"], (1, "a")),
    ({"tuple": {"prefix": [], "rest": "integer"}}, [1.0], (1,)),
    ({"tuple": {"prefix": []}}, [], ()),
    ({"tuple": {"prefix": ["integer", None]}}, [1.0, "a"], (1, "a")),
    ({"tuple": {"prefix": ["integer"], "rest": "bytes"}}, [1.0, "aGk=", ""], (1, b"hi", b"")),
    ({"tuple": {"prefix": [None], "rest": "integer", "suffix": ["bytes"]}}, ["a", 1.0, "aGk="], ("a", 1, b"hi")),
    ({"dict": {"key": None, "value": None}}, {"a": [1]}, {"a": [1]}),
    ({"dict": {"key": "integer", "value": None}}, {"1": "a", "-2": "b"}, {1: "a", -2: "b"}),
    ({"dict": {"key": "number", "value": None}}, {"1.5": "a"}, {1.5: "a"}),
    ({"dict": {"key": "boolean", "value": None}}, {"true": 1}, {True: 1}),
    ({"dict": {"key": None, "value": "integer"}}, {"a": 1.0}, {"a": 1}),
    ({"dict": {"key": {"nullable": "integer"}, "value": None}}, {"1": 1}, {1: 1}),
    ({"dict": {"key": {"literal": [[1], ["a"]]}, "value": None}}, {"1": 1, "a": 2}, {1: 1, "a": 2}),
    (
        {"dict": {"key": {"enum": {"target": "conversion_samples:Color", "by": "value"}}, "value": None}},
        {"red": 1},
        {Color.RED: 1},
    ),
    (
        {"dict": {"key": {"enum": {"target": "conversion_samples:Level", "by": "value"}}, "value": None}},
        {"2": 1},
        {Level.HIGH: 1},
    ),
    (
        {"dict": {"key": {"enum": {"target": "conversion_samples:Perm", "by": "value"}}, "value": None}},
        {"3": 1},
        {Perm.R | Perm.W: 1},
    ),
    (
        {"dict": {"key": {"members": {"target": "conversion_samples:Level", "names": [[1, "LOW"]]}}, "value": None}},
        {"1": 1},
        {Level.LOW: 1},
    ),
    (
        {"dict": {"key": {"union": [{"schema": {}, "convert": "integer"}, {"schema": {}}]}, "value": None}},
        {"1": 1, "a": 2},
        {1: 1, "a": 2},
    ),
    ({"dict": {"key": {"call": "conversion_samples:Name", "convert": None}, "value": None}}, {"a": 1}, {Name("a"): 1}),
    (
        {"dict": {"key": {"check": {"target": "conversion_samples:is_even", "convert": "integer"}}, "value": None}},
        {"2": 1},
        {2: 1},
    ),
    ({"dict": {"type": "OrderedDict"}}, {"b": 1, "a": 2}, collections.OrderedDict(b=1, a=2)),
    ({"dict": {"type": "Counter"}}, {"a": 2}, collections.Counter("aa")),
    ({"dict": {"type": "MappingProxyType"}}, {"a": 2}, types.MappingProxyType({"a": 2})),
    ({"dict": {"value": POINT}}, {"k": {"x": 1}}, {"k": Point(1)}),
]


@pytest.mark.parametrize(("spec", "value", "expected"), ACCEPTED)
def test_a_container_is_built_of_converted_items(spec, value, expected):
    converted = convert(spec, value)
    assert converted == expected
    assert type(converted) is type(expected)


def test_a_key_that_names_an_enumeration_becomes_the_member_itself():
    converted = convert({"dict": {"key": {"enum": {"target": "conversion_samples:Level"}}}}, {"1": "a"})
    assert [type(key) for key in converted] == [Level]


def test_a_container_that_needs_no_conversion_is_handed_on_uncopied():
    items = [1, {"a": 2}]
    assert convert({"list": {"dict": {"key": None, "value": None}}}, items) is items


def test_an_iterator_gives_converted_items_one_by_one():
    items = convert({"iterator": "integer"}, [1.0, 2])
    assert next(items) == 1
    assert list(items) == [2]


def test_a_defaultdict_makes_what_its_value_type_says():
    made = convert({"dict": {"type": "defaultdict", "factory": "list"}}, {"a": [1]})
    assert made["missing"] == []
    assert made == {"a": [1], "missing": []}
    nested = convert({"dict": {"type": "defaultdict", "factory": "deque"}}, {})
    assert nested["missing"] == collections.deque()
    without = convert({"dict": {"type": "defaultdict", "factory": None}}, {})
    with pytest.raises(KeyError):
        without["missing"]


def test_a_chain_map_can_be_read_like_its_object():
    assert dict(convert({"dict": {"type": "ChainMap"}}, {"a": 1})) == {"a": 1}


def test_an_unknown_mapping_type_is_refused_when_it_is_compiled():
    with pytest.raises(ValueError, match="unknown mapping type"):
        compile_conversion({"dict": {"type": "Bag"}}, load=load)


@pytest.mark.parametrize(
    ("spec", "value", "path"),
    [
        ({"list": "integer"}, [1, 2, 2.5], (2,)),
        ({"list": {"dict": {"value": {"set": "bytes"}}}}, [{}, {"k": ["!"]}], (1, "k", 0)),
        ({"tuple": {"prefix": [None, "integer"], "rest": "bytes"}}, [1, 1, "!"], (2,)),
        ({"dict": {"key": "integer"}}, {"x": 1}, ("x",)),
        ({"dict": {"key": "integer"}}, {"1_0": 1}, ("1_0",)),
        ({"dict": {"key": "integer"}}, {"\u0661": 1}, ("\u0661",)),
        ({"dict": {"key": "integer"}}, {"9" * 5000: 1}, ("9" * 5000,)),
        ({"dict": {"key": "number"}}, {"nan": 1}, ("nan",)),
        ({"dict": {"key": "boolean"}}, {"True": 1}, ("True",)),
        ({"dict": {"key": {"literal": [[1]]}}}, {"2": 1}, ("2",)),
        ({"dict": {"key": {"enum": {"target": "conversion_samples:Color"}}}}, {"green": 1}, ("green",)),
        ({"dict": {"key": {"enum": {"target": "conversion_samples:Perm"}}}}, {"9": 1}, ("9",)),
        ({"dict": {"key": "integer"}}, {"1": 1, "01": 2}, ("01",)),
        ({"set": None}, [1, [2]], ()),
        ({"list": "integer"}, "abc", ()),
        ({"dict": {"value": "integer"}}, [1], ()),
        ({"tuple": {"prefix": ["integer", "integer"]}}, [1], ()),
    ],
)
def test_a_problem_inside_a_container_names_the_way_to_it(spec, value, path):
    assert refused(spec, value).path == path


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(JSON_VALUES)
def test_a_tree_of_json_is_sent_and_read_back_without_any_conversion(value):
    assert convert(None, to_json(value)) == value


@given(
    st.tuples(
        st.frozensets(st.binary(max_size=5), max_size=4),
        st.lists(st.tuples(st.integers(), st.uuids()), max_size=4),
        st.dictionaries(st.integers(), st.sets(st.dates(), max_size=3), max_size=3),
    )
)
def test_nested_containers_survive_being_sent_and_read_back(value):
    spec = {
        "tuple": {
            "prefix": [
                {"frozenset": "bytes"},
                {"list": {"tuple": {"prefix": ["integer", "uuid"]}}},
                {"dict": {"key": "integer", "value": {"set": "date"}}},
            ]
        }
    }
    assert convert(spec, to_json(value)) == value
    assert all(type(pair[1]) is uuid.UUID for pair in convert(spec, to_json(value))[1])
