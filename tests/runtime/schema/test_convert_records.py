"""Objects become instances, and what a constructor says becomes the client's problem."""

from __future__ import annotations

import attrs
import pytest
from conversion_samples import Name, Node, Point, Positive, Pt, Seeded
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.schema.convert import ConversionProblem, compile_conversion
from generator.runtime.schema.imports import load
from generator.runtime.schema.results import to_json


@attrs.define
class Attr:
    _hidden: int
    b: str = "z"
    c: list[int] = attrs.field(factory=list)


def convert(spec, value, **options):
    return compile_conversion(spec, load=load, **options)(value)


def refused(spec, value, **options):
    with pytest.raises(ConversionProblem) as caught:
        convert(spec, value, **options)
    return caught.value


def record(name, *fields, **more):
    return {
        "record": {"target": f"conversion_samples:{name}", "fields": {each: {"name": each} for each in fields}, **more}
    }


POINT = record("Point", "x", "y")
NODE = {
    "record": {
        "target": "conversion_samples:Node",
        "fields": {
            "value": {"name": "value", "convert": "integer"},
            "next": {"name": "next", "convert": {"nullable": {"ref": "Node"}}},
            "children": {"name": "children", "convert": {"list": {"ref": "Node"}}},
        },
    }
}
DEFINITIONS = {"conversions": {"Node": NODE}, "schemas": {}}


def test_a_dataclass_gets_the_fields_that_were_sent_and_its_own_defaults():
    assert convert(POINT, {"x": 1}) == Point(1, 0)
    assert convert(POINT, {"x": 1, "y": 2}) == Point(1, 2)


def test_an_init_only_field_reaches_the_constructor():
    assert convert(record("Seeded", "a", "seed", "b"), {"a": 1, "seed": 2}).a == 3


def test_a_field_may_have_another_name_on_the_wire_and_its_own_conversion():
    spec = {"record": {"target": "conversion_samples:Point", "fields": {"xValue": {"name": "x", "convert": "integer"}}}}
    assert convert(spec, {"xValue": 5.0}) == Point(5)
    assert refused(spec, {"xValue": 5.5}).path == ("xValue",)


def test_a_named_tuple_is_taken_from_an_object_and_from_an_array():
    spec = record("Pt", "x", "y", array=True)
    assert convert(spec, {"x": 1}) == Pt(1, 0)
    assert convert(spec, [1, 2]) == Pt(1, 2)
    assert type(convert(spec, [1])) is Pt
    assert refused(spec, [1, 2, 3]).path == ()
    assert "Pt" in refused(spec, []).message


def test_only_a_named_tuple_is_taken_from_an_array():
    assert refused(POINT, [1, 2]).message == "expected an object"


def test_an_attrs_class_is_called_with_its_aliases():
    spec = {"record": {"target": f"{__name__}:Attr", "fields": {"hidden": {}, "b": {}, "c": {}}}}
    made = compile_conversion(spec, load=lambda _: Attr)({"hidden": 1})
    assert made == Attr(1)
    assert to_json(made) == {"hidden": 1, "b": "z", "c": []}


def test_what_a_constructor_raises_is_a_problem_at_the_record():
    problem = refused({"list": record("Positive", "n")}, [{"n": 1}, {"n": -1}])
    assert problem.path == (1,)
    assert problem.message == "Positive: n must be >= 0"


def test_the_text_of_a_constructors_exception_is_one_printable_line():
    assert refused(record("Refusing", "a"), {"a": 1}).message == "Refusing: \ufffd[31mred"
    assert refused(record("Unsayable"), {}).message == "Unsayable: Unprintable"


def test_a_field_that_the_record_does_not_have_is_refused():
    problem = refused(POINT, {"x": 1, "z": 2})
    assert problem.path == ("z",)


def test_a_missing_field_is_reported_by_the_constructor():
    assert "missing 1 required positional argument: 'x'" in refused(POINT, {}).message


def test_a_recursive_record_is_built_to_any_reasonable_depth():
    value = {"value": 1, "next": {"value": 2, "next": None}, "children": [{"value": 3}]}
    made = convert({"ref": "Node"}, value, definitions=DEFINITIONS)
    assert made == Node(1, Node(2), [Node(3)])
    problem = refused({"ref": "Node"}, {"value": 1, "children": [{"value": 1.5}]}, definitions=DEFINITIONS)
    assert problem.path == ("children", 0, "value")


def test_a_value_nested_beyond_the_stack_is_a_problem_and_no_crash():
    value: dict[str, object] = {"value": 1}
    for _ in range(5_000):
        value = {"value": 1, "next": value}
    problem = refused({"ref": "Node"}, value, definitions=DEFINITIONS)
    assert problem.message == "nested too deeply"


def test_a_definition_that_only_refers_to_itself_is_a_problem_and_no_crash():
    definitions = {"conversions": {"a": {"list": {"ref": "a"}}}}
    assert convert({"ref": "a"}, [[], [[]]], definitions=definitions) == [[], [[]]]
    endless = {"conversions": {"a": {"nullable": {"ref": "a"}}}}
    assert refused({"ref": "a"}, 1, definitions=endless).message == "nested too deeply"


def test_a_typed_dict_stays_a_dict_with_converted_and_undeclared_keys():
    spec = {"typed_dict": {"fields": {"a": "integer", "b": None}, "extra": None}}
    assert convert(spec, {"a": 1.0, "b": "x", "more": 1}) == {"a": 1, "b": "x", "more": 1}
    extra = {"typed_dict": {"fields": {"a": None}, "extra": "integer"}}
    assert convert(extra, {"a": 1.5, "k": 2.0}) == {"a": 1.5, "k": 2}
    assert refused(extra, {"k": 2.5}).path == ("k",)


def test_a_typed_dict_without_conversions_is_handed_on_uncopied():
    value = {"a": 1}
    assert convert({"typed_dict": {"fields": {"a": None}, "extra": None}}, value) is value


def test_a_subclass_of_a_scalar_is_called_with_the_value():
    made = convert({"call": "conversion_samples:Name", "convert": None}, "a")
    assert type(made) is Name
    assert refused({"call": "builtins:int", "convert": None}, "x").message.startswith("int: ")


NODES = st.recursive(
    st.builds(Node, st.integers()),
    lambda inner: st.builds(Node, st.integers(), st.none() | inner, st.lists(inner, max_size=2)),
    max_leaves=6,
)


@given(NODES)
def test_a_record_survives_being_sent_and_read_back(node):
    assert convert({"ref": "Node"}, to_json(node), definitions=DEFINITIONS) == node


def test_a_record_sends_what_its_instance_holds():
    assert to_json(Seeded(1, seed=2)) == {"a": 3, "b": "b", "computed": 9}
    assert to_json(Positive(1)) == {"n": 1}
