"""How a resource, a prompt or a completer runs: as a function, with arguments that are texts."""

from __future__ import annotations

from .plan import FunctionPlan


class OfferPlan(FunctionPlan):
    """The plan of a function whose arguments come as texts: that they are read in other types is no news."""

    __slots__ = ()

    tells_coercions = False
