"""Conversions of arrays and of objects used as dictionaries."""

from __future__ import annotations

from .conversion_problem import ConversionProblem
from .convert_keys import compile_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from .conversion_problem import Convert
    from .convert import Compiler


def _empty_deque() -> object:
    from collections import deque

    return deque()


FACTORIES: dict[str | None, Callable[[], object] | None] = {
    None: None,
    "list": list,
    "dict": dict,
    "set": set,
    "frozenset": frozenset,
    "tuple": tuple,
    "deque": _empty_deque,
    "int": int,
    "float": float,
    "str": str,
    "bool": bool,
    "bytes": bytes,
}
"""What a defaultdict may make for a missing key."""


def compile_list(spec: Any, compiler: Compiler) -> Convert | None:
    """Compile `{"list": C}`."""
    convert = compiler.compile(spec["list"])
    return None if convert is None else _array(convert, _as_is)


def compile_iterator(spec: Any, compiler: Compiler) -> Convert:
    """Compile `{"iterator": C}`: everything is converted before the first item is given out."""
    return _array(compiler.compile(spec["iterator"]), iter)


def compile_deque(spec: Any, compiler: Compiler) -> Convert:
    """Compile `{"deque": C}`."""
    from collections import deque

    return _array(compiler.compile(spec["deque"]), deque)


def compile_set(spec: Any, compiler: Compiler) -> Convert:
    """Compile `{"set": C}`."""
    return _array(compiler.compile(spec["set"]), _hashed(set))


def compile_frozenset(spec: Any, compiler: Compiler) -> Convert:
    """Compile `{"frozenset": C}`."""
    return _array(compiler.compile(spec["frozenset"]), _hashed(frozenset))


def compile_tuple(spec: Any, compiler: Compiler) -> Convert:
    """Compile `{"tuple": {"prefix", "rest", "suffix"}}`: by position from either end, `rest` in between."""
    body = spec["tuple"]
    prefix = [compiler.compile(part) for part in body.get("prefix") or ()]
    suffix = [compiler.compile(part) for part in body.get("suffix") or ()]
    rest = compiler.compile(body.get("rest"))
    if not prefix and not suffix:
        return _array(rest, tuple)

    def convert(value: object) -> tuple[object, ...]:
        items = _expect_array(value)
        between = len(items) - len(prefix) - len(suffix)
        if between < 0:
            raise ConversionProblem((), f"expected {len(prefix) + len(suffix)} items")
        return tuple(_convert_each([*prefix, *[rest] * between, *suffix], items))

    return convert


def compile_dict(spec: Any, compiler: Compiler) -> Convert | None:
    """Compile `{"dict": {"key", "value", "type", "factory"}}`; two keys that become equal are refused."""
    body = spec["dict"]
    key = compile_key(body.get("key"), compiler)
    item = compiler.compile(body.get("value"))
    make = _mapping_type(body.get("type") or "dict", body.get("factory"))
    if key is None and item is None:
        return None if make is None else lambda value: make(_expect_object(value))

    def convert(value: object) -> object:
        items = _expect_object(value)
        converted: dict[Any, object] = {}
        name = ""
        try:
            for name, element in items.items():
                place = name if key is None else key(name)
                if place in converted:
                    raise ConversionProblem((), "the same key as another one")  # noqa: TRY301  # gets its path below
                converted[place] = element if item is None else item(element)
        except ConversionProblem as problem:
            problem.enter(name)
            raise
        except TypeError:  # a key that converts to something unhashable
            raise ConversionProblem((name,), "not usable as a key") from None
        return converted if make is None else make(converted)

    return convert


def _mapping_type(kind: str, factory: str | None) -> Callable[[dict[Any, object]], object] | None:
    if kind == "dict":
        return None
    if kind == "defaultdict":
        from collections import defaultdict

        default = FACTORIES[factory]
        return lambda items: defaultdict(default, items)
    if kind in ("OrderedDict", "Counter", "ChainMap"):
        import collections

        return getattr(collections, kind)  # type: ignore[no-any-return]  # a class chosen by name
    if kind == "MappingProxyType":
        from types import MappingProxyType

        return MappingProxyType
    raise ValueError(f"unknown mapping type {kind!r}")


def _array(convert: Convert | None, make: Callable[[list[object]], object]) -> Convert:
    if convert is None:
        return lambda value: make(_expect_array(value))

    def convert_array(value: object) -> object:
        items = _expect_array(value)
        converted: list[object] = []
        try:
            for item in items:
                converted.append(convert(item))  # noqa: PERF401  # the length tells which item failed
        except ConversionProblem as problem:
            problem.enter(len(converted))
            raise
        return make(converted)

    return convert_array


def _convert_each(converts: list[Convert | None], items: list[object]) -> list[object]:
    converted: list[object] = []
    try:
        for convert, item in zip(converts, items, strict=True):
            converted.append(item if convert is None else convert(item))
    except ConversionProblem as problem:
        problem.enter(len(converted))
        raise
    return converted


def _hashed(make: Callable[[Iterable[object]], object]) -> Callable[[list[object]], object]:
    def make_hashed(items: list[object]) -> object:
        try:
            return make(items)
        except TypeError:
            raise ConversionProblem((), "the items of a set must be scalars, not arrays or objects") from None

    return make_hashed


def _as_is(items: list[object]) -> list[object]:
    return items


def _expect_array(value: object) -> list[object]:
    if not isinstance(value, list):
        raise ConversionProblem((), "expected an array")
    return value


def _expect_object(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise ConversionProblem((), "expected an object")
    return value
