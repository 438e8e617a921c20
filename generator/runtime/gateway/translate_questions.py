"""What children ask in the middle of a call, and what clients answer, in the other side's form.

Questions are handled in the newest revision's form; `server.asking_forms` gives a legacy client its own. A legacy
child's question differs from that by what belongs to its hop: tokens, tasks, the id of an elicitation by URL. Where one
of our own servers asks whether a tool may run (`confirm=True`), that has the gateway's name of it; other texts stay.
"""

from __future__ import annotations

from ..server.confirm_question import renamed
from .translate_requests import passed_on
from .translate_results import message
from .usable import without_nulls
from .usable_questions import question_fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .names import Names

METHODS = ("elicitation/create", "sampling/createMessage", "roots/list")
"""What a server may ask a client during a call, in every revision."""

HOPS_OWN = ("_meta", "task", "elicitationId")
"""Members of a question that each hop makes for itself."""

ONE_BLOCK_UNTIL = "2025-11-25"
"""The first revision in which a model's answer may have several blocks."""


def question_of(method: str, params: Any, names: Names) -> dict[str, Any]:
    """Return a child's question in the newest form, with the gateway's names."""
    told = params if type(params) is dict else {}
    kept = {name: value for name, value in told.items() if name not in HOPS_OWN and value is not None}
    meta = told.get("_meta")
    if type(meta) is dict and passed_on(meta):
        kept["_meta"] = passed_on(meta)
    said = kept.get("messages")
    if type(said) is list:
        kept["messages"] = [message(without_nulls(each), names) for each in said]
    if method == "elicitation/create":
        kept = renamed(kept, names.tools)
    return {"method": method, "params": kept} if kept else {"method": method}


def questions_of(requests: Any, names: Names) -> dict[str, dict[str, Any]]:
    """Return the questions of an input-required result by their keys; raises ValueError for what is none."""
    found = {}
    for key, request in (requests if type(requests) is dict else {}).items():
        method = request.get("method") if type(request) is dict else None
        if method not in METHODS:
            text = f"it asks {method!r}"
            raise ValueError(text)
        found[key] = question_of(method, request.get("params"), names)
        wrong = question_fault(method, found[key].get("params"))
        if wrong:
            raise ValueError(wrong)
    return found


def answer_for(method: str, result: dict[str, Any], version: str) -> dict[str, Any]:
    """Return a client's answer for a child that speaks this revision."""
    kept = {name: value for name, value in result.items() if name not in ("_meta", "resultType")}
    meta = result.get("_meta")
    if type(meta) is dict and passed_on(meta):
        kept["_meta"] = passed_on(meta)
    content = kept.get("content")
    if method == "sampling/createMessage" and type(content) is list and version < ONE_BLOCK_UNTIL:
        kept["content"] = content[0] if len(content) == 1 else {"type": "text", "text": _texts(content)}
    return kept


def _texts(blocks: list[Any]) -> str:
    return "\n".join(each["text"] for each in blocks if type(each) is dict and type(each.get("text")) is str)
