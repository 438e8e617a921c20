"""Types that were made to exhaust a reader: each ends soon, with a diagnostic where there is no answer."""

from __future__ import annotations

import pytest

from generator.frontends.python.forms import MISSING

from .typed import Typed, write

TYPING = "from typing import *\nfrom dataclasses import dataclass\n"


def test_aliases_that_double_are_refused_before_they_fill_memory() -> None:
    lines = ["A0 = tuple[int, int]"] + [f"A{number} = tuple[A{number - 1}, A{number - 1}]" for number in range(1, 60)]
    assert Typed("\n".join(lines)).findings("A59") == [("unsupported-feature", "error")]


def test_a_long_chain_of_records_is_no_deep_one() -> None:
    lines = [f"@dataclass\nclass R{number}:\n    inner: 'R{number + 1} | None' = None" for number in range(600)]
    typed = Typed(TYPING + "\n".join([*lines, "@dataclass\nclass R600:\n    n: int"]))
    assert len(typed.schema("R0")["$defs"]) == 601
    assert typed.findings("R0") == []
    assert len(typed.conversion("R0")[1]["conversions"]) == 600


def test_a_long_chain_of_plain_dictionaries_needs_no_conversion() -> None:
    lines = [f"class D{number}(TypedDict):\n    inner: 'D{number + 1}'" for number in range(600)]
    typed = Typed(TYPING + "\n".join([*lines, "class D600(TypedDict):\n    s: str"]))
    assert typed.conversion("D0") == (None, {})


def test_defaults_that_make_records_whose_defaults_make_records_end() -> None:
    lines = ["@dataclass\nclass R0:\n    n: int = 1"]
    lines += [f"@dataclass\nclass R{number}:\n    r: R{number - 1} = R{number - 1}()" for number in range(1, 300)]
    typed = Typed(TYPING + "\n".join(lines))
    assert typed.default("R3()") == {"r": {"r": {"r": {"n": 1}}}}
    found = typed.default("R299()")
    assert found is MISSING or isinstance(found, dict)


@pytest.mark.parametrize("name", ["Here", "Nowhere"])
def test_modules_that_star_import_each_other_are_asked_once(tmp_path, name: str) -> None:
    names = [f"s{number}" for number in range(14)]
    files = {f"{one}.py": "".join(f"from {other} import *\n" for other in names if other != one) for one in names}
    files["s13.py"] += "Here = int\n"
    write(tmp_path, files)
    typed = Typed("from s0 import *", tmp_path)
    assert bool(typed.findings(name)) is (name == "Nowhere")


@pytest.mark.parametrize(
    "annotation",
    [
        "list[" * 90 + "int" + "]" * 90,
        repr("list[" * 150 + "int" + "]" * 150),
        repr("a" + ".b" * 900),
        repr("(" * 300 + "int" + ")" * 300),
        repr(" | ".join(f"list[A{number}]" for number in range(900))),
        "Literal[" + "-" * 90 + "1]",
        repr("int" * 20_000),
        repr("-" * 5_000 + "1"),
    ],
)
def test_an_annotation_out_of_all_measure_is_refused(annotation: str) -> None:
    assert [level for _, level in Typed(TYPING).findings(annotation) if level == "error"]


def test_generics_that_grow_in_two_directions_end() -> None:
    typed = Typed(
        TYPING + "T = TypeVar('T')\n@dataclass\nclass G(Generic[T]):\n    a: 'G[list[T]]'\n    b: 'G[set[T]]'\n"
    )
    assert typed.findings("G[int]")[0] == ("unsupported-feature", "error")


def test_a_class_that_is_its_own_base_is_refused() -> None:
    typed = Typed("class A(B): ...\nclass B(A): ...\n")
    assert [rule for rule, _ in typed.findings("A")] == ["unsupported-type"]
