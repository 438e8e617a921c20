"""Import the benchmarks' module by the path on the command line and hand out its functions."""

from __future__ import annotations

import sys
from importlib import import_module
from inspect import getmodule, isfunction
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def functions() -> list[Callable[..., Any]]:
    """Return the module's own functions in the order they were written."""
    path = Path(sys.argv[1])
    sys.path.insert(0, str(path.parent))
    module = import_module(path.stem)
    return [value for value in vars(module).values() if isfunction(value) and getmodule(value) is module]
