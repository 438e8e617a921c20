"""The values of the settings: what each table says, and all of them together."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from ..ir.model import Annotations, ConfigEntry, Json, JsonObject
from .gateway import GatewaySettings
from .openapi import OpenApiSettings
from .ui import UiSettings

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from ..diagnostics.model import Diagnostic, Span
    from .fields import KeyPath

PYPROJECT, OWN_FILE = "pyproject.toml", "mcpgen.toml"
"""Files that settings stand in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolFacts:
    """What is said of one tool, by the settings or in its module; None and empty mean not stated."""

    name: str | None = None
    title: str | None = None
    description: str | None = None
    annotations: Annotations = field(default_factory=Annotations)
    timeout: float | None = None
    max_concurrent: int | None = None
    max_result_bytes: int | None = None
    hidden: bool | None = None
    aliases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    config: tuple[str, ...] = ()
    capture_output: bool | None = None
    coerce: bool | None = None
    confirm: bool | None = None
    input_schema: JsonObject | None = None
    output_schema: JsonObject | None = None
    task: Literal["forbidden", "optional", "required"] | None = None
    ui: str | None = None
    visibility: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSetting(ToolFacts):
    """What `[tool.mcpgen.tools.NAME]` says; `target` is the function of a tool that no source names."""

    target: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigSetting:
    """What `[tool.mcpgen.config.NAME]` says: one value the application takes from its environment."""

    env: str
    description: str = ""
    sensitive: bool = False
    required: bool = True
    default: str | None = None
    required_by: tuple[str, ...] = ()

    def entry(self, name: str, required_by: tuple[str, ...]) -> ConfigEntry:
        """Return what the server is told of it; `required_by` are names of tools."""
        return ConfigEntry(
            name=name,
            env=self.env,
            description=self.description,
            sensitive=self.sensitive,
            required=self.required,
            default=self.default,
            required_by=required_by,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """All settings; the defaults are what a build without a file uses.

    `folder` is where the file is (patterns of `include` are relative to it), `places` the span of each setting by its
    path of keys, for diagnostics made later (`span`).
    """

    enabled: bool = True
    name: str | None = None
    package: str | None = None
    title: str | None = None
    version: str | None = None
    description: str | None = None
    instructions: str | None = None
    website: str | None = None
    schema_resource_uri: str | None = None
    docs_resources: bool = False
    list_changed: tuple[str, ...] | None = None
    subscribe: bool | None = None
    expose: tuple[str, ...] = ()
    hide: tuple[str, ...] = ()
    strict: bool = False
    include: tuple[str, ...] = ()
    middleware: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    tools: Mapping[str, ToolSetting] = field(default_factory=dict)
    config: Mapping[str, ConfigSetting] = field(default_factory=dict)
    settings: Mapping[str, Json] = field(default_factory=dict)
    openapi: OpenApiSettings = field(default_factory=OpenApiSettings)
    serve: Mapping[str, Json] = field(default_factory=dict)
    ui: UiSettings = field(default_factory=UiSettings)
    gateway: GatewaySettings = field(default_factory=GatewaySettings)
    verify: Mapping[str, Json] = field(default_factory=dict)
    folder: Path | None = None
    places: Mapping[KeyPath, Span] = field(default_factory=dict, repr=False, compare=False)

    @property
    def served(self) -> dict[str, Json]:
        """What the emitted server is told of how it behaves and is started."""
        serve = {"serve": dict(self.serve)} if self.serve else {}
        return {**self.settings, **({"ui": self.ui.served} if self.ui.served else {}), **serve}

    def span(self, *path: str | int) -> Span | None:
        """Return where a setting is written, or its nearest table, or None: `config.span("expose", 0)`."""
        return next(
            (self.places[path[:length]] for length in range(len(path), 0, -1) if path[:length] in self.places), None
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedConfig:
    """A configuration and what is wrong with its file; `path` is the file, if there is one."""

    config: Config
    diagnostics: tuple[Diagnostic, ...] = ()
    path: Path | None = None
