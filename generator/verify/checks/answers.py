"""`unknown_answers`: what is not there is refused with the codes of the protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..conversation import Broken, Refused
from ..eras import LEGACY_ERA, MODERN
from ..finding import Check, Finding, fail, ok, warn

if TYPE_CHECKING:
    from ..context import Context
    from ..survey import Client

ABSENT = "mcpgen_verify_no_such_tool"

QUESTIONS: tuple[tuple[str, dict[str, Any], int], ...] = (
    ("mcpgen/no-such-method", {}, -32601),
    ("tools/call", {"name": ABSENT, "arguments": {}}, -32602),
)
"""The method, its parameters, and the code it has to be refused with (JSON-RPC 2.0, 5.1; MCP server/tools)."""


def unknown_answers(context: Context) -> Finding:
    """Ask for a method and a tool that do not exist, in each era that is served."""
    eras = [era for era in (LEGACY_ERA, MODERN) if context.answers_at_all() and context.survey(era).served]
    if not eras:
        return context.blocked()
    silent, wrong = [], []
    for era in eras:
        try:
            with context.talk() as conversation:
                _begin(conversation, era)
                for method, params, code in QUESTIONS:
                    if method == "tools/call" and "tools" not in context.survey(era).capabilities:
                        continue
                    told = _refusal(conversation, method, params)
                    if told != code:
                        wrong.append(f"{era}: an unknown {'tool' if params else 'method'} is answered with {told}")
        except (Broken, Refused) as problem:
            silent.append(f"{era}: {problem}")
    if silent:
        return fail(
            f"no answer to what is unknown: {silent[0]}", "Answer every request, with an error at least.", silent
        )
    if wrong:
        action = "Refuse unknown methods with -32601 and unknown tools with -32602."
        finding = fail if context.subject.kind == "project" else warn
        return finding(wrong[0], action, wrong)
    return ok("unknown methods are -32601, unknown tools -32602")


def _begin(conversation: Client, era: str) -> None:
    if era == MODERN:
        conversation.discover()
    else:
        conversation.initialize()


def _refusal(conversation: Client, method: str, params: dict[str, Any]) -> object:
    try:
        result = conversation.request(method, params)
    except Refused as refused:
        return refused.code
    return "a result that says isError" if result.get("isError") else "a result"


CHECKS = (Check(id="unknown_answers", title="What is unknown is refused rightly", run=unknown_answers),)
