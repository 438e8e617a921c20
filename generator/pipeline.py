"""From a source to a tree of files: read, refine, render. This is the file to read first.

    source --frontends--> Server --passes--> Server --backends--> {path: bytes}

Reading collects diagnostics and goes on, so that one run shows everything; the passes may leave out what cannot be
served; rendering is pure and cannot fail for what a user wrote. Writing, checking and comparing the tree is `output`'s
business; whether the diagnostics are acceptable is the command's.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from .backends.server import Owner, render
from .ir.model import PythonCall
from .passes import defaults, descriptions, integers, names, schemas, validity

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .config import Config
    from .diagnostics.model import Diagnostic
    from .frontends.python.environment import Environment
    from .ir.model import Server, Tool


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildRequest:
    """What is built: a path or a dotted name, its settings, where modules are looked up, names that win over both."""

    source: str
    config: Config
    environment: Environment
    link: bool = False
    name: str | None = None
    package: str | None = None
    strict: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildResult:
    """What came of it: the refined server, its tree (None and empty when nothing can be served), all findings.

    `left_out` names the functions that should have become tools and could not.
    """

    server: Server | None
    tree: Mapping[str, bytes] = field(default_factory=dict)
    owners: Mapping[str, Owner] = field(default_factory=dict)
    executable: frozenset[str] = frozenset()
    diagnostics: tuple[Diagnostic, ...] = ()
    left_out: tuple[str, ...] = ()


def build(request: BuildRequest) -> BuildResult:
    """Build a server in memory; problems of the source are diagnostics, never exceptions."""
    result = refined(request)
    if result.server is None:
        return result
    rendered = render(result.server)
    return replace(result, tree=rendered.tree, owners=rendered.owners, executable=rendered.executable)


def refined(request: BuildRequest) -> BuildResult:
    """Read a source and run the passes: what `inspect` shows and `build` renders; there is no tree yet."""
    from .frontends.python.read import read

    result = read(request.source, _settled(request), request.environment, link=request.link)
    if result.server is None:
        return BuildResult(server=None, diagnostics=result.diagnostics)
    server, found = refine(result.server, result.diagnostics)
    kept = server.tools if server is not None else ()
    dropped = Counter(map(_unit, result.server.tools)) - Counter(map(_unit, kept))
    return BuildResult(server=server, diagnostics=found, left_out=(*result.left_out, *dropped.elements()))


def refine(server: Server, found: tuple[Diagnostic, ...] = ()) -> tuple[Server | None, tuple[Diagnostic, ...]]:
    """Run the passes over a server; None when nothing of it is left or its name cannot be used."""
    server, by_name = names.apply(server)
    server, by_text = descriptions.apply(server)
    server, by_schema = validity.apply(server)
    server, by_default = defaults.apply(server)
    server = schemas.apply(server)
    found = (*found, *by_name, *by_text, *by_schema, *by_default, *integers.apply(server))
    fatal = names.unusable(server, found)
    return (None if fatal else server), (*found, *fatal)


def _unit(tool: Tool) -> str:
    """Return what the source calls a tool: passes leave tools out by the names that clients would see."""
    return tool.call.target.partition(":")[2] if isinstance(tool.call, PythonCall) else tool.call.operation


def _settled(request: BuildRequest) -> Config:
    """Return the settings under the names that were asked for: copied files may contain them, so reading needs them."""
    config = request.config
    return replace(config, name=request.name or config.name, package=request.package or config.package)
