"""Tools with no source to read: settings with a `target` and a schema, listed without any import (R070)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...diagnostics.model import Diagnostic
from ...diagnostics.rules import rule
from ...ir.model import Limits, PythonCall, Tool
from ...views.links import link_of
from .tool_names import name_of, title_of
from .verbatim import is_object, verbatim_note

if TYPE_CHECKING:
    import ast
    from collections.abc import Mapping

    from ...config import Config, ToolSetting
    from .program import Program

ANY_OBJECT: Mapping[str, Any] = {"type": "object"}
"""The schema of a tool nobody described: any arguments (R123)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Targets:
    """The tools made from settings, and what was found."""

    tools: tuple[Tool, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


def target_tools(config: Config, program: Program, module_targets: Mapping[str, str]) -> Targets:
    """Build the tools that settings define; `module_targets` says how modules are reached in the emitted package."""
    tools: list[Tool] = []
    diagnostics: list[Diagnostic] = []
    for unit, setting in config.tools.items():
        if setting.target is None or setting.hidden:
            continue
        module, _, qualname = setting.target.partition(":")
        name = setting.name or name_of(unit)
        if not program.importable(module):
            diagnostics.append(_unfound(module, unit, config))
        for which in ("input_schema", "output_schema"):
            schema = getattr(setting, which)
            if schema is not None:
                diagnostics.append(verbatim_note(schema, which, unit, config.span("tools", unit, which)))
        target = f"{module_targets.get(module, module)}:{qualname}"
        tools.append(_tool(unit, name, setting, target, config, is_async=_is_async(module, qualname, program)))
    return Targets(tools=tuple(tools), diagnostics=tuple(diagnostics))


def _tool(unit: str, name: str, setting: ToolSetting, target: str, config: Config, *, is_async: bool) -> Tool:
    schema = setting.input_schema if setting.input_schema is not None else ANY_OBJECT
    open_ended = schema.get("additionalProperties", True) is not False
    return Tool(
        name=name,
        title=setting.title or title_of(name),
        description=setting.description or f'Run the "{name}" function.',
        input_schema=schema,
        result_schema=setting.output_schema,
        wrap=setting.output_schema is not None and not is_object(setting.output_schema),
        verbatim=True,
        annotations=setting.annotations,
        call=PythonCall(target=target, is_async=is_async, star_star=open_ended),
        limits=Limits(
            timeout=setting.timeout, max_concurrent=setting.max_concurrent, max_result_bytes=setting.max_result_bytes
        ),
        scopes=setting.scopes,
        config=setting.config,
        aliases=setting.aliases,
        tags=setting.tags,
        capture_output=bool(setting.capture_output),
        task=setting.task or "forbidden",
        coerce=setting.coerce,
        confirm=bool(setting.confirm),
        ui=link_of(setting.ui, setting.visibility),
        span=config.span("tools", unit),
    )


def _is_async(module: str, qualname: str, program: Program) -> bool:
    """Whether the target is an `async def`, as far as its source can be found; without source it is taken as sync."""
    found = program.module(module)
    binding = found.index.names.get(qualname) if found is not None else None
    node: ast.stmt | None = binding.node if binding is not None else None
    return type(node).__name__ == "AsyncFunctionDef"


def _unfound(module: str, unit: str, config: Config) -> Diagnostic:
    return Diagnostic(
        rule=rule("unknown-dependency"),
        message=f"the module `{module[:60]}` of tool `{unit}` is not installed here, so its distribution is not listed",
        span=config.span("tools", unit, "target"),
        hint="Install it in the environment named by --python, or add its distribution to the emitted dependencies.",
        unit=unit,
    )
