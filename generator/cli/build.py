"""`mcpgen build`: a source becomes a project folder, or is compared with one."""

from __future__ import annotations

from . import exits
from .console import Console
from .options import (
    CheckOption,
    Colour,
    ColourOption,
    ConfigOption,
    DiffOption,
    DryRunOption,
    Format,
    FormatOption,
    LinkOption,
    NameOption,
    OutputOption,
    PackageOption,
    PythonOption,
    QuietOption,
    SourceArgument,
    StrictOption,
    VerboseOption,
)


def build(
    source: SourceArgument,
    *,
    output: OutputOption = None,
    name: NameOption = None,
    package: PackageOption = None,
    check: CheckOption = False,
    diff: DiffOption = False,
    dry_run: DryRunOption = False,
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
    from .deliver import Delivery, deliver, mode_of, output_problems
    from .verdict import NOTHING_WRITTEN, failure, refused

    console = Console(form, colour, quiet=quiet, verbose=verbose, sarif_is_result=not diff)
    mode = mode_of(check=check, diff=diff, dry_run=dry_run)
    words = Words(source=source, name=name, package=package, python=python, config=config, link=link, strict=strict)
    request, problems = prepared(words)
    problems += output_problems(output)
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
    folder = output or result.server.command
    return deliver(Delivery(console, (source,), result, result.server, folder, request.environment), mode)
