"""Records: dataclasses, attrs, NamedTuple, TypedDict, pydantic; as arguments and as results."""

from __future__ import annotations

import pytest

from .typed import Typed

HEAD = """
import attr, attrs, collections, datetime as dt
from dataclasses import KW_ONLY, InitVar, dataclass, field
from typing import *
from typing_extensions import TypedDict, NotRequired, Required
from pydantic import BaseModel, ConfigDict, Field, RootModel, computed_field
from pydantic.dataclasses import dataclass as checked
T = TypeVar("T")
"""


def properties(text: str, name: str, direction: str = "input") -> dict:
    typed = Typed(HEAD + text)
    schema = typed.schema(name, direction)
    assert typed.findings(name, direction) == []
    return next(value for key, value in schema["$defs"].items() if schema["$ref"].endswith(f"/{key}"))


def test_a_dataclass_field_declared_again_keeps_its_place_and_the_undecorated_subclass_adds_none() -> None:
    text = """
@dataclass
class Base:
    a: int
    b: str = "x"
@dataclass
class Child(Base):
    a: float = 1.0
    c: int = field(default=3, metadata={"description": "three"})
class Last(Child):
    d: int
"""
    found = properties(text, "Last")
    assert list(found["properties"]) == ["a", "b", "c"]
    assert found["properties"]["a"] == {"type": "number", "default": 1.0}
    assert found["properties"]["c"] == {"type": "integer", "default": 3, "description": "three"}
    assert "required" not in found
    assert properties(text, "Last", "result")["required"] == ["a", "b", "c"]


def test_fields_outside_the_constructor_are_for_results_and_init_variables_for_arguments() -> None:
    text = """
@dataclass
class R:
    a: int
    seed: "InitVar[int]" = 1
    kind: "ClassVar[str]" = "k"
    _: KW_ONLY
    made: int = field(init=False, default=2)
"""
    assert list(properties(text, "R")["properties"]) == ["a", "seed"]
    assert list(properties(text, "R", "result")["properties"]) == ["a", "made"]


def test_field_texts_come_from_the_field_the_string_below_or_the_docstring() -> None:
    text = '''
@dataclass
class R:
    """A record.

    Args:
        a: From the docstring.
        b: Overridden.
        c: Overridden too.
    """
    a: int
    b: int
    """From below."""
    c: Annotated[int, "From the type."]
'''
    found = properties(text, "R")
    assert found["description"] == "A record."
    assert [one["description"] for one in found["properties"].values()] == [
        "From the docstring.",
        "From below.",
        "From the type.",
    ]


def test_generics_are_filled_through_bases() -> None:
    text = """
@dataclass
class Box(Generic[T]):
    item: T
    more: "Box[T] | None" = None
@dataclass
class IntBox(Box[int]):
    n: str = ""
"""
    found = Typed(HEAD + text).schema("IntBox")["$defs"]
    assert found["IntBox"]["properties"]["item"] == {"type": "integer"}
    assert found["Box_int"]["properties"]["more"]["anyOf"][0] == {"$ref": "#/$defs/Box_int"}


def test_attrs_names_are_those_of_the_constructor() -> None:
    text = """
@attrs.define(kw_only=True)
class A:
    _x: int
    y: int = attrs.field(default=3, metadata={"description": "why"})
    z = attr.ib(type=str, default="q")
    w: list[int] = attr.Factory(list)
    k: int = attrs.field(init=False, default=1)
    al: int = attrs.field(alias="alpha")
    m: int = attrs.field()
    @m.default
    def _m(self): return 1
"""
    found = properties(text, "A")
    assert list(found["properties"]) == ["x", "y", "z", "w", "alpha", "m"]
    assert found["required"] == ["x", "alpha"]
    assert found["properties"]["y"] == {"type": "integer", "default": 3, "description": "why"}
    assert "k" in properties(text, "A", "result")["properties"]


