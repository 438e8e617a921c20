"""Reading a Python source into the IR: the front end's door.

    entry --selection--> functions --tools--> Tool …  + settings, targets, files  -> Server

Nothing of the user's is imported or run. Every problem is a diagnostic; a function that cannot be served is left out
and the reading goes on (decision 7). Whether the diagnostics are acceptable is the caller's decision.
"""

from __future__ import annotations

import ast
import inspect
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ...ir.model import Server, Source
from ...ir.names import command_of, id_of, package_of
from ...views.building import build_views
from ...views.statements import of_settings
from .announced import announced
from .application import application_config
from .branches import Target
from .candidates import candidates
from .carry import carry
from .docstrings import parse_docstring, raw_docstring
from .entry import find_entry
from .installed import for_installed
from .lazy_imports import ImportReach
from .locate import Locator
from .middleware import middleware_targets, tools_among, verify_problems
from .module_links import ModuleLinks, module_links, unmatched_links
from .offers import build_offers
from .program import Program
from .python_calls import Surroundings
from .selection import select
from .source import SourceProblem
from .subjects import Subjects
from .target_needs import settings_of, target_modules, with_targets
from .target_tools import target_tools
from .tools import build_tool
from .type_reader import Types
from .unmatched import for_another_module, settings_of_offers, unmatched_settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...config import Config
    from ...diagnostics.model import Diagnostic
    from ...ir.model import Json, Prompt, Resource, Tool
    from ...views.building import Views
    from .carry import Carried
    from .entry import Entry
    from .environment import Environment
    from .program import Module

DEFAULT_VERSION = "0.1.0"
"""The version of a server whose module and settings state none."""

REQUIRES_PYTHON = ">=3.11"
"""What the runtime needs (decision 2)."""

