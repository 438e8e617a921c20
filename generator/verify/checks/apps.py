"""`mcp_apps_in_process`, `mcp_apps_transport`, `ui_links`: views of tools, as data and as a host reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...runtime.wire.dialects import APPS, VIEW_TYPE
from ...views.markup import read_markup
from ..conversation import Broken, Refused
from ..eras import LEGACY_ERA, MODERN, UI_CLIENT
from ..finding import PROJECT, Check, Finding, fail, ok, plural, shown, skip, warn
from ..views import blocked, link_problem, links, meta_problems, read_problem

if TYPE_CHECKING:
    from ..context import Context
    from ..survey import Survey

REBUILD = "Build the project again: a build refuses links that lead nowhere."
MEND = "Correct the view, or the link to it: hosts show the tool without it."
NO_VIEWS = "no tool has a view"


def mcp_apps_in_process(context: Context) -> Finding:
    """Follow the links in the catalog to views and to their files, without starting anything."""
    project = context.project
    linked = {str(each["definition"].get("name")): each["ui"] for each in project.entries("tools") if each.get("ui")}
    views = {str(each["definition"].get("uri")): each for each in project.entries("views")}
    if not linked and not views:
        return skip(NO_VIEWS)
    faults = []
    for name, link in linked.items():
        problem = link_problem(link) if isinstance(link, dict) else "the link is no object"
        uri = link.get("resourceUri") if isinstance(link, dict) else None
        if problem is None and uri is not None and uri not in views:
            problem = f"M-UI-002: no view has the URI {shown(uri, 80)}"
        faults += [f"`{shown(name, 64)}`: {problem}"] if problem else []
    for uri, view in views.items():
        faults += [f"{shown(uri, 80)}: {each}" for each in _view_faults(context, view)]
    if faults:
        return fail(f"{plural(len(faults), 'fault')} in views; the first: {faults[0]}", REBUILD, faults)
    return ok(f"{plural(len(linked), 'link')} to {plural(len(views), 'view')} followed")


def _view_faults(context: Context, view: dict[str, Any]) -> list[str]:
    """Return what is wrong with a view's entry and with its file."""
    definition, call = view["definition"], view.get("call") or {}
    faults = [] if definition.get("mimeType") == VIEW_TYPE else ["M-UI-001: its media type is not that of views"]
    meta = definition.get("_meta")
    faults += meta_problems(meta.get("ui") if isinstance(meta, dict) else None)
    if isinstance(call, dict) and isinstance(call.get("path"), str):
        file = context.project.home / call["path"]
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, ValueError) as failure:
            return [*faults, f"M-UI-004: {call['path']} cannot be read: {type(failure).__name__}"]
        if not read_markup(text).document:
            faults.append(f"M-UI-001: {call['path']} is no document of HTML")
    return faults


def mcp_apps_transport(context: Context) -> Finding:
    """Negotiate views as a host does, in each era, and read every one that a tool links to."""
    plain, surveys = _surveys(context)
    if not surveys:
        return context.blocked()
    found = [(survey, links(survey)) for survey in surveys]
    if not any(linked for _, linked in found):
        expected = context.subject.project is not None and any(e.get("ui") for e in context.project.entries("tools"))
        return fail("a client that shows views is told of none", REBUILD) if expected else skip(NO_VIEWS)
    faults = []
    for survey, linked in found:
        declared = survey.capabilities.get("extensions")
        if not isinstance(declared, dict) or APPS not in declared:
            faults.append(f"{survey.era}: `{APPS}` is not among the extensions it declares")
        uris = {str(link["resourceUri"]) for link in linked.values() if "resourceUri" in link}
        faults += [f"{survey.era}: {each}" for each in _read_all(context, survey.era, sorted(uris))]
    if context.subject.kind == "project":
        faults += [
            f"{each.era}: `{name}` is linked for a client without views"
            for each in plain
            for name in _shown_to_all(context, each)
        ]
    if faults:
        return fail(f"{plural(len(faults), 'fault')} in views; the first: {faults[0]}", MEND, faults)
    return ok(f"{plural(len(found[0][1]), 'tool')} with views, read in {plural(len(found), 'era')}")


