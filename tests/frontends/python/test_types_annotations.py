"""From annotations to schemas: unions, literals, containers, aliases, generics, and what is refused."""

from __future__ import annotations

import ast
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.frontends.python.forms import UnionForm, UnsuppliableForm

from .typed import Typed

HEAD = """
import datetime, enum, re, typing, uuid
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import *
Json = Union[None, bool, int, str, list["Json"], dict[str, "Json"]]
Maybe = Optional[int]
T = TypeVar("T")
K = TypeVar("K", str, bytes)
Pair = tuple[T, T]
Nested = dict[str, "Nested | int"]
Itself = "Itself"
UserId = NewType("UserId", int)
class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"
class Mine(int): ...
class Tags(list[str]): ...
class Plain: ...
@dataclass
class Cat:
    kind: Literal["cat"]
@dataclass
class Dog:
    kind: Literal["dog"]
@dataclass
class Grow(Generic[T]):
    more: "Grow[list[T]] | None"
"""
INTEGER, STRING, NULL = {"type": "integer"}, {"type": "string"}, {"type": "null"}


@pytest.fixture(scope="module")
def typed() -> Typed:
    return Typed(HEAD)


@pytest.mark.parametrize(
    ("annotation", "schema"),
    [
        ("int | str", {"anyOf": [INTEGER, STRING]}),
        ("None | int", {"anyOf": [NULL, INTEGER]}),
        ("Union[int, Union[str, None]]", {"anyOf": [INTEGER, STRING, NULL]}),
        ("Optional[Optional[int]]", {"anyOf": [INTEGER, NULL]}),
        ("Maybe | str", {"anyOf": [INTEGER, NULL, STRING]}),
        ("Union[int]", INTEGER),
        ("int | 'int'", INTEGER),
        ("'int | \"str\"'", {"anyOf": [INTEGER, STRING]}),
        ("str | Path", STRING),
        ("int | Any", {}),
        ("int | float", {"anyOf": [INTEGER, {"type": "number"}]}),
        ("bool | int", {"anyOf": [{"type": "boolean"}, INTEGER]}),
        ("Literal['a'] | None", {"anyOf": [{"type": "string", "enum": ["a"]}, NULL]}),
        ("Literal['a', Literal['b', 'a']]", {"type": "string", "enum": ["a", "b"]}),
        ("Literal[1, True, 1]", {"enum": [1, True]}),
        ("Literal[-1]", {"type": "integer", "enum": [-1]}),
        ("Literal[Color.RED, 'x']", {"type": "string", "enum": ["red", "x"]}),
        ("Literal[b'a']", {"type": "string", "contentEncoding": "base64", "enum": ["YQ=="]}),
        ("list", {"type": "array"}),
        (
            "tuple[int, *tuple[str, ...], int]",
            {"type": "array", "prefixItems": [INTEGER], "items": {"anyOf": [STRING, INTEGER]}, "minItems": 2},
        ),
        ("Tuple[()]", {"type": "array", "minItems": 0, "maxItems": 0}),
        (
            "dict[bool, int]",
            {"type": "object", "additionalProperties": INTEGER, "propertyNames": {"enum": ["true", "false"]}},
        ),
        (
            "dict[Color, int]",
            {"type": "object", "additionalProperties": INTEGER, "propertyNames": {"enum": ["red", "blue"]}},
        ),
        (
            "dict[uuid.UUID, int]",
            {"type": "object", "additionalProperties": INTEGER, "propertyNames": {"format": "uuid"}},
        ),
        ("Pair[int]", {"type": "array", "prefixItems": [INTEGER, INTEGER], "minItems": 2, "maxItems": 2}),
        ("K", {"anyOf": [STRING, {"type": "string", "contentEncoding": "base64"}]}),
        ("UserId", INTEGER),
        ("Mine", INTEGER),
        ("Tags", {"type": "array", "items": STRING}),
        ("typing.Final[int]", INTEGER),
    ],
)
def test_an_annotation_has_its_schema(typed: Typed, annotation: str, schema: object) -> None:
    assert typed.schema(annotation) == schema
    assert typed.findings(annotation) == []


