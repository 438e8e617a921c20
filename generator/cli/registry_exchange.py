"""`mcpgen registry export` and `import`: entries to and from Milo's registry, or another one of ours."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..diagnostics.plain import plain
from ..on_disk import is_there
from . import exits
from .options import Format, FormatOption, QuietOption

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..diagnostics.model import Diagnostic
    from ..runtime.registry.problems import RegistryError
    from ..runtime.registry.reading import Registry
    from .console import Console

ReplaceOption = Annotated[bool, typer.Option("--replace", help="Take names over from other servers there.")]
STANDARD_OUTPUT = "-"


def export_entries(
    *,
    milo: Annotated[
        str,
        typer.Option("--milo", metavar="FILE", help="Milo's registry, into which they are merged; `-` prints one."),
    ],
    replace: ReplaceOption = False,
    form: FormatOption = Format.HUMAN,
    quiet: QuietOption = False,
) -> int:
    """Write the entries into Milo's registry, in its form; those with a URL are left out, it knows none."""
    from ..runtime.registry.problems import RegistryError
    from ..runtime.registry.registering import register_all
    from .registry_report import refused, reported

    console, found = reported(form, None, quiet=quiet)
    if found is None:
        return exits.INPUT
    records = _exported(found, console)
    if milo == STANDARD_OUTPUT:
        console.result(json.dumps({"version": 1, "clis": records}, indent=2), always=True)
        return exits.OK
    try:
        done = register_all(_place(milo), records, replace=replace, keep=True)
    except RegistryError as error:
        return refused(console, _of_file(error, "with --milo"))
    return _told(done, console, "exported", milo, [])


def import_entries(
    file: Annotated[
        str | None, typer.Argument(metavar="FILE", help="Another registry; default: Milo's, `~/.milo/registry.json`.")
    ] = None,
    *,
    replace: ReplaceOption = False,
    form: FormatOption = Format.HUMAN,
    quiet: QuietOption = False,
) -> int:
    """Take the entries of another registry over; relative programs are looked up, and become absolute."""
    from ..runtime.registry.places import milo_path, registry_path
    from ..runtime.registry.problems import RegistryError
    from ..runtime.registry.reading import load
    from ..runtime.registry.registering import register_all
    from .console import Console
    from .registry_report import refused

    console = Console(form, quiet=quiet)
    path = registry_path()
    try:
        try:
            there = load(_existing(milo_path() if file is None else file), ours=False)
        except RegistryError as error:
            raise _of_file(error, "as FILE") from None
        records, findings = _imported(there)
        done = register_all(path, records, replace=replace, keep=True) if records else {}
    except RegistryError as error:
        return refused(console, error)
    return _told(done, console, "imported", path, findings)


def _exported(found: Registry, console: Console) -> dict[str, dict[str, Any]]:
    from ..runtime.registry.milo import exported

    made = {name: exported(entry) for name, entry in found.entries.items()}
    left = [name for name, record in made.items() if record is None]
    if left and not console.quiet and not console.wants_json:
        typer.echo(f"left out, since Milo starts programs only: {', '.join(left)}", err=True)
    return {name: record for name, record in made.items() if record is not None}


def _imported(document: Mapping[str, Any]) -> tuple[dict[str, dict[str, Any]], list[Diagnostic]]:
    """Return the entries that can be taken over, and why the others cannot."""
    from ..runtime.registry.file_text import MEMBERS
    from ..runtime.registry.making import completed
    from ..runtime.registry.milo import imported
    from ..runtime.registry.problems import RegistryError
    from .registry_report import diagnostic

    records: dict[str, dict[str, Any]] = {}
    findings: list[Diagnostic] = []
    for name, record in ((key, value) for member in MEMBERS for key, value in document.get(member, {}).items()):
        try:
            records[name] = completed(name, imported(name, record))
        except RegistryError as error:
            findings.append(diagnostic(error.problem))
    return records, findings


def _told(done: Mapping[str, Any], console: Console, verb: str, path: str, findings: list[Diagnostic]) -> int:
    """Say what became of the entries; returns the exit code."""
    from ..runtime.registry.problems import RegistryError
    from .registry_report import diagnostic

    refusals = [diagnostic(each.problem) for each in done.values() if isinstance(each, RegistryError)]
    console.report([*findings, *refusals])
    kept = {name: each.what for name, each in done.items() if not isinstance(each, RegistryError)}
    if console.wants_json:
        console.result(json.dumps({"registry": path, "servers": kept}), always=True)
    else:
        console.result(plain(_in_words(verb, path, kept, len(refusals), len(findings))))
    if refusals:
        return exits.REFUSED
    return exits.INPUT if findings and not kept else exits.OK


def _in_words(verb: str, path: str, kept: Mapping[str, str], taken: int, unusable: int) -> str:
    """Say how many entries were written and which, and what became of each of the others."""
    written = [name for name, what in kept.items() if what != "unchanged"]
    there = [name for name, what in kept.items() if what == "unchanged"]
    total = len(kept) + taken + unusable
    text = f"{verb} {len(written)} of {total} to {path}" + (f": {', '.join(written)}" if written else "")
    others = [
        f"{len(there)} there already as they are: {', '.join(there)}" if there else "",
        f"{taken} under names of other servers there (--replace takes them over)" if taken else "",
        f"{unusable} that cannot be used, as told above" if unusable else "",
        "no entry was found" if not total else "",
    ]
    return "; ".join([text, *filter(None, others)])


def _of_file(error: RegistryError, where: str) -> RegistryError:
    """Return an error about the file that was named here, with a hint that names no other file's variable."""
    from ..runtime.registry.problems import failure

    problem = error.problem
    return failure(problem.rule, problem.message, problem.hint.replace("in MCPGEN_REGISTRY", where), problem.entry)


def _place(path: str) -> str:
    from pathlib import Path

    return str(Path(path).expanduser().absolute())


def _existing(path: str) -> str:
    from pathlib import Path

    if not is_there(Path(path).expanduser()):
        message = f"{path!r} does not exist"
        raise typer.BadParameter(message)
    return _place(path)
