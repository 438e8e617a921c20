"""`mcp_apps_gateway`: the server behind a real gateway that has it alone, in real processes (R055).

The gateway is rendered as `mcpgen gateway` renders one, written into the scratch folder, and started as a registry
starts it. Its lists come from its table; reading a view, or making a golden call, starts the server behind it.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...config import Config
from ...diagnostics.model import Severity
from ...frontends.servers.sources import ServerSource
from ...gateways.pipeline import build_gateway
from ...gateways.request import NAME, GatewayRequest
from ...ir.names import SEPARATOR, server_problem
from ..conversation import Broken, Conversation, Refused
from ..eras import LEGACY_ERA, MODERN, UI_CLIENT
from ..finding import Check, Finding, fail, ok, plural, shown, skip
from ..survey import Survey, survey
from ..views import links, read_problem
from .calls import result_problem

if TYPE_CHECKING:
    from ..context import Context
    from ..subject import Project

MEND = "Repair what the detail names; `mcpgen gateway` meets the same."

FALLBACK_ID = "server"
"""What the server is called behind the gateway when its own id cannot be used."""


def mcp_apps_gateway(context: Context) -> Finding:
    """Put the server behind a gateway, list through it, read every view and make the golden calls."""
    if context.subject.project is not None and context.project.catalog is None:
        return skip("the catalog cannot be read; see schemas_generate")
    if not context.best().served:
        return context.blocked()
    base = context.scratch / "gateway"
    try:
        problem = _written(context, base)
    except OSError as failure:
        problem = f"the project cannot be copied: {failure.strerror or failure}"
    if problem is not None:
        return fail(f"it cannot be put behind a gateway: {problem}", MEND)
    argv = [context.subject.python or sys.executable, "-I", "-S", str(base / NAME / "__main__.py")]
    faults: list[str] = []
    told = ""
    for era in (LEGACY_ERA, MODERN):
        found, told = _looked(context, argv, base, era)
        faults += [f"{era}: {each}" for each in found]
    if faults:
        return fail(f"{plural(len(faults), 'fault')} through a gateway; the first: {faults[0]}", MEND, faults)
    return ok(f"through a gateway of its own: {told}")


def identity(context: Context) -> str:
    """Return what the server is called behind the gateway."""
    project = context.subject.project
    found = str(((project.catalog if project is not None else None) or {}).get("id", ""))
    return FALLBACK_ID if server_problem(found) is not None else found


def _written(context: Context, base: Path) -> str | None:
    """Render the gateway and write it; return what hinders it."""
    request = GatewayRequest(sources=(_source(context),), base=base, config=Config(), name=NAME, package=NAME)
    result = build_gateway(request)
    errors = [each for each in result.diagnostics if each.level is Severity.ERROR]
    if errors:
        return f"{errors[0].rule.code}: {errors[0].message}"
    for path, content in result.tree.items():
        target = base / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return None if result.tree else "nothing was rendered"


def _source(context: Context) -> ServerSource:
    """Return the subject as a source of a gateway; a command sees the environment that it sees here."""
    subject, name = context.subject, identity(context)
    if subject.project is not None:
        return ServerSource(text=name, way="folder", name=name, folder=_copied(subject.project, context.scratch))
    if subject.kind == "url":
        return ServerSource(text=name, way="url", name=name, url=subject.url, headers=subject.headers)
    words = (context.found_command() or subject.argv[0], *subject.argv[1:])
    seen = tuple(each for each in os.environ if each.isidentifier())
    return ServerSource(
        text=name, way="command", name=name, words=words, cwd=Path.cwd(), env=seen, start_timeout=context.timeout
    )


def _copied(project: Project, scratch: Path) -> Path:
    """Copy a project: the gateway starts it with words of its own, and Python writes compiled files beside it then.

    A gateway stays where it is: the servers behind it are found from there.
    """
    if "gateway" in (project.catalog or {}):
        return project.folder
    copy = scratch / "server"
    shutil.copytree(project.folder, copy, symlinks=True, ignore=shutil.ignore_patterns("__pycache__", ".venv", ".git"))
    return copy


def _looked(context: Context, argv: list[str], base: Path, era: str) -> tuple[list[str], str]:
    """Talk to the gateway as a host with views; return what is wrong, and what there is."""
    try:
        with context.spoken(context.kept_clean(argv), cwd=base) as conversation:
            found = survey(conversation, era, UI_CLIENT)
            if not found.served:
                return [found.problem or found.refused], ""
            faults = [*found.shape, *_names(context, found)]
            views, by_view = _read_views(conversation, found)
            made, by_call = _called(context, conversation)
            faults += [*by_view, *by_call, *conversation.faults]
    except (Broken, Refused) as problem:
        return [str(problem)], ""
    read = f", {plural(views, 'view')} read" if views else ""
    called = f", {plural(made, 'call')} made" if made else ""
    return faults, f"{plural(len(found.tools), 'tool')} listed{read}{called}"


def _names(context: Context, found: Survey) -> list[str]:
    """Compare the names that are listed with those of the server itself.

    A server of somebody else may list more to a client that can be asked something: the build says that it can.
    """
    own = context.survey(found.era, views=True)
    if not own.served:
        return []
    prefix = f"{identity(context)}{SEPARATOR}"
    wanted = {f"{prefix}{tool.get('name')}" for tool in own.tools}
    listed = {str(tool.get("name")) for tool in found.tools}
    faults = [f"`{shown(name, 100)}` is not listed" for name in sorted(wanted - listed)]
    if context.subject.project is not None:
        faults += [f"`{shown(name, 100)}` is listed and not in the catalog" for name in sorted(listed - wanted)]
    lost = links(own).keys() - {name.removeprefix(prefix) for name in links(found)}
    return faults + [f"`{shown(name, 100)}` has lost its view" for name in sorted(lost)]


def _read_views(conversation: Conversation, found: Survey) -> tuple[int, list[str]]:
    """Read every view by the URI that the gateway gave it."""
    uris = sorted({str(link["resourceUri"]) for link in links(found).values() if "resourceUri" in link})
    faults = []
    for uri in uris:
        try:
            problem = read_problem(conversation.request("resources/read", {"uri": uri}), uri)
        except Refused as refused:
            problem = str(refused)
        faults += [f"{shown(uri, 100)}: {problem}"] if problem else []
    return len(uris), faults


def _called(context: Context, conversation: Conversation) -> tuple[int, list[str]]:
    """Make the golden calls by the gateway's names."""
    faults = []
    for call in context.calls:
        name = f"{identity(context)}{SEPARATOR}{call.tool}"
        try:
            params: dict[str, Any] = {"name": name, "arguments": call.arguments}
            problem = result_problem(conversation.request("tools/call", params), call)
        except Refused as refused:
            problem = str(refused)
        faults += [f"{call.origin} (`{shown(name, 100)}`): {problem}"] if problem else []
    return len(context.calls), faults


CHECKS = (Check(id="mcp_apps_gateway", title="It works behind a gateway, views included", run=mcp_apps_gateway),)
