"""What the places say that may speak of a view: a marker, the module's `__mcp_ui__`, the settings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from ..config import Config
    from ..diagnostics.model import Span
    from ..ir.model import Resource
    from .lint import ViewText

OPTIONS = (
    "name", "title", "description", "csp", "permissions", "domain", "prefers_border", "file", "timeout",
    "max_concurrent", "max_result_bytes",
)  # fmt: skip
"""What any of the places may state of a view, by our names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What one place says of the view under a URI; `options` holds only what stands there, `spans` says where.

    A marker brings the resource that its function `makes`, and `texts` of HTML that are known without running it; the
    settings may name a `function` without a marker.
    `folder` is what `file` is relative to; `shown` is how messages write that folder.
    """

    uri: str
    place: str
    options: Mapping[str, Any] = field(default_factory=dict)
    spans: Mapping[str, Span] = field(default_factory=dict)
    span: Span | None = None
    unit: str | None = None
    makes: Resource | None = None
    function: str | None = None
    texts: tuple[ViewText, ...] = ()
    folder: Path | None = None
    shown: str = ""

    @property
    def view(self) -> str:
        """What messages call the view: by its function, if there is one, and its URI."""
        uri = f"`{self.uri[:80]}`"
        return f"`{self.unit}` ({uri})" if self.unit else uri

    def where(self, option: str) -> Span | None:
        """Return where an option stands, or else the whole statement."""
        return self.spans.get(option) or self.span


def of_settings(config: Config) -> tuple[Statement, ...]:
    """Return what `[tool.mcpgen.ui."ui://…"]` says."""
    found = []
    for uri, setting in config.ui.views.items():
        options = {name: getattr(setting, name) for name in OPTIONS if getattr(setting, name) is not None}
        spans = {name: config.span("ui", uri, name) for name in (*options, "function")}
        place = config.span("ui", uri)
        folder = place.path.rpartition("/")[0] if place is not None else ""
        found.append(
            Statement(
                uri=uri,
                place="the settings",
                options=options,
                spans={name: span for name, span in spans.items() if span is not None},
                span=place,
                function=setting.function,
                folder=config.folder,
                shown=f"{folder}/" if folder else "",
            )
        )
    return tuple(found)