def test_a_recursive_alias_is_a_definition(typed: Typed) -> None:
    items = {"$ref": "#/$defs/Json"}
    assert typed.schema("list[Json]") == {
        "type": "array",
        "items": items,
        "$defs": {
            "Json": {
                "anyOf": [
                    NULL,
                    {"type": "boolean"},
                    INTEGER,
                    STRING,
                    {"type": "array", "items": items},
                    {"type": "object", "additionalProperties": items},
                ]
            }
        },
    }
    assert typed.schema("Nested")["$defs"]["Nested"]["additionalProperties"]["anyOf"][0] == {"$ref": "#/$defs/Nested"}


def test_records_with_a_tag_are_told_apart_by_their_schemas(typed: Typed) -> None:
    schema = typed.schema("Cat | Dog")
    assert schema["anyOf"] == [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}]
    assert schema["$defs"]["Dog"]["properties"]["kind"] == {"type": "string", "enum": ["dog"]}


@pytest.mark.parametrize(
    ("annotation", "rule"),
    [
        ("Missing", "unresolved-type"),
        ("list[missing.Thing]", "unresolved-type"),
        ("'Missing | None'", "unresolved-type"),
        ("range", "unsupported-type"),
        ("enum.Enum", "unsupported-type"),
        ("Plain", "unsupported-type"),
        ("list[Callable[[int], int]]", "unsupported-type"),
        ("dict[tuple[int, int], str]", "unsupported-type"),
        ("re.Match[str]", "unsupported-type"),
        ("typing", "unsupported-type"),
        ("'not a type'", "unsupported-type"),
        ("3", "unsupported-type"),
        ("[int]", "unsupported-type"),
        ("Optional", "unsupported-type"),
        ("Self", "unsupported-type"),
        ("Awaitable[int]", "unsupported-type"),
        ("Itself", "unsupported-type"),
        ("Literal[1.5]", "unsupported-type"),
        ("Grow[int]", "unsupported-feature"),
    ],
)
def test_what_has_no_json_form_is_refused_and_never_an_empty_schema_in_silence(
    typed: Typed, annotation: str, rule: str
) -> None:
    assert (rule, "error") in typed.findings(annotation)


def test_a_callable_is_unsuppliable_and_leaves_a_union_that_has_other_arms(typed: Typed) -> None:
    assert isinstance(typed.form("Callable[..., int]"), UnsuppliableForm)
    assert isinstance(typed.form("Callable[..., int] | None"), UnionForm)
    assert ("unsupported-type", "error") in typed.findings("Callable[..., int] | None")
    assert typed.schema("str | Callable[..., int]") == STRING
    assert typed.findings("str | Callable[..., int]") == [("unsupported-type", "warning")]


def test_arms_nobody_can_send_leave_an_argument_but_not_a_result_and_never_an_unknown_type(typed: Typed) -> None:
    assert typed.schema("Plain | int | None") == {"anyOf": [INTEGER, NULL]}
    assert typed.conversion("Plain | int | None")[0] == {"nullable": "integer"}
    assert typed.findings("Plain | int | None") == [("unsupported-type", "warning")]
    assert typed.findings("Plain | None") == [("unsupported-type", "error")]
    assert typed.findings("Plain | int", "result") == [("unsupported-type", "error")]
    assert typed.findings("Missing | int") == [("unresolved-type", "error")]


def test_classes_of_the_standard_library_are_known_to_have_no_json_form() -> None:
    typed = Typed("import array, io, logging, socket, sqlite3, threading\nclass Own(gone.Base): ...\n")
    for name in (
        "array.array",
        "io.StringIO",
        "logging.Logger",
        "socket.socket",
        "sqlite3.Connection",
        "threading.Lock",
    ):
        [found] = typed.types.findings(typed.form(name), "input")
        assert (found.rule.name, found.span.path, found.span.line) == ("unsupported-type", "m.py", 1), name
    assert typed.findings("threading.Lock") == [("unsupported-type", "error")]
    [found] = typed.types.findings(typed.form("Own"), "input")
    assert (found.rule.name, found.span.line, found.span.column) == ("unresolved-type", 2, 11)


