"""Conversions that ask somebody else: predicates of the user, and pydantic."""

from __future__ import annotations

from ..wire import jsonrpc
from .conversion_problem import ConversionProblem
from .convert_bounds import compile_bound
from .convert_numbers import inexact
from .convert_records import called_name
from .exception_text import exception_text, one_line
from .imports import ImportProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from .conversion_problem import Convert
    from .convert import Compiler

MAX_PROBLEMS = 10
"""Problems of one value that are passed on, as many as a reply names (decision 16)."""


def compile_check(spec: Any, compiler: Compiler) -> Convert | None:
    """Compile `{"check": {"target", "say", "convert", "negate"}}`: the converted value must satisfy the predicate T.

    Instead of a target a check may have a bound of its own: `bound`, `digits` or `zone` (see `convert_bounds`).
    """
    body = spec["check"]
    before = compiler.compile(body.get("convert"))
    predicate: Any = compile_bound(body, compiler)
    if predicate is None and body.get("target") is None:
        return before
    predicate = predicate or compiler.load(body["target"])
    wanted = not body.get("negate")
    say = body.get("say") or f"{called_name(predicate)} must hold"

    def convert(value: object) -> object:
        converted = value if before is None else before(value)
        try:
            holds = bool(predicate(converted)) is wanted
        except Exception as error:  # a predicate is user code
            raise ConversionProblem((), f"{say} ({exception_text(error)})") from error
        if not holds:
            raise ConversionProblem((), say)
        return converted

    return convert


def compile_pydantic(spec: Any, compiler: Compiler) -> Convert:
    """Compile `{"pydantic": T, "arguments": [T, …]}`: pydantic itself validates, its locations become paths.

    A strict model refuses the text of a date or an array for a set as Python values though they are right as JSON, so
    what fails is validated once more as JSON; that answer counts.
    """
    target: Any = compiler.load(spec["pydantic"])
    if spec.get("arguments"):
        target = target[tuple(compiler.load(argument) for argument in spec["arguments"])]
    as_python, as_json = _validators(target, compiler.load)

    def convert(value: object) -> object:
        try:
            return as_python(value)
        except Exception as error:  # validators are user code
            if as_json is None or not _locates(error):
                raise _problem(error, value) from error
        try:
            return as_json(value)
        except Exception as error:
            raise _problem(error, value) from error

    return compiler.plain(convert)


def _validators(target: Any, load: Callable[[str], object]) -> tuple[Convert, Convert | None]:
    """Return how this pydantic validates a Python value and, if it can, JSON; pydantic 1 has only the former."""
    try:
        adapter: Any = load("pydantic:TypeAdapter")
    except ImportProblem:
        parse: Any = load("pydantic:parse_obj_as")
        return (lambda value: parse(target, value)), None
    adapted = adapter(target)
    return adapted.validate_python, lambda value: adapted.validate_json(jsonrpc.encode(inexact(value)))


def _locates(error: Exception) -> bool:
    return callable(getattr(error, "errors", None))


def _problem(error: Exception, value: object) -> ConversionProblem:
    if not _locates(error):
        return ConversionProblem((), exception_text(error))
    found: list[ConversionProblem] = []
    for entry in _entries(error)[:MAX_PROBLEMS]:
        path = _path(entry.get("loc", ()), value, keep_last=str(entry.get("type", "")).endswith("missing"))
        found.append(ConversionProblem(path, one_line(str(entry.get("msg", "not valid")))))
    if not found:
        return ConversionProblem((), "not valid")
    found[0].more = tuple(found[1:])
    return found[0]


def _entries(error: Any) -> list[dict[str, Any]]:
    try:
        return list(error.errors(include_url=False, include_context=False, include_input=False))
    except TypeError:  # pydantic 1 takes no such arguments
        return list(error.errors())


def _path(location: Iterable[Any], value: Any, *, keep_last: bool) -> tuple[str | int, ...]:
    """Follow a pydantic location through the value; steps that are not in it name union arms and validators."""
    steps = tuple(location)
    path: list[str | int] = []
    for position, step in enumerate(steps):
        inside_object = isinstance(value, dict) and step in value
        inside_array = isinstance(value, list) and isinstance(step, int) and 0 <= step < len(value)
        if inside_object or inside_array:
            path.append(step)
            value = value[step]
        elif keep_last and position == len(steps) - 1 and isinstance(step, (str, int)):
            path.append(step)
    return tuple(path)
