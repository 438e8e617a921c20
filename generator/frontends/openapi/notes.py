"""What is told of a description that was read well: which tools write (R130), and what of it is no tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .findings import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...ir.model import Tool
    from .findings import Findings
    from .model import Api, Operation

MAX_NAMED = 5
"""Names that a note lists; the others are counted."""


def report_writing(tools: Sequence[Tool], findings: Findings) -> None:
    """Tell how many of the tools may change or delete something, where nobody has chosen which to serve."""
    writing = [tool for tool in tools if not tool.annotations.read_only]
    if not writing:
        return
    destroying = [tool for tool in writing if tool.annotations.destructive]
    names = _listed([tool.name for tool in destroying or writing])
    message = f"{len(writing)} of {len(tools)} tools may change data, {len(destroying)} of them destructively: {names}"
    hint = "Serve only what reads with `--methods get`, or what you name with `expose`."
    findings.tell("writing-tools", message, hint=hint)


def report_kept_back(api: Api, operations: Sequence[Operation], findings: Findings) -> None:
    """Tell what of the description is no tool: webhooks, callbacks, links."""
    callbacks = [name for operation in operations for name in operation.callbacks]
    links = [link.name for each in operations for response in each.responses for link in response.links]
    for what, why, names in (
        ("webhooks", "the API calls them", api.webhooks),
        ("callbacks", "the API calls them", callbacks),
        ("links", "they are kept beside their operations", links),
    ):
        distinct = list(dict.fromkeys(names))
        if distinct:
            message = f"{what} are no tools, {why}: {_listed(distinct)}"
            findings.tell("unserved-part", message, place=api.place, unit=what)


def _listed(names: Sequence[str]) -> str:
    text = ", ".join(f"`{shown(name)}`" for name in names[:MAX_NAMED])
    return f"{text} and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else text
