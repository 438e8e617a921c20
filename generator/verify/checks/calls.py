"""`golden_calls`: calls with known results, and the examples of tools that only read.

Each result is also held to the tool's outputSchema, as the official SDKs do with every result they get.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...runtime.schema.kinds import SchemaError
from ...runtime.schema.validator import compile_validator
from ..conversation import Broken, Refused
from ..eras import MODERN
from ..finding import Check, Finding, fail, ok, plural, shown, skip, warn
from ..golden import UNSET, GoldenCall

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..context import Context
    from ..survey import Client, Survey

MAX_EXAMPLES = 50
"""Examples that are tried; a server of hundreds of tools would keep everybody waiting."""

MEND = "Correct the tool, or the call if the answer is meant to be another."

DOUBT = "Correct the examples of the parameters, or state a whole call in verify.json or in the settings."

UNCONFIGURED = "M-CFG-004"
"""The code of a result of ours that says which configuration is missing: nothing can be said of the tool."""


def golden_calls(context: Context) -> Finding:
    """Call, and compare."""
    survey = context.best()
    if not survey.served:
        return context.blocked()
    calls = [*context.calls, *list(_examples(context, survey))[:MAX_EXAMPLES]]
    if not calls:
        return skip(f"there are no golden calls, and {_without_examples(context, survey)}")
    schemas = {str(tool.get("name")): tool.get("outputSchema") for tool in survey.tools}
    faults, doubts = _called(context, survey, calls, schemas)
    if faults:
        failed = plural(len(faults), "call")
        return fail(f"{failed} of {len(calls)} went otherwise than expected; the first: {faults[0]}", MEND, faults)
    if doubts:
        failed = plural(len(doubts), "call")
        return warn(f"{failed} of {len(calls)} answered with an error; the first: {doubts[0]}", DOUBT, doubts)
    return ok(f"{plural(len(calls), 'call')} answered as expected")


def _called(
    context: Context, survey: Survey, calls: list[GoldenCall], schemas: dict[str, Any]
) -> tuple[list[str], list[str]]:
    """Make the calls in one conversation; a new one begins after a call that ended it.

    Return what went wrong, and what may be the fault of arguments that nobody stated as a whole.
    """
    faults: list[str] = []
    doubts: list[str] = []
    rest = list(calls)
    while rest:
        made: GoldenCall | None = None
        try:
            with context.talk() as conversation:
                if survey.era == MODERN:
                    conversation.discover()
                else:
                    conversation.initialize()
                while rest:
                    made = rest.pop(0)
                    problem, is_error = _problem(conversation, made, schemas.get(made.tool))
                    told = doubts if made.put_together and is_error else faults
                    told += [_told(made, problem)] if problem else []
        except (Broken, Refused) as stopped:
            if made is None:
                return [*faults, str(stopped)], doubts  # it could not be begun once more
            faults.append(_told(made, str(stopped)))
    return faults, doubts


def _told(call: GoldenCall, problem: str) -> str:
    return f"{call.origin} (`{shown(call.tool, 64)}`): {problem}"


def _problem(client: Client, call: GoldenCall, schema: Any) -> tuple[str | None, bool]:
    """Make one call; return what is not as it should be, and whether that is an error which the tool answered."""
    before = len(client.faults)
    try:
        result = client.request("tools/call", {"name": call.tool, "arguments": call.arguments})
    except Refused as refused:
        return f"it is refused: {refused}", False
    if len(client.faults) > before:
        return client.faults[before], False
    is_error = bool(result.get("isError"))
    if call.put_together and is_error and f"[{UNCONFIGURED}]" in (_text(result) or ""):
        return None, True
    return result_problem(result, call) or _schema_problem(result, schema), is_error


def result_problem(result: dict[str, Any], call: GoldenCall) -> str | None:
    """Return what of a result is not as a call states it, or None."""
    text = _text(result)
    if bool(result.get("isError")) is not call.error:
        wanted = "an error" if call.error else "no error"
        return f"{wanted} is expected; the result says: {shown(text or '', 160)}"
    for part in call.text:
        if part not in (text or ""):
            return f"its text has no `{shown(part, 60)}`: {shown(text or '', 120)}"
    if call.structured is not UNSET and result.get("structuredContent") != call.structured:
        return f"structuredContent is {shown(result.get('structuredContent'), 120)}"
    return None


def _text(result: dict[str, Any]) -> str | None:
    """Return the texts of a result; None when its content has no form that clients can read."""
    content = result.get("content")
    if not isinstance(content, list) or not all(isinstance(each, dict) for each in content):
        return None
    return "\n".join(str(each["text"]) for each in content if isinstance(each.get("text"), str))


def _schema_problem(result: dict[str, Any], schema: Any) -> str | None:
    """Return why clients that check results refuse this one."""
    if _text(result) is None and result.get("resultType", "complete") == "complete":
        return "its `content` is no list of objects; every client refuses it"
    if not isinstance(schema, dict) or result.get("isError"):
        return None
    if "structuredContent" not in result:
        return "it has an outputSchema and no structuredContent; the Python and TypeScript SDKs refuse it"
    try:
        problems = compile_validator(schema).problems(result["structuredContent"], 1)
    except SchemaError:
        return None  # schemas_valid tells
    if not problems:
        return None
    return f"structuredContent breaks the outputSchema: {problems[0].message}; the Python and TypeScript SDKs refuse it"


def _examples(context: Context, survey: Survey) -> Iterator[GoldenCall]:
    """Yield the examples that tools state which only read, and reach nothing but this server.

    A tool for which no whole call is stated is called with the first example of each parameter that it needs; one of
    a project that needs none is called without.
    """
    kinds: dict[str, Any] = {}
    stated = {call.tool for call in context.calls}
    if context.subject.project is not None:
        entries = context.project.entries("tools")
        kinds = {str(each["definition"].get("name")): (each.get("call") or {}).get("kind") for each in entries}
    for tool in survey.tools:
        name, schema, hints = str(tool.get("name")), tool.get("inputSchema"), tool.get("annotations")
        kind = kinds.get(name)
        if kind == "http" or not isinstance(hints, dict) or hints.get("readOnlyHint") is not True:
            continue
        examples = schema.get("examples") if isinstance(schema, dict) else None
        whole = [each for each in (examples if isinstance(examples, list) else []) if isinstance(each, dict)]
        for number, each in enumerate(whole, 1):
            yield GoldenCall(tool=name, arguments=each, origin=f"example {number} of the schema")
        left_out = whole or kind == "proxy" or name in stated
        arguments = None if left_out or not isinstance(schema, dict) else _arguments(schema)
        if arguments or (arguments == {} and context.subject.project is not None):
            origin = "the examples of its parameters" if arguments else "a call without arguments"
            yield GoldenCall(tool=name, arguments=arguments, origin=origin, put_together=True)


def _without_examples(context: Context, survey: Survey) -> str:
    """Say why no example was called."""
    entries = context.project.entries("tools") if context.subject.project is not None else []
    kinds = {(each.get("call") or {}).get("kind") for each in entries}
    if survey.tools and kinds <= {"http", "proxy"} and kinds:
        return "tools that ask other servers are not called by examples of their parameters: state calls in verify.json"
    return "no tool that only reads has an example"


def _arguments(schema: dict[str, Any]) -> dict[str, Any] | None:
    """Return a value for each argument that must be there, None when the schema has none for one of them."""
    properties, required = schema.get("properties"), schema.get("required", [])
    if not isinstance(properties, dict) or not isinstance(required, list):
        return None if required else {}
    found: dict[str, Any] = {}
    for name in required:
        told = properties.get(name)
        examples = told.get("examples") if isinstance(told, dict) else None
        if isinstance(examples, list) and examples:
            found[name] = examples[0]
        elif isinstance(told, dict) and ("default" in told or "const" in told):
            found[name] = told.get("default", told.get("const"))
        else:
            return None
    return found


CHECKS = (Check(id="golden_calls", title="Known calls answer as expected", run=golden_calls),)
