"""An API's refusal as a result: what happened, in the API's own words, whether trying again helps, and what to do."""

from __future__ import annotations

from ..server.answer import Finished
from ..server.faults import printable
from ..server.outcome import refusal
from ..server.size import cut
from ..wire import jsonrpc
from . import content, exact_json, headers
from .projection import ARGUMENT
from .retry import retry_after

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .call_context import CallContext
    from .message import Response

CODE = "M-HTTP-001"
"""The API answered with a status of 400 or above, or with a redirect that was neither followed nor declared."""

MAX_BODY = 2_000
"""Characters of an error's body that are told: what is wrong with each field fits, a page of a proxy does not."""

NOT_FOUND = 404

NOT_DONE = frozenset((408, 425, 429, 503))
"""Statuses of requests that were not carried out: they may be sent again whatever they do (RFC 9110, 15; RFC 6585)."""

PASSING = frozenset((500, 502, 504))
"""Statuses that may be gone in a moment, but the request may have been carried out."""

NEXT_STEPS = {
    304: "Nothing has changed since the version that was named: use what is known, or leave the condition out.",
    400: "Check the arguments against what the API says, and call again.",
    402: "Ask the user: the API wants to be paid.",
    403: "The credentials in use do not allow this. Ask the user whether they should, or do without.",
    404: "Check the identifiers in the arguments; look the right ones up with another tool.",
    405: "The API does not offer this operation. Ask the user whether the server was built from the right description.",
    406: "The API cannot answer in the form that was asked for.",
    409: "It conflicts with what is there now: read the current state, and decide again.",
    410: "It is gone for good; do not ask for it again.",
    411: "This is a fault of the server's description, not of the arguments.",
    412: "It was changed in the meantime: read it again, and repeat with the current version.",
    413: "Send less at once.",
    415: "The API does not take a body of this form; choose another media type if the tool has an argument for it.",
    422: "Check the arguments against what the API says, and call again.",
    423: "It is locked: try later.",
    428: "Read it first, and send its version along (If-Match).",
    431: "Send less at once.",
    451: "It is withheld for legal reasons.",
    501: "The API does not offer this operation.",
}
"""What to do next, by status."""


def failure(context: CallContext, response: Response) -> Finished:
    """Return the result for an answer that means failure."""
    status, line = response.status, headers.status_line(response)
    wait = retry_after(response)
    facts: dict[str, Any] = {
        "code": CODE,
        "tool": context.tool,
        "reason": "http_status",
        "operation": context.key,
        "status": status,
        "retryable": _retryable(context, status),
    }
    if wait is not None:
        facts["retryAfter"] = round(wait, 1)
    useful = headers.told(response, headers.ABOUT_ERRORS)
    if useful:
        facts["headers"] = {name: context.masked(value) for name, value in useful.items()}
    suggestion = _suggestion(context, status, wait)
    parts = [
        f"{line}: {context.key} ({context.tool}).",
        context.masked(_body(response)),
        headers.lines(facts.get("headers") or {}),
        suggestion,
    ]
    data = {
        "tool": context.tool,
        "errorCode": CODE,
        "reason": "http_status",
        "status": status,
        "suggestion": suggestion,
    }
    return Finished(refusal("\n".join(part for part in parts if part), facts, data))


def _retryable(context: CallContext, status: int) -> bool:
    return status in NOT_DONE or (status in PASSING and bool(context.operation.get("idempotent")))


def _suggestion(context: CallContext, status: int, wait: float | None) -> str:
    if status in (401, 407):
        return _about_credentials(context)
    if status in NOT_DONE:
        when = f"in {max(1, round(wait))} s" if wait is not None else "in a few seconds"
        return f"Call it again {when}{', and less often' if status == 429 else ''}."  # RFC 6585
    if status == NOT_FOUND and not _takes_identifiers(context):
        variable = context.plan.settings.variable(context.plan.operation.base_entry)
        return f"It takes no identifier that could be wrong: ask the user whether {variable} is the API's base URL."
    if status in NEXT_STEPS:
        return NEXT_STEPS[status]
    if status < 400:
        return _about_redirect(context)
    if status < 500:  # the caller's side
        return "Check the arguments against what the API says."
    if _retryable(context, status):
        return "The API failed: call it again later, and tell the user if it goes on."
    return "The API failed: check whether it was carried out before calling it again."


def _about_redirect(context: CallContext) -> str:
    variable = context.plan.settings.variable(context.plan.operation.base_entry)
    done = "" if context.operation.get("read_only") else " Check whether it was carried out before calling it again."
    told = "The API sends the caller elsewhere, and that was not followed."
    return f"{told} If its address has changed, ask the user to set {variable} to the new one.{done}"


def _takes_identifiers(context: CallContext) -> bool:
    return any(name != ARGUMENT for name in context.properties)


def _about_credentials(context: CallContext) -> str:
    names = context.plan.operation.variables()
    if not names:
        return "The API wants credentials, and its description says nothing of them; ask the user."
    return (
        f"The API refuses the credentials in use. Ask the user to check {' or '.join(names)} in this server's `env` in "
        "the host's settings; never ask for a secret in the chat."
    )


def _body(response: Response) -> str:
    """Return what the API says: the sentences of a problem first, its JSON if that is short, a page as its words."""
    if not response.body:
        return ""
    media = content.media_of(response.header("content-type"))
    if content.is_compressed(response):
        return f"({len(response.body)} bytes of {media.type}, compressed in a way that cannot be read here)"
    text = content.decode(response.body[: MAX_BODY * 64], media)
    try:
        value = exact_json.read(response.body)
    except jsonrpc.ParseFailure:
        if not (media.is_text or media.type == "" or media.is_json or content.sniffed(response.body) == "text/plain"):
            return f"({len(response.body)} bytes of {media.type})"
        if "html" in media.type or text.lstrip()[:15].lower().startswith(("<!doctype html", "<html")):
            from .html_text import words

            text = words(text)
        return _bounded(printable(text.strip()))
    said = _sentences(value)
    whole = exact_json.compact(value)
    if said and said not in whole:
        return _bounded(f"{printable(said)}\n{whole}")
    return _bounded(whole)


def _sentences(value: Any) -> str:
    """Return title and detail of a problem (RFC 9457), which a long list of members would otherwise push out."""
    if type(value) is not dict:
        return ""
    said = [value[name] for name in ("title", "detail") if type(value.get(name)) is str]
    return ": ".join(dict.fromkeys(part.strip() for part in said if part.strip()))[: MAX_BODY // 2]


def _bounded(text: str) -> str:
    shown, note = cut(text, MAX_BODY)
    return text if note is None else f"{shown}… ({len(text)} characters in all)"
