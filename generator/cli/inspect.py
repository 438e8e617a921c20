"""`mcpgen inspect`: what a source offers, without building it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from . import exits
from .option_groups import Telling, spread
from .options import (
    LinkOption,
    NameOption,
    PackageOption,
    PythonOption,
    StrictOption,
)

if TYPE_CHECKING:
    from ..api_request import ApiWords
    from ..build_values import BuildResult
    from ..ir.model import Server, Tool
    from ..request import Words
    from .console import Console


MAX_SHEETS = 60
"""Tools of an API that are shown with their schemas unasked; those of a large one are some ten thousands of lines."""


class Wanted(NamedTuple):
    """What is to be shown: the intermediate representation or not, and of which tools (none named: all)."""

    ir: bool
    tools: tuple[str, ...]


SourceOrDescriptionArgument = Annotated[
    str,
    typer.Argument(
        metavar="SOURCE",
        help=(
            "A module's file, a package's folder or the dotted name of a module; or an OpenAPI or Swagger document, a "
            "YAML or JSON file or an address."
        ),
    ),
]
ToolOption = Annotated[
    list[str] | None, typer.Option("--tool", metavar="NAME", help="Only this tool, or those of a glob; repeatable.")
]


@spread
def inspect(
    source: SourceOrDescriptionArgument,
    *,
    tool: ToolOption = None,
    ir: Annotated[bool, typer.Option("--ir", help="Print the intermediate representation as JSON.")] = False,
    name: NameOption = None,
    package: PackageOption = None,
    strict: StrictOption = False,
    link: LinkOption = False,
    python: PythonOption = None,
    telling: Telling,
) -> int:
    """Show the tools of a module or an API description with their schemas, and its resources, prompts and views."""
    from ..api_request import ApiWords, is_description
    from ..request import Words

    console = telling.console(sarif_is_result=not ir)
    wanted = Wanted(ir, tuple(tool or ()))
    if not is_description(source):
        words = Words(
            source=source, name=name, package=package, python=python, config=telling.config, link=link, strict=strict
        )
        return _module(words, console, wanted)
    if link or python is not None:
        raise typer.BadParameter("--link and --python are for Python modules; this is the description of an API")
    described = ApiWords(source=source, name=name, package=package, config=telling.config, strict=strict)
    return _api(described, console, wanted)


def _module(words: Words, console: Console, wanted: Wanted) -> int:
    """Show what a Python source offers."""
    from ..request import is_path, named_explicitly, prepared

    request, problems = prepared(words)
    if request is None:
        console.report(problems)
        return exits.INPUT
    console.look_in(request.environment.paths, first=not is_path(words.source))
    from ..pipeline import refined

    return _told(refined(request), named_explicitly(request.config), console, wanted, strict=request.strict)


def _api(words: ApiWords, console: Console, wanted: Wanted) -> int:
    """Show what an API's description offers."""
    from ..api_request import operations_named, prepared_api

    request, problems = prepared_api(words)
    if request is None:
        console.report(problems)
        return exits.INPUT
    from ..pipeline import refined

    ready = refined(request)
    return _told(ready, operations_named(request, ready.identifiers), console, wanted, strict=request.strict)


def _told(ready: BuildResult, named: frozenset[str], console: Console, wanted: Wanted, *, strict: bool) -> int:
    """Print a server and what was found, and return the exit code."""
    from .verdict import failure, left_out

    reason = failure(ready.diagnostics, strict=strict, named=named, left_out=ready.left_out)
    kind = ready.server.source.kind if ready.server else "python"
    closing = f"a build would fail: {reason}" if reason else left_out(ready.left_out, kind)
    console.report(ready.diagnostics, closing if ready.server else "", warnings=strict)
    if ready.server is None:
        return exits.INPUT
    console.result(_shown(_chosen(ready.server, wanted.tools), console, wanted), always=True)
    return exits.INPUT if reason else exits.OK


def _chosen(server: Server, patterns: tuple[str, ...]) -> Server:
    """Return a server with the tools that were asked for; raises typer.BadParameter for a name that none has."""
    from dataclasses import replace
    from difflib import get_close_matches
    from fnmatch import fnmatchcase

    names = [tool.name for tool in server.tools]
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in names):
            close = get_close_matches(pattern, names, n=1)
            meant = f"; did you mean {close[0]}?" if close else ""
            raise typer.BadParameter(f"--tool: no tool is called {pattern[:60]!r}{meant}")
    kept = (tool for tool in server.tools if any(fnmatchcase(tool.name, pattern) for pattern in patterns))
    return replace(server, tools=tuple(kept)) if patterns else server


def _shown(server: Server, console: Console, wanted: Wanted) -> str:
    """Return what was asked for: the IR, JSON, or text for people; of a large API that is only the table."""
    if wanted.ir:
        from ..ir.codec import dump

        return json.dumps(dump(server), indent=2, ensure_ascii=False)
    if console.wants_json:
        from .offer_table import records

        return json.dumps([*(_record(tool) for tool in server.tools), *records(server)], ensure_ascii=False)
    from . import layout, tool_sheet

    brief = len(server.tools) > MAX_SHEETS and not wanted.tools and not console.verbose
    return tool_sheet.render(server, layout.columns(), sheets=not (brief and server.source.kind == "openapi"))


def _record(tool: Tool) -> dict[str, object]:
    from ..definitions import ui_link
    from ..ir.codec import thaw
    from ..ir.model import PythonCall
    from . import phrases, tool_terms

    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": thaw(tool.input_schema),
        "resultSchema": thaw(tool.result_schema),
        "wrap": tool.wrap,
        "result": tool.result,
        "annotations": phrases.stated(tool.annotations),
        **({"ui": link} if (link := ui_link(tool)) else {}),
        **tool_terms.stated(tool),
        "target": tool.call.target if isinstance(tool.call, PythonCall) else tool.call.operation,
    }
