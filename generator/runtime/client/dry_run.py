"""A dry run: the request as it would be sent, secrets masked, and nothing sent (decision 32)."""

from __future__ import annotations

from ..wire import jsonrpc
from ..wire.secret_signs import MASK
from .credential_problem import CredentialProblem, MissingCredentials
from .masking import shown
from .message import Response
from .result import Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..server.answer import Finished
    from ..server.call import Call
    from .call_context import CallContext
    from .message import Request, Watch
    from .service import Client

META = "mcpgen/dryRun"
"""The key under `_meta` of a call that asks for a dry run, and of its result."""


def is_wanted(call: Call) -> bool:
    """Say whether a call asks only for what it would send."""
    return call.meta.get(META) is True


class _Rehearsal:
    """Stands for the transport where tokens are fetched: whatever is asked for, nothing leaves the process."""

    def send(self, request: Request, watch: Watch) -> Response:  # noqa: ARG002 # as the transport has it
        said = {"access_token": MASK, "token_type": "Bearer", "token_endpoint": "https://localhost/token"}
        return Response(200, "OK", body=jsonrpc.encode(said))


def rehearse(context: CallContext, client: Client, request: Request, watch: Watch) -> Finished:
    """Return the request, with masked credentials, as a text; missing ones are named and do not hold it up."""
    result = Result()
    rehearsal: Any = _Rehearsal()
    try:
        client.credentials_by(rehearsal).apply(request, context.operation.get("security"), watch)
    except MissingCredentials as problem:
        if problem.wanted:
            result.note(f"Credentials are missing: a real call needs {problem.wanted}.")
    except CredentialProblem as problem:
        result.note(f"A real call would fail: {problem.message}.")
    context.hide(request)
    result.text(context.masked(jsonrpc.text(shown(request))))
    return _finished(result, context)


def not_sent(context: CallContext) -> Finished:
    """Return the result for an operation that a function of the user's stands for: it is not called either."""
    result = Result()
    result.text(f"{context.key} is answered by a function in handlers.py; it was not called.")
    return _finished(result, context)


def _finished(result: Result, context: CallContext) -> Finished:
    result.note("Dry run: nothing was sent.")
    result.meta[META] = True
    result.structured = context.plan.shape.missing()
    return result.finished()
