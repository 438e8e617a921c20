"""Arguments of a tool: named as the API names its parameters, told apart where two want the same name (decision 29)."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...ir.names import shortened
from .tool_names import digest

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from .place import Place

ARGUMENT_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}", re.ASCII)
"""What every model API accepts as the name of an argument (decision 15)."""

MAX_ARGUMENT_NAME = 64

LOCATIONS = ("path", "query", "querystring", "header", "cookie", "body")
"""The order in which names are given: of two that want the same name the later one is changed."""

COMPARISONS = (("<=", "lte"), (">=", "gte"), ("<", "lt"), (">", "gt"))
"""How names that end with a comparison are called: `StartTime<` gives `StartTime_lt`."""

_ILLEGAL = re.compile(r"[^A-Za-z0-9_.-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """A value the caller gives: its name at the API and there its location, its schema, whether it must be given.

    One that is a `whole` body has no name there.
    """

    wire: str
    location: str
    schema: Mapping[str, Any]
    required: bool = False
    whole: bool = False
    place: Place


def only_value(schema: Mapping[str, Any]) -> str | int | float | bool | None:
    """Return the one value a schema allows, None where there are others or it is no plain value."""
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    if not isinstance(values, list | tuple) or len(values) != 1:
        return None
    return values[0] if isinstance(values[0], str | int | float | bool) else None


def argument_names(arguments: Sequence[Argument]) -> list[str]:
    """Return a distinct, acceptable name for each argument; they come in the order of `LOCATIONS`."""
    exact = {each.wire for each in arguments if ARGUMENT_NAME.fullmatch(each.wire)}
    names: list[str] = []
    taken: set[str] = set()
    known = set(exact)
    numbers: dict[str, int] = {}
    for argument in arguments:
        name, changed = acceptable(argument.wire)
        # A name that was made must not take one that somebody is really called by.
        if name in taken or (changed and name in exact):
            name = distinct(name, argument.location, known, numbers)
        taken.add(name)
        known.add(name)
        names.append(name)
    return names


def acceptable(wire: str) -> tuple[str, bool]:
    """Return an acceptable name for what the API calls `wire`, and whether that is another: `ids[]` gives `ids`."""
    if ARGUMENT_NAME.fullmatch(wire):
        return wire, False
    for ending, word in COMPARISONS:
        if wire.endswith(ending) and wire != ending:
            return acceptable(f"{wire.removesuffix(ending)}_{word}")[0], True
    plain = "".join(each for each in unicodedata.normalize("NFKD", wire) if unicodedata.category(each) != "Mn")
    name = _ILLEGAL.sub("\0", plain).strip("\0").replace("\0", "_")
    if not plain.isascii() or not name:
        name = f"{name or 'argument'}_{digest(wire)}"
    return shortened(name, MAX_ARGUMENT_NAME), True


def distinct(name: str, location: str, taken: Collection[str], numbers: dict[str, int] | None = None) -> str:
    """Return a free name for a second argument of a name: `<name>__<location>`, numbered if even that is taken.

    `numbers` are the next ones to be tried, so that many of a name are not counted anew each time.
    """
    if name not in taken:
        return name
    numbers = {} if numbers is None else numbers
    found = wanted = shortened(f"{name}__{location}", MAX_ARGUMENT_NAME)
    while found in taken:
        number = numbers.get(wanted, 2)
        found = shortened(f"{wanted}_{number}", MAX_ARGUMENT_NAME)
        numbers[wanted] = number + 1
    return found
