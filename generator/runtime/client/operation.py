"""One operation of an API, called: hooks, request, credentials, dry run or sending, hooks, answer."""

from __future__ import annotations

from time import monotonic

from ..wire.limits import DEFAULT_TIMEOUT
from . import outcomes
from .answer import answer
from .credentials import CredentialProblem, MissingCredentials
from .memory import give_back
from .message import Watch
from .problem import TransportProblem
from .request import build
from .url import Base, BaseProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from ..server.answer import Finished
    from ..server.call import Call
    from .call_context import CallContext
    from .message import Request, Response
    from .service import Client, Service

UNAUTHORIZED = 401

GRACE_SECONDS = 1.0
"""How much later than the call a request ends by itself: the shell, which stops it, says that the call's time is up."""


class Operation:
    """An operation of a service. `key` is `GET /pets/{id}`, `request` what operations.json says of it."""

    __slots__ = ("constants", "key", "request", "service")

    def __init__(self, service: Service, key: str) -> None:
        self.service = service
        self.key = key
        self.request: Mapping[str, Any] = service.request(key)
        defaults = self.request.get("defaults") or {}
        self.constants = {name: defaults[name] for name in self.request.get("constants") or ()}

    @property
    def base_entry(self) -> str:
        """The configuration entry of the API's base URL."""
        return str(self.service.data.get("base_url", "base_url"))

    @property
    def replacement(self) -> Callable[..., Any] | None:
        """The function of the user's that stands for the API here, None when there is none."""
        return self.service.hooks.operations.get(self.key)

    def spelled(self, properties: Mapping[str, Any]) -> dict[str, str]:
        """Return the argument by the API's own name, for names that had to be changed and mean nothing else here."""
        given = [(each["name"], each["argument"]) for each in self.request.get("parameters") or ()]
        fields = (self.request.get("body") or {}).get("fields") or {}
        given += [(name, argument) for argument, name in fields.items()]
        meanings: dict[str, set[str]] = {}
        for name, argument in given:
            meanings.setdefault(name, set()).add(argument)
        known = {name: next(iter(found)) for name, found in meanings.items() if len(found) == 1}
        return {name: argument for name, argument in known.items() if name not in properties}

    def variables(self) -> list[str]:
        """Return the environment variables of the credentials in use; all that could be, when none is set."""
        schemes = self.service.data.get("schemes") or {}
        names = [name for alternative in self.request.get("security") or () for name in alternative]
        entries = [entry for name in names for entry in schemes.get(name, {}).get("credentials", {}).values()]
        values = self.service.settings.values()
        used = [entry for entry in entries if values.get(entry)] or entries
        return list(dict.fromkeys(self.service.settings.variable(entry) for entry in used))

    def perform(self, context: CallContext) -> Finished:
        """Call the API and return the result of the call.

        Raises ArgumentProblem for what cannot be sent, and whatever a hook of the user's raises.
        """
        call = context.call
        watch = Watch(_seconds(call))
        call.on_cancel = watch.stop
        try:
            if call.cancelled or call.finished:  # while this thread was on its way here
                watch.stop()
            return self._perform(context, watch)
        except BaseProblem as problem:
            return outcomes.no_base(context, str(problem))
        except TransportProblem as problem:
            return outcomes.unreachable(context, problem)
        except CredentialProblem as problem:
            return outcomes.unusable_credentials(context, problem)
        finally:
            call.on_cancel = None

    def _perform(self, context: CallContext, watch: Watch) -> Finished:
        from .dry_run import is_wanted, rehearse

        base = Base.of(self.service.data, self.service.settings.values(), self.request)
        request = build(self.request, context.arguments, base=base, files=context.files)
        request.timeout = self.service.timeout(self.request)
        self.service.hooks.before(self.key, request)
        client = self.service.client(base)
        if is_wanted(context.call):
            return rehearse(context, client, request, watch)
        try:
            self._authorize(client, request, watch)
        except MissingCredentials as problem:
            return outcomes.no_credentials(context, problem)
        context.hide(request)
        response = self._send(context, client, request, watch)
        self.service.hooks.after(self.key, response)
        try:
            return answer(context, response)
        finally:
            give_back(len(response.body))

    def _authorize(self, client: Client, request: Request, watch: Watch) -> None:
        """Add credentials; what is missing may have been written into the configuration a moment ago."""
        alternatives = self.request.get("security")
        try:
            client.credentials.apply(request, alternatives, watch)
        except MissingCredentials:
            self.service.settings.look_again()
            client.credentials.apply(request, alternatives, watch)

    def _send(self, context: CallContext, client: Client, request: Request, watch: Watch) -> Response:
        response = client.transport.send(request, watch)
        if response.status == UNAUTHORIZED and client.credentials.refresh(request, watch):
            context.hide(request)
            response = client.transport.send(request, watch)
        return response


def _seconds(call: Call) -> float:
    left = call.deadline - monotonic() + GRACE_SECONDS
    return left if left < float("inf") else DEFAULT_TIMEOUT * 10  # no shell: the request's own time-out counts
