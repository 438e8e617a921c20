"""Which handler a class gets.

Nothing is imported to find out: a class is recognised by the names in its method resolution order
(`datetime.datetime`) or by the attributes that mark its kind (`__dataclass_fields__`). The order of the rules
matters, since many classes are several things: a StrEnum is a str, pandas' NaT a datetime, a numpy float a float. The
choice is kept by class.
"""

from __future__ import annotations

from . import results_containers as containers
from . import results_frames as frames
from . import results_records as records
from . import results_scalars as scalars
from .exception_text import type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .results_walk import Walk

    Handler = Callable[[Any, Walk], Any]

MAX_KNOWN = 1_000
"""Classes whose handler is remembered; classes made inside a function would otherwise collect for ever."""

_known: dict[type, Handler] = {}

_FIRST: tuple[tuple[str, Handler], ...] = (
    ("enum.Flag", scalars.flag),
    ("enum.Enum", scalars.enum_member),
    ("numpy.generic", frames.numpy_scalar),
)
"""Names that decide before any attribute does."""

_MARKED: tuple[tuple[str, Handler], ...] = (
    ("__mcp_content__", records.refuse_content),
    ("__await__", records.refuse_awaitable),
    ("__aiter__", records.refuse_awaitable),
    ("model_dump", records.pydantic_model),
    ("__pydantic_serializer__", records.pydantic_dataclass),
    ("__attrs_attrs__", records.attrs_instance),
    ("__struct_fields__", records.msgspec_struct),
    ("__dataclass_fields__", records.dataclass_instance),
)
"""Attributes of the class that mark a kind of record, or what may not stand inside data."""

_NAMED: tuple[tuple[str, Handler], ...] = (
    ("pydantic.main.BaseModel", records.pydantic_1_model),
    ("pydantic.v1.main.BaseModel", records.pydantic_1_model),
    ("datetime.timedelta", scalars.timedelta),
    ("datetime.datetime", scalars.isoformat),
    ("datetime.date", scalars.isoformat),
    ("datetime.time", scalars.isoformat),
    ("decimal.Decimal", scalars.decimal),
    ("builtins.complex", scalars.complex_number),
    ("builtins.str", scalars.plain_text),
    ("builtins.int", scalars.plain_integer),
    ("builtins.float", scalars.plain_number),
    ("builtins.bytes", scalars.binary),
    ("builtins.bytearray", scalars.binary),
    ("builtins.memoryview", scalars.binary),
    ("uuid.UUID", scalars.as_text),
    ("fractions.Fraction", scalars.as_text),
    ("ipaddress._IPAddressBase", scalars.as_text),
    ("zoneinfo.ZoneInfo", scalars.as_text),
    ("collections.UserString", scalars.as_text),
    ("re.Pattern", scalars.pattern),
    ("types.SimpleNamespace", records.namespace),
)
"""Classes of the standard library, subclasses before what they derive from."""

_SHAPED: tuple[tuple[str, Handler], ...] = (
    ("__fspath__", scalars.path),
    ("to_dicts", frames.rows),
    ("to_pylist", frames.rows),
    ("iloc", frames.pandas_object),
    ("tolist", frames.array),
    ("to_list", frames.rows),
)
"""Attributes that tell what an unknown class can do."""


def handler_for(kind: type) -> Handler:
    """Return the handler of a class."""
    handler = _known.get(kind)
    if handler is None:
        if len(_known) >= MAX_KNOWN:
            _known.clear()
        handler = _known[kind] = _choose(kind)
    return handler


def _choose(kind: type) -> Handler:
    names = {f"{parent.__module__}.{parent.__qualname__}" for parent in kind.__mro__}
    # pandas moves its private modules about; the names of these two classes stay.
    missing = type_name(kind) in ("NaTType", "NAType") and kind.__module__.startswith("pandas.")
    return (
        scalars.null
        if missing
        else (
            _by_name(_FIRST, names)
            or _by_attribute(_MARKED, kind)
            or _by_name(_NAMED, names)
            or containers.handler_for_container(kind)
            or _by_attribute(_SHAPED, kind)
            or (
                records.pydantic_type
                if any(name.startswith(("pydantic.", "pydantic_core.")) for name in names)
                else None
            )
            or containers.handler_for_iterable(kind)
            or records.refuse_unknown
        )
    )


def _by_name(rules: tuple[tuple[str, Handler], ...], names: set[str]) -> Handler | None:
    return next((handler for name, handler in rules if name in names), None)


def _by_attribute(rules: tuple[tuple[str, Handler], ...], kind: type) -> Handler | None:
    return next((handler for name, handler in rules if getattr(kind, name, None) is not None), None)
