"""A server made by hand: what back ends are given, with something of everything."""

from __future__ import annotations

import pytest

from generator.ir.codec import freeze
from generator.ir.model import (
    Annotations,
    ConfigEntry,
    Icon,
    Limits,
    PythonCall,
    Server,
    Source,
    SourceFile,
    Tool,
)
from generator.pipeline import refine

MODULE = b'''\
"""Weather."""


def forecast(city: str, days: int = 3) -> list[str]:
    """Forecast for a city."""
    return [f"{city}: day {day}" for day in range(days)]


def station(name: str) -> dict[str, str]:
    """Find a station."""
    return {"name": name}
'''

CITY = {"type": "string", "description": "Name, as people write it."}


def made(**changes: object) -> Server:
    """Return the server, not yet refined, with some fields of its own."""
    tools = (
        Tool(
            name="forecast",
            title="Forecast",
            description="Forecast for a city.\n\nMore words.",
            input_schema=freeze(
                {
                    "type": "object",
                    "properties": {"city": CITY, "days": {"type": "integer", "default": 3}},
                    "required": ["city"],
                    "additionalProperties": False,
                }
            ),
            result_schema=freeze({"type": "array", "items": {"type": "string"}}),
            result_description="One line a day.",
            annotations=Annotations(read_only=True, open_world=False),
            call=PythonCall(target=".weather:forecast"),
            limits=Limits(timeout=10),
            icons=(Icon(src="https://weather.example/i.png", mime_type="image/png", sizes=("48x48",)),),
            aliases=("weather_forecast",),
            tags=("weather",),
        ),
        Tool(
            name="station",
            description="Find a station.",
            input_schema=freeze(
                {
                    "type": "object",
                    "properties": {"name": {"type": "string"}},
                    "required": ["name"],
                    "additionalProperties": False,
                }
            ),
            result_schema=freeze({"$ref": "#/$defs/S", "$defs": {"S": {"type": "object", "required": ["name"]}}}),
            call=PythonCall(target=".weather:station", positional=("name",)),
            scopes=("weather:read",),
            config=("token",),
        ),
    )
    fields: dict[str, object] = {
        "id": "weather",
        "package": "weather_mcp",
        "command": "weather-mcp",
        "title": "Weather",
        "description": "Forecasts and stations.",
        "instructions": "Ask for one city at a time.",
        "tools": tools,
        "config": (ConfigEntry(name="token", env="WEATHER_TOKEN", sensitive=True, required=False),),
        "source": Source(kind="python", name="weather.py", files=(SourceFile(path="weather.py", content=MODULE),)),
    }
    return Server(**(fields | changes))


@pytest.fixture
def make():
    """Return the maker of servers; its result is refined as the pipeline does."""

    def refined(**changes: object) -> Server:
        server, _ = refine(made(**changes))
        assert server is not None
        return server

    return refined


@pytest.fixture
def server(make) -> Server:
    return make()
