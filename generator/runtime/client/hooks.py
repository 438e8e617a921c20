"""The user's part in HTTP operations: functions in `handlers.py` beside the server's own files.

`before_request(operation, request)` may change a request, `after_response(operation, response)` an answer, and
`operations` names functions that are called instead of the API. Each is optional. What they raise is reported as any
tool's exception is.
"""

from __future__ import annotations

import os

from ..server import logs
from ..server.catalog import CatalogError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from typing import Any

    from .message import Request, Response

MODULE = ".handlers:"
"""The target of the module, in the emitted package."""

PLACES = ("handlers.py", "handlers/__init__.py")
"""Where it is in the package; it may have been deleted."""

MAX_KEY = 120
"""Characters of a key that the log shows."""


class Hooks:
    """What the user's module defines; nothing when the server has none."""

    __slots__ = ("_after", "_before", "operations")

    def __init__(self, module: object = None) -> None:
        self._before: Callable[[str, Request], object] | None = getattr(module, "before_request", None)
        self._after: Callable[[str, Response], object] | None = getattr(module, "after_response", None)
        operations = getattr(module, "operations", None)
        if operations is not None and not isinstance(operations, dict):
            raise CatalogError("`operations` in handlers.py must be a dict of functions by operation")
        self.operations: Mapping[str, Callable[..., Any]] = operations or {}

    def before(self, operation: str, request: Request) -> None:
        """Let the user change a request before credentials are added to it."""
        if self._before is not None:
            self._before(operation, request)

    def after(self, operation: str, response: Response) -> None:
        """Let the user see or change an answer before a result is made of it."""
        if self._after is not None:
            self._after(operation, response)


def load_hooks(wanted: object, load: Callable[[str], object], folder: str, known: Collection[str]) -> Hooks:
    """Import the user's module if the package's folder has one; raises ImportProblem.

    A function for an operation that is not among the `known` ones would never be called: the log says so.
    """
    if not wanted or not any(os.path.exists(os.path.join(folder, place)) for place in PLACES):
        return Hooks()
    hooks = Hooks(load(MODULE))
    for key in hooks.operations:
        if key not in known:
            logs.warning(_unknown(str(key), known))
    return hooks


def _unknown(key: str, known: Collection[str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(key, list(known), n=1)
    meant = f"; did you mean `{close[0][:MAX_KEY]}`?" if close else ""
    return f"`{key[:MAX_KEY]}` in `operations` of handlers.py is no operation of this server{meant}"
