"""Handlers for objects with fields, and for what is refused.

Field names are the ones the input uses: attrs' alias without the underscore, pydantic's and msgspec's serialisation
names.
"""

from __future__ import annotations

from .exception_text import type_name
from .results_problem import ResultProblem
from .results_scalars import unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from .results_walk import Walk


def dataclass_instance(value: Any, walk: Walk) -> Any:
    """Give a dataclass's fields, those without init included; InitVar and ClassVar are none."""
    from dataclasses import fields

    names = [field.name for field in fields(value)]
    return walk.pairs(_present(value, zip(names, names, strict=True)))


def attrs_instance(value: Any, walk: Walk) -> Any:
    """Give an attrs instance's attributes by their alias."""
    attributes = type(value).__attrs_attrs__
    return walk.pairs(_present(value, ((each.name, getattr(each, "alias", None) or each.name) for each in attributes)))


def msgspec_struct(value: Any, walk: Walk) -> Any:
    """Give a msgspec Struct's fields by their encoded names, the tag first if it has one."""
    kind = type(value)
    names = _present(value, zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True))
    config = getattr(kind, "__struct_config__", None)
    tag = getattr(config, "tag", None)
    return walk.pairs([(config.tag_field, tag), *names] if tag is not None and config is not None else names)


def namespace(value: Any, walk: Walk) -> Any:
    """Give a SimpleNamespace's attributes."""
    return walk.pairs(vars(value).items())


def pydantic_model(value: Any, walk: Walk) -> Any:
    """Give what a pydantic model says of itself as JSON: aliases, excluded and computed fields, serialisers.

    What pydantic cannot write (bytes that are no UTF-8, classes it does not know) is dumped as Python and converted
    here.
    """
    try:
        dumped = value.model_dump(mode="json", by_alias=True)
    except (ValueError, TypeError):
        dumped = value.model_dump(by_alias=True)
    return walk.convert(dumped)


def pydantic_dataclass(value: Any, walk: Walk) -> Any:
    """Give a pydantic dataclass as its serialiser writes it."""
    serializer = type(value).__pydantic_serializer__
    try:
        dumped = serializer.to_python(value, mode="json", by_alias=True)
    except (ValueError, TypeError):
        dumped = serializer.to_python(value, by_alias=True)
    return walk.convert(dumped)


def pydantic_1_model(value: Any, walk: Walk) -> Any:
    """Give a pydantic 1 model's dictionary by alias."""
    dumped = value.dict(by_alias=True)
    return walk.convert(dumped.get("__root__", dumped) if hasattr(type(value), "__fields__") else dumped)


def pydantic_type(value: Any, walk: Walk) -> Any:
    """Give pydantic's own JSON form of its value types: URLs as text, secrets as asterisks."""
    # The class exists, so pydantic_core is loaded; a look-up keeps this module free of third-party imports.
    from sys import modules

    to_jsonable = getattr(modules.get("pydantic_core"), "to_jsonable_python", None)
    if to_jsonable is None:
        raise unknown(value)
    return walk.convert(to_jsonable(value))


def refuse_content(value: Any, _walk: Walk) -> Any:
    """Refuse a content block inside data: base64 in structured content would be sent twice."""
    message = f"{type_name(type(value))} is a content block; return it alone or in a list of content, not inside data"
    raise ResultProblem("content-inside-data", message)


def refuse_awaitable(value: Any, _walk: Walk) -> Any:
    """Refuse what is still to be awaited; a coroutine is closed, so that Python does not warn about it later."""
    close = getattr(value, "close", None)
    if close is not None and type(value).__name__ == "coroutine":
        close()
    raise ResultProblem("not-serialisable", f"{type_name(type(value))} inside the result was not awaited")


def refuse_unknown(value: Any, _walk: Walk) -> Any:
    """Refuse an object of an unknown class."""
    raise unknown(value)


def _present(value: Any, names: Iterable[tuple[str, str]]) -> Iterable[tuple[str, Any]]:
    for name, wire in names:
        try:
            item = getattr(value, name)
        except AttributeError:
            message = f"the field `{name}` of {type_name(type(value))} is not set"
            raise ResultProblem("not-serialisable", message) from None
        yield wire, item
