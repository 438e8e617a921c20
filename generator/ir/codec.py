"""The IR as JSON, in both directions, and JSON values as frozen ones.

The mapping is mechanical: a dataclass is an object with the same keys, a tuple an array, bytes base64, a mapping an
object. A field that has its default is left out of the dump. Of the two kinds of call, `kind` tells which one is meant.
Reading is strict: unknown keys, missing keys and wrong types raise `CodecError` with a JSON pointer.
"""

from __future__ import annotations

import base64
import binascii
import dataclasses
import functools
import math
import types
import typing
from collections.abc import Mapping
from typing import Any, Literal, cast

from . import model
from .pointer import escaped

MAX_DEPTH = 200
"""Levels of a JSON value inside the IR; what is deeper cannot be served by any client."""

MAPPINGS = (dict, types.MappingProxyType)
"""The mappings there are: asking for them first is many times quicker than asking for any mapping."""

SCALARS = frozenset({str, int, float, bool, types.NoneType})
"""What most values inside of others are: nothing is to be done for them, and a call would take longer than the rest."""

CALL_KINDS: Mapping[type, str] = {model.PythonCall: "python", model.HttpCall: "http"}


class CodecError(ValueError):
    """A document that is not an IR; the message begins with a JSON pointer."""


def freeze(value: object, pointer: str = "") -> model.Json:
    """Return a JSON value that nobody can change: objects as read-only mappings, arrays as tuples.

    Raises CodecError for what has no JSON form (NaN, infinities, keys that are not strings, other types).
    """
    try:
        return _frozen(value, 0)
    except _NoJson as problem:
        raise CodecError(f"{''.join((pointer, *reversed(problem.steps))) or '/'}: {problem.reason}") from None


class _NoJson(Exception):
    """Why a value has no JSON form; the steps to it are added on the way out, innermost first."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.steps: list[str] = []


def _frozen(value: object, depth: int) -> model.Json:
    if depth > MAX_DEPTH:
        raise _NoJson(f"nested more than {MAX_DEPTH} levels deep")
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, (list, tuple)):
        return tuple(_member(index, item, depth + 1) for index, item in enumerate(value))
    if isinstance(value, MAPPINGS) or isinstance(value, Mapping):  # noqa: SIM101 # any mapping is asked for last: that is slow
        if not all(isinstance(key, str) for key in value):
            raise _NoJson("a key is not a string")
        return types.MappingProxyType({key: _member(key, item, depth + 1) for key, item in value.items()})
    if isinstance(value, float):
        if not math.isfinite(value):
            raise _NoJson("not a JSON number")
        return value
    raise _NoJson(f"{type(value).__name__} has no JSON form")


def _member(key: str | int, value: object, depth: int) -> model.Json:
    if value is None or isinstance(value, (str, bool, int)):
        return value
    try:
        return _frozen(value, depth)
    except _NoJson as problem:
        problem.steps.append(f"/{escaped(str(key))}")
        raise


def thaw(value: model.Json) -> Any:
    """Return the plain dicts and lists a frozen (or plain) JSON value stands for, as `json.dumps` takes them."""
    if isinstance(value, MAPPINGS):
        return {key: item if type(item) in SCALARS else thaw(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [item if type(item) in SCALARS else thaw(item) for item in value]
    if type(value) not in SCALARS and isinstance(value, Mapping):
        return {key: thaw(item) for key, item in value.items()}
    return value


def plain(value: model.Json) -> Any:
    """Return a JSON value as an encoder with `unfrozen` takes it: what is a dict already is not copied."""
    return value if type(value) is dict else thaw(value)


def unfrozen(value: object) -> object:
    """Return a frozen mapping inside of a plain value as a dict; raises TypeError for what has no JSON form."""
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


def dump(server: model.Server) -> dict[str, Any]:
    """Return a server as JSON objects: `{"format": 1, "server": {…}}`."""
    return {"format": model.FORMAT, "server": _dumped(server)}


def load(document: object) -> model.Server:
    """Return the server a dump stands for; raises CodecError for anything else."""
    if not isinstance(document, Mapping):
        raise CodecError("/: not an object")
    if document.get("format") != model.FORMAT:
        raise CodecError(f"/format: this mcpgen reads format {model.FORMAT}")
    extra = sorted(set(document) - {"format", "server"})
    if extra:
        raise CodecError(f"/{escaped(str(extra[0]))}: unknown key")
    if "server" not in document:
        raise CodecError("/server: missing")
    return cast("model.Server", _loaded(document["server"], model.Server, "/server"))


@functools.cache
def hints(kind: type) -> Mapping[str, Any]:
    """Return the resolved type of each field of an IR class; `Json` and `JsonObject` stay as they are."""
    # The recursive alias cannot be evaluated as it is written; both names are kept as opaque types.
    namespace = {**vars(model), "Json": JsonValue, "JsonObject": JsonMapping}
    return typing.get_type_hints(kind, globalns=namespace)


class JsonValue:
    """Stands for `model.Json` where types are resolved."""


class JsonMapping:
    """Stands for `model.JsonObject` where types are resolved."""


def _dumped(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        kind = CALL_KINDS.get(type(value))
        head = {} if kind is None else {"kind": kind}
        return head | {
            field.name: _dumped(getattr(value, field.name))
            for field in dataclasses.fields(value)
            if getattr(value, field.name) != _default(field)
        }
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, Mapping):
        return {key: _dumped(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_dumped(item) for item in value]
    return value


def _default(field: dataclasses.Field[Any]) -> Any:
    """Return a field's default, or the marker MISSING, which no value equals."""
    return field.default if field.default_factory is dataclasses.MISSING else field.default_factory()


