"""What a quick tool's calls need while nothing about them is out of the ordinary, looked up beforehand.

Pure, and one-sided: what is refused here is not wrong, it needs a second look, which `invoke` and `answer` have. What
is accepted comes to the same bytes there; a test compares the two. It is for tools whose plan has nothing to do but to
check, to convert, to run and to tell: their result is put together as text, without a tree of it being made first.
"""

from __future__ import annotations

from ..schema.plain_json import is_plainly_flat
from ..schema.results import FEW, is_plain_json
from ..wire import jsonrpc
from .logs import name_of
from .plan import FunctionPlan
from .size import LONGEST_CHARACTER, fits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..schema.kinds import Check
    from .plan import Plan
    from .tool import Tool

SENT = frozenset((dict, list, str, int, float, bool))
"""Types of results that can be told in brief; None may be no result at all, others are converted."""


class Brief:
    """How one tool is called; `name` is its name in the log.

    `accepts` may raise RecursionError, `members` that and other RuntimeErrors.
    """

    __slots__ = ("_check", "_limit", "_wraps", "accepts", "name", "plan")

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.name = name_of(plan.tool)
        self.accepts: Check = plan.validator.node.accepts
        self._check: Check | None = plan.result_check.node.accepts if plan.result_check is not None else None
        self._limit = plan.max_result_bytes
        self._wraps = plan.wrap

    def members(self, value: Any) -> str:
        """Return the members of a value's result as ASCII JSON, nothing for a value that needs a second look."""
        kind = type(value)
        if kind not in SENT or not (
            (kind is dict and len(value) <= FEW and is_plainly_flat(value)) or is_plain_json(value)
        ):
            return ""
        if self._check is not None and not self._check(value):
            return ""
        told = value if kind is str else jsonrpc.text(value)
        if len(told) * LONGEST_CHARACTER > self._limit and not fits(told, self._limit):
            return ""
        text = encoded = jsonrpc.quoted(told)
        if kind is not str:
            encoded = jsonrpc.in_ascii(told, text)
        if self._wraps:
            return f'"content":[{{"type":"text","text":{text}}}],"structuredContent":{{"result":{encoded}}}'
        if kind is dict:
            return f'"content":[{{"type":"text","text":{text}}}],"structuredContent":{encoded}'
        return f'"content":[{{"type":"text","text":{text}}}]'


def brief_of(tool: Tool) -> Brief | None:
    """Return how a prepared tool is called, None for one whose calls all need more than that."""
    plan = tool.plan
    if type(plan) is not FunctionPlan or not plan.plain or plan.result_kind != "json" or tool.task is not None:
        return None
    if plan.exact or plan.spelled or plan.clean_up or plan.required or plan.capture:
        return None
    return Brief(plan)
