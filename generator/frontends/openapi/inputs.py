"""What a tool takes: one schema for all arguments, and how the request is made from them."""

from __future__ import annotations

from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from ...diagnostics.model import Severity
from ...runtime.client.projection import ARGUMENT as PROJECTION
from .arguments import ARGUMENT_NAME, LOCATIONS, Argument, argument_names, distinct, only_value
from .bodies import CONTENT_TYPE, plan_body
from .findings import shown
from .nullable import allows_null
from .parameters import ordered

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .bodies import BodyPlan
    from .encodings import PartHeader
    from .findings import Findings
    from .model import Operation
    from .parameters import Shared
    from .schemas import Schemas
    from .selection import Candidate

MAX_NEEDS = 12
"""Arguments that the text on media types names as needed; a call that misses others is told so."""

_PROJECTION_SCHEMA: Mapping[str, Any] = {
    "type": "array",
    "items": {"type": "string"},
    "description": "Fields of the answer to keep, like `id` or `owner.name`.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """The input schema, and the parts of the request that arguments go into: parameters, body, fields, defaults."""

    schema: Mapping[str, Any]
    request: Mapping[str, Any]


def inputs_of(
    candidate: Candidate, schemas: Schemas, findings: Findings, shared: Shared, *, projectable: bool, limit: int
) -> Inputs:
    """Return what the tool of an operation takes; raises SchemaProblem when an argument has no readable schema.

    `limit` is how many characters may describe an argument.
    """
    operation = candidate.operation
    assembly = schemas.assembly("input")
    parameters = ordered(operation)
    arguments = [shared.argument(each, assembly, limit, findings) for each in parameters]
    plan = plan_body(operation.body, assembly, schemas, limit) if operation.body is not None else None
    everything = [*arguments, *(() if plan is None else plan.everything)]
    names = argument_names(everything)
    definitions = assembly.definitions()
    draft = _Draft(settled=_defaults(candidate, everything, names, findings))
    chosen = set(map(id, plan.arguments if plan is not None and plan.others else ()))
    for argument, name in zip(everything, names, strict=True):
        draft.add(argument, name, needed_by_default=id(argument) in chosen)
        _report_renamed(argument, name, operation, findings)
    if parameters:
        used = zip(parameters, arguments, names, strict=False)
        draft.request["parameters"] = [shared.entry(each, argument, name, definitions) for each, argument, name in used]
    if plan is not None:
        draft.add_body(plan, names[len(arguments) :], definitions)
        _report_left_out(plan, names[len(arguments) :], operation, findings)
    if projectable and PROJECTION not in draft.taken:
        draft.properties[PROJECTION] = dict(_PROJECTION_SCHEMA)
        draft.request["fields"] = True
    if draft.settled or draft.constants:
        draft.request["defaults"] = {**draft.settled, **draft.constants}
    if draft.constants:
        draft.request["constants"] = list(draft.constants)
    return Inputs(schema=draft.schema(definitions), request=draft.request)


@dataclass(slots=True, kw_only=True)
class _Draft:
    """A tool's input as it grows; `settled` are values of the settings that hold when the caller gives none.

    `constants` are those of arguments that have one possible value only: nobody needs to give them. `needs` are the
    arguments that only some media types of the body cannot do without, which a schema for all cannot say.
    """

    settled: Mapping[str, Any]
    properties: dict[str, Any] = field(default_factory=dict)
    required: list[str] = field(default_factory=list)
    needs: list[str] = field(default_factory=list)
    constants: dict[str, Any] = field(default_factory=dict)
    request: dict[str, Any] = field(default_factory=dict)

    @property
    def taken(self) -> set[str]:
        """The names of arguments, also of those that nobody gives: their values are in the request under these."""
        return {*self.properties, *self.constants}

    def add(self, argument: Argument, name: str, *, needed_by_default: bool = False) -> None:
        """Put an argument into the schema; a default of the settings makes it optional, a constant is filled in."""
        settled = name in self.settled
        if argument.required and not settled and (only := only_value(argument.schema)) is not None:
            self.constants[name] = only
            return
        self.properties[name] = {**argument.schema, "default": self.settled[name]} if settled else argument.schema
        if argument.required and not settled:
            (self.needs if needed_by_default else self.required).append(name)

    def add_body(self, plan: BodyPlan, names: Sequence[str], definitions: Mapping[str, Any]) -> None:
        """Put the body into the request, and the argument that chooses its media type into the schema."""
        body: dict[str, Any] = {"required": True} if plan.required else {}
        if plan.flat:
            members = dict(zip(names, plan.arguments, strict=False))
            body["fields"] = {name: each.wire for name, each in members.items()}
            nullable = [name for name, each in members.items() if allows_null(each.schema, definitions)]
            body |= {"nullable_fields": nullable} if nullable else {}
        else:
            body["argument"] = names[0]
        first_header = len(plan.arguments) + len(plan.others)
        own = names[len(plan.arguments) : first_header]
        body |= {"needs": self.needs} if self.needs else {}
        body["content"] = _content(plan, own, dict(zip(names[first_header:], plan.headers, strict=True)))
        if len(plan.types) > 1:
            body["select"] = name = distinct(CONTENT_TYPE, "body", self.taken)
            description = _choice_text(plan, own, self.needs)
            self.properties[name] = {"type": "string", "enum": list(plan.types), "description": description}
        self.request["body"] = body

    def schema(self, definitions: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the whole input schema."""
        schema: dict[str, Any] = {"type": "object", "properties": self.properties}
        if self.required:
            schema["required"] = self.required
        schema["additionalProperties"] = False
        if definitions:
            schema["$defs"] = dict(definitions)
        return schema


def _content(plan: BodyPlan, own: Sequence[str], headers: Mapping[str, PartHeader]) -> list[Mapping[str, Any]]:
    """Return the entries of the media types, with the arguments that are a whole body or give headers of parts."""
    wholes = [
        tuple({**entry, "argument": name} for entry in each.content)
        for name, each in zip(own, plan.others, strict=True)
    ]
    groups: list[Sequence[Mapping[str, Any]]] = [plan.content, *wholes]
    # headers are those of the first type that has parts, and of the types that are made from the same arguments
    parts = next((group for group in groups if any(entry["kind"] == "multipart" for entry in group)), ())
    return [_with_headers(entry, headers) if group is parts else entry for group in groups for entry in group]


def _choice_text(plan: BodyPlan, own: Sequence[str], needs: Sequence[str]) -> str:
    """Return what is told of the argument that chooses the media type."""
    text = f"The media type of the body; {plan.types[0]} unless given."
    if not own:
        return text
    wanted = f" That one needs {_listed(needs)}." if needs else ""
    pairs = zip(own, plan.others, strict=True)
    others = "; ".join(f"{entry['type']} in `{name}`" for name, each in pairs for entry in each.content)
    return f"{text}{wanted} Others have the whole body in one argument: {others}."


def _listed(names: Sequence[str]) -> str:
    more = len(names) - MAX_NEEDS
    return ", ".join(f"`{name}`" for name in names[:MAX_NEEDS]) + (f" and {more} more" if more > 0 else "")


def _with_headers(entry: Mapping[str, Any], headers: Mapping[str, PartHeader]) -> Mapping[str, Any]:
    """Return a media type's entry with the arguments that give headers of its parts."""
    if entry["kind"] != "multipart" or not headers:
        return entry
    encoding = {member: dict(each) for member, each in entry.get("encoding", {}).items()}
    for name, header in headers.items():
        encoding.setdefault(header.member, {}).setdefault("headers", {})[header.header.name] = header.entry(name)
    return {**entry, "encoding": encoding}


def _defaults(
    candidate: Candidate, arguments: Sequence[Argument], names: Sequence[str], findings: Findings
) -> Mapping[str, Any]:
    """Return the values of the settings by argument; what names no argument is reported."""
    by_wire = {each.wire: name for name, each in zip(reversed(names), reversed(arguments), strict=True)}
    found = {}
    for key, value in candidate.rule.defaults.items():
        name = key if key in names else by_wire.get(key)
        if name is None:
            message = f"`{shown(key)}` in `defaults` is no argument of tool `{candidate.name}`"
            close = get_close_matches(key, list(names), n=1)
            hint = (
                f"Did you mean `{shown(close[0])}`?" if close else "Name an argument of the tool, or remove the value."
            )
            findings.tell("unmatched-tool-setting", message, unit=candidate.operation.key, hint=hint)
        else:
            found[name] = value
    return found


def _report_renamed(argument: Argument, name: str, operation: Operation, findings: Findings) -> None:
    """Tell that an argument is not called as the API calls it; a note, since the server sends it by its own name."""
    if name == argument.wire:
        return
    clash = ARGUMENT_NAME.fullmatch(argument.wire) is not None
    findings.group(
        "renamed-parameter",
        f"{_called(argument)} of `{shown(operation.key)}` is the argument `{name}`",
        kind="clash" if clash else "",
        place=argument.place,
        unit=operation.key,
        severity=Severity.NOTE,
    )


def _report_left_out(plan: BodyPlan, names: Sequence[str], operation: Operation, findings: Findings) -> None:
    """Tell which media types of a body its arguments do not serve for, and that it has too many members for any."""
    if plan.left_out and operation.body is not None:
        types = _listed([shown(each) for each in plan.left_out])
        message = f"the body of `{operation.key}` is sent as `{shown(plan.types[0])}`, never as {types}"
        place = operation.body.place
        findings.group("unoffered-media-type", message, place=place, unit=operation.key)
    if plan.crowded and operation.body is not None:
        message = (
            f"the body of `{operation.key}` has {plan.crowded:,} members: it is the argument `{names[0]}` as a whole"
        )
        findings.group("undivided-body", message, place=operation.body.place, unit=operation.key)


def _called(argument: Argument) -> str:
    """Return what the API calls an argument, in words."""
    name = f"`{shown(argument.wire)}`"
    if argument.whole:
        return "the whole body"
    if argument.location == "body":
        return f"the member {name}"
    if argument.location in LOCATIONS:
        return f"the {argument.location} parameter {name}"
    return f"the header {name} of the part `{shown(argument.location)}`"