def _loaded(value: Any, expected: Any, pointer: str) -> Any:
    """Return `value` as the type a field declares."""
    if expected is JsonValue:
        return freeze(value, pointer)
    if expected is JsonMapping:
        return freeze(_typed(value, Mapping, pointer), pointer)
    if dataclasses.is_dataclass(expected):
        return _record(value, cast("type", expected), pointer)
    origin, arguments = typing.get_origin(expected), typing.get_args(expected)
    if origin is Literal:
        if not isinstance(value, str) or value not in arguments:
            raise CodecError(f"{pointer}: must be one of {', '.join(arguments)}")
        return value
    if origin is tuple:
        return _array(value, arguments, pointer)
    if origin is Mapping:
        entries = _typed(value, Mapping, pointer)
        loaded = {key: _loaded(item, arguments[1], f"{pointer}/{escaped(key)}") for key, item in entries.items()}
        return types.MappingProxyType(loaded)
    if origin in (types.UnionType, typing.Union):
        return _either(value, arguments, pointer)
    if expected is bytes:
        return _bytes(value, pointer)
    return _typed(value, expected, pointer)


def _record(value: Any, kind: type, pointer: str) -> Any:
    entries = dict(_typed(value, Mapping, pointer))
    if kind in CALL_KINDS and entries.pop("kind", None) != CALL_KINDS[kind]:
        raise CodecError(f"{pointer}/kind: must be {CALL_KINDS[kind]}")
    fields = {field.name: field for field in dataclasses.fields(kind)}
    for key in entries:
        if key not in fields:
            raise CodecError(f"{pointer}/{escaped(str(key))}: unknown key")
    for name, field in fields.items():
        if name not in entries and _default(field) is dataclasses.MISSING:
            raise CodecError(f"{pointer}/{name}: missing")
    types_of = hints(kind)
    return kind(**{name: _loaded(item, types_of[name], f"{pointer}/{name}") for name, item in entries.items()})


def _array(value: Any, arguments: tuple[Any, ...], pointer: str) -> tuple[Any, ...]:
    items = _typed(value, list, pointer)
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return tuple(_loaded(item, arguments[0], f"{pointer}/{index}") for index, item in enumerate(items))
    if len(items) != len(arguments):
        raise CodecError(f"{pointer}: must have {len(arguments)} items")
    return tuple(
        _loaded(item, expected, f"{pointer}/{index}")
        for index, (item, expected) in enumerate(zip(items, arguments, strict=True))
    )


def _either(value: Any, arguments: tuple[Any, ...], pointer: str) -> Any:
    """Read an optional value, or one of the two kinds of call."""
    if value is None and types.NoneType in arguments:
        return None
    arms = [argument for argument in arguments if argument is not types.NoneType]
    if len(arms) == 1:
        return _loaded(value, arms[0], pointer)
    by_kind = {CALL_KINDS[arm]: arm for arm in arms}
    kind = _typed(value, Mapping, pointer).get("kind")
    if kind not in by_kind:
        raise CodecError(f"{pointer}/kind: must be one of {', '.join(sorted(by_kind))}")
    return _loaded(value, by_kind[kind], pointer)


def _typed(value: Any, expected: type, pointer: str) -> Any:
    """Check a plain type; an integer is a number too, a boolean is neither."""
    accepted: tuple[type, ...] = (
        (float, int) if expected is float else (list, tuple) if expected is list else (expected,)
    )
    if not isinstance(value, accepted) or (isinstance(value, bool) and expected is not bool):
        name = {Mapping: "an object", list: "an array", str: "a string", bool: "a boolean", int: "an integer"}
        raise CodecError(f"{pointer}: must be {name.get(expected, 'a number')}")
    return value


def _bytes(value: Any, pointer: str) -> bytes:
    try:
        return base64.b64decode(_typed(value, str, pointer), validate=True)
    except binascii.Error:
        raise CodecError(f"{pointer}: must be base64") from None