_VERSION = re.compile(r"[0-9]+(?:\.[0-9]+)*(?:[-.+]?[A-Za-z0-9]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadResult:
    """What was read; `server` is None when the source itself cannot be loaded, and may have no tools.

    `left_out` names the units that were chosen and cannot be served, `refused_views` the URIs of such views.
    """

    server: Server | None
    diagnostics: tuple[Diagnostic, ...] = ()
    left_out: tuple[str, ...] = ()
    refused_views: tuple[str, ...] = ()


def read(source: str, config: Config, environment: Environment, *, link: bool = False) -> ReadResult:
    """Read a module file, a package folder or the dotted name of an installed module.

    `link` refers to the module instead of carrying its files; a dotted name is always linked.
    """
    try:
        entry = find_entry(source, environment)
    except SourceProblem as problem:
        return ReadResult(server=None, diagnostics=(problem.diagnostic,))
    linked = link or entry.linked
    identity = id_of(config.name or (entry.module if entry.linked else entry.path.stem))
    package = config.package or package_of(identity)
    carried = _carried(entry, config, environment, package=package, linked=linked)
    if linked and not carried.module_targets:
        return ReadResult(server=None, diagnostics=carried.diagnostics)
    carried = with_targets(carried, target_modules(config), environment.paths)
    program = Program(
        locator=Locator(entry.search),
        target=Target(version=environment.version, platform=environment.platform),
        shown=entry.shown,
    )
    module = program.add(entry.source)
    made = _tools(module, program, config, carried)
    tools, entries, found = application_config(made.tools, config)
    server = Server(
        id=identity,
        package=package,
        command=command_of(identity),
        title=config.title,
        **_told(module, config),
        instructions=config.instructions,
        website=config.website,
        tools=tools,
        resources=(*made.resources, *made.views.resources),
        prompts=made.prompts,
        config=entries,
        scopes=config.scopes,
        settings=_settings(config, made.middleware, carried),
        changes=announced(_own_sources(carried, program)),
        requires_python=carried.requires_python or REQUIRES_PYTHON,
        dependencies=carried.dependencies,
        source=_source(entry, carried, environment, made.views, linked=linked),
    )
    said = _said(entry, (*carried.diagnostics, *made.diagnostics, *found, *made.views.diagnostics))
    return ReadResult(server=server, diagnostics=said, left_out=made.left_out, refused_views=made.refused_views)


def _own_sources(carried: Carried, program: Program) -> Iterator[bytes]:
    """Yield the server's own modules: those it carries, or of an installed package those that were followed."""
    yield from (each.content for each in carried.files if each.path.endswith(".py"))
    if not carried.files:
        own = (each.source for each in program.modules.values() if each is not None)
        yield from (source.data for source in own if not program.is_foreign(source.shown))


def _said(entry: Entry, found: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Return each finding once; those about an installed module speak of what can be done there."""
    return tuple(dict.fromkeys(map(for_installed, found) if entry.linked else found))


def _carried(entry: Entry, config: Config, environment: Environment, *, package: str, linked: bool) -> Carried:
    """Gather the files the package carries, or what a link needs; no targets when the file cannot be linked."""
    carried = carry(
        entry.path,
        package=package,
        shown=entry.shown,
        environment=environment,
        include=config.include,
        include_folder=config.folder,
        include_spans=lambda position: config.span("include", position),
        named=target_modules(config),
        link=linked,
        module=entry.module if entry.linked else None,
    )
    if linked and carried.module_targets:
        # In a namespace package the file's own name is only the end of the one it is imported by.
        name = next(iter(carried.module_targets))
        return replace(carried, module_targets={**carried.module_targets, entry.module: name})
    return carried


@dataclass(frozen=True, slots=True, kw_only=True)
class _Made:
    """The tools of a module, its resources, prompts and views, what is around calls, and what was said of all."""

    tools: tuple[Tool, ...]
    resources: tuple[Resource, ...]
    prompts: tuple[Prompt, ...]
    middleware: tuple[str, ...]
    views: Views
    diagnostics: tuple[Diagnostic, ...]
    left_out: tuple[str, ...]
    refused_views: tuple[str, ...]


def _tools(module: Module, program: Program, config: Config, carried: Carried) -> _Made:
    """Build the tools of the module and those that the settings define."""
    types = Types(program)
    selection = select(module, program, types.reading.resolver, config)
    links = module_links(module, types.reading)
    around = _surroundings(config, types, carried, links)
    diagnostics = [*selection.diagnostics, *unmatched_links(links, selection.chosen)]
    tools: list[Tool] = []
    left_out = list(selection.refused)
    for chosen in tools_among(selection.chosen, config, module.name):
        built = build_tool(chosen, around)
        diagnostics += built.diagnostics
        if built.tool is not None:
            tools.append(built.tool)
        elif not built.hidden:
            left_out.append(chosen.subject.unit)
    offers = build_offers(selection.offered, around)
    diagnostics += offers.diagnostics
    targets = target_tools(config, program, carried.module_targets)
    diagnostics += targets.diagnostics
    subjects = Subjects(module, program, types.reading.resolver)
    if not (selection.chosen or selection.offered or selection.refused or targets.tools):
        diagnostics += candidates(module, subjects, config)
    diagnostics += unmatched_settings(config, lambda unit: subjects.find(unit) is not None, subjects)
    others = [each.subject.unit for each in selection.offered if each.decorations.marker is None]
    diagnostics += settings_of_offers(config, others)
    middleware, misnamed = middleware_targets(config, program, carried.module_targets)
    diagnostics += (*misnamed, *verify_problems(config, program))
    found = for_another_module(config, diagnostics)
    views = build_views((*offers.views, *links.statements, *of_settings(config)))
    return _Made(
        tools=(*tools, *targets.tools),
        resources=offers.resources,
        prompts=offers.prompts,
        middleware=middleware,
        views=views,
        diagnostics=found,
        left_out=(*left_out, *offers.left_out, *views.left_out),
        refused_views=(*offers.refused_views, *views.refused),
    )


def _surroundings(config: Config, types: Types, carried: Carried, links: ModuleLinks) -> Surroundings:
    """Return what tools are built in."""
    return Surroundings(
        config=config,
        types=types,
        module_targets=carried.module_targets,
        reach=ImportReach(frozenset(name.partition(".")[0] for name in carried.module_targets)),
        links=links.options,
    )


def _settings(config: Config, middleware: tuple[str, ...], carried: Carried) -> dict[str, Json]:
    """Return what the server is set to."""
    said: dict[str, Json] = settings_of(config, carried)
    if middleware:
        said["middleware"] = middleware
    return said


def _source(entry: Entry, carried: Carried, environment: Environment, views: Views, *, linked: bool) -> Source:
    return Source(
        kind="python",
        name=entry.module if entry.linked else entry.path.name,
        linked=linked,
        inputs=dict(sorted({**carried.inputs, **views.inputs}.items())),
        environment={**environment.recorded(), **carried.resolved},
        files=(*carried.files, *views.files),
    )


def _told(module: Module, config: Config) -> dict[str, Any]:
    """Return what a module says of itself, where the settings do not say it."""
    return {
        "version": config.version or _version(module) or DEFAULT_VERSION,
        "description": config.description or _description(module),
        "documentation": _documentation(module),
    }


def _version(module: Module) -> str | None:
    """Return the module's `__version__` when it is a plain string."""
    binding = module.index.names.get("__version__")
    value = binding.value if binding is not None else None
    if isinstance(value, ast.Constant) and isinstance(value.value, str) and _VERSION.fullmatch(value.value):
        return value.value
    return None


def _documentation(module: Module) -> str:
    """Return the module's docstring where it says more than its first paragraph."""
    whole = inspect.cleandoc(raw_docstring(module.source.tree) or "").strip()
    return whole if "\n\n" in whole else ""


def _description(module: Module) -> str:
    """Return the first paragraph of the module's docstring."""
    return parse_docstring(raw_docstring(module.source.tree)).description.split("\n\n", 1)[0]
