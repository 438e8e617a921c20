"""Weather of four European cities, from a table kept beside the module: no network, the same answers every day."""

import json
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

from mcpgen import Context, Param, ToolError, tool

STATIONS: dict[str, Any] = json.loads(Path(__file__).with_name("stations.json").read_text(encoding="utf-8"))


class Unit(StrEnum):
    """A temperature scale."""

    CELSIUS = "celsius"
    FAHRENHEIT = "fahrenheit"


@dataclass
class Station:
    """A place where weather is measured."""

    city: str
    country: str
    latitude: float
    longitude: float


@dataclass
class Day:
    """The weather of one day: temperatures in the forecast's unit, rain in millimetres."""

    day: int
    high: float
    low: float
    rain: float
    sky: str


@dataclass
class Forecast:
    """What the coming days bring."""

    city: str
    unit: Unit
    days: list[Day]
    wettest: Day | None = None


@tool(title="Stations", read_only=True)
def stations(country: Annotated[str | None, Param(pattern="^[A-Z]{2}$", examples=["NO"])] = None) -> list[Station]:
    """List the stations that have forecasts.

    Args:
        country: Only those of this country, as its two-letter code.
    """
    rows = [(city, row) for city, row in STATIONS.items() if country in (None, row["country"])]
    return [Station(city, row["country"], row["latitude"], row["longitude"]) for city, row in rows]


@tool(title="Forecast", read_only=True, timeout=10)
def forecast(
    city: Annotated[str, Param(examples=["Oslo"])],
    days: Annotated[int, Param(ge=1, le=14)] = 3,
    unit: Unit = Unit.CELSIUS,
) -> Forecast:
    """Forecast for a city.

    Args:
        city: Name of a station, as people write it.
        days: How many days ahead, 1 to 14.
        unit: Scale of the temperatures.
    """
    name = _known(city)
    coming = [
        Day(number, _in_unit(row["high"], unit), _in_unit(row["low"], unit), row["rain"], row["sky"])
        for number, row in enumerate(STATIONS[name]["days"][:days], start=1)
    ]
    wettest = max(coming, key=lambda day: day.rain)
    return Forecast(name, unit, coming, wettest if wettest.rain > 0 else None)


@tool(title="Compare cities", read_only=True)
async def compare(cities: list[str], days: Annotated[int, Param(ge=1, le=14)] = 7, *, ctx: Context) -> dict[str, float]:
    """Compare the average high temperature of several cities, in degrees Celsius.

    Args:
        cities: Names of stations.
        days: How many days ahead are averaged.
        ctx: Told how far the work is.
    """
    averages: dict[str, float] = {}
    for number, city in enumerate(cities):
        await ctx.progress(number, len(cities), f"averaging {city}")
        highs = [row["high"] for row in STATIONS[_known(city)]["days"][:days]]
        averages[_known(city)] = round(sum(highs) / len(highs), 1)
    await ctx.progress(len(cities), len(cities))
    return averages


def convert(temperature: float, to: Unit) -> float:
    """Convert a temperature to the other scale.

    Args:
        temperature: Degrees in the scale that `to` is not.
        to: The scale of the result.
    """
    return _in_unit(temperature, to) if to is Unit.FAHRENHEIT else round((temperature - 32) / 1.8, 1)


def _known(city: str) -> str:
    """Return a station's name as the table spells it; raises ToolError for a city that has none."""
    for name in STATIONS:
        if name.casefold() == city.strip().casefold():
            return name
    raise ToolError(f"no station in {city[:40]}", hint=f"choose one of {', '.join(sorted(STATIONS))}")


def _in_unit(celsius: float, unit: Unit) -> float:
    return celsius if unit is Unit.CELSIUS else round(celsius * 1.8 + 32, 1)
