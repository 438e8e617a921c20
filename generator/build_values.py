"""What a build is asked for and what comes of it: one request for each kind of source, one result for both."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .ir.model import PythonCall

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .backends.server import Owner
    from .config import Config
    from .diagnostics.model import Diagnostic
    from .frontends.openapi.settings import OpenApiRequest
    from .frontends.python.environment import Environment
    from .ir.model import Prompt, Resource, Server, Tool
    from .passes.budget import Exposure


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildRequest:
    """A server of a Python module: a path or a dotted name, its settings, where modules are looked up, its names."""

    source: str
    config: Config
    environment: Environment
    link: bool = False
    name: str | None = None
    package: str | None = None
    strict: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiRequest:
    """A server of an API description: how it is read; how its tools are shown, in about how many tokens at most.

    `exposure` and `budget` (tokens) are None where nothing was asked for: then tools are shown as they are.
    """

    reading: OpenApiRequest
    strict: bool = False
    exposure: Exposure | None = None
    budget: int | None = None

    @property
    def source(self) -> str:
        """The description's path or address, as the user wrote it."""
        return self.reading.source

    @property
    def config(self) -> Config:
        """The settings."""
        return self.reading.config


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildResult:
    """What came of it: the refined server, its tree (None and empty when nothing can be served), all findings.

    `left_out` names the functions or operations that should have been served and could not; `identifiers` are the
    operation ids of an API by operation key, the other name by which a user may have asked for one.
    """

    server: Server | None
    tree: Mapping[str, bytes] = field(default_factory=dict)
    owners: Mapping[str, Owner] = field(default_factory=dict)
    executable: frozenset[str] = frozenset()
    begun: frozenset[str] = frozenset()
    diagnostics: tuple[Diagnostic, ...] = ()
    left_out: tuple[str, ...] = ()
    identifiers: Mapping[str, str] = field(default_factory=dict)


def units(server: Server) -> list[str]:
    """Return what the source calls everything served: passes leave things out by the names that clients would see."""
    every: tuple[Tool | Resource | Prompt, ...] = (*server.tools, *server.resources, *server.prompts)
    calls = [each.call for each in every if each.call is not None]
    return [each.target.partition(":")[2] if isinstance(each, PythonCall) else each.operation for each in calls]
