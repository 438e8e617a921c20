"""Settings of one build: `[tool.mcpgen]` of the nearest pyproject.toml, or mcpgen.toml with the same keys.

The file is looked for from the source's folder upwards; a pyproject.toml or a version control root ends the walk.
Values are checked against the table in `config_fields`; every problem of the file is reported in one run, with its
place.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from . import config_fields
from .config_gateway import GatewaySettings, gateway_settings
from .config_hints import setting_hint
from .config_kinds import frozen
from .config_openapi import OpenApiSettings, openapi_settings
from .config_positions import LineIndex, Place, positions
from .config_serve import serve_problems
from .config_ui import UiSettings, ui_settings
from .diagnostics.model import Diagnostic, Span
from .diagnostics.rules import rule
from .ir.model import Annotations, Json, JsonObject

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MAX_CONFIG_BYTES = 1 << 20
"""A settings file of more than 1 MiB is a mistake; reading stops there."""

PYPROJECT, OWN_FILE = "pyproject.toml", "mcpgen.toml"
VCS_MARKERS = (".git", ".hg", ".svn", ".jj")

KeyPath = tuple[str | int, ...]

_TABLES = frozenset({"tools", "config", "settings", "openapi", "serve", "ui", "gateway", "verify"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSetting:
    """What `[tool.mcpgen.tools.NAME]` says; None and empty mean not stated."""

    title: str | None = None
    description: str | None = None
    annotations: Annotations = field(default_factory=Annotations)
    timeout: float | None = None
    max_concurrent: int | None = None
    max_result_bytes: int | None = None
    scopes: tuple[str, ...] = ()
    hidden: bool | None = None
    name: str | None = None
    aliases: tuple[str, ...] = ()
    target: str | None = None
    input_schema: JsonObject | None = None
    output_schema: JsonObject | None = None
    capture_output: bool | None = None
    coerce: bool | None = None
    confirm: bool | None = None
    config: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    task: Literal["forbidden", "optional", "required"] | None = None
    ui: str | None = None
    visibility: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigSetting:
    """What `[tool.mcpgen.config.NAME]` says: one value the application takes from its environment."""

    env: str
    description: str = ""
    sensitive: bool = False
    required: bool = True
    default: str | None = None
    required_by: tuple[str, ...] = ()


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


def load_config(start: Path, *, explicit: Path | None = None, base: Path | None = None) -> LoadedConfig:
    """Load the settings that hold for a source in folder `start`; never raises for what a file contains.

    `explicit` names the file instead of looking for it. Spans show paths relative to `base` (default: the working
    folder) where the file is below it.
    """
    base = Path.cwd() if base is None else base
    if explicit is not None:
        return _load(explicit, base, whole=explicit.name != PYPROJECT)
    for folder in _folders(start.absolute()):
        own, project = folder / OWN_FILE, folder / PYPROJECT
        if own.is_file():
            return _both(own, project, base)
        if project.is_file():
            return _load(project, base, whole=False)
    return LoadedConfig(config=Config())


def _folders(start: Path) -> Iterator[Path]:
    """Yield `start` and the folders above it, up to the root of its repository."""
    for folder in (start, *start.parents):
        yield folder
        if any((folder / marker).exists() for marker in VCS_MARKERS):
            return


def _both(own: Path, project: Path, base: Path) -> LoadedConfig:
    """Load mcpgen.toml, unless the pyproject.toml beside it has a table too: then neither may win silently."""
    loaded = _load(own, base, whole=True)
    if project.is_file() and _load(project, base, whole=False).config.places:
        clash = Diagnostic(
            rule=rule("broken-configuration"),
            message=f"both {OWN_FILE} and [tool.mcpgen] of {PYPROJECT} are present",
            span=Span(path=_shown(own, base), line=1, column=1, end_line=1, end_column=1),
            hint="Keep one of the two.",
        )
        return LoadedConfig(config=loaded.config, diagnostics=(*loaded.diagnostics, clash), path=own)
    return loaded


def _shown(path: Path, base: Path) -> str:
    absolute = path.absolute()
    return absolute.relative_to(base).as_posix() if absolute.is_relative_to(base) else os.fspath(path)


def _load(path: Path, base: Path, *, whole: bool) -> LoadedConfig:
    shown = _shown(path, base)
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_CONFIG_BYTES + 1)
        if len(data) > MAX_CONFIG_BYTES:
            return _broken(path, shown, f"the file is larger than {MAX_CONFIG_BYTES} bytes")
        import tomllib  # most builds have no settings

        text = data.decode("utf-8").replace("\r\n", "\n")
        document: dict[str, object] = tomllib.loads(text)
        places = positions(text)
    except FileNotFoundError:
        return _absent(path, shown)
    except OSError as failure:
        return _broken(path, shown, f"the file cannot be read: {failure.strerror or type(failure).__name__}")
    except UnicodeDecodeError as failure:
        before = data[: failure.start]
        column = len(before.rpartition(b"\n")[2].decode("utf-8")) + 1
        return _broken(path, shown, "the file is not UTF-8", before.count(b"\n") + 1, column)
    except RecursionError:
        return _broken(path, shown, "the file is nested too deeply")
    except ValueError as failure:  # tomllib.TOMLDecodeError, and the interpreter's limit on digits
        return _unparsed(path, shown, str(failure), text)
    prefix: KeyPath = () if whole else ("tool", "mcpgen")
    found: object = document
    for key in prefix:
        found = found.get(str(key)) if isinstance(found, dict) else None
    if found is None or not document:  # an own file without a setting in it says nothing, and nothing wrong
        return LoadedConfig(config=Config(folder=path.parent), path=path)
    return _Reader(path, shown, text, places, prefix).read(found)


def _unparsed(path: Path, shown: str, reason: str, text: str) -> LoadedConfig:
    """Move the position out of tomllib's message, where it stands before Python 3.14 has attributes for it."""
    match = re.search(r" \(at line (\d+), column (\d+)\)$", reason)
    if match:
        return _broken(path, shown, f"not valid TOML: {reason[: match.start()]}", int(match[1]), int(match[2]))
    last = text.count("\n") + 1
    return _broken(
        path,
        shown,
        f"not valid TOML: {reason.removesuffix(' (at end of document)')}",
        last,
        len(text.rpartition("\n")[2]) + 1,
    )