def _surveys(context: Context) -> tuple[list[Survey], list[Survey]]:
    """Return the surveys of the eras that are served, as a client without views and as one with them."""
    if not context.answers_at_all():
        return [], []
    eras = [era for era in (LEGACY_ERA, MODERN) if context.survey(era).served]
    with_views = [context.survey(era, views=True) for era in eras]
    return [context.survey(era) for era in eras], [each for each in with_views if each.served]


def _shown_to_all(context: Context, survey: Survey) -> list[str]:
    """Return the tools whose links a client sees that asked for none, unless the setting says so (R039)."""
    settings = (context.project.catalog or {}).get("settings") or {}
    always = (settings.get("ui") or {}).get("advertise") == "always"
    return [] if always else sorted(links(survey))


def _read_all(context: Context, era: str, uris: list[str]) -> list[str]:
    faults = []
    try:
        with context.talk() as conversation:
            begin = conversation.discover if era == MODERN else conversation.initialize
            begin(extensions=UI_CLIENT)
            for uri in uris:
                try:
                    problem = read_problem(conversation.request("resources/read", {"uri": uri}), uri)
                except Refused as refused:
                    problem = str(refused)
                faults += [f"{shown(uri, 80)}: {problem}"] if problem else []
    except (Broken, Refused) as problem:
        faults.append(str(problem))
    return faults


def ui_links(context: Context) -> Finding:
    """Look at what views ask of their host, and whether it lets them load what they name."""
    _, surveys = _surveys(context)
    survey = surveys[0] if surveys else None
    if survey is None or not links(survey):
        return skip(NO_VIEWS) if survey is not None else context.blocked()
    listed = {str(each.get("uri")): each for each in survey.lists.get("resources", [])}
    faults, closed = [], []
    try:
        with context.talk() as conversation:
            begin = conversation.discover if survey.era == MODERN else conversation.initialize
            begin(extensions=UI_CLIENT)
            for name, link in links(survey).items():
                uri = link.get("resourceUri")
                problem = link_problem(link)
                faults += [f"`{shown(name, 64)}`: {problem}"] if problem else []
                if problem is not None or uri is None:
                    continue
                content = _content(conversation.request("resources/read", {"uri": uri}))
                for item in (content, listed.get(str(uri), {})):
                    meta = item.get("_meta")
                    faults += [f"{shown(uri, 80)}: {each}" for each in meta_problems((meta or {}).get("ui"))]
                closed += [f"{shown(uri, 80)}: {each}" for each in blocked(content, listed.get(str(uri)))]
    except (Broken, Refused, AttributeError) as problem:
        return fail(f"a view cannot be read: {problem}", MEND)
    if faults:
        return fail(
            f"{plural(len(faults), 'fault')} in what views ask; the first: {faults[0]}", MEND, dict.fromkeys(faults)
        )
    if closed:
        action = "Name the origins in `csp`, or put what is loaded into the view: hosts block the rest."
        return warn(f"hosts will block {plural(len(closed), 'address')} of views", action, closed)
    return ok("every link resolves, and views load only what their policy allows")


def _content(result: dict[str, Any]) -> dict[str, Any]:
    contents = result.get("contents")
    first = contents[0] if isinstance(contents, list) and contents else {}
    return first if isinstance(first, dict) else {}


IN_PROCESS = Check(
    id="mcp_apps_in_process", title="Views are there, in the catalog", run=mcp_apps_in_process, kinds=PROJECT
)
TRANSPORT = Check(id="mcp_apps_transport", title="Views can be read by a host", run=mcp_apps_transport)
LINKS = Check(id="ui_links", title="Views ask what hosts grant", run=ui_links)
