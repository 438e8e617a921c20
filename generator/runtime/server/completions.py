"""Completion: values for an argument of a prompt or a variable of a template (MCP server/utilities/completion)."""

from __future__ import annotations

from ..schema.results import ResultProblem, to_json
from . import outcome
from .answer import unsendable
from .offer_plan import OfferPlan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from .call import Call
    from .plan import Plan

MOST_VALUES = 100
"""Values of one answer (completion: at most 100 items)."""


def completion(values: Iterable[str]) -> dict[str, Any]:
    """Return the result for all values there are: the first hundred, and how many there would be."""
    found = list(values)
    return {"completion": {"values": found[:MOST_VALUES], "total": len(found), "hasMore": len(found) > MOST_VALUES}}


def among(choices: Iterable[str], typed: str) -> dict[str, Any]:
    """Return the result for an argument with fixed values: those that begin with what was typed, whatever the case."""
    begun = typed.casefold()
    return completion(each for each in choices if each.casefold().startswith(begun))


def completed(call: Call, plan: Plan, value: Any) -> dict[str, Any]:  # noqa: ARG001 # as every plan's
    """Return the result for what a completer returned: a list of texts, or None for no idea."""
    try:
        found = to_json([] if value is None else list(value) if isinstance(value, set | frozenset) else value)
    except ResultProblem as problem:
        return unsendable(call, problem, problem.path)
    if type(found) is dict:
        found = list(found)  # the keys, as `list` of a mapping gives them
    if type(found) is not list:
        return outcome.broken_result(call, "", "a completer returns a list of texts")
    return completion(each if type(each) is str else str(each) for each in found)


class CompletionPlan(OfferPlan):
    """How a completer is asked."""

    __slots__ = ()

    answer = staticmethod(completed)
