"""Tools that run only when the person says so (`confirm=True`): the question, and what comes of the answer.

The question is asked like any other of a context, before the function runs. It shows the tool and its arguments, cut
short and without what looks like a secret. An answer counts only for the very question that was asked, and one that a
client sends unasked does not count.
"""

from __future__ import annotations

from ..authoring.errors import MissingRequiredClientCapability
from ..wire import jsonrpc
from . import outcome
from .asking import interaction_of
from .confirm_question import FORM, first_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .call import Call

KEY = "mcpgen.confirm"

SHOWN_ARGUMENTS = 12
SHOWN_CHARACTERS = 60
"""Of one argument: enough to recognise it, and what a person reads."""


def unconfirmed(call: Call) -> dict[str, Any] | None:
    """Ask, blocking; return the result of a call that must not run, None when it may."""
    try:
        return _verdict(call, interaction_of(call).ask({KEY: _question(call)}))
    except MissingRequiredClientCapability:
        return _impossible(call)


async def unconfirmed_async(call: Call) -> dict[str, Any] | None:
    """Ask; return the result of a call that must not run, None when it may."""
    try:
        return _verdict(call, await interaction_of(call).ask_async({KEY: _question(call)}))
    except MissingRequiredClientCapability:
        return _impossible(call)


def _question(call: Call) -> dict[str, Any]:
    definition = call.tool.entry["definition"]
    hints = definition.get("annotations") or {}
    line = first_line(call.tool.name, definition.get("title"), destructive=bool(hints.get("destructiveHint")))
    message = "\n".join([line, *_arguments(call)])
    return {"method": "elicitation/create", "params": {"mode": "form", "message": message, "requestedSchema": FORM}}


def _arguments(call: Call) -> list[str]:
    """Return a line for each argument."""
    from ..wire.secret_signs import MASK
    from .faults import printable, secrets_of
    from .masking import mask, mask_values

    arguments = call.arguments if type(call.arguments) is dict else {}
    lines = []
    for name, value in [*arguments.items()][:SHOWN_ARGUMENTS]:
        text = value if type(value) is str else jsonrpc.text(value)
        if len(text) > SHOWN_CHARACTERS:
            text = f"{text[:SHOWN_CHARACTERS]}… ({len(text)} characters)"
        text = MASK if MASK in mask(f"{name}=word") else mask_values(text, secrets_of(call))
        lines.append(f"{jsonrpc.shown(name)}: {printable(text)}")
    if len(arguments) > SHOWN_ARGUMENTS:
        lines.append(f"and {len(arguments) - SHOWN_ARGUMENTS} more arguments")
    return lines


def _verdict(call: Call, answers: dict[str, dict[str, Any]]) -> dict[str, Any] | None:
    answer = answers[KEY]
    if answer["action"] == "accept" and (answer.get("content") or {}).get("confirm") is True:
        return None
    closed = answer["action"] == "cancel"
    text = f"{call.tool.name} was not run: the user {'gave no answer' if closed else 'declined it'}."
    suggestion = "Do not call it again unless the user asks for it."
    return outcome.coded(call, "M-ASK-004", "cancelled" if closed else "declined", text, suggestion, retryable=False)


def _impossible(call: Call) -> dict[str, Any]:
    text = f"{call.tool.name} was not run: it needs the user's confirmation, and this client cannot ask for it."
    suggestion = "Ask the user to run it from a client that supports elicitation, or do without it."
    return outcome.coded(call, "M-ASK-001", "client_cannot", text, suggestion, retryable=False)
