"""`cli_located` and `commands_registered`: there is something to start, and something that it offers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...on_disk import is_there
from ..conversation import Broken
from ..finding import PROCESS, REBUILD, Check, Finding, fail, ok, plural, shown, warn

if TYPE_CHECKING:
    from ..child import Child
    from ..context import Context

STUB = "server.py"


def cli_located(context: Context) -> Finding:
    """Find what starts the server, and ask it for its version."""
    if context.found_command() is None:
        context.cannot_start = True
        command = shown(context.subject.argv[0], 120)
        return fail(f"there is no command `{command}` that can be run", "Install it, or correct its name or path.")
    if context.subject.project is None:
        return ok(f"`{shown(context.found_command() or '', 120)}` is there")
    project = context.project
    files = (STUB, f"{project.package}/__init__.py", f"{project.package}/__main__.py", f"{project.package}/_runtime")
    missing = [name for name in files if not is_there(project.folder / name)]
    if missing:
        context.cannot_start = True
        are = "file that starts the server is" if len(missing) == 1 else "files that start the server are"
        return fail(f"{len(missing)} {are} missing: {', '.join(missing)}", REBUILD)
    problem = _version_problem(context)
    if problem is not None:
        return fail(f"the server cannot be started: {problem}", REBUILD)
    if project.entry is None:
        reason = project.problems.get("registry-entry.json", "")
        return warn(f"the server starts, but cannot be registered: {reason}", REBUILD)
    return ok(f"`{STUB}` and the registry's command start {project.name}")


def _version_problem(context: Context) -> str | None:
    """Start the server by its stub and as a registry does, for its version; return what is wrong."""
    subject, project = context.subject, context.project
    options = [word for word in subject.argv[1:3] if word in ("-I", "-S")]
    version = ((project.catalog or {}).get("server") or {}).get("version")
    starts = ([subject.python, *options, str(project.folder / STUB)], list(subject.argv))
    for argv in starts:
        try:
            with context.child([*context.kept_clean(argv), "--version"]) as child:
                child.close_input()
                ended = child.wait(context.timeout)
                line = child.first_line(context.timeout) if ended is not None else None
                reason: str | None = _ending(child, ended, context.timeout)
        except Broken as broken:
            reason = str(broken)
        if reason is not None:
            context.cannot_start = True
            return reason
        told = (line or b"").decode("utf-8", "replace").strip()
        if project.catalog is not None and told != f"{project.name} {version}":
            return f"--version says `{shown(told, 80)}`, the catalog `{project.name} {version}`"
    return None


def _ending(child: Child, ended: float | None, timeout: float) -> str | None:
    said = f": {child.last_words}" if child.last_words else ""
    if ended is None:
        return f"--version did not end within {timeout:g} s{said}"
    return f"--version ended with status {child.status}{said}" if child.status else None


def commands_registered(context: Context) -> Finding:
    """Count what is offered."""
    if context.subject.project is None:
        survey = context.best()
        if not survey.served:
            return context.blocked()
        counts = {kind: len(items) for kind, items in survey.lists.items() if items}
    else:
        if context.project.catalog is None:
            return fail(context.project.problems.get("catalog.json", "there is no catalog"), REBUILD)
        kinds = ("tools", "resources", "templates", "prompts")
        counts = {kind: len(found) for kind in kinds if (found := context.project.entries(kind))}
        lacking = [
            f"{kind}: `{shown(str(each['definition'].get('name')), 64)}` has no `call`"
            for kind in kinds
            for each in context.project.entries(kind)
            if not isinstance(each.get("call"), dict)
        ]
        if lacking:
            return fail(f"{plural(len(lacking), 'entry')} of the catalog cannot be called", REBUILD, lacking)
    if not counts:
        return fail("it offers no tool, no resource and no prompt", "Serve something: see `expose` and `hide`.")
    return ok("it offers " + ", ".join(plural(count, kind.removesuffix("s")) for kind, count in counts.items()))


CHECKS = (
    Check(id="cli_located", title="The server's command is there", run=cli_located, kinds=PROCESS),
    Check(id="commands_registered", title="Something is offered", run=commands_registered),
)
