"""`mcpgen registry`: the servers that are registered on this machine, for gateways to run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from ..diagnostics.plain import plain
from . import exits
from .guard import guarded
from .options import AllowEnvOption, Format, FormatOption, QuietOption
from .registry_add import add
from .registry_asking import AskOption, ask_all
from .registry_exchange import export_entries, import_entries
from .registry_serve import PassingCommand, serve
from .words import TextCommand, TextGroup

if TYPE_CHECKING:
    from ..runtime.registry.reading import Registry

registry = typer.Typer(
    name="registry",
    cls=TextGroup,
    help="See and change which servers are registered on this machine, for gateways to run.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="The name of an entry.")]


def list_entries(
    *, allow_env: AllowEnvOption = None, form: FormatOption = Format.HUMAN, quiet: QuietOption = False
) -> int:
    """List the servers that are registered, and how a host gets all of them by one entry."""
    from . import registry_host, registry_tables
    from .registry_report import reported

    console, found = reported(form, allow_env, quiet=quiet)
    if found is None:
        return exits.INPUT
    entry = registry_host.host_entry(found.path, allow_env or ()) if found.entries else None
    if console.wants_json:
        host = {"host": {"mcpServers": {registry_host.NAME: entry}}} if entry else {}
        console.result(json.dumps({**registry_tables.record(found), **host}), always=True)
    else:
        needs = registry_host.needed(found.entries.values())
        following = f"\nnext: {plain(registry_host.claude_code(entry, needs))}" if entry else ""
        console.result(f"{registry_tables.table(found)}{following}", always=True)
    return _usable(found)


def remove(name: NameArgument, *, form: FormatOption = Format.HUMAN, quiet: QuietOption = False) -> int:
    """Remove a server from the registry; the server itself stays where it is."""
    from ..runtime.registry.places import registry_path
    from ..runtime.registry.problems import RegistryError
    from ..runtime.registry.registering import unregister
    from .console import Console
    from .registry_report import refused, unknown

    console = Console(form, quiet=quiet)
    names: list[str] = []

    def wanted(entry: str, _: object) -> bool:
        names.append(entry)
        return entry == name

    try:
        done = unregister(registry_path(), wanted)
    except RegistryError as error:
        return refused(console, error)
    if done.what == "absent":
        console.report([unknown(name, names)])
        return exits.INPUT
    said = {"removed": list(done.names), "registry": done.path}
    console.result(json.dumps(said) if console.wants_json else f"removed `{name}` from {done.path}")
    return exits.OK


def doctor(
    *,
    ask: AskOption = False,
    allow_env: AllowEnvOption = None,
    form: FormatOption = Format.HUMAN,
    quiet: QuietOption = False,
) -> int:
    """Look at every entry: is it there, is it what was registered, is it made with this version, is it safe."""
    from ..runtime.registry.examining import examine
    from . import registry_tables
    from .registry_report import diagnostic, reported

    console, found = reported(form, allow_env, quiet=quiet)
    if found is None:
        return exits.INPUT
    examined = {name: examine(entry) for name, entry in found.entries.items()}
    answers = ask_all(found.entries) if ask else {}
    examined |= {name: (*examined[name], *answer.problems) for name, answer in answers.items()}
    results = registry_tables.results(found, examined, {name: answer.words for name, answer in answers.items()})
    console.report([diagnostic(each) for problems in examined.values() for each in problems])
    text = json.dumps(results) if console.wants_json else registry_tables.health(results)
    console.result(text, always=True)
    return exits.CHECK_FAILED if any(each["status"] == "fail" for each in results["servers"]) else exits.OK


def _usable(found: Registry) -> int:
    return exits.INPUT if found.problems and not found.entries else exits.OK


for _name, _verb in (
    ("list", list_entries),
    ("add", add),
    ("remove", remove),
    ("doctor", doctor),
    ("export", export_entries),
    ("import", import_entries),
):
    registry.command(_name, cls=TextCommand)(guarded(_verb))
registry.command("serve", cls=PassingCommand)(guarded(serve))
