"""Fit an operation's parameters to its path: each name of the template has one, and none is without a place."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..model import Parameter, SchemaNode
from .values import shown

if TYPE_CHECKING:
    from ..model import Location
    from ..place import Place
    from .sources import Reading
    from .templates import PathTemplate


def fit(
    reading: Reading, template: PathTemplate, parameters: list[Parameter], place: Place, unit: str
) -> tuple[Parameter, ...]:
    """Return the parameters that agree with the template: missing ones added, those without a place in it dropped."""
    found: dict[tuple[str, str], Parameter] = {}
    spellings = _spellings(template, parameters)
    for parameter in parameters:
        fitted = _fitted(template, spellings, parameter)
        if fitted is not None:
            found.setdefault((fitted.location, fitted.name), fitted)
        else:
            message, detail = "path parameter without a place in its path is left out", _of(parameter.name, unit)
            reading.findings.warn("unused-path-parameter", message, parameter.place, detail=detail)
    needed: list[tuple[Location, str]] = [("path", name) for name in template.names]
    needed += [("query", key) for key in template.query_names.values()]
    for location, name in needed:
        if (location, name) not in found:
            message, detail = "undeclared parameter of a path is taken as a required text", _of(name, unit)
            reading.findings.warn("undeclared-path-parameter", message, place, detail=detail)
            found[location, name] = _text_parameter(reading, name, location, place)
    return tuple(found.values())


def _of(name: str, unit: str) -> str:
    return f"`{shown(name)}` of {unit}"


def _spellings(template: PathTemplate, parameters: list[Parameter]) -> dict[str, str]:
    """Map names that nothing declares exactly, in lower case, to how the template spells them."""
    declared = {each.name for each in parameters if each.location == "path"}
    return {name.lower(): name for name in template.names if name not in declared}


def _fitted(template: PathTemplate, spellings: dict[str, str], parameter: Parameter) -> Parameter | None:
    key = template.query_names.get(parameter.name)
    if key is not None and parameter.location in ("path", "query"):
        return replace(parameter, name=key, location="query", required=True, style="form", explode=True)
    if parameter.location != "path" or parameter.name in template.names:
        return parameter
    spelling = spellings.get(parameter.name.lower())
    return None if spelling is None else replace(parameter, name=spelling)


def _text_parameter(reading: Reading, name: str, location: Location, place: Place) -> Parameter:
    return Parameter(
        name=name,
        location=location,
        required=True,
        style="simple" if location == "path" else "form",
        explode=location != "path",
        schema=SchemaNode(value={"type": "string"}, place=place, dialect=reading.dialect),
        place=place,
    )
