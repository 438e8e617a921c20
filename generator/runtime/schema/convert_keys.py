"""Conversions of the keys of a dictionary: JSON has only strings there, Python more.

A key conversion is written like any other; here `integer`, `number` and `boolean` read the key's text, and the values
of enumerations and literals are matched by the text they have as a key.
"""

from __future__ import annotations

from .conversion_problem import ConversionProblem
from .object_keys import key_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from .conversion_problem import Convert
    from .convert import Compiler


def compile_key(spec: Any, compiler: Compiler) -> Convert | None:
    """Return the closure for a key's specification, None when the key stays a string."""
    if spec is None:
        return None
    if isinstance(spec, str):
        return _SCALARS.get(spec) or compiler.compile(spec)
    if "ref" in spec:
        return compile_key(compiler.conversions[spec["ref"]], compiler)
    if "nullable" in spec:
        return compile_key(spec["nullable"], compiler)
    if "union" in spec:
        return _first_that_reads([compile_key(arm.get("convert"), compiler) for arm in spec["union"]])
    if "literal" in spec:
        return _by_text((declared[0], declared[0]) for declared in spec["literal"])
    if "members" in spec:
        target: Any = compiler.load(spec["members"]["target"])
        return _by_text((value, target.__members__[name]) for value, name in spec["members"]["names"])
    if "enum" in spec and spec["enum"].get("by") != "name":
        return _enum_key(spec, compiler)
    if "call" in spec or "check" in spec:
        return _around(spec, compiler)
    return compiler.compile(spec)


def _integer_key(text: str) -> int:
    digits = text[1:] if text[:1] == "-" else text
    if not (digits.isascii() and digits.isdigit()):
        raise ConversionProblem((), "the key is not an integer")
    try:
        return int(text)
    except ValueError:  # more digits than Python reads
        raise ConversionProblem((), "the key has too many digits") from None


def _number_key(text: str) -> float:
    try:
        number = float(text) if text.isascii() and "_" not in text else None
    except ValueError:
        number = None
    if number is None or number - number != 0:
        raise ConversionProblem((), "the key is not a number")
    return number


def _boolean_key(text: str) -> bool:
    if text not in ("true", "false"):
        raise ConversionProblem((), "the key is neither true nor false")
    return text == "true"


_SCALARS: dict[str, Convert] = {"integer": _integer_key, "number": _number_key, "boolean": _boolean_key}


def _by_text(pairs: Iterable[tuple[Any, Any]]) -> Convert:
    table: dict[str, Any] = {}
    for value, result in pairs:
        text = key_text(value)
        if text is not None:
            table.setdefault(text, result)

    def convert(text: str) -> object:
        try:
            return table[text]
        except KeyError:
            raise ConversionProblem((), "the key is not one of the allowed values") from None

    return convert


def _enum_key(spec: Any, compiler: Compiler) -> Convert:
    """Match by the text of a member's value, then by the class itself (flag combinations, `_missing_`)."""
    target: Any = compiler.load(spec["enum"]["target"])
    known = _by_text((member.value, member) for member in target.__members__.values())
    whole = compiler.compile(spec)

    def convert(text: str) -> object:
        try:
            return known(text)
        except ConversionProblem:
            digits = text.removeprefix("-")
            numeric = digits.isascii() and digits.isdigit()
            return whole(_integer_key(text) if numeric else text) if whole else text

    return convert


def _around(spec: Any, compiler: Compiler) -> Convert | None:
    """Compile a `call` or `check` whose inner conversion reads a key."""
    body = spec.get("check", spec)
    inner = compile_key(body.get("convert"), compiler)
    bare = {**body, "convert": None}
    outer = compiler.compile({"check": bare} if "check" in spec else bare)
    if inner is None or outer is None:
        return inner or outer
    return lambda text: outer(inner(text))


def _first_that_reads(converts: list[Convert | None]) -> Convert | None:
    if all(convert is None for convert in converts):
        return None

    def convert(text: str) -> object:
        problem: ConversionProblem | None = None
        for arm in converts:
            try:
                return text if arm is None else arm(text)
            except ConversionProblem as refused:
                problem = problem or refused
        raise problem or ConversionProblem((), "the key is not allowed")

    return convert
