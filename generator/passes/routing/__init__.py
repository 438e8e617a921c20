"""Many servers become one table of names: what clients of a gateway are shown, and where each name leads."""

from __future__ import annotations

from .compose import Composition, compose

__all__ = ["Composition", "compose"]
