"""From the arguments of a call to what a Python function is called with.

JSON has one object; Python has positional, keyword, `*` and `**` parameters, and names that are not allowed as
properties. The catalog's `call` entry says which is which. Omitted arguments stay omitted, so that the function's own
default applies: a default from the schema would be another object (a mutable list, a sentinel).
"""

from __future__ import annotations

from .conversion_problem import TOO_DEEP, ConversionProblem
from .convert import Compiler
from .exception_text import exception_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Protocol

    class Bind(Protocol):
        """From arguments, and the contexts of this call by parameter, to positional values and keywords."""

        def __call__(
            self, arguments: dict[str, Any], injected: Mapping[str, Any] = ..., /
        ) -> tuple[list[Any], dict[str, Any]]:
            """Raise ConversionProblem for arguments that do not fit."""
            ...


REST = "**"
"""Key in `conversions` for the values of further properties, those that go into `**kwargs`."""

NOTHING: Mapping[str, Any] = {}
"""No context is injected."""

MAX_PROBLEMS = 10
"""Problems reported for one call (decision 16)."""


def compile_arguments(
    call: dict[str, Any],
    *,
    load: Callable[[str], object],
    function: Callable[..., Any] | None = None,
    properties: Iterable[str] = (),
    skip_patterns: Iterable[str] = (),
) -> Bind:
    """Return a function from a call's arguments to positional values and keywords.

    `call` is the catalog's entry; `function` is asked for its own defaults when a positional parameter is skipped or
    has a descriptor as default; `properties` are the declared ones, which `REST` does not apply to. When nothing has
    to change, the keywords are the arguments' own dict. `skip_patterns` are not enforced in union arms. Raises
    ConversionProblem, with the other arguments' problems in `more`.
    """
    compiler = Compiler(
        call.get("definitions"), load, exact=bool(call.get("exact_numbers")), skip_patterns=skip_patterns
    )
    convert = _compile_values(call, compiler, frozenset(properties))
    placed = _compile_places(call, function)
    if convert is None:
        return placed or _as_keywords
    place = placed or _as_keywords

    def bind_by_name(
        arguments: dict[str, Any], injected: Mapping[str, Any] = NOTHING, /
    ) -> tuple[list[Any], dict[str, Any]]:
        converted = convert(arguments)
        return [], {**converted, **injected} if injected else converted

    if placed is None:
        return bind_by_name

    def bind(arguments: dict[str, Any], injected: Mapping[str, Any] = NOTHING, /) -> tuple[list[Any], dict[str, Any]]:
        return place(convert(arguments), injected)

    return bind


def prepare_arguments(arguments: dict[str, Any], prepare: dict[str, Any]) -> dict[str, Any]:
    """Clean up strings before validation (`strip`, `lower`, `upper`); returns the same dict when nothing changes."""
    changed: dict[str, Any] = {}
    for name, steps in prepare.items():
        value = arguments.get(name)
        if not isinstance(value, str):
            continue
        for step in steps:
            value = _CLEANING[step](value)
        if value != arguments[name]:
            changed[name] = value
    return {**arguments, **changed} if changed else arguments


_CLEANING: dict[str, Callable[[str], str]] = {"strip": str.strip, "lower": str.lower, "upper": str.upper}


