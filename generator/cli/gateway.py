"""`mcpgen gateway`: many servers become one, whose lists need none of them to run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

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
    PackageOption,
    QuietOption,
    StrictOption,
    VerboseOption,
)

if TYPE_CHECKING:
    from ..gateway_request import GatewayWords
    from .deliver import Mode

SourcesArgument = Annotated[
    list[str] | None,
    typer.Argument(metavar="SOURCES…", help="Project folders that mcpgen wrote, or NAME=FOLDER."),
]
GatewayOutputOption = Annotated[
    str | None, typer.Option("--output", "-o", metavar="DIR", help="The project folder; default: ./NAME.")
]
GatewayNameOption = Annotated[str | None, typer.Option("--name", help="The gateway's name; default: gateway.")]
PrefixOption = Annotated[
    list[str] | None,
    typer.Option("--prefix", metavar="NAME=PREFIX", help="What comes before a server's names; may be empty."),
]
SeparatorOption = Annotated[
    str | None, typer.Option("--separator", metavar="TEXT", help="Between server and tool in a name; default: __.")
]
ExposeOption = Annotated[
    list[str] | None, typer.Option("--expose", metavar="GLOB", help="Only these, as `weather.get_*`; repeatable.")
]
DenyOption = Annotated[
    list[str] | None, typer.Option("--deny", metavar="GLOB", help="Not these, as `crm.delete_*`; repeatable.")
]


def gateway(
    sources: SourcesArgument = None,
    *,
    output: GatewayOutputOption = None,
    name: GatewayNameOption = None,
    package: PackageOption = None,
    prefix: PrefixOption = None,
    separator: SeparatorOption = None,
    expose: ExposeOption = None,
    deny: DenyOption = None,
    check: CheckOption = False,
    diff: DiffOption = False,
    dry_run: DryRunOption = False,
    strict: StrictOption = False,
    config: ConfigOption = None,
    form: FormatOption = Format.HUMAN,
    colour: ColourOption = Colour.AUTO,
    verbose: VerboseOption = False,
    quiet: QuietOption = False,
) -> int:
    """Put many servers behind one connection; each is started when it is needed."""
    from ..gateway_request import GatewayWords
    from .deliver import mode_of

    console = Console(form, colour, quiet=quiet, verbose=verbose, sarif_is_result=not diff)
    mode = mode_of(check=check, diff=diff, dry_run=dry_run)
    words = GatewayWords(
        sources=tuple(sources or ()),
        output=output,
        name=name,
        package=package,
        config=config,
        strict=strict,
        prefixes=tuple(prefix or ()),
        separator=separator,
        expose=tuple(expose or ()),
        deny=tuple(deny or ()),
    )
    return run(words, mode, console)


def run(words: GatewayWords, mode: Mode, console: Console) -> int:
    """Build what was asked for and deliver it; returns the exit code."""
    from ..gateway_pipeline import build_gateway
    from ..gateway_request import prepared_gateway
    from .deliver import Delivery, deliver, output_problems
    from .verdict import NOTHING_WRITTEN, failure, refused

    request, problems = prepared_gateway(words)
    problems += output_problems(words.output)
    if request is None or problems:
        console.report(problems, NOTHING_WRITTEN)
        return exits.INPUT
    result = build_gateway(request)
    reason = failure(result.diagnostics, strict=request.strict, named=frozenset())
    if result.server is None or reason is not None:
        console.report(result.diagnostics, refused(reason), warnings=request.strict)
        return exits.INPUT
    folder = words.output or result.server.command
    source = next((each.source for each in request.sources), "")
    return deliver(Delivery(console, source, result, result.server, folder, table=result.table), mode)
