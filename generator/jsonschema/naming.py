"""What the parts of a schema are called, as long as they refer to `$defs`: slimming writes most of them in place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..ir.pointer import escaped
from ..runtime.schema.references import HOLDERS, LIST, MAP, ONE
from .slimming import PREFIX, target

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .subschemas import Schema


def names(schema: Schema, pointer: str = "") -> dict[str, str]:
    """Return the names of referred definitions by the JSON pointer of the reference: `{"/properties/at": "Point"}`.

    Definitions themselves are not entered, so that recursive ones need no care.
    """
    found: dict[str, str] = {}
    for place, part in _references(schema, pointer):
        found[place] = target(part)
    return found


def _references(schema: Schema, pointer: str) -> Iterator[tuple[str, str]]:
    if not isinstance(schema, Mapping):
        return
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith(PREFIX):
        yield pointer, reference
    for keyword, value in schema.items():
        if keyword not in ("$defs", "definitions"):
            for key, part in _parts(keyword, value):
                yield from _references(part, f"{pointer}/{escaped(keyword)}{key}")


def _parts(keyword: str, value: Any) -> Iterator[tuple[str, Schema]]:
    """Yield the schemas a keyword holds, each with the rest of its pointer."""
    form = HOLDERS.get(keyword)
    if form is ONE:
        yield "", value
    elif form is LIST and isinstance(value, list | tuple):
        yield from ((f"/{index}", item) for index, item in enumerate(value))
    elif form is MAP and isinstance(value, Mapping):
        yield from ((f"/{escaped(name)}", item) for name, item in value.items())