def test_a_named_tuple_has_the_fields_of_the_class_it_is_made_from() -> None:
    text = """
class Pt(NamedTuple):
    x: int
    y: int = 0
class Sub(Pt):
    def norm(self): ...
Old = collections.namedtuple("Old", "a b", defaults=[1])
Typed = NamedTuple("Typed", [("n", int), ("s", "str")])
"""
    assert properties(text, "Sub")["required"] == ["x"]
    assert properties(text, "Old")["required"] == ["a"]
    assert properties(text, "Typed")["properties"] == {"n": {"type": "integer"}, "s": {"type": "string"}}


@pytest.mark.parametrize(
    ("declaration", "required", "extra"),
    [
        ("class D(TypedDict):\n    a: int\n    b: NotRequired[str]", ["a"], None),
        ("class D(TypedDict, total=False):\n    a: Required[int]\n    b: str", ["a"], None),
        ("class D(TypedDict, total=False):\n    a: Annotated[Required[int], 'x']\n    b: str", ["a"], None),
        ("class B(TypedDict):\n    a: int\nclass D(B, total=False):\n    b: str", ["a"], None),
        ("class D(TypedDict, closed=True):\n    a: int\n    b: str", ["a", "b"], False),
        ("class D(TypedDict, extra_items=int):\n    a: int\n    b: str", ["a", "b"], {"type": "integer"}),
        ("class D(TypedDict, extra_items=Never):\n    a: int\n    b: str", ["a", "b"], False),
        ("D = TypedDict('D', {'a': int, 'b': NotRequired[str]})", ["a"], None),
        ("D = TypedDict('D', {'a': int, 'b': str}, total=False)", None, None),
    ],
)
def test_a_typed_dict_says_which_keys_it_needs_and_allows(declaration: str, required: object, extra: object) -> None:
    found = properties(declaration, "D")
    assert found.get("required") == required
    assert found.get("additionalProperties") == extra
    assert list(found["properties"]) == ["a", "b"]


MODELS = '''
class Base(BaseModel):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"a": 1}]})
    a: int = Field(default=3, gt=1)
    _private: int = 3
    shared: ClassVar[int] = 1
class Model(Base):
    """A model."""
    opt: int | None
    made: list[int] = Field(default_factory=list)
    named: str = Field(validation_alias="in", serialization_alias="out")
    needed: int = Field(..., ge=0)
    hidden: str = Field(default="s", exclude=True)
    @computed_field
    @property
    def double(self) -> int:
        """Twice."""
        return 2
class Loose(BaseModel):
    model_config = {"extra": "allow", "alias_generator": to_camel}
    some_field: int
class Ids(RootModel[list[int]]): ...
class Own(BaseModel):
    @classmethod
    def __get_pydantic_json_schema__(cls, *rest): ...
@checked
class Checked:
    a: int = Field(gt=0)
    b: int = Field(default=3)
'''


def test_a_model_is_read_with_its_aliases_exclusions_and_computed_fields() -> None:
    found = properties(MODELS, "Model")
    assert list(found["properties"]) == ["a", "opt", "made", "in", "needed", "hidden"]
    assert found["required"] == ["opt", "in", "needed"]
    assert found["properties"]["a"] == {"type": "integer", "exclusiveMinimum": 1, "default": 3}
    assert found["additionalProperties"] is False
    assert found["examples"] == [{"a": 1}]
    result = properties(MODELS, "Model", "result")
    assert list(result["properties"]) == ["a", "opt", "made", "out", "needed", "double"]
    assert result["required"] == list(result["properties"])
    assert result["properties"]["double"] == {"type": "integer", "readOnly": True, "description": "Twice."}


def test_models_that_are_loose_roots_or_their_own_masters() -> None:
    loose = properties(MODELS, "Loose")
    assert list(loose["properties"]) == ["someField"]
    assert loose["additionalProperties"] is True
    assert properties(MODELS, "Ids") == {"type": "array", "items": {"type": "integer"}}
    assert properties(MODELS, "Checked")["properties"]["a"] == {"type": "integer", "exclusiveMinimum": 0}
    assert Typed(HEAD + MODELS).findings("Own") == [("unsupported-feature", "error")]


