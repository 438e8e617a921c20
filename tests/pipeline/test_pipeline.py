"""From a source to a tree."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from generator.config import Config
from generator.diagnostics.model import Severity
from generator.frontends.python.environment import own_environment
from generator.pipeline import BuildRequest, build, refined

MODULE = '''\
"""Weather."""


def forecast(city: str) -> str:
    """Forecast.

    Args:
        city: Where.
    """
    return city
'''


@pytest.fixture
def source(tmp_path) -> Path:
    path = tmp_path / "weather.py"
    path.write_text(MODULE, encoding="utf-8")
    return path


def request(source: Path, **changes: object) -> BuildRequest:
    fields: dict[str, object] = {"source": str(source), "config": Config(), "environment": own_environment()}
    return BuildRequest(**(fields | changes))


def test_a_module_becomes_a_tree_without_findings(source):
    result = build(request(source))
    assert result.server is not None
    assert result.diagnostics == ()
    assert result.tree["weather_mcp/weather.py"] == source.read_bytes()
    assert set(result.owners) == set(result.tree)
    assert set(result.owners.values()) == {"mcpgen"}


def test_names_of_the_request_win_over_those_of_the_settings(source):
    result = build(request(source, config=Config(name="rain", package="rain_mcp"), name="snow", package="flakes"))
    assert result.server is not None
    assert (result.server.id, result.server.package, result.server.command) == ("snow", "flakes", "snow-mcp")
    assert json.loads(result.tree["flakes/catalog.json"])["id"] == "snow"
    assert "weather_mcp/catalog.json" not in result.tree


def test_a_source_that_cannot_be_loaded_gives_no_tree_but_says_why(tmp_path):
    result = build(request(tmp_path / "absent.py"))
    assert (result.server, dict(result.tree)) == (None, {})
    assert [each.level for each in result.diagnostics] == [Severity.ERROR]


def test_a_source_without_tools_gives_no_tree_but_says_why(source):
    source.write_text("x = 1\n", encoding="utf-8")
    result = build(request(source))
    assert (result.server, dict(result.tree)) == (None, {})
    assert [each.rule.code for each in result.diagnostics if each.level is Severity.ERROR] == ["MG308"]


def test_reading_and_refining_does_not_render(source):
    ready = refined(request(source))
    assert ready.server is not None
    assert [tool.name for tool in ready.server.tools] == ["forecast"]
    assert ready.server.tools[0].wrap is True
    assert (ready.diagnostics, ready.left_out) == ((), ())


def test_nothing_is_written(source):
    before = sorted(source.parent.iterdir())
    build(request(source))
    assert sorted(source.parent.iterdir()) == before


def test_what_is_left_out_goes_by_its_name_in_the_source(source):
    source.write_text(
        "from mcpgen import tool\n"
        "from collections.abc import Callable\n"
        "def fine(a: int) -> int: ...\n"
        "def refused(a: Callable[[], int]) -> int: ...\n"
        "@tool(name='fine')\ndef second(a: int) -> int: ...\n"
        "@tool(name='no good')\ndef third(a: int) -> int: ...\n"
        "@tool(hidden=True)\ndef hidden(a: int) -> int: ...\n"
        "def _private(a: int) -> int: ...\n",
        encoding="utf-8",
    )
    result = build(request(source))
    assert [tool.name for tool in result.server.tools] == ["fine"]
    assert sorted(result.left_out) == ["refused", "second", "third"]
