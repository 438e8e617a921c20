"""From JSON arguments to Python values: conversions are data in the catalog, closures at run time.

Theory of operation. A conversion says only what differs from the parsed JSON; `None` means "as parsed" all the way
down, and a container whose items need nothing hands them on without a loop. `Compiler.compile` turns a specification
into a closure once, at a tool's first call; the families of the grammar live in the `convert_*` modules and call back
into the compiler for what they contain. Recursive specifications name each other through `ref`. Values have passed
the schema before they come here, yet every conversion refuses what it does not understand, with a `ConversionProblem`
whose path grows on the way out. The grammar is described in docs/conversions.md.
"""

from __future__ import annotations

from . import convert_checks, convert_choices, convert_containers, convert_numbers, convert_records, convert_text
from .conversion_problem import TOO_DEEP, ConversionProblem
from .convert_times import to_date, to_datetime, to_time, to_timedelta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from .conversion_problem import Convert

__all__ = ["Compiler", "ConversionProblem", "compile_conversion"]

ATOMS: dict[str, Callable[[], Convert]] = {
    "integer": convert_numbers.to_integer,
    "number": convert_numbers.to_number,
    "decimal": convert_numbers.to_decimal,
    "fraction": convert_numbers.to_fraction,
    "complex": convert_numbers.to_complex,
    "bytes": convert_text.to_bytes,
    "bytearray": convert_text.to_bytearray,
    "datetime": to_datetime,
    "date": to_date,
    "time": to_time,
    "timedelta": to_timedelta,
    "uuid": convert_text.to_uuid,
    "path": lambda: convert_text.to_path("Path"),
    "purepath": lambda: convert_text.to_path("PurePath"),
    "pureposixpath": lambda: convert_text.to_path("PurePosixPath"),
    "purewindowspath": lambda: convert_text.to_path("PureWindowsPath"),
    "ipaddress": lambda: convert_text.to_address("ip_address", "a valid IP address"),
    "ipv4address": lambda: convert_text.to_address("IPv4Address", "a valid IPv4 address"),
    "ipv6address": lambda: convert_text.to_address("IPv6Address", "a valid IPv6 address"),
    "ipv4network": lambda: convert_text.to_address("IPv4Network", "a valid IPv4 network such as 192.0.2.0/24"),
    "ipv6network": lambda: convert_text.to_address("IPv6Network", "a valid IPv6 network such as 2001:db8::/32"),
    "ipv4interface": lambda: convert_text.to_address("IPv4Interface", "a valid IPv4 interface such as 192.0.2.1/24"),
    "ipv6interface": lambda: convert_text.to_address("IPv6Interface", "a valid IPv6 interface such as 2001:db8::1/64"),
    "pattern": convert_text.to_pattern,
    "pattern-bytes": lambda: convert_text.to_pattern(binary=True),
    "zoneinfo": convert_text.to_zoneinfo,
}
"""Conversions without parts, by name."""

FORMS: dict[str, Callable[[Any, Compiler], Convert | None]] = {
    "list": convert_containers.compile_list,
    "set": convert_containers.compile_set,
    "frozenset": convert_containers.compile_frozenset,
    "deque": convert_containers.compile_deque,
    "iterator": convert_containers.compile_iterator,
    "tuple": convert_containers.compile_tuple,
    "dict": convert_containers.compile_dict,
    "record": convert_records.compile_record,
    "typed_dict": convert_records.compile_typed_dict,
    "call": convert_records.compile_call,
    "enum": convert_choices.compile_enum,
    "members": convert_choices.compile_members,
    "literal": convert_choices.compile_literal,
    "union": convert_choices.compile_union,
    "nullable": convert_choices.compile_nullable,
    "check": convert_checks.compile_check,
    "pydantic": convert_checks.compile_pydantic,
    "ref": lambda spec, compiler: compiler.named(spec["ref"]),
}
"""Conversions with parts, by the key that names them; each gets the whole specification and the compiler."""


class Compiler:
    """What compiling needs to know: named definitions, how to load targets, whether numbers come as Decimal."""

    __slots__ = ("_compiled", "conversions", "exact", "load", "schemas", "skip_patterns")

    def __init__(
        self,
        definitions: Any,
        load: Callable[[str], object],
        *,
        exact: bool = False,
        skip_patterns: Iterable[str] = (),
    ) -> None:
        definitions = definitions or {}
        self.conversions: dict[str, Any] = definitions.get("conversions") or {}
        self.schemas: dict[str, Any] = definitions.get("schemas") or {}
        self.load = load
        self.exact = exact
        self.skip_patterns = skip_patterns
        self._compiled: dict[str, Convert | None] = {}

    def compile(self, spec: Any) -> Convert | None:
        """Return the closure of a specification, None when values stay as parsed; raises ValueError if unknown."""
        if spec is None:
            return convert_numbers.inexact if self.exact else None
        if isinstance(spec, str):
            if spec in ATOMS:
                return ATOMS[spec]()
            raise ValueError(f"unknown conversion {spec!r}")
        for form in spec:
            if form in FORMS:
                return FORMS[form](spec, self)
        raise ValueError(f"unknown conversion with the keys {', '.join(spec)}")

    def plain(self, convert: Convert) -> Convert:
        """Return a conversion that compares values: where numbers come as Decimal it gets them as floats."""
        if not self.exact:
            return convert
        return lambda value: convert(convert_numbers.inexact(value))

    def named(self, name: str) -> Convert | None:
        """Return the closure of a named definition, compiled once; inside its own definition a late look-up."""
        if name not in self._compiled:
            self._compiled[name] = self._late(name)
            self._compiled[name] = self.compile(self.conversions[name])
        return self._compiled[name]

    def _late(self, name: str) -> Convert:
        compiled = self._compiled

        def convert(value: object) -> object:
            actual = compiled[name]
            return value if actual is None else actual(value)

        return convert


def compile_conversion(
    spec: Any, *, definitions: Any = None, load: Callable[[str], object], exact_numbers: bool = False
) -> Convert:
    """Return a function from a JSON value to the Python value a specification describes.

    `definitions` is `{"conversions": …, "schemas": …}` of the call. With `exact_numbers` fractional numbers come as
    Decimal, and what does not ask for them gets floats. The function raises ConversionProblem; compiling raises
    ValueError for a specification that is not in the grammar and whatever `load` raises.
    """
    convert = Compiler(definitions, load, exact=exact_numbers).compile(spec)

    def convert_bounded(value: object) -> object:
        try:
            return value if convert is None else convert(value)
        except RecursionError:
            raise ConversionProblem((), TOO_DEEP) from None

    return convert_bounded
