"""Names: tools that cannot be told apart or that clients refuse are left out, each with a diagnostic (decision 20)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..diagnostics.model import Diagnostic, Severity
from ..diagnostics.rules import rule
from ..ir.names import TOOL_NAME, package_problem, server_problem

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..ir.model import Server, Tool

MAX_COMBINED = 60
"""Characters of server and tool name together: some hosts show `server__tool`, and drop what exceeds their 64."""


def apply(server: Server) -> tuple[Server, tuple[Diagnostic, ...]]:
    """Return the server without the tools that cannot be served by their name, and why."""
    found: list[Diagnostic] = []
    taken: dict[str, Tool] = {}
    for tool in server.tools:
        problem = _illegal(tool) or _collision(tool, taken)
        if problem is not None:
            found.append(problem)
            continue
        taken[tool.name] = tool
    found.extend(_long(server, taken.values()))
    tools, problems = _without_taken_aliases(taken)
    found.extend(problems)
    return replace(server, tools=tools), tuple(found)


def unusable(server: Server, before: tuple[Diagnostic, ...] = ()) -> tuple[Diagnostic, ...]:
    """Return why there can be no server at all: it offers nothing, or it has a name nothing can have.

    `before` is what was found so far: a hint refers to what left everything out.
    """
    found = []
    for kind, name, problem in (
        ("server", server.id, server_problem(server.id)),
        ("package", server.package, package_problem(server.package)),
        ("command", server.command, server_problem(server.command)),
    ):
        if problem is not None:
            message = f"the {kind} cannot be called `{name[:60]}`: {problem}"
            hint = "Give it another name with --name, or `name` and `package` in [tool.mcpgen]."
            found.append(Diagnostic(rule=rule("illegal-server-name"), message=message, hint=hint))
    if not (server.tools or server.resources or server.prompts):
        found.append(_nothing(server, before))
    return tuple(found)


def _nothing(server: Server, before: tuple[Diagnostic, ...]) -> Diagnostic:
    refused = any(each.level is Severity.ERROR and each.unit for each in before)
    unit = "operation" if server.source.kind == "openapi" else "function"
    hint = f"Correct what is named above; every {unit} was left out." if refused else None
    if not refused and unit == "operation":
        hint = "Describe an operation below `paths`, or choose others by tags, paths, methods and `expose`."
    message = f"nothing in `{server.source.name}` can be served"
    return Diagnostic(rule=rule("no-tools"), message=message, hint=hint)


def _illegal(tool: Tool) -> Diagnostic | None:
    if TOOL_NAME.fullmatch(tool.name):
        return None
    name = "non-ascii-name" if not tool.name.isascii() else "illegal-tool-name"
    return Diagnostic(
        rule=rule(name),
        message=f"`{tool.name[:80]}` cannot be a tool's name: clients accept {TOOL_NAME.pattern} only",
        span=tool.span,
        unit=tool.name,
        paste=_hide(tool.name),
    )


def _collision(tool: Tool, taken: dict[str, Tool]) -> Diagnostic | None:
    first = taken.get(tool.name)
    if first is None:
        return None
    where = f" (line {first.span.line})" if first.span else ""
    return Diagnostic(
        rule=rule("name-collision"),
        message=f"there is another tool called `{tool.name}`{where}; this one is left out",
        span=tool.span,
        unit=tool.name,
    )


def _long(server: Server, tools: Iterable[Tool]) -> Iterable[Diagnostic]:
    """Yield what is said of names that are too long for some hosts; an API's are told together."""
    long = [tool for tool in tools if len(server.id) + len(tool.name) > MAX_COMBINED]
    one_line = server.source.kind == "openapi"
    hint = "Shorten the tool's name, or the server's with `name` in [tool.mcpgen]."
    if one_line:
        hint = (
            "Shorten the server's name with --name, or those of tools with `name` in [tool.mcpgen.openapi.operations]."
        )
    for tool in long[:1] if one_line else long:
        length = len(server.id) + len(tool.name)
        message = f"`{server.id}` and `{tool.name}` together have {length} characters, more than {MAX_COMBINED}"
        if one_line and len(long) > 1:
            message += f"; {len(long) - 1} more are like this one"
        yield Diagnostic(rule=rule("long-tool-name"), message=message, span=tool.span, unit=tool.name, hint=hint)


def _without_taken_aliases(tools: dict[str, Tool]) -> tuple[tuple[Tool, ...], list[Diagnostic]]:
    """Return the tools with only those aliases that name nothing else."""
    owners = {name: name for name in tools}
    kept, found = [], []
    for tool in tools.values():
        aliases = []
        for alias in tool.aliases:
            if not TOOL_NAME.fullmatch(alias) or owners.setdefault(alias, tool.name) != tool.name:
                found.append(_bad_alias(tool, alias, owners.get(alias)))
            elif alias != tool.name and alias not in aliases:
                aliases.append(alias)
        kept.append(replace(tool, aliases=tuple(aliases)) if tool.aliases else tool)
    return tuple(kept), found


def _bad_alias(tool: Tool, alias: str, owner: str | None) -> Diagnostic:
    reason = f"it already means `{owner}`" if owner else f"clients accept {TOOL_NAME.pattern} only"
    return Diagnostic(
        rule=rule("name-collision" if owner else "illegal-tool-name"),
        message=f"`{tool.name}` cannot have the alias `{alias[:60]}`: {reason}; the alias is left out",
        span=tool.span,
        unit=tool.name,
        hint="Choose another alias.",
    )


def _hide(name: str) -> str | None:
    """Return the setting that leaves a tool out, when its name can be written as a pattern."""
    return f'hide = ["{name}"]' if name.isidentifier() else None
