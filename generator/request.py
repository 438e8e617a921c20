"""From the words of a command line to a request of the pipeline; everything that is wrong with them at once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .config import Config, load_config
from .diagnostics.model import Diagnostic
from .diagnostics.rules import rule
from .ir.names import package_of, package_problem, server_problem
from .on_disk import is_folder, is_there

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .build_values import BuildRequest

GLOB_CHARACTERS = frozenset("*?[")


OLDEST = (3, 11)
"""The oldest Python that runs a server (decision 2)."""

DESCRIPTION_ENDINGS = frozenset({".yaml", ".yml", ".json"})
"""Endings of files that may be descriptions of an API, and are never Python."""

PYTHON_ENDINGS = frozenset({"", ".py", ".pyi", ".pyw"})
"""Endings of files that may be modules; a script may have none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What the user typed, as far as it decides what is built."""

    source: str
    name: str | None = None
    package: str | None = None
    python: str | None = None
    config: str | None = None
    link: bool = False
    strict: bool = False


def prepared(words: Words) -> tuple[BuildRequest | None, tuple[Diagnostic, ...]]:
    """Return the request, or None when the words or the settings are wrong, and what is wrong with them."""
    from .build_values import BuildRequest
    from .frontends.python.environment import EnvironmentProblem, find_environment

    folder = source_folder(words.source)
    loaded = load_config(folder, explicit=Path(words.config) if words.config else None)
    problems = [*name_problems(words), *loaded.diagnostics, *disabled(loaded.config)]
    problems += _no_python(words.source)
    try:
        environment = find_environment(folder, words.python)
    except EnvironmentProblem as problem:
        return None, (*problems, Diagnostic(rule=rule("unusable-environment"), message=str(problem), unit="--python"))
    if words.python is not None and environment.version < OLDEST:
        problems.append(_too_old(environment.version))
    if problems:
        return None, tuple(problems)
    called = identity(words.name or loaded.config.name)
    package = words.package or loaded.config.package or (package_of(called) if called else None)
    return BuildRequest(
        source=words.source,
        config=loaded.config,
        environment=environment,
        link=words.link,
        name=called,
        package=package,
        strict=words.strict or loaded.config.strict,
    ), ()


def disabled(config: Config) -> Iterable[Diagnostic]:
    """Yield that the settings forbid a server, if they do."""
    if not config.enabled:
        span = config.span("enabled")
        yield Diagnostic(rule=rule("disabled"), message="this project is not to be served", span=span)


def is_path(source: str) -> bool:
    """Return whether a source names something on the disk, and not a module that is installed."""
    return is_there(source)


def _no_python(source: str) -> Iterable[Diagnostic]:
    """Refuse a file whose ending says that it is something else: JSON, for one, often is valid Python."""
    if not is_path(source) or is_folder(source) or Path(source).suffix.lower() in PYTHON_ENDINGS:
        return
    message = f"`{source[:200]}` is not a Python file"
    hint = "Name a module's file (`.py`), a package's folder, or the dotted name of an installed module."
    if Path(source).suffix.lower() in DESCRIPTION_ENDINGS:
        hint = f"Use `mcpgen from-openapi {source[:200]}` for the description of an API."
    yield Diagnostic(rule=rule("source-unreadable"), message=message, hint=hint, unit="SOURCE")


def _too_old(version: tuple[int, int, int]) -> Diagnostic:
    oldest = ".".join(map(str, OLDEST))
    found = ".".join(map(str, version[:2]))
    message = f"the Python named by --python is {found}; a server needs {oldest} or newer"
    hint = f"Name an environment or interpreter of Python {oldest} or newer."
    return Diagnostic(rule=rule("unusable-environment"), message=message, hint=hint, unit="--python")


def source_folder(source: str) -> Path:
    """Return the folder whose settings hold: the source's own, or the working folder for a dotted name."""
    path = Path(source)
    if is_folder(path):
        return path
    return path.parent if is_there(path) or path.suffix == ".py" else Path.cwd()


def identity(name: str | None) -> str | None:
    """Return a server's id for the name that was given: hyphens are the command's spelling."""
    return name.replace("-", "_") if name else None


def name_problems(words: Words) -> Iterable[Diagnostic]:
    """Yield what is wrong with the names that were given."""
    for option, value, check in (
        ("--name", words.name, server_problem),
        ("--package", words.package, package_problem),
    ):
        if value is not None and (reason := check(value)) is not None:
            yield Diagnostic(
                rule=rule("illegal-server-name"),
                message=f"{option} `{value[:60]}` is not acceptable: {reason}",
                hint="Use lower-case ASCII letters, digits and `_`, a letter first, for example `weather`.",
                unit=option,
            )


def named_explicitly(config: Config) -> frozenset[str]:
    """Return the units the user asked for by name: leaving one of them out fails the build (decision 7)."""
    literal = [pattern for pattern in config.expose if not GLOB_CHARACTERS & set(pattern)]
    return frozenset([*literal, *(name for name, tool in config.tools.items() if tool.target)])
