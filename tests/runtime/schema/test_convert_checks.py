"""Predicates and pydantic have their say at call time, and their words reach the client."""

from __future__ import annotations

import datetime as dt  # pydantic reads the annotations at run time
from typing import Generic, TypeVar

import pytest
from pydantic import BaseModel, ConfigDict, Field, RootModel, field_validator

from generator.runtime.schema import imports
from generator.runtime.schema.convert import ConversionProblem, compile_conversion

T = TypeVar("T")


class Address(BaseModel):
    street: str
    zip_code: str = Field(pattern=r"^\d{5}$")


class User(BaseModel):
    model_config = ConfigDict(extra="forbid")
    user_id: int = Field(alias="userId")
    addresses: list[Address] = []
    mixed: int | list[int] = 0


class Even(BaseModel):
    n: int

    @field_validator("n")
    @classmethod
    def even(cls, value: int) -> int:
        if value % 2:
            raise ValueError("must be even")
        return value


class Strict(BaseModel):
    model_config = ConfigDict(strict=True)
    at: dt.datetime
    tags: set[str]


class Ids(RootModel[list[int]]):
    pass


class Crashing(BaseModel):
    n: int

    @field_validator("n")
    @classmethod
    def crash(cls, value: int) -> int:
        raise RuntimeError("validator fell over")


class Page(BaseModel, Generic[T]):
    items: list[T]


LOCAL = {"Page": Page, "User": User, "Even": Even, "Strict": Strict, "Ids": Ids, "Crashing": Crashing}


def load(target):
    return LOCAL[target] if target in LOCAL else imports.load(target)


def convert(spec, value, **options):
    return compile_conversion(spec, load=load, **options)(value)


def refused(spec, value, **options):
    with pytest.raises(ConversionProblem) as caught:
        convert(spec, value, **options)
    return caught.value


def test_a_predicate_that_holds_lets_the_value_through():
    spec = {"check": {"target": "builtins:str.islower", "say": "must be lower case"}}
    assert convert(spec, "a") == "a"
    assert refused(spec, "A").message == "must be lower case"


def test_a_predicate_sees_the_converted_value():
    spec = {"check": {"target": "conversion_samples:is_even", "say": "must be even", "convert": "integer"}}
    assert convert(spec, 2.0) == 2
    assert refused({"list": spec}, [2, 3]).path == (1,)


def test_a_negated_predicate_must_not_hold():
    spec = {"check": {"target": "conversion_samples:is_even", "say": "must not be even", "negate": True}}
    assert convert(spec, 3) == 3
    assert refused(spec, 2).message == "must not be even"


def test_a_check_without_a_predicate_only_converts():
    assert convert({"check": {"target": None, "say": "something", "convert": "integer"}}, 2.0) == 2


def test_a_predicate_that_raises_is_a_problem():
    problem = refused({"check": {"target": "conversion_samples:explodes", "say": "must explode"}}, 1)
    assert problem.message == "must explode ('boom')"


def test_a_pydantic_model_is_built_by_pydantic():
    user = convert({"pydantic": "User"}, {"userId": 1, "addresses": [{"street": "s", "zip_code": "12345"}]})
    assert user == User(userId=1, addresses=[Address(street="s", zip_code="12345")])
    assert convert({"pydantic": "Ids"}, [1]) == Ids([1])


def test_a_generic_model_is_built_with_its_type_arguments():
    spec = {"pydantic": "Page", "arguments": ["builtins:int"]}
    assert convert(spec, {"items": [1]}) == Page[int](items=[1])
    assert refused(spec, {"items": ["x"]}).path == ("items", 0)


def test_each_pydantic_problem_gets_its_path_in_the_arguments():
    value = {"addresses": [{"street": "s", "zip_code": "x"}, {"zip_code": "12345"}], "extra": 1}
    problem = refused({"dict": {"value": {"pydantic": "User"}}}, {"k": value})
    paths = [problem.path, *(more.path for more in problem.more)]
    assert problem.path[0] == "k"
    assert set(paths) == {
        ("k", "userId"),
        ("k", "addresses", 0, "zip_code"),
        ("k", "addresses", 1, "street"),
        ("k", "extra"),
    }


def test_names_of_union_arms_are_no_part_of_a_path():
    problem = refused({"pydantic": "User"}, {"userId": 1, "mixed": ["x"]})
    assert {problem.path, *(more.path for more in problem.more)} == {("mixed",), ("mixed", 0)}


def test_a_validators_own_words_reach_the_client():
    problem = refused({"pydantic": "Even"}, {"n": 1})
    assert (problem.path, problem.message) == (("n",), "Value error, must be even")
    assert refused({"pydantic": "Crashing"}, {"n": 1}).message == "validator fell over"


def test_a_strict_model_takes_what_is_right_as_json():
    strict = convert({"pydantic": "Strict"}, {"at": "2020-01-02T03:04:05Z", "tags": ["a"]})
    assert strict.tags == {"a"}
    assert refused({"pydantic": "Strict"}, {"at": "2020-01-02T03:04:05Z", "tags": [1]}).path == ("tags", 0)


def test_a_module_function_of_pydantic_1_is_used_when_there_is_no_type_adapter():
    def old_load(target):
        if target == "pydantic:TypeAdapter":
            raise imports.ImportProblem(target, "no TypeAdapter")
        if target == "pydantic:parse_obj_as":
            return lambda model, value: model.model_validate(value)
        return load(target)

    read = compile_conversion({"pydantic": "Even"}, load=old_load)
    assert read({"n": 2}) == Even(n=2)
    with pytest.raises(ConversionProblem) as caught:
        read({"n": 1})
    assert caught.value.path == ("n",)
