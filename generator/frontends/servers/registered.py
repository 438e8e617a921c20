"""A name in the registry, read as a server behind a gateway: started by the words that were registered for it.

An entry of one of our packages says where the package is, so its catalog is read and nothing is run; any other server
is asked. What changed since it was registered is told: whoever registered it looked at another server (B22).
"""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from ...diagnostics.model import Severity
from ...ir.routes import Start
from ...runtime.registry.examining import examine
from ...runtime.registry.problems import RegistryError
from ...runtime.registry.reading import read
from .findings import finding
from .project_folder import read_package
from .reading import Reading

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from ...diagnostics.model import Diagnostic
    from ...runtime.registry.entries import Entry
    from ...runtime.registry.problems import Problem
    from .sources import ServerSource

    Ask = Callable[[str, Start], Reading]


def registered_entries(
    allow_env: Collection[str] = (),
) -> tuple[dict[str, Entry], tuple[Diagnostic, ...]]:
    """Return all usable entries of the user's registry by name, and what is wrong with the others."""
    try:
        found = read(allow_env=allow_env)
    except RegistryError as error:
        return {}, (_told(error.problem),)
    return found.entries, tuple(_told(problem) for problem in found.problems)


def registered_names() -> frozenset[str]:
    """Return the names in the user's registry, usable entries or not; none where it cannot be read."""
    try:
        found = read()
    except RegistryError:
        return frozenset()
    return frozenset((*found.entries, *(str(problem.entry) for problem in found.problems)))


def examined_entries(entries: Mapping[str, Entry]) -> tuple[dict[str, Entry], tuple[Diagnostic, ...]]:
    """Return the entries that are still what was registered, and what is wrong with any; nothing is run."""
    kept: dict[str, Entry] = {}
    found: list[Diagnostic] = []
    for name, entry in entries.items():
        told = [_told(each) for each in examine(entry) if each.rule != "literal-secret"]  # the build tells of it
        found += told
        if not any(each.level is Severity.ERROR for each in told):
            kept[name] = entry
    return kept, tuple(found)


def read_registered(source: ServerSource, ask: Ask) -> Reading:
    """Return the snapshot of a registered server; `ask` is how one that is not ours is asked."""
    name = source.text
    try:
        found = read(allow_env=source.allow_env)
    except RegistryError as error:
        return Reading(snapshot=None, diagnostics=(_told(error.problem),))
    entry = found.entries.get(name)
    if entry is None:
        wrong = tuple(_told(problem) for problem in found.problems if problem.entry == name)
        known = ", ".join(found.entries) or "none"
        message = f"`{name[:80]}` is no folder of a server, and no name in the registry ({known})"
        near = get_close_matches(name, list(found.entries), n=1)
        hint = f"Did you mean `{near[0]}`?" if near else None
        return Reading(
            snapshot=None, diagnostics=wrong or (finding("unreadable-server", name[:80], message, hint=hint),)
        )
    sound, told = examined_entries({name: entry})
    if not sound:
        return Reading(snapshot=None, diagnostics=told)
    reading = _read(entry, source, ask)
    return Reading(snapshot=reading.snapshot, diagnostics=(*told, *reading.diagnostics), inputs=reading.inputs)


def _read(entry: Entry, source: ServerSource, ask: Ask) -> Reading:
    name = source.name or source.text
    if entry.url is not None:
        return ask(name, Start(url=entry.url, headers=dict(entry.headers), env=entry.env))
    values = {**entry.values, **source.values}
    start = Start(command=entry.command, cwd=entry.cwd, env=entry.env, values=values)
    return (
        ask(name, start)
        if entry.package is None
        else read_package(Path(entry.package), Path(entry.package).parent, entry.package, start)
    )


def _told(problem: Problem) -> Diagnostic:
    return finding(problem.rule, problem.entry or "registry", problem.message, hint=problem.hint)
