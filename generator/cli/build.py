"""`mcpgen build`: a source becomes a project folder, or is compared with one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from . import exits
from .console import Console
from .options import (
    Colour,
    ColourOption,
    ConfigOption,
    Format,
    FormatOption,
    LinkOption,
    NameOption,
    PackageOption,
    PythonOption,
    QuietOption,
    SourceArgument,
    StrictOption,
    VerboseOption,
)

if TYPE_CHECKING:
    from ..diagnostics.model import Diagnostic
    from .deliver import Mode


def build(
    source: SourceArgument,
    *,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="DIR", help="The project folder; default: ./NAME-mcp.")
    ] = None,
    name: NameOption = None,
    package: PackageOption = None,
    check: Annotated[bool, typer.Option("--check", help="Compare only: exit 4 and the diff when it differs.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Print what would change, for people and clients.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="List what would be written, kept and deleted.")] = False,
    strict: StrictOption = False,
    link: LinkOption = False,
    python: PythonOption = None,
    config: ConfigOption = None,
    form: FormatOption = Format.HUMAN,
    colour: ColourOption = Colour.AUTO,
    verbose: VerboseOption = False,
    quiet: QuietOption = False,
) -> int:
    """Build a standalone MCP server from a Python module."""
    from ..request import Words, is_path, named_explicitly, prepared
    from .deliver import Delivery, deliver
    from .verdict import NOTHING_WRITTEN, failure, refused

    console = Console(form, colour, quiet=quiet, verbose=verbose, sarif_is_result=not diff)
    if check + diff + dry_run > 1:
        raise typer.BadParameter("--check, --diff and --dry-run exclude one another")
    words = Words(source=source, name=name, package=package, python=python, config=config, link=link, strict=strict)
    request, problems = prepared(words)
    problems += _output_problems(output)
    if request is None or problems:
        console.report(problems, NOTHING_WRITTEN)
        return exits.INPUT
    console.look_in(request.environment.paths, first=not is_path(source))
    from ..pipeline import build as build_tree

    result = build_tree(request)
    named = named_explicitly(request.config)
    reason = failure(result.diagnostics, strict=request.strict, named=named, left_out=result.left_out)
    if result.server is None or reason is not None:
        console.report(result.diagnostics, refused(reason), warnings=request.strict)
        return exits.INPUT
    mode: Mode = "check" if check else "diff" if diff else "dry-run" if dry_run else "write"
    return deliver(Delivery(console, request, result, result.server, output or result.server.command), mode)


def _output_problems(output: str | None) -> tuple[Diagnostic, ...]:
    """Refuse an output folder that some system cannot hold; one outside the working folder is fine when it is named."""
    from ..diagnostics.model import Diagnostic
    from ..diagnostics.rules import rule
    from ..output.tree import folder_problem

    if output is None or (reason := folder_problem(output)) is None:
        return ()
    message = f"--output `{output[:60]}` is not acceptable: {reason}"
    hint = "Choose another folder with -o, for example `-o out/weather-mcp`."
    return (Diagnostic(rule=rule("illegal-server-name"), message=message, hint=hint, unit="-o"),)
