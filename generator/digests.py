"""The digest of what a server shows its clients: who made it, who registers it and who routes to it see the same."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from .ir.codec import unfrozen

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .ir.routes import OfferKind

OFFERS: tuple[OfferKind, ...] = ("resources", "templates", "prompts", "views")
"""What a server may offer besides tools, by the catalog's names."""


_compact = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":"), default=unfrozen).encode


def compact(value: object) -> bytes:
    """Return compact ASCII JSON; raises ValueError for NaN and infinities."""
    return _compact(value).encode("ascii")


def definitions_line(content: Mapping[str, Any]) -> bytes:
    """Return the array of definitions that every client sees, as compact JSON, in declared order (R173)."""
    from .runtime.server.catalog import shown

    return compact([tool["definition"] for tool in shown(dict(content))])


def digest(content: Mapping[str, Any], definitions: bytes) -> str:
    """Return the digest of what a server shows its clients: the same while no definition changes.

    `content` is its catalog, `definitions` the line of the tools' definitions, which callers have.
    """
    offers = [[entry["definition"] for entry in content[kind]] for kind in OFFERS if content.get(kind)]
    offers += [[tool["definition"]["name"], tool["ui"]] for tool in content["tools"] if tool["ui"]]
    shown = b"\n".join([definitions, *map(compact, offers)])
    return f"sha256:{hashlib.sha256(shown).hexdigest()}"
