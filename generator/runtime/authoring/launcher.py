"""Start the `mcpgen` command although `generator` is a name that anybody may use.

The wheel puts `mcpgen` and `generator` side by side, so the sibling folder is loaded by its path: a `generator.py` in
the current directory or on PYTHONPATH is not even looked at. An editable install has no sibling; there every folder
of the import path is asked, and only a `generator` that carries our marker is taken.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

USAGE_ERROR = 2
"""Exit code for input or usage."""

MARKER = "__mcpgen__"
"""The attribute by which our own `generator` package is known."""

SHADOWED = """\
mcpgen cannot start: another distribution or file provides the Python package `generator` here ({place}).
  = hint: install mcpgen where nothing else is: `uv tool install mcpgen` or `pipx install mcpgen`
"""

NOT_INSTALLED = """\
mcpgen is not installed here: this is the part of it that a generated server carries for `import mcpgen`.
  = hint: install the command with `uv tool install mcpgen` or `pipx install mcpgen`
"""


def main() -> object:
    """Run the command line; the exit status is returned, or SystemExit raised with it."""
    if __name__.endswith("._runtime.authoring.launcher"):
        return _refuse(NOT_INSTALLED)
    for folder in _folders():
        if _is_ours(folder):
            _load(folder)
            break
    import importlib

    try:
        found = importlib.import_module("generator")
    except ImportError:
        return _refuse(SHADOWED.format(place="it cannot be imported"))
    if not hasattr(found, MARKER):
        return _refuse(SHADOWED.format(place=getattr(found, "__file__", None) or "a namespace package"))
    return importlib.import_module("generator.cli.process").main()


def _folders() -> Iterator[str]:
    """Yield where `generator` may be: beside this package, then in every folder of the import path."""
    yield os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "generator")
    for entry in sys.path:
        yield os.path.join(entry or os.curdir, "generator")


def _is_ours(folder: str) -> bool:
    """Look for the marker in the text of `__init__.py`, because importing a stranger would run it."""
    try:
        with open(os.path.join(folder, "__init__.py"), encoding="utf-8", errors="replace") as file:
            return MARKER in file.read()
    except OSError:
        return False


def _load(folder: str) -> None:
    """Import the package in `folder` under the name `generator`, whatever the import path says."""
    from importlib.util import module_from_spec, spec_from_file_location

    location = os.path.join(folder, "__init__.py")
    spec = spec_from_file_location("generator", location, submodule_search_locations=[folder])
    if spec is None or spec.loader is None:
        return
    module = module_from_spec(spec)
    sys.modules["generator"] = module
    spec.loader.exec_module(module)


def _refuse(message: str) -> int:
    sys.stderr.write(message)
    return USAGE_ERROR
