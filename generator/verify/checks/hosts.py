"""`host_rules`: whether real hosts and SDKs would take what is listed."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from ..finding import Check, Finding, fail, ok, plural, shown, warn
from ..host_rules import HOST_RULES, HostRule, icon_problem

if TYPE_CHECKING:
    from ..context import Context
    from ..survey import Survey

MOST_PAGES = 64
"""Pages of a list that the TypeScript client 2.4 reads."""

MEND = "Rename or reshape what is named; docs/verify.md says what each host takes."


def host_rules(context: Context) -> Finding:
    """Hold every tool to every rule; say for each which hosts would refuse."""
    survey = context.best()
    if not survey.served:
        return context.blocked()
    information = survey.greeting.get("serverInfo") or (survey.greeting.get("_meta") or {}).get(
        "io.modelcontextprotocol/serverInfo"
    )
    server = str(information.get("name", "")) if isinstance(information, dict) else ""
    severe, mild = _broken(survey, server)
    severe += _of_the_server(survey, information)
    mild += [
        f"{kind} come in {pages} pages: many hosts read the first alone"
        for kind, pages in survey.pages.items()
        if pages > 1
    ]
    severe += [
        f"{kind} have more than {MOST_PAGES} pages: the TypeScript client 2.4 stops there"
        for kind, pages in survey.pages.items()
        if pages > MOST_PAGES
    ]
    if severe:
        return fail(
            f"hosts would refuse {plural(len(severe), 'thing')}; the first: {severe[0]}", MEND, [*severe, *mild]
        )
    if mild:
        return warn(f"hosts would pass over {plural(len(mild), 'thing')}; the first: {mild[0]}", MEND, mild)
    return ok(f"{plural(len(survey.tools), 'tool')} held to {len(HOST_RULES)} rules of hosts and SDKs")


def _broken(survey: Survey, server: str) -> tuple[list[str], list[str]]:
    """Return what severe and other rules find, the tools of one complaint together."""
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    rules: dict[tuple[str, str], HostRule] = {}
    for rule in HOST_RULES:
        for tool in survey.tools:
            problem = rule.problem(tool, server)
            if problem is not None:
                found[rule.id, problem].append(shown(str(tool.get("name")), 64))
                rules[rule.id, problem] = rule
    severe: list[str] = []
    mild: list[str] = []
    for key, names in found.items():
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        text = f"`{names[0]}`{more}: {key[1]}; refused by {rules[key].hosts} [{key[0]}]"
        (severe if rules[key].severe else mild).append(text)
    return severe, mild


def _of_the_server(survey: Survey, information: Any) -> list[str]:
    """Return what is wrong with what the server says of itself: SDKs refuse the connection."""
    if not isinstance(information, dict):
        return [] if survey.era != "legacy" else ["`serverInfo` is no object; every SDK refuses the connection"]
    faults = [
        f"`serverInfo` has no `{key}`; every SDK refuses the connection"
        for key in ("name", "version")
        if not isinstance(information.get(key), str)
    ]
    problem = icon_problem(information.get("icons", []))
    return [*faults, *([f"`serverInfo`: {problem}"] if problem else [])]


CHECKS = (Check(id="host_rules", title="Real hosts take what is listed", run=host_rules),)
