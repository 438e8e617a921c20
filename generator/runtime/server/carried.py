"""What only some servers carry, imported by computed names so that the others do without it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..wire.dialects import Dialect
    from .catalog import Catalog
    from .plan import Plan
    from .session import Session
    from .tool import Tool

PLANS = {
    "http": ("..client.http_plan", "HttpPlan"),
    "meta": (".meta_plan", "MetaPlan"),
    "resource": (".contents", "ResourcePlan"),
    "prompt": (".messages", "PromptPlan"),
    "completion": (".completions", "CompletionPlan"),
    "view": (".view_plan", "plan_of_view"),
}
"""How tools of some kinds run: a module, and what in it makes their plan."""


def plan_of(tool: Tool) -> Plan | None:
    """Return the plan of a tool that is no Python function, None for one that is."""
    kind = tool.entry["call"].get("kind")
    if kind not in PLANS:
        return None
    from importlib import import_module

    module, name = PLANS[kind]
    made: Plan = getattr(import_module(module, __package__), name)(tool)
    return made


def further(catalog: Catalog, method: str) -> Callable[[Session, dict[str, Any], Dialect], Any] | None:
    """Return what answers a method that only some servers have: with bytes, or with what is to be called or cancelled.

    What is called is an offer, its arguments and the URI that is read. What listens takes the request's id and opens.
    """
    from importlib import import_module

    found: Callable[[Session, dict[str, Any], Dialect], Any] | None
    if catalog.header.get("gateway") and not method.endswith("/list"):  # lists come from the table
        found = import_module("..gateway.methods", __package__).method(catalog, method)
        if found is not None:
            return found
    if catalog.header.get("listens"):
        found = import_module(".listening_methods", __package__).method(method)
        if found is not None:
            return found
    if catalog.header.get("offers") or catalog.header.get("gateway"):  # a child's list may be empty
        found = import_module(".offer_methods", __package__).method(catalog, method)
        if found is not None:
            return found
    if catalog.header.get("tasks") and method.startswith("tasks/"):
        found = import_module(".task_methods", __package__).METHODS.get(method)
        if found is not None:
            return found
    return kept_answers(method) if catalog.header.get("answers") else None


def attach(session: Session) -> None:
    """Tell a session that has just shaken hands of changes from now on; its shell can (`tell`)."""
    from importlib import import_module

    import_module(".listening", __package__).attach(session)


def kept_answers(method: str) -> Callable[[Session, dict[str, Any], Dialect], bytes] | None:
    """Return what answers a method about resources for answers that were kept."""
    if not method.startswith("resources/"):
        return None
    from importlib import import_module

    found: Callable[[Session, dict[str, Any], Dialect], bytes] | None
    found = import_module("..client.resources", __package__).METHODS.get(method)
    return found


def answer_store(catalog: Catalog) -> Any:
    """Return the store of answers kept for later, made when there is none yet."""
    from importlib import import_module

    if catalog.answers is None:
        catalog.answers = import_module("..client.store", __package__).AnswerStore(catalog.data["id"])
    return catalog.answers


def gateway_of(catalog: Catalog) -> Any:
    """Return the servers behind a gateway, made when there are none yet; they start when they are called."""
    from importlib import import_module

    if catalog.gateway is None:
        catalog.gateway = import_module("..gateway.dispatch", __package__).Gateway(getattr(catalog, "whole", catalog))
    return catalog.gateway


def apps(session: Session) -> Any:
    """Return the module about views (MCP Apps), None for a server that has none."""
    if not session.catalog.header.get("ui"):
        return None
    from importlib import import_module

    return import_module(".ui", __package__)


def meant(catalog: Catalog, tool: Tool, arguments: object) -> tuple[Tool, Any] | None:
    """Return the tool that a call of discovery's `call_tool` means, and its arguments; None for any other call."""
    if tool.entry["call"].get("does") != "call":
        return None
    from importlib import import_module

    found: tuple[Tool, Any] | None = import_module(".discovery", __package__).meant(catalog, arguments)
    return found
