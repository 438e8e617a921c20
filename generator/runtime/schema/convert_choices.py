"""Conversions that choose: enumerations, literals, unions, null.

JSON types are kept apart where Python's equality does not: `True` is never 1, while 1.0 is the JSON integer 1.
"""

from __future__ import annotations

from .conversion_problem import ConversionProblem
from .exception_text import exception_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from .conversion_problem import Convert
    from .convert import Compiler

NOT_ALLOWED = "not one of the allowed values"


def compile_nullable(spec: Any, compiler: Compiler) -> Convert | None:
    """Compile `{"nullable": C}`: null stays None."""
    convert = compiler.compile(spec["nullable"])
    if convert is None:
        return None
    return lambda value: None if value is None else convert(value)


def compile_literal(spec: Any, compiler: Compiler) -> Convert:
    """Compile `{"literal": [[value], …]}`: the declared value, matched by JSON type and value."""
    return compiler.plain(_by_json_value((declared[0], declared[0]) for declared in spec["literal"]))


def compile_members(spec: Any, compiler: Compiler) -> Convert:
    """Compile `{"members": {"target", "names"}}`: a Literal of enumeration members."""
    body = spec["members"]
    target: Any = compiler.load(body["target"])
    return compiler.plain(_by_json_value((value, target.__members__[name]) for value, name in body["names"]))


def compile_enum(spec: Any, compiler: Compiler) -> Convert:
    """Compile `{"enum": {"target", "by"}}`; flags and classes with `_missing_` decide about what no member has."""
    body = spec["enum"]
    target: Any = compiler.load(body["target"])
    members = target.__members__
    if body.get("by") == "name":
        return _by_json_value(members.items())
    known = _by_json_value((member.value, member) for member in members.values())

    def convert(value: Any) -> object:
        try:
            return known(value)
        except ConversionProblem:
            return _from_class(target, value)

    return compiler.plain(convert)


def compile_union(spec: Any, compiler: Compiler) -> Convert | None:
    """Compile `{"union": [{"schema", "convert"}, …]}`: the first arm that accepts by its schema and converts.

    An arm that accepts by its schema and then refuses (a date that does not exist) gives way to the later ones; when
    none is left, its problem is the answer.
    """
    arms = [(arm.get("schema"), compiler.compile(arm.get("convert"))) for arm in spec["union"]]
    if all(convert is None for _, convert in arms):
        return None
    from .validator import compile_validator

    def accepts(schema: Any) -> Convert:
        """Compile an arm's schema; its conversion judges formats, for example that a time without a zone is one."""
        validator = compile_validator(
            schema, definitions=compiler.schemas, skip_patterns=compiler.skip_patterns, assert_formats=False
        )
        return compiler.plain(validator.accepts)

    accepting = [(accepts(schema), convert) for schema, convert in arms]

    def convert(value: object) -> object:
        refusal: ConversionProblem | None = None
        for accepts_arm, convert_arm in accepting:
            if not accepts_arm(value):
                continue
            try:
                return value if convert_arm is None else convert_arm(value)
            except ConversionProblem as problem:
                refusal = refusal or problem
        raise refusal or ConversionProblem((), "none of the allowed types")

    return convert


def json_key(value: object) -> tuple[str, object] | None:
    """Return a dictionary key that is equal for equal JSON scalars only; None for what is not a scalar."""
    if value is None or isinstance(value, bool):
        return ("constant", value)
    if isinstance(value, str):
        return ("string", str.__str__(value))
    if isinstance(value, (int, float)):
        return ("number", value)
    return None


def _by_json_value(pairs: Iterable[tuple[Any, Any]]) -> Convert:
    table: dict[tuple[str, object] | None, Any] = {}
    for value, result in pairs:
        table.setdefault(json_key(value), result)
    table.pop(None, None)

    def convert(value: object) -> object:
        try:
            return table[json_key(value)]
        except KeyError:
            raise ConversionProblem((), NOT_ALLOWED) from None

    return convert


def _from_class(target: Any, value: Any) -> object:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    # bool and negative numbers would be taken as flag bits and complements.
    if isinstance(value, (bool, dict, list)) or (isinstance(value, (int, float)) and value < 0):
        raise ConversionProblem((), NOT_ALLOWED)
    try:
        return target(value)
    except Exception as error:  # noqa: BLE001  # `_missing_` is user code
        text = exception_text(error, 60) if not isinstance(error, ValueError) else NOT_ALLOWED
        raise ConversionProblem((), text) from None
