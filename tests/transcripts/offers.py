"""The resources and prompts that the transcripts talk to."""

from dataclasses import dataclass
from typing import Annotated, Literal

from mcpgen import (
    Audio,
    Context,
    File,
    Image,
    Link,
    Message,
    Param,
    SyncContext,
    Text,
    ToolError,
    completer,
    prompt,
    resource,
    tool,
)

PNG = b"\x89PNG\r\n\x1a\n"


@dataclass
class Station:
    """Where weather is measured."""

    number: int
    name: str


STATIONS = {1: Station(1, "Blindern"), 2: Station(2, "Florida")}


@tool
def shout(text: str) -> str:
    """Say it loudly.

    Args:
        text: What is said.
    """
    return text.upper()


@resource(
    "weather://about",
    title="About",
    mime_type="text/markdown",
    annotations={"audience": ["user"], "priority": 0.5, "last_modified": "2026-01-02T03:04:05Z"},
    icons=["https://weather.example/about.png"],
    meta={"example.com/origin": "hand"},
)
def about() -> str:
    """What this server knows."""
    return "# Weather"


@resource("weather://logo")
def logo() -> bytes:
    """The logo."""
    return PNG


@resource("weather://mixed")
def mixed() -> list[Text | Image | File]:
    """Several contents of one resource."""
    return [Text("a text", meta={"example.com/part": 1}), Image(PNG), File("weather://mixed/inner", text="inside")]


@resource("weather://stations/{number}")
def station(number: int, ctx: SyncContext) -> Station | None:
    """One station.

    Args:
        number: The station's number.
    """
    if number == 13:
        raise ToolError("station 13 was taken down", hint="read station 1")
    ctx.info("looking", number=number)
    return STATIONS.get(number)


@resource("weather://{country}/{city}/now", mime_type="text/plain")
async def now(country: Literal["no", "se"], city: str) -> str:
    """The weather of a city.

    Args:
        country: Where the city is.
        city: Its name.
    """
    return f"{city} in {country}: rain"


@prompt(title="Briefing", icons=["https://weather.example/briefing.png"])
async def briefing(
    city: str,
    tone: Literal["short", "full"] = "short",
    days: Annotated[int, Param(ge=1, le=14)] = 1,
    *,
    ctx: Context,
) -> str:
    """Ask for a briefing.

    Args:
        city: The city it is about.
        tone: How much is told.
    """
    await ctx.progress(1, 1)
    return f"Brief me on the weather of {city} for {days + 0} days, {tone}."


@prompt
def conversation(topic: str) -> list[Message | str]:
    """Begin a conversation."""
    return [
        topic,
        Message("assistant", [Text("I listen."), Audio(b"ID3", mime_type="audio/mpeg")]),
        Message("user", Link("weather://about")),
        {"role": "user", "content": {"type": "resource", "resource": {"uri": "weather://about", "text": "# Weather"}}},
    ]


@completer(briefing, "city")
def cities(typed: str) -> list[str]:
    return [city for city in ("Bergen", "Oslo", "Osaka") if city.startswith(typed)]


@completer(now, "city")
def cities_of(typed: str, chosen: dict[str, str]) -> list[str]:
    known = {"no": ["Oslo", "Bergen"], "se": ["Lund"]}
    return [city for city in known.get(chosen.get("country", ""), []) if city.startswith(typed)]


@completer(station, "number")
def numbers(typed: str) -> list[int]:
    return [number for number in range(300) if str(number).startswith(typed)]
