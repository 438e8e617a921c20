"""Say how a result breaks the schema its tool declares, without showing the result."""

from __future__ import annotations

from ..schema.kinds import kind
from ..wire import jsonrpc
from . import logs, outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..schema.problems import Problem
    from .call import Call
    from .plan import Plan

MAX_CONSTRAINT = 200
"""Characters of a schema's constraint in a message."""


def complain(call: Call, plan: Plan, found: Any) -> dict[str, Any] | None:
    """Return M-OUT-001 for a result its schema refuses; None when the setting only warns, or nothing is wrong."""
    problems = plan.result_check.problems(found, 1) if plan.result_check is not None else ()
    for problem in problems:
        place = "result" + "".join(f"[{step}]" if type(step) is int else f".{step}" for step in problem.path)
        complaint = _wording(problem)
        if plan.checks_results == "warn":
            logs.warning(f"{call.tool.name} returned a wrong result at {place}: {complaint}")
            return None
        return outcome.broken_result(call, place, complaint)
    return None


def _wording(problem: Problem) -> str:
    found = kind(problem.value)
    constraint = problem.constraint
    if problem.keyword == "type":
        wanted = constraint if isinstance(constraint, str) else " or ".join(constraint)
        return f"expected {wanted}, got {found}"
    if problem.keyword == "required":
        return "the member is missing"
    return f"this {found} breaks `{problem.keyword}` of the declared schema: {_short(constraint)}"


def _short(constraint: Any) -> str:
    text = jsonrpc.text(constraint)
    return text if len(text) <= MAX_CONSTRAINT else f"{text[: MAX_CONSTRAINT - 1]}…"
