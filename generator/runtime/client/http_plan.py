"""How a tool that is an operation of an API runs: arguments are checked as any tool's, then they become a request."""

from __future__ import annotations

from ..schema.conversion_problem import ConversionProblem
from ..server.answer import Finished
from ..server.intake import NO_CONTEXTS, refuse
from ..server.plan import Plan
from .call_context import CallContext
from .operation import Operation
from .projection import ARGUMENT
from .service import service_of
from .structured import Shape
from .values import ArgumentProblem
from .wire_text import textual, with_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ..server.call import Call
    from ..server.tool import Tool
    from .body_plans import BodyPlans

MAX_RESULT_BYTES = 100_000
"""Bytes of one answer that go into a result: hosts keep about a quarter of it, and a model reads less."""

CALL = "call"
"""Under this name the call is handed to `handler`."""


class HttpPlan(Plan):
    """Everything a call of an HTTP operation needs. Raises ImportProblem and CatalogError while it is made.

    `limit` is in bytes; `shape` is what was promised of structured content; `bodies` are the plans of media types that
    take other arguments, None where all take the same.
    """

    __slots__ = ("bodies", "limit", "operation", "shape", "texts")

    drops_nulls = True
    python_formats = False

    def __init__(self, tool: Tool) -> None:
        super().__init__(tool)
        entry = tool.entry
        service = service_of(tool.catalog)
        self.operation = Operation(service, entry["call"]["operation"])
        self.limit: int = (
            (entry.get("limits") or {}).get("max_result_bytes")
            or service.limits.get("max_result_bytes")
            or MAX_RESULT_BYTES
        )
        # A model may have read the API's own documentation: its names are understood where they mean one argument.
        self.spelled = self.operation.spelled(self.schema.get("properties") or {})
        self.texts = textual(self.operation.request, self.schema.get("properties") or {})
        self.shape = Shape(entry["definition"].get("outputSchema"), wrap=self.wrap)
        self.result_kind = "json"  # what a user's function returns is looked at, whatever the API would send
        self.contexts = ((CALL, None),)
        self.exact = self.operation.replacement is None
        self.bind = _with_call
        self.handler = self._handle
        self.bodies: BodyPlans | None = None
        body = self.operation.request.get("body") or {}
        if any("argument" in content for content in body.get("content") or ()):
            from .body_plans import BodyPlans

            self.bodies = BodyPlans(self, body)

    def cleaned(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments without those that can only have one value, which is sent whether they are given or not.

        They are in no schema; a model may have read of them in the API's own documentation. Whole numbers for
        parameters of text become their digits.
        """
        if self.texts and self.coerces:
            arguments = with_text(arguments, self.texts)
        constants = self.operation.constants
        if not constants:
            return arguments
        return {
            name: value
            for name, value in arguments.items()
            if name not in constants or str(value).lower() != str(constants[name]).lower()
        }

    def suited(self, arguments: dict[str, Any], /) -> Plan:
        """Return the plan of the media type that the body is sent as."""
        return self if self.bodies is None else self.bodies.of(arguments)

    def inject(self, call: Call) -> dict[str, Any]:
        """Return the call itself: what is sent depends on more of it than its arguments."""
        return {CALL: call}

    def _handle(self, arguments: dict[str, Any], call: Call) -> Any:
        """Return the whole result, or what the user's function returned in place of the API."""
        service = self.operation.service
        context = CallContext(
            call, self, arguments, store=service.store, files=service.files(), secrets=self.settings.secrets
        )
        replacement = self.operation.replacement
        if replacement is not None:
            from .dry_run import is_wanted, not_sent

            return not_sent(context) if is_wanted(call) else replacement(**_keywords(arguments))
        try:
            return self.operation.perform(context)
        except ArgumentProblem as problem:
            return Finished(refuse(call, self, arguments, [ConversionProblem(problem.path, problem.message)]))


def _with_call(
    arguments: dict[str, Any],
    injected: Mapping[str, Any] = NO_CONTEXTS,
    /,
) -> tuple[list[Any], dict[str, Any]]:
    return [arguments, injected[CALL]], {}


def _keywords(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return what a function of the user's gets: all but the projection, which is about the API's answer."""
    return {name: value for name, value in arguments.items() if name != ARGUMENT}