def _compile_values(
    call: dict[str, Any], compiler: Compiler, properties: frozenset[str]
) -> Callable[[dict[str, Any]], dict[str, Any]] | None:
    """Compile the conversions of all properties; None when every value stays as parsed."""
    specs = call.get("conversions") or {}
    converts = {name: compiler.compile(spec) for name, spec in specs.items()}
    rest = converts.pop(REST, None)
    declared = {*properties, *specs, *(call.get("names") or {}), *(call.get("positional") or ())}
    otherwise = compiler.compile(None)
    if rest is None and otherwise is None and not any(converts.values()):
        return None
    of_name = {name: converts.get(name, otherwise) for name in declared}.get
    kept = {name: int for name, spec in specs.items() if spec == "integer"}.get  # most integers come as such
    others = rest or otherwise

    def convert(arguments: dict[str, Any]) -> dict[str, Any]:
        converted = arguments
        problems: list[ConversionProblem] = []
        for name, value in arguments.items():
            if type(value) is kept(name):
                continue
            step = of_name(name, others)
            if step is not None:
                try:
                    found = step(value)
                    if converted is arguments:
                        converted = dict(arguments)
                    converted[name] = found
                except ConversionProblem as problem:
                    problem.enter(name)
                    problems += [problem, *problem.more]
                except RecursionError:
                    problems.append(ConversionProblem((name,), TOO_DEEP))
        if problems:
            problems[0].more = tuple(problems[1:MAX_PROBLEMS])
            raise problems[0]
        return converted

    return convert


def _as_keywords(
    arguments: dict[str, Any], injected: Mapping[str, Any] = NOTHING, /
) -> tuple[list[Any], dict[str, Any]]:
    return [], {**arguments, **injected} if injected else arguments


def _compile_places(call: dict[str, Any], function: Callable[..., Any] | None) -> Bind | None:
    """Compile where each value goes; None when every property is a keyword of the same name."""
    names: dict[str, str] = call.get("names") or {}
    positional: tuple[str, ...] = tuple(call.get("positional") or ())
    star: str | None = call.get("star")
    described = tuple(call.get("field_defaults") or ())
    guard = frozenset(call.get("inject") or ()) if call.get("star_star") else frozenset()
    if not (names or positional or star or described or guard):
        return None

    def place(arguments: dict[str, Any], injected: Mapping[str, Any] = NOTHING, /) -> tuple[list[Any], dict[str, Any]]:
        keywords = _renamed(arguments, names, guard) if names or guard else dict(arguments)
        keywords.update(injected)
        rest = keywords.pop(names.get(star, star), ()) if star is not None else ()
        for name in described:
            if name not in keywords:
                keywords[name] = _described_default(function, name)
        values = _take_positional(keywords, positional, function, all_of_them=bool(rest))
        values.extend(rest)
        return values, keywords

    return place


def _renamed(arguments: dict[str, Any], names: dict[str, str], injected: frozenset[str]) -> dict[str, Any]:
    """Apply parameter names; a further property must not take the place of a parameter that is filled otherwise."""
    taken = injected.union(names.values())
    keywords: dict[str, Any] = {}
    for wire, value in arguments.items():
        if wire in names:
            keywords[names[wire]] = value
        elif wire in taken:
            raise ConversionProblem((wire,), "unknown argument: the name is reserved")
        else:
            keywords[wire] = value
    return keywords


def _take_positional(
    keywords: dict[str, Any], positional: tuple[str, ...], function: Callable[..., Any] | None, *, all_of_them: bool
) -> list[Any]:
    """Move positional parameters out of the keywords; what is skipped before a later one gets its own default."""
    last = len(positional) if all_of_them else 0
    for index, name in enumerate(positional):
        if name in keywords:
            last = max(last, index + 1)
    return [keywords.pop(name) if name in keywords else own_default(function, name) for name in positional[:last]]


def _described_default(function: Callable[..., Any] | None, name: str) -> Any:
    descriptor = own_default(function, name)
    try:
        return descriptor.get_default(call_default_factory=True)
    except Exception as error:  # the factory is user code
        raise ConversionProblem((name,), f"its default cannot be made: {exception_text(error)}") from error


def own_default(function: Callable[..., Any] | None, name: str) -> Any:
    """Return the default a function itself declares for a parameter; raises ConversionProblem when it has none."""
    # inspect follows wrappers, partials and bound methods; it is loaded only for calls that skip a parameter.
    from inspect import Parameter, signature

    parameter = signature(function).parameters.get(name) if function is not None else None
    if parameter is None or parameter.default is Parameter.empty:
        raise ConversionProblem((name,), "required argument is missing")
    return parameter.default
