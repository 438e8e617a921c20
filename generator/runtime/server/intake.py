"""From what a client sent to what a function is called with: clean up, configuration, validation, coercion, conversion.

What the model got wrong is reported all at once and never reaches the function.
"""

from __future__ import annotations

from ..schema.conversion_problem import ConversionProblem
from ..schema.problems import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .call import Call
    from .plan import Plan

REPORTED = 10
"""Problems told to the model at once (decision 16)."""

COUNTED = 100
"""Problems looked for, so that the report can say how many there are."""


NO_CONTEXTS: dict[str, Any] = {}
"""For the many tools without one."""


class Ready:
    """What a function is called with, and notes on what was coerced."""

    __slots__ = ("keywords", "notes", "positional")

    def __init__(self, positional: list[Any], keywords: dict[str, Any], notes: list[str]) -> None:
        self.positional = positional
        self.keywords = keywords
        self.notes = notes


def take(call: Call, plan: Plan) -> Ready | dict[str, Any]:
    """Return what the function is called with, or the result that says what is wrong."""
    arguments: Any = exact_arguments(call) if plan.exact else call.arguments
    if arguments is None:
        arguments = {}
    if plan.spelled and type(arguments) is dict:
        arguments = _respelled(arguments, plan.spelled)
    if plan.clean_up and type(arguments) is dict:
        from ..schema.arguments import prepare_arguments

        arguments = prepare_arguments(arguments, plan.clean_up)
    if plan.required:
        missing = plan.settings.missing(plan.required)
        if missing:
            from .outcome import missing_configuration

            return missing_configuration(call, missing, plan.settings.file)
    if plan.drops_nulls and type(arguments) is dict:
        arguments = _without_nulls(plan, plan.cleaned(arguments))
        plan = plan.suited(arguments)
    notes: list[str] = []
    if type(arguments) is not dict or not plan.accepts(arguments):
        arguments, notes, problems = _check(plan, arguments)
        if problems:
            return _report(call, plan, problems[:REPORTED], len(problems))
    try:
        positional, keywords = plan.bind(arguments, plan.inject(call) if plan.contexts else NO_CONTEXTS)
    except ConversionProblem as problem:
        return refuse(call, plan, arguments, [problem, *problem.more])
    return Ready(positional, keywords, notes)


def refuse(call: Call, plan: Plan, arguments: Any, problems: list[ConversionProblem]) -> dict[str, Any]:
    """Return the result that says what cannot be done with arguments that their schema accepts."""
    found = [_as_problem(each, plan, arguments) for each in problems]
    return _report(call, plan, found[:REPORTED], len(found))


def _respelled(arguments: dict[str, Any], spelled: dict[str, str]) -> dict[str, Any]:
    """Return the arguments with the names that clients know, for parameters called as the source calls them."""
    if all(map(str.isascii, arguments)) and not any(name in spelled for name in arguments):
        return arguments
    from unicodedata import normalize

    found: dict[str, Any] = {}
    for name, value in arguments.items():
        wire = spelled.get(normalize("NFKC", name), name)  # Python's own form of an identifier
        found[name if wire in arguments else wire] = value
    return found


def _without_nulls(plan: Plan, arguments: dict[str, Any]) -> dict[str, Any]:
    """Leave out null where an optional argument does not take it (decision 29)."""
    if None not in arguments.values() or plan.accepts(arguments):
        return arguments
    required = plan.schema.get("required") or ()
    refused = {problem.path[0] for problem in plan.validator.problems(arguments, COUNTED) if len(problem.path) == 1}
    return {
        name: value for name, value in arguments.items() if value is not None or name in required or name not in refused
    }


def _check(plan: Plan, arguments: Any) -> tuple[Any, list[str], list[Problem]]:
    """Validate, coerce if that makes the whole valid; return the arguments, notes on coercions, and what is wrong."""
    notes: list[str] = []
    if not plan.accepts(arguments):
        if plan.coerces:
            arguments, notes = _coerced(plan, arguments)
        if not plan.coerces or not plan.accepts(arguments):
            return arguments, notes, plan.validator.problems(arguments, COUNTED)
    if type(arguments) is not dict:  # a schema of the author's own that does not say so
        return arguments, notes, [Problem((), "type", "object", arguments, plan.schema)]
    return arguments, notes, []


def _coerced(plan: Plan, arguments: Any) -> tuple[Any, list[str]]:
    """Read arguments of another type where that is safe; notes only if the whole is valid then."""
    from ..schema.coerce import Options, coerce
    from ..schema.named_tuples import read_by_position

    by_position: list[str] = []
    if type(arguments) is dict:
        arguments, by_position = read_by_position(arguments, plan.tool.entry["call"])
    options = Options(**dict.fromkeys(plan.coerce_also, True), names=plan.names())
    arguments, notes = coerce(arguments, plan.schema, plan.validator, options)
    return arguments, [*by_position, *notes] if plan.accepts(arguments) else notes


def exact_arguments(call: Call) -> Any:
    """Read the arguments again with every digit of their numbers (decision 19), unless a middleware had them so."""
    if not call.raw or call.repaired:
        return call.arguments
    from ..wire import jsonrpc

    found = (jsonrpc.parse_exact(call.raw).get("params") or {}).get("arguments")
    return found.get("arguments") if call.inside and type(found) is dict else found


def _report(call: Call, plan: Plan, problems: list[Problem], total: int) -> dict[str, Any]:
    from ..schema.repair import report
    from .outcome import refusal

    told = report(call.tool.name, problems, plan.schema, total, skip_patterns=plan.skipped)
    first = told["problems"][0]
    facts = {"code": first["code"], "tool": call.tool.name, "problems": told["problems"], "total": total}
    return refusal(told["text"], facts, told["errorData"])


def _as_problem(problem: ConversionProblem, plan: Plan, arguments: Any) -> Problem:
    """Bring a conversion's problem into the validator's form, so that both are reported alike."""
    value, schema = arguments, plan.schema
    for step in problem.path:
        try:
            value = value[step]
        except (LookupError, TypeError):
            value = None
        schema = _below(schema, step)
    return Problem(problem.path, "conversion", problem.message, value, schema)


def _below(schema: Any, step: str | int) -> Any:
    """Return the schema of a member or an item, the empty one where it is not plainly said."""
    if type(schema) is not dict:
        return {}
    if type(step) is int:
        return schema.get("items", {})
    return (schema.get("properties") or {}).get(step, {})
