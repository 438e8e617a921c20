"""Conversions of objects into classes: records, TypedDicts, and classes called with one value."""

from __future__ import annotations

from .conversion_problem import ConversionProblem
from .exception_text import exception_text, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .conversion_problem import Convert
    from .convert import Compiler


def compile_record(spec: Any, compiler: Compiler) -> Convert:
    """Compile `{"record": {"target", "fields", "array"}}`: the class called with a keyword for each field present.

    What the constructor raises is a problem at the record's own path. With `array` an array in field order is taken
    too.
    """
    body = spec["record"]
    target: Any = compiler.load(body["target"])
    fields: dict[str, tuple[str, Convert | None]] = {
        wire: (field.get("name") or wire, compiler.compile(field.get("convert")))
        for wire, field in body["fields"].items()
    }
    ordered = tuple(fields) if body.get("array") else ()
    name = called_name(target)

    def convert(value: object) -> object:
        if ordered and isinstance(value, list):
            value = _by_position(value, ordered)
        if not isinstance(value, dict):
            raise ConversionProblem((), "expected an object")
        converted: dict[str, object] = {}
        wire = ""
        try:
            for wire, item in value.items():
                if wire not in fields:
                    raise ConversionProblem((), f"{name} has no such field")  # noqa: TRY301  # gets its path below
                field, convert_field = fields[wire]
                converted[field] = item if convert_field is None else convert_field(item)
        except ConversionProblem as problem:
            problem.enter(wire)
            raise
        return construct(target, name, (), converted)

    return convert


def compile_typed_dict(spec: Any, compiler: Compiler) -> Convert | None:
    """Compile `{"typed_dict": {"fields", "extra"}}`: a plain dict with the keys as they came."""
    body = spec["typed_dict"]
    fields = {wire: compiler.compile(field) for wire, field in (body.get("fields") or {}).items()}
    extra = compiler.compile(body.get("extra"))
    if extra is None and not any(fields.values()):
        return None

    def convert(value: object) -> dict[str, object]:
        if not isinstance(value, dict):
            raise ConversionProblem((), "expected an object")
        converted: dict[str, object] = {}
        wire = ""
        try:
            for wire, item in value.items():
                convert_item = fields.get(wire, extra)
                converted[wire] = item if convert_item is None else convert_item(item)
        except ConversionProblem as problem:
            problem.enter(wire)
            raise
        return converted

    return convert


def compile_call(spec: Any, compiler: Compiler) -> Convert:
    """Compile `{"call": T, "convert": C}`: T(value), for subclasses of str, int and the like."""
    target: Any = compiler.load(spec["call"])
    before = compiler.compile(spec.get("convert"))
    name = called_name(target)

    def convert(value: object) -> object:
        return construct(target, name, (value if before is None else before(value),), {})

    return convert


def construct(
    target: Callable[..., object], name: str, positional: tuple[object, ...], keywords: dict[str, object]
) -> object:
    """Call a user's class; any exception it raises is a ConversionProblem that carries its text."""
    try:
        return target(*positional, **keywords)
    except Exception as error:  # a constructor is user code and checks its own rules
        raise ConversionProblem((), f"{name}: {exception_text(error)}") from error


def called_name(target: object) -> str:
    """Return the name of a class or function for a message."""
    if isinstance(target, type):
        return type_name(target)
    name = getattr(target, "__name__", None)
    return name if isinstance(name, str) else type_name(type(target))


def _by_position(items: list[object], names: tuple[str, ...]) -> dict[str, object]:
    if len(items) > len(names):
        raise ConversionProblem((), f"expected at most {len(names)} items")
    return dict(zip(names, items, strict=False))
