"""Conversions: stated where the value differs from its JSON, and right when the runtime carries them out."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from generator.runtime.schema.convert import ConversionProblem, compile_conversion

from . import test_golden_types as golden
from .typed import Typed

HEAD = """
import enum
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pydantic import BaseModel
from typing import *
T = TypeVar("T")
Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
Text = str | list["Text"]
Tree = dict[str, "Tree | int"]
class Color(enum.Enum):
    RED = "red"
class Opaque(enum.Enum):
    A = (1, 2)
class Mine(int): ...
class Words(TypedDict):
    word: str
class Numbers(TypedDict):
    word: str
    number: NotRequired[int]
@dataclass
class Leaf:
    n: int
@dataclass
class Node:
    left: "Node | None"
    leaf: Leaf
class Page(BaseModel, Generic[T]):
    items: list[T]
"""
LEAF = {"record": {"target": "m:Leaf", "fields": {"n": {"name": "n", "convert": "integer"}}}}


@pytest.fixture(scope="module")
def typed() -> Typed:
    return Typed(HEAD)


@pytest.mark.parametrize(
    ("annotation", "spec"),
    [
        ("str", None),
        ("bool", None),
        ("Any", None),
        ("list[str]", None),
        ("dict[str, list[str]]", None),
        ("Literal['a', None]", None),
        ("Words", None),
        ("Text", None),
        ("Json", None),
        ("str | None", None),
        ("int | float", None),
        ("int", "integer"),
        ("float", "number"),
        ("list[int]", {"list": "integer"}),
        ("set[str]", {"set": None}),
        ("Iterator[str]", {"iterator": None}),
        ("tuple[str, ...]", {"tuple": {"prefix": [], "rest": None}}),
        ("tuple[str, *tuple[int, ...], str]", {"tuple": {"prefix": [None], "rest": "integer", "suffix": [None]}}),
        ("dict[int, str]", {"dict": {"key": "integer", "value": None}}),
        ("dict[bool, str]", {"dict": {"key": "boolean", "value": None}}),
        (
            "defaultdict[str, list[str]]",
            {"dict": {"key": None, "value": None, "type": "defaultdict", "factory": "list"}},
        ),
        ("int | None", {"nullable": "integer"}),
        ("Literal[1]", {"literal": [[1]]}),
        ("Color", {"enum": {"target": "m:Color", "by": "value"}}),
        ("Opaque", {"enum": {"target": "m:Opaque", "by": "name"}}),
        ("Mine", {"call": "m:Mine", "convert": "integer"}),
        ("Numbers", {"typed_dict": {"fields": {"number": "integer"}, "extra": None}}),
        ("Leaf", LEAF),
        ("Page[Leaf]", {"pydantic": "m:Page", "arguments": ["m:Leaf"]}),
    ],
)
def test_a_conversion_says_only_what_differs(typed: Typed, annotation: str, spec: object) -> None:
    assert typed.conversion(annotation) == (spec, {})


def test_a_union_lists_its_arms_with_the_schemas_they_are_told_apart_by(typed: Typed) -> None:
    spec, definitions = typed.conversion("Leaf | date | str")
    assert spec == {
        "union": [
            {"schema": {"$ref": "#/$defs/Leaf"}, "convert": LEAF},
            {"schema": {"type": "string", "format": "date"}, "convert": "date"},
            {"schema": {"type": "string"}, "convert": None},
        ]
    }
    assert list(definitions) == ["schemas"]
    assert list(definitions["schemas"]) == ["Leaf"]


def test_what_holds_other_records_is_written_once_and_named(typed: Typed) -> None:
    spec, definitions = typed.conversion("list[Node]")
    assert spec == {"list": {"ref": "Node"}}
    assert definitions["conversions"]["Node"]["record"]["fields"] == {
        "left": {"name": "left", "convert": {"nullable": {"ref": "Node"}}},
        "leaf": {"name": "leaf", "convert": LEAF},
    }
    assert typed.conversion("Tree")[1]["conversions"]["Tree"]["dict"]["value"]["union"][0]["convert"] == {"ref": "Tree"}


def test_a_graph_of_records_stays_as_small_as_its_source() -> None:
    lines = ["from dataclasses import dataclass", "from typing import TypedDict", "class T0(TypedDict):\n    n: str"]
    for number in range(1, 60):
        lines.append(f"class T{number}(TypedDict):\n    a: 'T{number - 1}'\n    b: 'T{number - 1}'")
        before = max(1, number - 1)
        lines.append(f"@dataclass\nclass D{number}:\n    a: 'D{before} | None'\n    b: 'D{before} | T{number}'")
    typed = Typed("\n".join(lines))
    assert typed.conversion("T59") == (None, {})
    spec, definitions = typed.conversion("D59")
    assert len(json.dumps([spec, definitions])) < 100_000
    assert len(typed.schema("D59")["$defs"]) == 119


def _load(target: str) -> Any:
    module, _, qualname = target.partition(":")
    found: Any = importlib.import_module(module)
    for part in qualname.split("."):
        found = getattr(found, part)
    return found


VALUES = [
    param
    for param in golden.cases()
    if not param.id.endswith("-refused") and not param.id.startswith(("p13_heavy", "p13_pkg", "p16"))
]


@pytest.mark.skipif(sys.version_info < (3, 13), reason="the probes use syntax of Python 3.13")
@pytest.mark.parametrize(("file", "name"), VALUES)
def test_a_probes_samples_are_converted_by_the_runtime(file: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(file.parent))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    expected = json.loads(file.read_text(encoding="utf-8"))["tools"][name]
    reader = golden.Reader(file)
    module, nodes = reader.functions(name)
    for parameter in [*nodes[-1].args.posonlyargs, *nodes[-1].args.args, *nodes[-1].args.kwonlyargs]:
        form = reader.forms(module, nodes, lambda node, wanted=parameter.arg: golden._annotation(node, wanted))
        writer = reader.types.conversions(reader.types.schemas("input"), lambda module, name: f"{module}:{name}")
        spec = writer.conversion(form)
        convert = compile_conversion(spec, definitions=writer.definitions(), load=_load) or (lambda value: value)
        for sample in expected["valid"]:
            if parameter.arg in sample:
                convert(sample[parameter.arg])
        for sample in expected.get("runtime_invalid", ()):
            with pytest.raises(ConversionProblem):
                convert(sample[parameter.arg])


def test_a_union_with_float_leaves_numbers_as_they_were_sent(typed: Typed) -> None:
    assert typed.conversion("float | str") == (None, {})
    assert typed.conversion("float | None") == ({"nullable": "number"}, {})


def test_text_that_happens_to_be_base64_stays_text_where_text_is_allowed(typed: Typed) -> None:
    spec, _ = typed.conversion("bytes | str")
    assert [arm["convert"] for arm in spec["union"]] == [None, "bytes"]


def test_subclasses_of_times_and_of_uuid_read_the_text_themselves() -> None:
    typed = Typed(
        "import datetime as dt, uuid\nclass D(dt.datetime): ...\nclass U(uuid.UUID): ...\nclass T(dt.timedelta): ..."
    )
    assert typed.conversion("D")[0] == {"call": "m:D.fromisoformat", "convert": None}
    assert typed.conversion("U")[0] == {"call": "m:U", "convert": None}
    assert typed.findings("T") == [("unsupported-type", "error")]
