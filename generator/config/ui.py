"""The table `[tool.mcpgen.ui]`: how views are offered, and each view by its URI; fields and values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from .kinds import COUNT, FLAG, SECONDS, TEXT, TEXTS, Named, Table, choice, choices, frozen

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..ir.model import Json

CSP = Table(
    description="The origins that a view reaches, as `https://api.example.com`.",
    fields={
        "connect_domains": TEXTS, "resource_domains": TEXTS, "frame_domains": TEXTS, "base_uri_domains": TEXTS,
    },
)  # fmt: skip

PERMISSIONS = choices("camera", "microphone", "geolocation", "clipboard_write")

VIEW = Table(
    description="One view; the key is its URI. `file` is relative to the settings file.",
    fields={
        "file": TEXT, "function": TEXT, "name": TEXT, "title": TEXT, "description": TEXT, "csp": CSP,
        "permissions": PERMISSIONS, "domain": TEXT, "prefers_border": FLAG, "timeout": SECONDS, "max_concurrent": COUNT,
        "max_result_bytes": COUNT,
    },
)  # fmt: skip

VIEW_KEY = "^ui://"
"""What the key of a view begins with; any other key of the table is a setting."""

UI = Table(
    description="Views of tools (MCP Apps), and how they are offered.",
    fields={"advertise": choice("negotiated", "always"), "flat_key": FLAG},
    named=Named(item=VIEW, description="Views by URI."),
    named_pattern=VIEW_KEY,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewSetting:
    """What `[tool.mcpgen.ui."ui://…"]` says of one view; None means not stated."""

    file: str | None = None
    function: str | None = None
    name: str | None = None
    title: str | None = None
    description: str | None = None
    csp: Mapping[str, Json] | None = None
    permissions: tuple[str, ...] | None = None
    domain: str | None = None
    prefers_border: bool | None = None
    timeout: float | None = None
    max_concurrent: int | None = None
    max_result_bytes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UiSettings:
    """What `[tool.mcpgen.ui]` says: whom views are shown to, whether links have their old name too, the views."""

    advertise: Literal["negotiated", "always"] = "negotiated"
    flat_key: bool = False
    views: Mapping[str, ViewSetting] = field(default_factory=dict)

    @property
    def served(self) -> dict[str, Json]:
        """What the emitted server is told; empty where everything is as usual."""
        always = {"advertise": self.advertise} if self.advertise != "negotiated" else {}
        return {**always, **({"flat_key": True} if self.flat_key else {})}


def ui_settings(table: Mapping[str, Any]) -> UiSettings:
    """Return the values of a table that was checked."""
    stated = {key: value for key, value in table.items() if key in UI.fields}
    views = {key: _view(value) for key, value in table.items() if key not in UI.fields}
    return UiSettings(views=views, **stated)


def _view(table: Mapping[str, Any]) -> ViewSetting:
    values: dict[str, Any] = {key: frozen(value) for key, value in table.items()}
    return ViewSetting(**values)
