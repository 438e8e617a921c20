"""Which arguments go with which media type, where the types of a body have unlike schemas.

What clients are told is one schema for all types, which cannot say what only some need. A call is checked by the schema
of the type that it chooses: the same one, with what this type needs and without what belongs to others.
"""

from __future__ import annotations

from copy import copy

from ..schema.validator import compile_validator
from .request_body import chosen
from .values import ArgumentProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ..server.plan import Plan


class BodyPlans:
    """The plans of one operation by the argument that is the whole body; None stands for the types without their own.

    `body` is that of a REQUEST: `needs` are the arguments that the types without their own cannot do without.
    """

    __slots__ = ("_body", "_known", "_plan")

    def __init__(self, plan: Plan, body: Mapping[str, Any]) -> None:
        self._plan = plan
        self._body = body
        self._known: dict[str | None, Plan] = {}

    def of(self, arguments: Mapping[str, Any]) -> Plan:
        """Return the plan of the chosen media type; the common one, which tells what is wrong, where none is."""
        try:
            own = chosen(self._body, arguments).get("argument")
        except ArgumentProblem:
            return self._plan
        found = self._known.get(own)
        if found is None:
            found = self._known[own] = self._made(own)
        return found

    def _made(self, own: str | None) -> Plan:
        plan = copy(self._plan)
        plan.schema = schema_of(self._plan.schema, self._body, own)
        plan.validator = compile_validator(plan.schema, skip_patterns=plan.skipped, python_formats=plan.python_formats)
        plan.accepts = plan.validator.accepts
        return plan


def schema_of(schema: Mapping[str, Any], body: Mapping[str, Any], own: str | None) -> dict[str, Any]:
    """Return the input schema of the media types whose whole body is the argument `own`, of the others for None."""
    members = list(body["fields"]) if "fields" in body else [body["argument"]]
    owned = [content["argument"] for content in body["content"] if "argument" in content]
    if own is None:
        foreign, needed = set(owned), list(body.get("needs") or ())
    else:
        foreign, needed = {*members, *owned} - {own}, [own] if body.get("required") else []
    properties = {name: each for name, each in schema["properties"].items() if name not in foreign}
    required = [*(schema.get("required") or ()), *needed]
    return {**schema, "properties": properties, **({"required": required} if required else {})}
