"""Forms: from what an author asks for to the restricted schema of an elicitation, and from its content to a value.

MCP forms are flat: an object whose fields are texts, numbers, booleans, a choice or several choices (2025-11-25,
client/elicitation). A plain type is a form with one field, called as the question's key. Choices are texts on the wire:
members of an Enum travel by their value where all values are texts, else by their name.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import enum
import types
import typing

from .form_rules import check_schema

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeAlias

    Read: TypeAlias = Callable[[Any], Any]

NUMBERS = {"ge": "minimum", "le": "maximum"}
TEXTS = {"min_length": "minLength", "max_length": "maxLength", "format": "format"}
LISTS = {"min_length": "minItems", "max_length": "maxItems"}
UNUSABLE = ("gt", "lt", "multiple_of", "pattern")
"""Bounds of a Param that forms have no keyword for."""

PLAIN: dict[Any, tuple[dict[str, Any], Any]] = {
    bool: ({"type": "boolean"}, bool),
    int: ({"type": "integer"}, int),
    float: ({"type": "number"}, float),
    str: ({"type": "string"}, str),
    dt.date: ({"type": "string", "format": "date"}, dt.date.fromisoformat),
    dt.datetime: ({"type": "string", "format": "date-time"}, dt.datetime.fromisoformat),
}


class Form:
    """A form: its `schema`, and how its content is read. Raises TypeError, ValueError for what no form can be."""

    __slots__ = ("_read", "schema")

    def __init__(self, wanted: Any, key: str) -> None:
        fields: dict[str, Any] = {}
        required: list[str] = []
        if wanted is None:
            self._read: Read = _gone_on
        elif isinstance(wanted, dict):
            check_schema(wanted)
            self.schema: dict[str, Any] = wanted
            self._read = dict
            return
        elif dataclasses.is_dataclass(wanted) or typing.is_typeddict(wanted):
            self._read = _record(wanted, fields, required)
        else:
            fields[key], read = _field(wanted)
            required.append(key)
            self._read = lambda content: read(content[key])
        self.schema = {"type": "object", "properties": fields} | ({"required": required} if required else {})
        check_schema(self.schema)

    def read(self, content: Mapping[str, Any]) -> Any:
        """Return the value of a content that fits the schema."""
        return self._read(content)


def _gone_on(_: object) -> bool:
    return True


def _record(wanted: Any, fields: dict[str, Any], required: list[str]) -> Read:
    """Fill in the fields of a dataclass or TypedDict and return how it is read."""
    hints = typing.get_type_hints(wanted, include_extras=True)
    given = {each.name: each for each in dataclasses.fields(wanted)} if dataclasses.is_dataclass(wanted) else {}
    readers: dict[str, Read] = {}
    empty: list[str] = []  # what may be left out and has no default: None
    for name, hint in hints.items():
        field = given.get(name)
        if given and (field is None or not field.init):
            continue
        plain, optional = _optional(hint)
        fields[name], readers[name] = _field(plain)
        if field is not None and field.default not in (dataclasses.MISSING, None):
            fields[name]["default"] = _as_default(field.default, fields[name])
        if _may_be_absent(wanted, name, hint, field):
            continue
        (empty if optional else required).append(name)

    def read(content: Mapping[str, Any]) -> Any:
        found = {name: read(content[name]) for name, read in readers.items() if content.get(name) is not None}
        return wanted(**{**dict.fromkeys(empty), **found})

    return read


def _may_be_absent(wanted: Any, name: str, hint: Any, field: dataclasses.Field[Any] | None) -> bool:
    """Say whether a record is whole without this field."""
    if field is not None:
        return field.default is not dataclasses.MISSING or field.default_factory is not dataclasses.MISSING
    # Annotations that are texts hide NotRequired from the class, which then counts the key as required.
    return typing.get_origin(hint) is typing.NotRequired or name in wanted.__optional_keys__


def _optional(hint: Any) -> tuple[Any, bool]:
    """Return a type without None, and whether None was part of it; `Required` and `NotRequired` are looked through."""
    if typing.get_origin(hint) in (typing.Required, typing.NotRequired):
        (hint,) = typing.get_args(hint)
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        arms = [arm for arm in typing.get_args(hint) if arm is not types.NoneType]
        if len(arms) == 1 and len(typing.get_args(hint)) == 2:
            return arms[0], True
    return hint, False


def _field(wanted: Any) -> tuple[dict[str, Any], Read]:
    """Return the schema of one field and how its value is read; raises TypeError."""
    if typing.get_origin(wanted) is typing.Annotated:
        inner, *notes = typing.get_args(wanted)
        schema, read = _field(inner)
        for note in notes:
            schema = _noted(schema, note)
        return schema, read
    if typing.get_origin(wanted) in (list, set, frozenset, tuple):
        return _choices(wanted)
    choice = _choice(wanted)
    if choice is not None:
        return choice
    if isinstance(wanted, typing.Hashable) and wanted in PLAIN:
        schema, read = PLAIN[wanted]
        return dict(schema), read
    message = (
        f"a form has no field for {wanted!r}: use bool, int, float, str, date, datetime, Literal, Enum, a list of "
        "those two, a flat dataclass or TypedDict, or a JSON Schema"
    )
    raise TypeError(message)


def _choice(wanted: Any) -> tuple[dict[str, Any], Read] | None:
    """Return the field of a Literal or an Enum, None for another type."""
    if typing.get_origin(wanted) is typing.Literal:
        values = {each if isinstance(each, str) else str(each): each for each in typing.get_args(wanted)}
        return {"type": "string", "enum": list(values)}, values.__getitem__
    if isinstance(wanted, type) and issubclass(wanted, enum.Enum):
        members: dict[str, Any] = {
            member.value if all(isinstance(each.value, str) for each in wanted) else member.name: member
            for member in wanted
        }
        titles = {wire: member.name.replace("_", " ").capitalize() for wire, member in members.items()}
        if all(title.casefold() == wire.replace("_", " ").casefold() for wire, title in titles.items()):
            return {"type": "string", "enum": list(members)}, members.__getitem__
        titled = [{"const": wire, "title": title} for wire, title in titles.items()]
        return {"type": "string", "oneOf": titled}, members.__getitem__
    return None


def _choices(wanted: Any) -> tuple[dict[str, Any], Read]:
    """Return the field for several of a few values; raises TypeError."""
    arguments = [each for each in typing.get_args(wanted) if each is not Ellipsis]
    choice = _choice(arguments[0]) if len(arguments) == 1 else None
    if choice is None:
        message = f"a form has no field for {wanted!r}: several values are chosen from a Literal or an Enum"
        raise TypeError(message)
    schema, read = choice
    items = {"anyOf": schema["oneOf"]} if "oneOf" in schema else {"type": "string", "enum": schema["enum"]}
    kind = typing.get_origin(wanted)
    return {"type": "array", "items": items}, lambda values: kind(map(read, values))


def _noted(schema: dict[str, Any], note: Any) -> dict[str, Any]:
    """Return a field with what a Param, or a text, says about it; raises ValueError for a bound forms do not have."""
    if isinstance(note, str):
        return {**schema, "description": note}
    if not hasattr(note, "multiple_of") or not hasattr(note, "title"):
        return schema  # somebody else's note
    names = {"title": "title", "description": "description"}
    names |= NUMBERS if schema["type"] in ("integer", "number") else LISTS if schema["type"] == "array" else TEXTS
    for name in UNUSABLE:
        if getattr(note, name) is not None:
            message = f"a form has no {name}="
            raise ValueError(message)
    said = {wire: getattr(note, name) for name, wire in names.items() if getattr(note, name) is not None}
    return {**schema, **said, **(note.schema or {})}


def _as_default(value: Any, schema: Mapping[str, Any]) -> Any:
    """Return a default as the wire has it."""
    if isinstance(value, list | tuple | set | frozenset):
        return [_as_default(each, {}) for each in value]
    if isinstance(value, enum.Enum):
        known = schema.get("enum") or [each["const"] for each in schema.get("oneOf", ())]
        return value.value if isinstance(value.value, str) and (not known or value.value in known) else value.name
    if isinstance(value, dt.date):
        return value.isoformat()
    return str(value) if "enum" in schema else value