def test_an_awaitable_result_is_what_it_gives(typed: Typed) -> None:
    complete = typed.types.schemas("result").complete
    assert complete(typed.form("Awaitable[int]")) == INTEGER
    assert complete(typed.form("Iterator[int]")) == {"type": "array", "items": INTEGER}
    assert complete(typed.form("None")) is None
    assert complete(typed.form("Any")) is None


def test_a_decimal_is_text_in_results(typed: Typed) -> None:
    assert typed.schema("Decimal", "result") == STRING
    assert [arm["type"] for arm in typed.schema("Decimal")["anyOf"]] == ["number", "string"]


def test_spans_of_quoted_annotations_point_into_the_string_in_characters() -> None:
    typed = Typed('def f(x: "ünï | List[\'nöpe\']", y: """\n  Gone""") -> None: ...\n')
    found = [
        (one.span.line, one.span.column, one.span.end_column)
        for index in (0, 1)
        for one in typed.types.findings(typed.parameter("f", index=index), "input")
    ]
    assert found == [(1, 11, 14), (1, 17, 21), (2, 3, 7)]


@pytest.mark.skipif(sys.version_info < (3, 12), reason="PEP 695 needs Python 3.12 to be read")
def test_type_statements_and_type_parameters_are_read() -> None:
    typed = Typed("""
        type Tree[T] = T | list[Tree[T]]
        def first[T: (int, str)](x: list[T]) -> T: ...
        def free[T](x: T) -> T: ...
    """)
    assert typed.schema("Tree[int]")["$defs"] == {
        "Tree_int": {"anyOf": [INTEGER, {"type": "array", "items": {"$ref": "#/$defs/Tree_int"}}]}
    }
    schema = typed.types.schemas("input").schema
    assert schema(typed.parameter("first")) == {"type": "array", "items": {"anyOf": [INTEGER, STRING]}}
    assert schema(typed.parameter("free")) == {}


@given(
    st.recursive(
        st.sampled_from(["int", "str", "None", "Color", "Missing", "Any", "3"]),
        lambda inner: st.one_of(
            st.tuples(inner, inner).map(" | ".join),
            inner.map("list[{}]".format),
            inner.map("Optional[{}]".format),
            st.tuples(inner, inner).map(lambda pair: f"dict[{pair[0]}, {pair[1]}]"),
            inner.map(repr),
        ),
        max_leaves=12,
    )
)
def test_every_expression_gives_a_form_and_what_is_not_served_is_an_error(text: str) -> None:
    typed = Typed(HEAD)
    names = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    errors = [level for _, level in typed.findings(text) if level == "error"]
    typed.schema(text)
    typed.conversion(text)
    if "Missing" in names and "Any" not in text:
        assert errors


@pytest.mark.parametrize("annotation", ["list[int, str]", "dict[str]", "Sequence[int, int]", "Counter[str, int]"])
def test_a_wrong_number_of_type_arguments_is_refused(annotation: str) -> None:
    typed = Typed("from typing import *\nfrom collections import Counter\n")
    assert typed.findings(annotation) == [("unsupported-type", "error")]


def test_a_generator_may_say_what_it_takes_and_returns() -> None:
    assert Typed("from typing import *").findings("Generator[int, None, str]", "result") == []


def test_nobody_can_supply_a_value_of_a_type_that_has_none() -> None:
    typed = Typed("from typing import *")
    assert typed.findings("Never") == typed.findings("NoReturn") == [("unsupported-type", "error")]


@pytest.mark.parametrize("name", ["Sized", "Hashable"])
def test_a_protocol_that_accepts_nearly_anything_is_told(name: str) -> None:
    typed = Typed("from typing import *")
    assert typed.schema(name) == {}
    assert typed.findings(name) == [("uncommon-type", "warning")]
