"""Conversions of text: binary data, identifiers, paths, network addresses, patterns, time zones.

Every function compiles one atom of the grammar (docs/conversions.md) and imports the class's module only then.
"""

from __future__ import annotations

from .conversion_problem import ConversionProblem
from .exception_text import exception_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .conversion_problem import Convert

MAX_PATTERN = 1_000
"""Characters of a regular expression from a client; compiling is superlinear in some constructs."""

_REFUSALS = (ValueError, ArithmeticError, LookupError, OSError)
"""What the standard classes raise for text they do not accept."""


def from_text(read: Callable[[str], object], expected: str) -> Convert:
    """Return a conversion that takes strings only; what `read` refuses becomes a problem that says what is expected."""

    def convert(value: object) -> object:
        if not isinstance(value, str):
            raise ConversionProblem((), f"expected a string, {expected}")
        try:
            return read(value)
        except _REFUSALS:
            raise ConversionProblem((), f"not {expected}") from None

    return convert


def to_bytes() -> Convert:
    """Compile `bytes`: strict base64 with padding (RFC 4648 §4)."""
    return from_text(_decode, "a valid base64 string")


def to_bytearray() -> Convert:
    """Compile `bytearray`: as bytes."""
    return from_text(lambda text: bytearray(_decode(text)), "a valid base64 string")


def _decode(text: str) -> bytes:
    from binascii import a2b_base64

    return a2b_base64(text, strict_mode=True)


def to_uuid() -> Convert:
    """Compile `uuid`."""
    from uuid import UUID

    return from_text(UUID, "a valid UUID")


def to_path(name: str) -> Convert:
    """Compile one of the path classes of `pathlib`; NUL is refused, as no system call accepts it."""
    import pathlib

    make: Callable[[str], object] = getattr(pathlib, name)

    def read(text: str) -> object:
        if "\0" in text:
            raise ValueError("NUL in a path")
        return make(text)

    return from_text(read, "a valid path (it must not contain NUL)")


def to_address(name: str, expected: str) -> Convert:
    """Compile one of the classes or functions of `ipaddress`."""
    import ipaddress

    return from_text(getattr(ipaddress, name), expected)


def to_zoneinfo() -> Convert:
    """Compile `zoneinfo`; `zoneinfo` itself refuses absolute names and dot segments."""
    from zoneinfo import ZoneInfo

    return from_text(ZoneInfo, "a known time zone such as Europe/Oslo")


def to_pattern(*, binary: bool = False) -> Convert:
    """Compile `pattern` or `pattern-bytes`: a regular expression of bounded length."""
    import re

    def read(text: str) -> object:
        if len(text) > MAX_PATTERN:
            raise ConversionProblem((), f"the pattern is longer than {MAX_PATTERN} characters")
        try:
            return re.compile(text.encode() if binary else text)
        except re.error as error:
            raise ConversionProblem((), f"not a valid regular expression: {exception_text(error)}") from None
        except RecursionError:
            raise ConversionProblem((), "the pattern is nested too deeply") from None

    return from_text(read, "a valid regular expression")
