"""`mcp_list_tools`, `mcp_discover`, `hidden_tools`, `list_order`: what lists say, in both eras and again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ...runtime.wire.jsonrpc import METHOD_NOT_FOUND
from ..conversation import Broken, Refused
from ..eras import LEGACY_ERA, MODERN
from ..finding import PROJECT, REBUILD, Check, Finding, fail, ok, plural, several, shown, skip, warn
from ..survey import CAPABILITY, LISTS, survey

if TYPE_CHECKING:
    from ..context import Context
    from ..survey import Survey

CACHED = ("ttlMs", "cacheScope")
"""What a list of 2026-07-28 says of how long it may be kept."""


def mcp_list_tools(context: Context) -> Finding:
    """List everything, to the last page, and compare it with the catalog."""
    survey = context.best()
    if not survey.served:
        return context.blocked()
    faults = [*survey.shape, *_item_faults(survey)]
    if context.subject.project is not None and context.project.catalog is not None:
        wanted = [_name(each) for each in _catalog_names(context)]
        listed = [_name(tool) for tool in survey.tools]
        faults += [f"`{name}` is in the catalog and not listed" for name in wanted if name not in set(listed)]
        faults += [f"`{name}` is listed and not in the catalog" for name in listed if name not in set(wanted)]
    if faults:
        return fail(f"lists have {plural(len(faults), 'fault')}; the first: {faults[0]}", _repair(context), faults)
    if survey.tools and "tools" not in survey.capabilities:
        return fail("tools are listed and not declared", "Declare `tools` in the capabilities.")
    counts = ", ".join(plural(len(items), kind.removesuffix("s")) for kind, items in survey.lists.items())
    return ok(f"listed: {counts or 'nothing is declared'}")


def _repair(context: Context) -> str:
    return REBUILD if context.subject.kind == "project" else "Correct what the server lists."


def _catalog_names(context: Context) -> list[dict[str, Any]]:
    """Return the definitions that a client without views is shown."""
    found = []
    for entry in context.project.entries("tools"):
        link = entry.get("ui")
        only_views = isinstance(link, dict) and link.get("visibility") == ["app"]
        if not entry.get("hidden") and not only_views:
            found.append(entry["definition"])
    return found


def _name(item: dict[str, Any]) -> str:
    return shown(str(item.get("name")), 64)


def _item_faults(survey: Survey) -> list[str]:
    """Return what clients cannot read: missing members, names that come twice."""
    keys = {"tools": ("name", "inputSchema"), "resources": ("uri", "name"), "prompts": ("name",)}
    keys["templates"] = ("uriTemplate", "name")
    faults = []
    for kind, items in survey.lists.items():
        seen: set[str] = set()
        for item in items:
            lacking = [key for key in keys[kind] if not isinstance(item.get(key), dict if "Schema" in key else str)]
            faults += [f"{kind}: `{_name(item)}` has no `{key}`" for key in lacking]
            identity = json.dumps(item.get(keys[kind][0]))
            if identity in seen:
                faults.append(f"{kind}: {shown(identity, 80)} is listed twice")
            seen.add(identity)
    return faults


def mcp_discover(context: Context) -> Finding:
    """Ask `server/discover`, and whether what it declares is there."""
    if not context.answers_at_all():
        return context.blocked()
    survey = context.survey(MODERN)
    if survey.refusal is not None and context.subject.kind != "project":
        if "code" in survey.refusal:
            return skip(f"only revisions with a handshake are served: {survey.refused}")
        return warn(f"server/discover is answered with something else: {survey.refused}", "Refuse it with -32601.")
    if not survey.served:
        return fail(f"server/discover failed: {survey.problem or survey.refused}", _repair(context))
    faults = [*survey.shape]
    if old := [each for each in survey.greeting.get("supportedVersions", []) if str(each) < MODERN]:
        faults.append(f"`supportedVersions` names revisions with a handshake: {shown(old, 60)}")
    faults += [f"server/discover: {each}" for each in _caching_faults(survey.greeting)]
    for kind, head in survey.heads.items():
        faults += [f"{LISTS[kind][0]}: {each}" for each in _caching_faults(head)]
    faults += _undeclared(context, survey)
    if faults:
        return fail(f"{MODERN} is not served as it should be; the first: {faults[0]}", _repair(context), faults)
    return ok(f"{MODERN} is declared with {', '.join(sorted(survey.capabilities)) or 'no capability'}")


def _caching_faults(head: dict[str, Any]) -> list[str]:
    """Return what a result of 2026-07-28 lacks (SEP on caching: both members must be there)."""
    ttl, scope = (head.get(key) for key in CACHED)
    faults = []
    if not isinstance(ttl, int) or isinstance(ttl, bool) or ttl < 0:
        faults.append(f"`ttlMs` is {shown(ttl, 20)}")
    if scope not in ("public", "private"):
        faults.append(f"`cacheScope` is {shown(scope, 20)}")
    if head.get("resultType") != "complete":
        faults.append(f"`resultType` is {shown(head.get('resultType'), 20)}")
    return faults


def _undeclared(context: Context, survey: Survey) -> list[str]:
    """Ask for lists that are not declared: they have to be unknown methods."""
    missing = [kind for kind in LISTS if CAPABILITY[kind] not in survey.capabilities]
    faults = []
    try:
        with context.talk() as conversation:
            conversation.discover()
            for kind in missing:
                try:
                    conversation.request(LISTS[kind][0])
                except Refused as refused:
                    if refused.code != METHOD_NOT_FOUND:
                        faults.append(f"{LISTS[kind][0]} is not declared and refused with {refused.code}, not -32601")
                else:
                    faults.append(f"{LISTS[kind][0]} is answered and `{CAPABILITY[kind]}` not declared")
    except (Broken, Refused) as problem:
        faults.append(str(problem))
    return faults


def hidden_tools(context: Context) -> Finding:
    """Look whether a list shows what the catalog hides."""
    hidden = {each["definition"].get("name") for each in context.project.entries("tools") if each.get("hidden")}
    if not hidden:
        return skip("no tool is hidden")
    surveys = [context.survey(era, views=views) for era in (LEGACY_ERA, MODERN) for views in (False, True)]
    if not any(each.served for each in surveys):
        return context.blocked()
    leaked = sorted({str(tool.get("name")) for each in surveys for tool in each.tools if tool.get("name") in hidden})
    if leaked:
        return fail(f"{several(len(leaked), 'hidden tool')} listed", REBUILD, [f"`{name}`" for name in leaked])
    return ok(f"{several(len(hidden), 'hidden tool')} in no list")


def list_order(context: Context) -> Finding:
    """List again, twice in one conversation of a new process: the same in the same order."""
    first = context.best()
    if not first.served:
        return context.blocked()
    try:
        with context.talk() as conversation:
            again = survey(conversation, first.era)
            third = survey(conversation, first.era) if again.served else again
    except Broken as broken:
        return fail(f"it could not be listed again: {broken}", "See mcp_transport.")
    if not (again.served and third.served):
        return fail(f"it could not be listed again: {again.problem or third.problem}", "See mcp_transport.")
    for kind, items in first.lists.items():
        if items != again.lists.get(kind):
            return _unstable(kind, items, again.lists.get(kind, []), "two processes")
        if items != third.lists.get(kind):
            return _unstable(kind, items, third.lists.get(kind, []), "two requests")
    return ok("lists come in the same order each time")


def _unstable(kind: str, before: list[dict[str, Any]], after: list[dict[str, Any]], between: str) -> Finding:
    names, again = [*map(_name, before)], [*map(_name, after)]
    what = "order" if names != again and sorted(names) == sorted(again) else "content"
    action = "List in one order: clients keep prompts in caches that another order voids."
    return warn(f"the {what} of {kind} differs between {between}", action)


CHECKS = (
    Check(id="mcp_list_tools", title="Everything is listed", run=mcp_list_tools),
    Check(id="mcp_discover", title="server/discover is answered", run=mcp_discover),
)
OWN_CHECKS = (
    Check(id="hidden_tools", title="Hidden tools stay hidden", run=hidden_tools, kinds=PROJECT),
    Check(id="list_order", title="Lists have one order", run=list_order),
)
