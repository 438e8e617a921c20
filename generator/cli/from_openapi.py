"""`mcpgen from-openapi`: the description of an API becomes a project folder, or is compared with one."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from . import exits
from .api_options import (
    BaseUrlOption,
    BudgetOption,
    DescriptionArgument,
    DiscoveryOption,
    ExcludePathOption,
    ExcludeTagOption,
    IncludePathOption,
    IncludeTagOption,
    MethodsOption,
    Models,
    ModelsOption,
    OperationOption,
    OverlayOption,
    PrivateHostsOption,
    RefRootOption,
    RemoteRefsOption,
    StubsOption,
    tokens,
)
from .option_groups import Telling, Writing, spread
from .options import (
    NameOption,
    OutputOption,
    PackageOption,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..api_request import ApiWords
    from ..build_values import ApiRequest, BuildResult
    from .console import Console
    from .deliver import Mode


@spread
def from_openapi(
    source: DescriptionArgument,
    *,
    output: OutputOption = None,
    name: NameOption = None,
    package: PackageOption = None,
    base_url: BaseUrlOption = None,
    include_tag: IncludeTagOption = None,
    exclude_tag: ExcludeTagOption = None,
    include_path: IncludePathOption = None,
    exclude_path: ExcludePathOption = None,
    methods: MethodsOption = None,
    operation: OperationOption = None,
    overlay: OverlayOption = None,
    models: ModelsOption = None,
    stubs: StubsOption = False,
    discovery: DiscoveryOption = False,
    budget: BudgetOption = None,
    writing: Writing,
    ref_root: RefRootOption = None,
    allow_remote_refs: RemoteRefsOption = False,
    allow_private_hosts: PrivateHostsOption = False,
    telling: Telling,
) -> int:
    """Build a standalone MCP server from the description of an API."""
    from ..api_request import ApiWords
    from ..collector import uncollected

    mode = writing.mode
    words = ApiWords(
        source=source,
        name=name,
        package=package,
        config=telling.config,
        strict=writing.strict,
        base_url=base_url,
        include_tags=tuple(include_tag or ()),
        exclude_tags=tuple(exclude_tag or ()),
        include_paths=tuple(include_path or ()),
        exclude_paths=tuple(exclude_path or ()),
        methods=tuple(each.strip() for text in methods or () for each in text.split(",")),
        operations=tuple(operation or ()),
        overlays=tuple(overlay or ()),
        models=None if models is None else Models(models).value,
        stubs=stubs,
        exposure="discovery" if discovery else None,
        budget=tokens(budget),
        ref_root=ref_root,
        allow_remote_refs=allow_remote_refs,
        allow_private_hosts=allow_private_hosts,
    )
    console = telling.console(sarif_is_result=not writing.diff)
    with uncollected():
        return run(words, output, mode, console)


def run(words: ApiWords, output: str | None, mode: Mode, console: Console) -> int:
    """Build what was asked for and deliver it; returns the exit code."""
    from ..api_request import operations_named, prepared_api
    from .deliver import Delivery, deliver, output_problems
    from .verdict import NOTHING_WRITTEN, failure, refused

    if output is not None:
        words = dataclasses.replace(words, known_names=_locked_names(output))
    request, problems = prepared_api(words)
    problems += output_problems(output)
    if request is None or problems:
        console.report(problems, NOTHING_WRITTEN)
        return exits.INPUT
    result = _built(request, output)
    named = operations_named(request, result.identifiers)
    reason = failure(result.diagnostics, strict=request.strict, named=named, left_out=result.left_out)
    if result.server is None or reason is not None:
        console.report(result.diagnostics, refused(reason), warnings=request.strict)
        return exits.INPUT
    folder = output or result.server.command
    costs = request.budget is not None
    delivery = Delivery(console, (request.source,), result, result.server, folder, stubs=words.stubs, costs=costs)
    return deliver(delivery, mode)


def _built(request: ApiRequest, output: str | None) -> BuildResult:
    """Build the server; the tools keep the names that the folder's lock has for their operations.

    Where no folder was named, it follows from the description: when its lock has other names, the build starts again.
    """
    from ..ir.model import HttpCall
    from ..pipeline import build

    result = build(request)
    if output is not None or result.server is None:
        return result
    known = _locked_names(result.server.command)
    calls = [(tool.call, tool.name) for tool in result.server.tools]
    if any(isinstance(call, HttpCall) and known.get(call.operation, name) != name for call, name in calls):
        reading = dataclasses.replace(request.reading, known_names=known)
        return build(dataclasses.replace(request, reading=reading))
    return result


def _locked_names(folder: str) -> Mapping[str, str]:
    """Return the names of tools by operation that a folder's lock has; a lock that cannot be read is reported later."""
    from pathlib import Path

    from ..output.lock import LockProblem, read

    try:
        lock = read(Path(folder))
    except (LockProblem, OSError, ValueError):
        return {}
    return lock.names if lock is not None else {}
