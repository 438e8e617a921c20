"""The catalog's entries of resources, templates and prompts: what lists show, and how each is called."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from ..definitions import prompt_definition, resource_definition
from ..ir.codec import thaw
from ..jsonschema.patterns import pattern_problems

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ..ir.model import Prompt, PromptArgument, PythonCall, Resource, Server

    CallEntry = Callable[[PythonCall], dict[str, Any]]


BUILT_IN = {"kind": "text"}
"""The call of a resource whose text stands in `catalog.texts.json`."""

SELF_DESCRIPTION = {"kind": "schema"}
"""The call of a resource that tells what the catalog says."""


def resource_entries(server: Server, called: CallEntry) -> list[dict[str, Any]]:
    """Return the entries of the resources that have a URI of their own; `called` says how a call is written."""
    return [
        _entry(resource_definition(each), each, each.call, called)
        if each.call is not None
        else {"definition": resource_definition(each), "call": SELF_DESCRIPTION if each.text is None else BUILT_IN}
        for each in server.resources
        if each.kind in ("computed", "static")
    ]


def texts(server: Server) -> dict[str, str]:
    """Return what resources say that were made with the server, by their URI."""
    return {each.uri: each.text for each in server.resources if each.text is not None}


def template_entries(server: Server, called: CallEntry) -> list[dict[str, Any]]:
    """Return the entries of the resource templates."""
    return [
        _entry(resource_definition(each), each, each.call, called, each.variables, each.input_schema)
        for each in server.resources
        if each.kind == "template" and each.call is not None
    ]


def view_entries(server: Server, called: CallEntry) -> list[dict[str, Any]]:
    """Return the entries of the views, which are read from a file of the package where no function makes them."""
    return [
        _entry(resource_definition(each), each, each.call, called)
        if each.call is not None
        else {"definition": resource_definition(each), "call": {"kind": "view", "path": each.file}}
        for each in server.resources
        if each.kind == "ui"
    ]


def prompt_entries(server: Server, called: CallEntry) -> list[dict[str, Any]]:
    """Return the entries of the prompts."""
    return [
        _entry(prompt_definition(each), each, each.call, called, each.arguments, each.input_schema)
        for each in server.prompts
    ]


def _entry(
    definition: dict[str, Any],
    offer: Resource | Prompt,
    call: PythonCall,
    called: CallEntry,
    arguments: Sequence[PromptArgument] = (),
    schema: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    completions = {each.name: _completion(each, called) for each in arguments if each.completer or each.choices}
    plain: Any = thaw(schema) if schema else {}
    entry = {
        "definition": definition,
        "arguments": plain,
        "call": called(call),
        "completions": completions,
        "limits": {name: value for name, value in dataclasses.asdict(offer.limits).items() if value is not None},
        "scopes": list(offer.scopes),
        "unenforced_patterns": list(dict.fromkeys(problem.pattern for problem in pattern_problems(plain))),
    }
    return {name: value for name, value in entry.items() if value}


def _completion(argument: PromptArgument, called: CallEntry) -> dict[str, Any]:
    if argument.completer is not None:
        return {"call": called(argument.completer)}
    return {"choices": list(argument.choices)}
