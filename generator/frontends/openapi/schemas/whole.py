"""An answer as the description promises it: what types are made from, where clients are shown it relaxed."""

from __future__ import annotations

from .conversion import Conversion


class WholeConversion(Conversion):
    """Converts one schema of an answer without relaxing it."""

    __slots__ = ()

    hiding = "writeOnly"
