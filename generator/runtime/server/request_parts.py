"""The parts of requests about resources, prompts and completion: read, or refused as the protocol says.

A server's own methods and a gateway's take the same requests; what they are about is theirs.
"""

from __future__ import annotations

from ..wire import jsonrpc
from ..wire.jsonrpc import Refusal, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeVar

    Offered = TypeVar("Offered")

PROMPT, RESOURCE = "ref/prompt", "ref/resource"
"""What a completion may be for."""


def text(members: dict[str, Any], name: str) -> str:
    """Return a member that has to be a text; raises Refusal."""
    value = members.get(name)
    if type(value) is not str:
        raise _invalid(f"{name} must be a string")
    return value


def arguments(params: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of a prompt, which may be left out; raises Refusal."""
    found = params.get("arguments")
    if found is not None and type(found) is not dict:
        raise _invalid("arguments must be an object")
    return found or {}


def prompt(prompts: Mapping[str, Offered], name: str) -> Offered:
    """Return the prompt of a name; raises Refusal, with the name that is most like it."""
    found = prompts.get(name)
    if found is None:
        from difflib import get_close_matches

        near = get_close_matches(name[:80], prompts, n=1)
        suggestion = f"Did you mean {near[0]!r}?" if near else "Ask prompts/list for the prompts of this server."
        raise Refusal(jsonrpc.INVALID_PARAMS, f"Unknown prompt: {shown(name)}", {"suggestion": suggestion})
    return found


def chosen(params: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments that a completion's context says were chosen before; raises Refusal."""
    context = params.get("context")
    found = context.get("arguments") if type(context) is dict else context
    if found is None:
        return {}
    if type(found) is not dict or not all(type(value) is str for value in found.values()):
        raise _invalid("context.arguments must be an object of strings")
    return found


def completion(params: dict[str, Any]) -> tuple[dict[str, Any], str, str]:
    """Return the reference of a completion, the name of the argument and what was typed of it; raises Refusal."""
    reference, argument = params.get("ref"), params.get("argument")
    if type(reference) is not dict or type(argument) is not dict:
        raise _invalid("ref and argument must be objects")
    return reference, text(argument, "name"), text(argument, "value")


def referred(reference: dict[str, Any]) -> tuple[str, str]:
    """Return what a completion is for, and its name or its URI; raises Refusal."""
    kind = reference.get("type")
    if kind not in (PROMPT, RESOURCE):
        raise _invalid(f"ref.type is {PROMPT} or {RESOURCE}")
    return kind, text(reference, "name" if kind == PROMPT else "uri")


def _invalid(why: str) -> Refusal:
    return Refusal(jsonrpc.INVALID_PARAMS, f"Invalid params: {why}")
