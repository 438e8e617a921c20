"""`mcpgen inspect`: what a source offers, without building it."""

from __future__ import annotations

import json
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
    from ..api_request import ApiWords
    from ..build_values import BuildResult
    from ..ir.model import Server, Tool
    from ..request import Words


def inspect(
    source: SourceArgument,
    *,
    ir: Annotated[bool, typer.Option("--ir", help="Print the intermediate representation as JSON.")] = False,
    name: NameOption = None,
    package: PackageOption = None,
    strict: StrictOption = False,
    link: LinkOption = False,
    python: PythonOption = None,
    config: ConfigOption = None,
    form: FormatOption = Format.HUMAN,
    colour: ColourOption = Colour.AUTO,
    verbose: VerboseOption = False,
    quiet: QuietOption = False,
) -> int:
    """Show the tools of a module or an API description with their schemas, and its resources and prompts."""
    from ..api_request import ApiWords, is_description
    from ..request import Words

    console = Console(form, colour, quiet=quiet, verbose=verbose, sarif_is_result=not ir)
    if not is_description(source):
        words = Words(source=source, name=name, package=package, python=python, config=config, link=link, strict=strict)
        return _module(words, console, ir=ir)
    if link or python is not None:
        raise typer.BadParameter("--link and --python are for Python modules; this is the description of an API")
    wanted = ApiWords(source=source, name=name, package=package, config=config, strict=strict)
    return _api(wanted, console, ir=ir)


def _module(words: Words, console: Console, *, ir: bool) -> int:
    """Show what a Python source offers."""
    from ..request import is_path, named_explicitly, prepared

    request, problems = prepared(words)
    if request is None:
        console.report(problems)
        return exits.INPUT
    console.look_in(request.environment.paths, first=not is_path(words.source))
    from ..pipeline import refined

    return _told(refined(request), named_explicitly(request.config), console, strict=request.strict, ir=ir)


def _api(words: ApiWords, console: Console, *, ir: bool) -> int:
    """Show what an API's description offers."""
    from ..api_request import operations_named, prepared_api

    request, problems = prepared_api(words)
    if request is None:
        console.report(problems)
        return exits.INPUT
    from ..pipeline import refined

    ready = refined(request)
    return _told(ready, operations_named(request, ready.identifiers), console, strict=request.strict, ir=ir)


def _told(ready: BuildResult, named: frozenset[str], console: Console, *, strict: bool, ir: bool) -> int:
    """Print a server and what was found, and return the exit code."""
    from .verdict import failure, left_out

    reason = failure(ready.diagnostics, strict=strict, named=named, left_out=ready.left_out)
    kind = ready.server.source.kind if ready.server else "python"
    closing = f"a build would fail: {reason}" if reason else left_out(ready.left_out, kind)
    console.report(ready.diagnostics, closing if ready.server else "", warnings=strict)
    if ready.server is None:
        return exits.INPUT
    console.result(_shown(ready.server, console, ir=ir), always=True)
    return exits.INPUT if reason else exits.OK


def _shown(server: Server, console: Console, *, ir: bool) -> str:
    """Return what was asked for: the IR, JSON, or text for people."""
    if ir:
        from ..ir.codec import dump

        return json.dumps(dump(server), indent=2, ensure_ascii=False)
    if console.wants_json:
        from .offer_table import records

        return json.dumps([*(_record(tool) for tool in server.tools), *records(server)], ensure_ascii=False)
    from . import layout, tool_sheet

    return tool_sheet.render(server, layout.columns())


def _record(tool: Tool) -> dict[str, object]:
    from ..ir.codec import thaw
    from ..ir.model import PythonCall
    from . import phrases

    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": thaw(tool.input_schema),
        "resultSchema": thaw(tool.result_schema),
        "wrap": tool.wrap,
        "result": tool.result,
        "annotations": phrases.stated(tool.annotations),
        "target": tool.call.target if isinstance(tool.call, PythonCall) else tool.call.operation,
    }
