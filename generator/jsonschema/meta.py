"""Whether a schema is a JSON Schema 2020-12 that servers can compile; the only user of the jsonschema package."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..ir.pointer import escaped
from ..runtime.schema.kinds import SchemaError

if TYPE_CHECKING:
    from .subschemas import Schema


MAX_REASON = 160
"""Characters of a reason: it may repeat a part of the schema, which may be long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InvalidSchema:
    """What is wrong with a schema, and where: a JSON pointer into it."""

    pointer: str
    reason: str


def first_error(schema: Schema) -> InvalidSchema | None:
    """Return the first thing that is wrong with a schema, or None; references must stay inside it."""
    return metaschema_error(schema) or _uncompilable(schema)


def metaschema_error(schema: Schema) -> InvalidSchema | None:
    """Return the first thing by which a schema is no JSON Schema 2020-12, or None; whether it compiles is not tried."""
    from jsonschema import Draft202012Validator  # type: ignore[import-untyped] # it has no types
    from jsonschema.exceptions import best_match  # type: ignore[import-untyped] # the same

    error = best_match(Draft202012Validator(Draft202012Validator.META_SCHEMA).iter_errors(schema))
    if error is None:
        return None
    pointer = "".join(f"/{escaped(str(part))}" for part in error.absolute_path)
    return InvalidSchema(pointer=pointer, reason=_short(error.message))


def _uncompilable(schema: Schema) -> InvalidSchema | None:
    """Compile the schema as a server would: dangling and foreign references show only then."""
    from ..runtime.schema.validator import compile_validator

    try:
        compile_validator(schema)
    except SchemaError as error:
        return InvalidSchema(pointer="", reason=_short(str(error)))
    return None


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= MAX_REASON else f"{line[: MAX_REASON - 1]}…"
