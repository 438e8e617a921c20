"""Parameters of an operation as arguments, and as the entries by which the runtime sends them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...jsonschema.subschemas import MAPPINGS
from .arguments import LOCATIONS, Argument
from .descriptions import bounded
from .encoding_entries import encodings_of
from .media_choices import schema_kind
from .media_types import body_kind
from .nullable import says_null
from .schemas import xml_plan
from .schemas.doubts import DOUBTED, is_doubted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .findings import Findings
    from .model import Operation, Parameter, SchemaNode
    from .schemas import Assembly, Schemas


def ordered(operation: Operation) -> tuple[Parameter, ...]:
    """Return the parameters in the order in which names are given."""
    return tuple(sorted(operation.parameters, key=lambda each: LOCATIONS.index(each.location)))


class Shared:
    """Arguments and entries of parameters that many operations have: each is made once where it is the same for all.

    It is where its schema refers to nothing and nothing is reported of it. A name stands for the operation's own.
    """

    __slots__ = ("_arguments", "_entries", "_schemas")

    def __init__(self, schemas: Schemas) -> None:
        self._schemas = schemas
        self._arguments: dict[int, tuple[Parameter, Argument]] = {}
        self._entries: dict[tuple[int, str], dict[str, Any]] = {}

    def argument(self, parameter: Parameter, assembly: Assembly, limit: int, findings: Findings) -> Argument:
        """Return the argument a parameter is, as `argument_of` does; `limit` is the same each time."""
        known = self._arguments.get(id(parameter))
        if known is not None:
            return known[1]
        argument = argument_of(parameter, assembly, limit, findings)
        if parameter.schema is None or _is_same_for_all(parameter.schema, argument, assembly):
            self._arguments[id(parameter)] = parameter, argument  # with the parameter, so that no other gets its id
        return argument

    def entry(
        self, parameter: Parameter, argument: Argument, name: str, definitions: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return how the runtime sends the argument called `name`."""
        if id(parameter) not in self._arguments:
            return entry_of(parameter, argument, name, definitions, self._schemas)
        known = self._entries.get((id(parameter), name))
        if known is None:
            known = self._entries[id(parameter), name] = entry_of(parameter, argument, name, definitions, self._schemas)
        return known


def _is_same_for_all(node: SchemaNode, argument: Argument, assembly: Assembly) -> bool:
    schema = assembly.schema(node)
    is_doubted_here = isinstance(schema, MAPPINGS) and "format" in schema and "format" not in argument.schema
    return not is_doubted_here and assembly.refers_to_nothing(node)


def argument_of(parameter: Parameter, assembly: Assembly, limit: int, findings: Findings | None = None) -> Argument:
    """Return the argument a parameter is, described in `limit` characters; raises SchemaProblem."""
    schema = {} if parameter.schema is None else assembly.schema(parameter.schema)
    if isinstance(schema, MAPPINGS) and is_doubted(schema.get("format"), parameter.examples, parameter.description):
        if findings is not None:
            findings.group("contradictory-schema", DOUBTED, place=parameter.place, unit=parameter.name)
        schema = {keyword: value for keyword, value in schema.items() if keyword != "format"}
    return Argument(
        wire=parameter.name,
        location=parameter.location,
        schema=_described(parameter, schema, limit),
        required=parameter.required,
        place=parameter.place,
    )


def entry_of(
    parameter: Parameter, argument: Argument, name: str, definitions: Mapping[str, Any], schemas: Schemas
) -> dict[str, Any]:
    """Return how the runtime sends the argument called `name`."""
    entry: dict[str, Any] = {
        "argument": name,
        "name": parameter.name,
        "in": parameter.location,
        "style": parameter.style,
        "explode": parameter.explode,
    }
    flags = {
        "reserved": parameter.allow_reserved,
        "empty": parameter.allow_empty_value,
        "required": parameter.required,
        "null": says_null(argument.schema, definitions),
    }
    entry |= {key: True for key, holds in flags.items() if holds}
    if parameter.content_type is not None:
        entry["content"] = parameter.content_type
        entry |= _xml_of(parameter, schemas)
    if parameter.nested:
        entry["nested"] = list(parameter.nested)
    encodings = encodings_of(parameter.encoding)
    if encodings:
        entry["encoding"] = encodings
    return entry


def _xml_of(parameter: Parameter, schemas: Schemas) -> dict[str, Any]:
    """Return how the value of a parameter is written that is an XML document; nothing for any other."""
    node = parameter.schema
    if node is None or body_kind(parameter.content_type or "", schema_kind(node, schemas)) != "xml":
        return {}
    plan, definitions = xml_plan(node, schemas.references)
    return {"xml": plan, **({"xml_definitions": definitions} if definitions else {})}


def _described(parameter: Parameter, schema: Any, limit: int) -> Mapping[str, Any]:
    """Return a parameter's schema with what the parameter itself says."""
    found: dict[str, Any] = dict(schema) if isinstance(schema, MAPPINGS) else {} if schema is not False else {"not": {}}
    description = bounded(parameter.description, limit)
    if description:
        found["description"] = description
    if parameter.deprecated:
        found["deprecated"] = True
    if parameter.examples and "examples" not in found:
        found["examples"] = [parameter.examples[0]]
    return found
