"""What a marker and `[tool.mcpgen.tools.NAME]` say of one tool; where they differ is a diagnostic."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from ...config import ToolFacts, ToolSetting
from ...diagnostics.model import Diagnostic, Span
from ...diagnostics.rules import rule
from ...ir.model import Annotations, Icon, Limits
from .markers import Marker, annotations_of, icons_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...config import Config

SIMPLE = tuple(each.name for each in fields(ToolFacts) if each.name != "annotations")
"""What both state in one piece, under the same name."""

LISTS = frozenset({"aliases", "tags", "scopes", "config", "visibility"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts(ToolFacts):
    """The merged statements about one tool, and what only a marker says."""

    icons: tuple[Icon, ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)

    @property
    def limits(self) -> Limits:
        """Return what the tool may use."""
        return Limits(timeout=self.timeout, max_concurrent=self.max_concurrent, max_result_bytes=self.max_result_bytes)


def merge(marker: Marker, unit: str, config: Config) -> tuple[Facts, tuple[Diagnostic, ...]]:
    """Return what is stated about the unit, and every disagreement (MG124); the setting wins where they disagree."""
    setting = config.tools.get(unit, ToolSetting())
    conflicts: list[Diagnostic] = []
    values: dict[str, Any] = {}
    for name in SIMPLE:
        stated = getattr(setting, name)
        marked = marker.options.get(name)
        if name in LISTS:
            stated, marked = stated or None, tuple(marked) if marked else None
        if stated is not None and marked is not None and stated != marked:
            conflicts.append(_conflict(name, unit, marker.spans.get(name), config))
        value = stated if stated is not None else marked
        if value is not None:
            values[name] = value
    annotations, found = _annotations(marker, setting.annotations, unit, config)
    return (
        Facts(
            **values,
            annotations=annotations,
            icons=icons_of(marker.options),
            meta=marker.options.get("meta", {}),
        ),
        tuple(conflicts + found),
    )


def _annotations(
    marker: Marker, stated: Annotations, unit: str, config: Config
) -> tuple[Annotations, list[Diagnostic]]:
    """Merge the annotations one by one."""
    marked = annotations_of(marker.options)
    values: dict[str, bool | None] = {}
    conflicts: list[Diagnostic] = []
    for each in fields(Annotations):
        ours, theirs = getattr(marked, each.name), getattr(stated, each.name)
        if ours is not None and theirs is not None and ours != theirs:
            span = marker.spans.get(each.name) or marker.spans.get("annotations")
            conflicts.append(_conflict(each.name, unit, span, config))
        values[each.name] = theirs if theirs is not None else ours
    return Annotations(**values), conflicts


def _conflict(name: str, unit: str, span: Span | None, config: Config) -> Diagnostic:
    place = config.span("tools", unit, name)
    where = f" ({place.path}:{place.line})" if place is not None else ""
    return Diagnostic(
        rule=rule("marker-conflict"),
        message=f"`{name}` of tool `{unit}` is stated in the module and in the settings{where}, differently",
        span=span or place,
        hint="Remove one of the two.",
        unit=unit,
    )