def test_serialisers_change_what_results_hold() -> None:
    text = """
from pydantic import field_serializer, model_serializer
class M(BaseModel):
    when: dt.datetime
    raw: int
    @field_serializer("when")
    def _when(self, value) -> int: return 1
    @field_serializer("raw")
    def _raw(self, value): return 1
class Whole(BaseModel):
    a: int
    @model_serializer
    def _all(self) -> dict[str, str]: return {}
"""
    assert properties(text, "M")["properties"]["when"] == {"type": "string", "format": "date-time"}
    assert properties(text, "M", "result")["properties"] == {"when": {"type": "integer"}, "raw": {}}
    assert list(properties(text, "Whole")["properties"]) == ["a"]
    assert properties(text, "Whole", "result") == {"type": "object", "additionalProperties": {"type": "string"}}


def test_two_classes_of_one_name_get_names_of_their_own(tmp_path) -> None:
    from .typed import write

    for name, kind in (("one", "int"), ("two", "str")):
        text = f"from dataclasses import dataclass\n@dataclass\nclass Item:\n    v: {kind}\n"
        write(tmp_path, {f"{name}.py": text})
    found = Typed("import one, two", tmp_path).schema("tuple[one.Item, two.Item]")
    assert [part["$ref"] for part in found["prefixItems"]] == ["#/$defs/Item", "#/$defs/two_Item"]
    assert found["$defs"]["two_Item"]["properties"]["v"] == {"type": "string"}


def test_a_record_with_an_unresolved_field_is_refused_where_the_field_stands() -> None:
    typed = Typed(HEAD + "@dataclass\nclass R:\n    a: Gone\n")
    [found] = typed.types.findings(typed.form("list[R]"), "input")
    assert found.rule.name == "unresolved-type"
    assert found.span.line == (HEAD + "@dataclass\nclass R:\n").count("\n") + 1


def test_where_dataclasses_meet_a_base_gives_all_it_has_as_python_does() -> None:
    text = """
@dataclass
class Base:
    x: int
@dataclass
class Left(Base):
    l: int = 1
@dataclass
class Right(Base):
    x: int = 0
    r: int = 2
@dataclass
class Both(Left, Right):
    d: str = ""
"""
    found = properties(text, "Both")
    assert list(found["properties"]) == ["x", "r", "l", "d"]
    assert found["required"] == ["x"]
    assert "default" not in found["properties"]["x"]


@pytest.mark.parametrize(
    "decorator", ["@dataclass", "@dataclass(init=False)", "@attrs.define", "@attrs.define(init=False)"]
)
def test_what_a_constructor_of_its_own_takes_is_what_a_client_sends(decorator: str) -> None:
    text = f"""
{decorator}
class Own:
    a: int
    def __init__(self, text: str, *rest: int, scale: float = 1.0, **more: int) -> None: ...
class Child(Own): ...
"""
    for name in ("Own", "Child"):
        assert properties(text, name)["properties"] == {
            "text": {"type": "string"},
            "scale": {"type": "number", "default": 1.0},
        }
        assert properties(text, name)["required"] == ["text"]
        assert list(properties(text, name, "result")["properties"]) == ["a"]


def test_a_private_field_has_the_name_python_gives_it() -> None:
    text = (
        "@dataclass\nclass _R:\n    __a: int\n    _b: int\n@attrs.define\nclass A:\n    __c: int\n    __d__: int = 1\n"
    )
    assert list(properties(text, "_R")["properties"]) == ["_R__a", "_b"]
    assert list(properties(text, "A")["properties"]) == ["A__c", "d__"]