def _absent(path: Path, shown: str) -> LoadedConfig:
    """Say that the file named by the user is not there; no place in it is shown."""
    message = f"there is no such file: `{shown[:200]}`"
    hint = "Look at the spelling and the working folder of --config, or leave the option out."
    found = Diagnostic(rule=rule("broken-configuration"), message=message, hint=hint, unit="--config")
    return LoadedConfig(config=Config(), diagnostics=(found,), path=path)


def _broken(path: Path, shown: str, message: str, line: int = 1, column: int = 1) -> LoadedConfig:
    span = Span(path=shown, line=line, column=column, end_line=line, end_column=column)
    return LoadedConfig(
        config=Config(),
        diagnostics=(Diagnostic(rule=rule("broken-configuration"), message=message, span=span),),
        path=path,
    )


class _Reader:
    """Turns one parsed table into a Config, collecting diagnostics."""

    __slots__ = ("_diagnostics", "_path", "_prefix", "_spans")

    def __init__(self, path: Path, shown: str, text: str, places: Mapping[KeyPath, Place], prefix: KeyPath) -> None:
        lines = LineIndex(text)
        size = len(prefix)
        inside = {key[size:]: place for key, place in places.items() if key[:size] == prefix}
        self._path = path
        self._prefix = prefix
        self._diagnostics: list[Diagnostic] = []
        self._spans = {
            key: (_span(shown, lines, place[:2]), _span(shown, lines, place[2:])) for key, place in inside.items()
        }

    def read(self, found: object) -> LoadedConfig:
        """Check the table, then build the values."""
        checked = config_fields.check(found, config_fields.TOP, (), self._report)
        values: dict[str, Any] = checked if isinstance(checked, dict) else {}
        config = Config(
            **{key: frozen(value) for key, value in values.items() if key not in _TABLES},
            tools={name: _tool(table) for name, table in values.get("tools", {}).items()},
            config={
                name: ConfigSetting(**_frozen_table(table))
                for name, table in values.get("config", {}).items()
                if "env" in table
            },
            settings=values.get("settings", {}),
            ui=ui_settings(values.get("ui", {})),
            gateway=gateway_settings(values.get("gateway", {})),
            openapi=openapi_settings(values.get("openapi", {})),
            serve=values.get("serve", {}),
            verify=values.get("verify", {}),
            folder=self._path.parent,
            places={key: spans[0] for key, spans in self._spans.items()},
        )
        self._cross_check(config)
        return LoadedConfig(config=config, diagnostics=tuple(self._diagnostics), path=self._path)

    def _cross_check(self, config: Config) -> None:
        """Report names of application settings that no table defines, and what of `serve` does not go together."""
        for name, tool in config.tools.items():
            for index, entry in enumerate(tool.config):
                if entry not in config.config:
                    self._report(
                        ("tools", name, "config", index), f"names `{entry[:60]}`, which no `config` table defines", None
                    )

        for name, server in config.gateway.servers.items():
            if len(server.ways) > 1:
                self._report(("gateway", "servers", name), f"has {' and '.join(server.ways)}; one is enough", None)
        for place, reason in serve_problems(config.serve):
            self._report(("serve", *place), reason, None)

    def _report(self, path: KeyPath, reason: str, unknown: str | None) -> None:
        shown = ".".join(str(part) for part in (*self._prefix, *path)) or OWN_FILE
        key_span, value_span = self._nearest(path)
        if unknown is None:
            message, name, span, hint = f"`{shown}` {reason}", "invalid-setting", value_span, None
        else:
            message, name, span = f"`{shown}` is not a setting", "unknown-setting", key_span
            hint = setting_hint(unknown, path[:-1])
        self._diagnostics.append(Diagnostic(rule=rule(name), message=message, span=span, hint=hint, unit=shown))

    def _nearest(self, path: KeyPath) -> tuple[Span | None, Span | None]:
        lengths = range(len(path), -1, -1)
        return next((self._spans[path[:length]] for length in lengths if path[:length] in self._spans), (None, None))


def _span(shown: str, lines: LineIndex, offsets: tuple[int, ...]) -> Span:
    (line, column), (end_line, end_column) = lines.at(offsets[0]), lines.at(offsets[1])
    return Span(path=shown, line=line, column=column, end_line=end_line, end_column=end_column)


def _frozen_table(table: Mapping[str, Any]) -> dict[str, Any]:
    return {key: frozen(value) for key, value in table.items()}


def _tool(table: Mapping[str, Any]) -> ToolSetting:
    values = _frozen_table(table)
    annotations = values.pop("annotations", {})
    return ToolSetting(annotations=Annotations(**annotations), **values)
