"""From one parsed table to settings; what is wrong with it is collected, each with its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..diagnostics.model import Diagnostic, Span
from ..diagnostics.rules import rule
from ..ir.model import Annotations
from .fields import TOP, check
from .gateway import gateway_settings
from .hints import setting_hint
from .kinds import frozen
from .openapi import openapi_settings
from .positions import LineIndex, Place
from .serve import serve_problems
from .settings import OWN_FILE, Config, ConfigSetting, LoadedConfig, ToolSetting
from .ui import ui_settings

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from .fields import KeyPath

TABLES = frozenset({"tools", "config", "settings", "openapi", "serve", "ui", "gateway", "verify"})
"""Settings that are tables of their own; the others are values."""


class TableReader:
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
        checked = check(found, TOP, (), self._report)
        values: dict[str, Any] = checked if isinstance(checked, dict) else {}
        config = Config(
            **{key: frozen(value) for key, value in values.items() if key not in TABLES},
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
