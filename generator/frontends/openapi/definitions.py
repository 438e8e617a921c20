"""The definitions of all tools in one place: what is sent and what comes back, told apart where they differ.

A schema that has read-only or write-only parts is another type when it is sent than when it comes back, and one that
was cut in some tool is whole in another.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from ...ir.codec import thaw
from ...ir.model import HttpCall
from ...jsonschema.slimming import PREFIX
from ...jsonschema.subschemas import MAPPINGS
from ...runtime.client.media import is_json
from .responses import is_file, successes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ...ir.model import Tool
    from .model import Api, Operation, SchemaNode
    from .schemas import Schemas

SENT = "Input"
"""Ends the name of what is sent where something else of that name comes back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Definitions:
    """All definitions by one name each; `sent` and `received` lead from a schema's own names to those.

    `answers` are the schemas of good answers by operation key, whole and not relaxed as what clients see.
    """

    schemas: Mapping[str, Any] = field(default_factory=dict)
    sent: Mapping[str, str] = field(default_factory=dict)
    received: Mapping[str, str] = field(default_factory=dict)
    answers: Mapping[str, Any] = field(default_factory=dict)


def gathered(tools: Iterable[Tool], api: Api | None, schemas: Schemas | None, limit: int | None) -> Definitions:
    """Return the definitions of some tools of an API; beyond `limit` of them the rest is not looked at."""
    looked_at: dict[str, object] = {}
    seen: dict[str, object] = {}
    gathered_from: dict[int, object] = {}
    sent: dict[str, Any] = {}
    received: dict[str, Any] = {}
    answers: dict[str, Any] = {}
    operations = {each.key: each for each in api.operations} if api is not None else {}
    for tool in tools:
        if limit is not None and len({*sent, *received}) > limit:
            break
        _gather(tool.input_schema.get("$defs"), sent, looked_at)
        operation = operations.get(tool.call.operation) if isinstance(tool.call, HttpCall) else None
        node = _answer(operation) if operation is not None else None
        if node is not None and schemas is not None:
            assembly = schemas.assembly("whole")
            answers[operation.key if operation else ""] = schema = assembly.schema(node)
            if id(schema) not in gathered_from:  # answers that operations share need what they needed before
                gathered_from[id(schema)] = schema
                _gather(assembly.definitions(), received, seen)
    apart = _apart(sent, received)
    names = {name: _sent_name(name, {*sent, *received}) if name in apart else name for name in sent}
    whole = {**received, **{names[name]: _renamed(schema, names) for name, schema in sent.items()}}
    return Definitions(schemas=whole, sent=names, received={name: name for name in received}, answers=answers)


def _answer(operation: Operation) -> SchemaNode | None:
    """Return the schema of an operation's good answer, if that is JSON."""
    media = (each for response in successes(operation) for each in response.content if not is_file(each))
    return next((each.schema for each in media if is_json(each.type) and each.item_schema is None), None)


def _gather(definitions: object, found: dict[str, Any], seen: dict[str, object]) -> None:
    """Add definitions; of two with one name the longer is the one that was not cut.

    Tools share most of them: what was `seen` by a name the last time is not looked at again.
    """
    for name, each in definitions.items() if isinstance(definitions, MAPPINGS) else ():
        if seen.get(name) is each:
            continue
        seen[name] = each
        plain = thaw(cast("Any", each))
        if name not in found or len(_text(plain)) > len(_text(found[name])):
            found[name] = plain


def _text(schema: Any) -> str:
    return json.dumps(schema, sort_keys=True)


def _apart(sent: Mapping[str, Any], received: Mapping[str, Any]) -> set[str]:
    """Return the names that mean two things, and those that refer to such a name."""
    both = [name for name in sent if name in received]
    apart = {name for name in both if _text(sent[name]) != _text(received[name])}
    users: dict[str, list[str]] = {}
    for name in both:
        for each in _references(sent[name]):
            users.setdefault(each, []).append(name)
    waiting = list(apart)
    while waiting:
        fresh = set(users.get(waiting.pop(), ())) - apart
        apart |= fresh
        waiting += fresh
    return apart


def _references(schema: Any) -> set[str]:
    if isinstance(schema, dict):
        own = schema.get("$ref")
        found = {own.removeprefix(PREFIX)} if isinstance(own, str) else set()
        return found.union(*map(_references, schema.values()))
    return set().union(*map(_references, schema)) if isinstance(schema, list) else set()


def _sent_name(name: str, taken: set[str]) -> str:
    made = f"{name}{SENT}"
    while made in taken:
        made = f"{made}_"
    return made


def _renamed(schema: Any, names: Mapping[str, str]) -> Any:
    if isinstance(schema, list):
        return [_renamed(each, names) for each in schema]
    if not isinstance(schema, dict):
        return schema
    changed = {key: _renamed(value, names) for key, value in schema.items()}
    own = schema.get("$ref")
    if isinstance(own, str):
        name = own.removeprefix(PREFIX)
        changed["$ref"] = PREFIX + names.get(name, name)
    return changed
