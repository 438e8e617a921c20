"""Markers return what they mark, and say at once what they cannot take."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Annotated, get_type_hints

import pytest

from generator.runtime.authoring import Param, markers, tool


def test_a_marked_function_is_the_function():
    def forecast(city: str) -> str:
        return city

    assert tool(forecast) is forecast
    assert tool(title="Forecast", read_only=True, timeout=10)(forecast) is forecast
    assert vars(forecast) == {}


def test_an_unknown_option_or_a_positional_one_is_refused():
    with pytest.raises(TypeError, match="'titel'"):
        tool(titel="x")
    with pytest.raises(TypeError, match="options go by name"):
        tool("Forecast")


def test_the_options_that_run_are_the_options_type_checkers_see():
    tree = ast.parse(Path(markers.__file__).read_text(encoding="utf-8"))
    seen = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == "tool"]
    names = {argument.arg for node in seen for argument in node.args.kwonlyargs}
    assert names == markers.OPTIONS
    assert {"title", "scopes", "confirm", "capture_output"} <= names


def test_a_param_is_a_value_that_annotations_can_hold():
    def forecast(days: Annotated[int | None, Param(ge=1, examples=[3])] = None): ...

    found = get_type_hints(forecast, include_extras=True, localns={"Annotated": Annotated, "Param": Param})
    assert found["days"].__metadata__ == (Param(ge=1, examples=[3]),)
    assert Param(ge=1) == Param(ge=1.0)
    assert hash(Param(ge=1)) == hash(Param(ge=1.0))
    assert Param(ge=1) != Param(ge=2)
    assert Param(ge=1) != 1
    assert repr(Param(ge=1, description="d")) == "Param(description='d', ge=1)"