@pytest.mark.parametrize(
    "text",
    [
        "@dataclass\nclass R:\n    a: int = None\n",
        "@dataclass\nclass R:\n    a: int = field(default=None)\n",
        "@attrs.define\nclass R:\n    a: int = None\n",
        "class R(NamedTuple):\n    a: int = None\n",
    ],
)
def test_a_field_whose_default_is_none_accepts_null_and_says_so(text: str) -> None:
    typed = Typed(HEAD + text)
    assert typed.findings("R") == [("implicit-optional", "warning")]
    member = typed.schema("R")["$defs"]["R"]["properties"]["a"]
    assert member == {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None}


def test_a_class_made_by_a_call_can_be_derived_from() -> None:
    text = """
Point = collections.namedtuple("Point", "x y", defaults=[0])
class P(Point):
    def far(self): ...
class Q(NamedTuple("Q", [("a", int)])): ...
class D(TypedDict("D", {"a b": int}), total=False):
    c: str
"""
    typed = Typed(HEAD + text)
    assert typed.schema("P")["$defs"]["P"]["required"] == ["x"]
    assert typed.conversion("P")[0]["record"]["target"] == "m:P"
    assert properties(text, "Q")["properties"] == {"a": {"type": "integer"}}
    assert properties(text, "D") == {
        "type": "object",
        "properties": {"a b": {"type": "integer"}, "c": {"type": "string"}},
        "required": ["a b"],
    }
    assert Typed(HEAD + "class C(collections.namedtuple('C', names())): ...").findings("C") == [
        ("unsupported-feature", "error")
    ]


def test_names_that_cannot_be_fields_are_numbered_when_the_call_asks_for_it() -> None:
    text = 'N = collections.namedtuple("N", "a class a _x ok", rename=True)\n'
    assert list(properties(text, "N")["properties"]) == ["a", "_1", "_2", "_3", "ok"]


@pytest.mark.parametrize(
    ("text", "hashable"),
    [
        ("@dataclass\nclass R:\n    a: int\n", False),
        ("@dataclass(frozen=True)\nclass R:\n    a: int\n", True),
        ("@dataclass(eq=False)\nclass R:\n    a: int\n", True),
        ("@dataclass(unsafe_hash=True)\nclass R:\n    a: int\n", True),
        ("@dataclass\nclass R:\n    a: int\n    def __hash__(self): return 1\n", True),
        ("@attrs.define\nclass R:\n    a: int\n", False),
        ("@attrs.frozen\nclass R:\n    a: int\n", True),
        ("class R(BaseModel):\n    a: int\n", False),
        ("class R(BaseModel, frozen=True):\n    a: int\n", True),
        ("class R(TypedDict):\n    a: int\n", False),
        ("class R(NamedTuple):\n    a: int\n", True),
        ("R = list[int]\n", False),
        ("R = tuple[int, list[int]]\n", False),
        ("R = tuple[int, ...]\n", True),
        ("R = int | dict[str, int]\n", True),
    ],
)
def test_a_set_of_what_has_no_hash_is_refused_when_it_is_built(text: str, hashable: bool) -> None:
    expected = [] if hashable else [("unsupported-type", "error")]
    assert Typed(HEAD + text).findings("set[R]") == expected
    assert Typed(HEAD + text).findings("list[R]") == []


def test_records_cannot_be_keys() -> None:
    assert Typed(HEAD + "@dataclass(frozen=True)\nclass R:\n    a: int\n").findings("dict[R, int]") == [
        ("unsupported-type", "error")
    ]


def test_the_first_of_several_aliases_is_advertised_and_a_generated_one_that_is_unknown_is_refused() -> None:
    text = """
from pydantic import AliasChoices
def shout(name): return name.upper()
class Choice(BaseModel):
    a: int = Field(validation_alias=AliasChoices("x", "y"))
class Made(BaseModel):
    model_config = ConfigDict(alias_generator=shout)
    a: int
"""
    assert list(properties(text, "Choice")["properties"]) == ["x"]
    assert Typed(HEAD + text).findings("Made") == [("unsupported-feature", "error")]
