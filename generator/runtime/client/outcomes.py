"""Calls that got no answer of the API, as results: nothing sent, nothing come back, or something missing to send it."""

from __future__ import annotations

from ..server import outcome
from ..server.answer import Finished

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .call_context import CallContext
    from .credential_problem import CredentialProblem, MissingCredentials
    from .problem import TransportProblem


def unreachable(context: CallContext, problem: TransportProblem) -> Finished:
    """Return the result for a request that got no answer (M-HTTP-002 to -007)."""
    message = context.masked(problem.message)
    text = f"{context.tool} failed: {message} ({context.key})."
    suggestion = context.masked(problem.suggestion)
    details = {"operation": context.key, "sent": problem.sent}
    return Finished(
        outcome.coded(context.call, problem.code, "no_answer", text, suggestion, retryable=problem.retryable, **details)
    )


def unusable_credentials(context: CallContext, problem: CredentialProblem) -> Finished:
    """Return the result for credentials that are there and cannot be used, or no token for them (M-CFG-005)."""
    text = f"{context.tool} was not sent: {context.masked(problem.message)}."
    suggestion = context.masked(problem.suggestion) or "Ask the user to check this server's credentials."
    return Finished(
        outcome.coded(context.call, "M-CFG-005", "unusable_credentials", text, suggestion, retryable=problem.retryable)
    )


def no_base(context: CallContext, message: str) -> Finished:
    """Return the result for an API whose address is not known or cannot be used (M-CFG-004)."""
    variable = context.plan.settings.variable(context.plan.operation.base_entry)
    text = f"{context.tool} was not sent: {message}."
    suggestion = f"Ask the user to set {variable} to the API's base URL in this server's `env` in the host's settings."
    return Finished(
        outcome.coded(context.call, "M-CFG-004", "missing_configuration", text, suggestion, retryable=False)
    )


def no_credentials(context: CallContext, problem: MissingCredentials) -> Finished:
    """Return the result for missing credentials (M-CFG-004)."""
    wanted = problem.wanted or "the API's credentials"
    text = f"{context.tool} was not sent: it needs credentials that are not set: {wanted}."
    file = context.plan.settings.file
    first = next((entries for entries in problem.alternatives if entries), [])
    example = ", ".join(f'"{name}": "..."' for name, _ in dict(first).items())
    which = "one of these choices" if len([each for each in problem.alternatives if each]) > 1 else "what is missing"
    filed = f", or to put it into {file}, for example {{{example}}}" if example else ""
    suggestion = (
        f"Ask the user to set {which} in this server's `env` in the host's settings{filed}; never ask for a secret in "
        "the chat."
    )
    missing = list(dict.fromkeys(name for entries in problem.alternatives for name, _ in entries))
    return Finished(
        outcome.coded(
            context.call, "M-CFG-004", "missing_configuration", text, suggestion, retryable=False, missing=missing
        )
    )
