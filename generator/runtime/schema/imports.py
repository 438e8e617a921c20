"""Find the Python objects a catalog names.

A target is `module:qualname`; a leading dot makes the module relative to the emitted package, an empty qualname means
the module itself. Whatever goes wrong, user code that raises at import included, comes back as one exception,
`ImportProblem`.
"""

from __future__ import annotations

from .exception_text import exception_text, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class ImportProblem(Exception):
    """A target that could not be loaded; `missing` names the module that is not installed, when that is the reason."""

    def __init__(self, target: str, message: str, missing: str | None = None) -> None:
        super().__init__(target, message, missing)
        self.target = target
        self.message = message
        self.missing = missing

    def __str__(self) -> str:
        return self.message


def load(target: str, package: str | None = None) -> object:
    """Return the object a target names, importing its module; raises ImportProblem."""
    name, _, qualname = target.partition(":")
    found: object = _module(target, name, package)
    for part in qualname.split(".") if qualname else ():
        try:
            found = getattr(found, part)
        except Exception as error:
            raise ImportProblem(target, f"`{name}` has no `{qualname}`: {exception_text(error)}") from error
    return found


def loader(package: str | None) -> Callable[[str], object]:
    """Return a `load` for one package that looks up each target once."""
    loaded: dict[str, object] = {}

    def load_once(target: str) -> object:
        if target not in loaded:
            loaded[target] = load(target, package)
        return loaded[target]

    return load_once


def _module(target: str, name: str, package: str | None) -> object:
    from importlib import import_module

    if name.startswith(".") and package is None:
        raise ImportProblem(target, f"`{name}` is relative and there is no package")
    try:
        return import_module(name, package)
    except ModuleNotFoundError as error:
        raise ImportProblem(target, f"cannot import `{name}`: {exception_text(error)}", error.name) from error
    except BaseException as error:
        # A module may call sys.exit() or raise anything at all; one import must not end the server.
        message = f"cannot import `{name}`: {type_name(type(error))}: {exception_text(error)}"
        raise ImportProblem(target, message) from error
