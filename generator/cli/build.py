"""`mcpgen build`: a source becomes a project folder, or is compared with one."""

from __future__ import annotations

from . import exits
from .option_groups import Telling, Writing, spread
from .options import (
    LinkOption,
    NameOption,
    OutputOption,
    PackageOption,
    PythonOption,
    SourceArgument,
)


@spread
def build(
    source: SourceArgument,
    *,
    output: OutputOption = None,
    name: NameOption = None,
    package: PackageOption = None,
    writing: Writing,
    link: LinkOption = False,
    python: PythonOption = None,
    telling: Telling,
) -> int:
    """Build a standalone MCP server from a Python module."""
    from ..request import Words, is_path, named_explicitly, prepared
    from .deliver import Delivery, deliver, output_problems
    from .verdict import NOTHING_WRITTEN, failure, refused

    console = telling.console(sarif_is_result=not writing.diff)
    mode = writing.mode
    words = Words(
        source=source,
        name=name,
        package=package,
        python=python,
        config=telling.config,
        link=link,
        strict=writing.strict,
    )
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
