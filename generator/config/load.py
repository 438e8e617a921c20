"""Settings of one build: `[tool.mcpgen]` of the nearest pyproject.toml, or mcpgen.toml with the same keys.

The file is looked for from the source's folder upwards; a pyproject.toml or a version control root ends the walk.
Values are checked against the table in `fields`; every problem of the file is reported in one run, with its place.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from ..diagnostics.model import Diagnostic, Span
from ..diagnostics.rules import rule
from ..on_disk import is_file, is_there
from .positions import positions
from .reading import TableReader
from .settings import OWN_FILE, PYPROJECT, Config, LoadedConfig

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .fields import KeyPath

MAX_CONFIG_BYTES = 1 << 20
"""A settings file of more than 1 MiB is a mistake; reading stops there."""

VCS_MARKERS = (".git", ".hg", ".svn", ".jj")


def load_config(start: Path, *, explicit: Path | None = None, base: Path | None = None) -> LoadedConfig:
    """Load the settings that hold for a source in folder `start`; never raises for what a file contains.

    `explicit` names the file instead of looking for it. Spans show paths relative to `base` (default: the working
    folder) where the file is below it.
    """
    base = Path.cwd() if base is None else base
    if explicit is not None:
        return _load(explicit, base, whole=explicit.name != PYPROJECT)
    for folder in _folders(start.absolute()):
        own, project = folder / OWN_FILE, folder / PYPROJECT
        if is_file(own):
            return _both(own, project, base)
        if is_file(project):
            return _load(project, base, whole=False)
    return LoadedConfig(config=Config())


def _folders(start: Path) -> Iterator[Path]:
    """Yield `start` and the folders above it, up to the root of its repository."""
    for folder in (start, *start.parents):
        yield folder
        if any(is_there(folder / marker) for marker in VCS_MARKERS):
            return


def _both(own: Path, project: Path, base: Path) -> LoadedConfig:
    """Load mcpgen.toml, unless the pyproject.toml beside it has a table too: then neither may win silently."""
    loaded = _load(own, base, whole=True)
    if is_file(project) and _load(project, base, whole=False).config.places:
        clash = Diagnostic(
            rule=rule("broken-configuration"),
            message=f"both {OWN_FILE} and [tool.mcpgen] of {PYPROJECT} are present",
            span=Span(path=_shown(own, base), line=1, column=1, end_line=1, end_column=1),
            hint="Keep one of the two.",
        )
        return LoadedConfig(config=loaded.config, diagnostics=(*loaded.diagnostics, clash), path=own)
    return loaded


def _shown(path: Path, base: Path) -> str:
    absolute = path.absolute()
    return absolute.relative_to(base).as_posix() if absolute.is_relative_to(base) else os.fspath(path)


def _load(path: Path, base: Path, *, whole: bool) -> LoadedConfig:
    shown = _shown(path, base)
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_CONFIG_BYTES + 1)
        if len(data) > MAX_CONFIG_BYTES:
            return _broken(path, shown, f"the file is larger than {MAX_CONFIG_BYTES} bytes")
        import tomllib  # most builds have no settings

        text = data.decode("utf-8").replace("\r\n", "\n")
        document: dict[str, object] = tomllib.loads(text)
        places = positions(text)
    except FileNotFoundError:
        return _absent(path, shown)
    except OSError as failure:
        return _unreadable(path, shown, failure.strerror or type(failure).__name__)
    except UnicodeDecodeError as failure:
        before = data[: failure.start]
        column = len(before.rpartition(b"\n")[2].decode("utf-8")) + 1
        return _broken(path, shown, "the file is not UTF-8", before.count(b"\n") + 1, column)
    except RecursionError:
        return _broken(path, shown, "the file is nested too deeply")
    except ValueError as failure:  # tomllib.TOMLDecodeError, and the interpreter's limit on digits
        return _unparsed(path, shown, str(failure), text)
    prefix: KeyPath = () if whole else ("tool", "mcpgen")
    found: object = document
    for key in prefix:
        found = found.get(str(key)) if isinstance(found, dict) else None
    if found is None or not document:  # an own file without a setting in it says nothing, and nothing wrong
        return LoadedConfig(config=Config(folder=path.parent), path=path)
    return TableReader(path, shown, text, places, prefix).read(found)


def _unparsed(path: Path, shown: str, reason: str, text: str) -> LoadedConfig:
    """Move the position out of tomllib's message, where it stands before Python 3.14 has attributes for it."""
    match = re.search(r" \(at line (\d+), column (\d+)\)$", reason)
    if match:
        return _broken(path, shown, f"not valid TOML: {reason[: match.start()]}", int(match[1]), int(match[2]))
    last = text.count("\n") + 1
    return _broken(
        path,
        shown,
        f"not valid TOML: {reason.removesuffix(' (at end of document)')}",
        last,
        len(text.rpartition("\n")[2]) + 1,
    )


def _absent(path: Path, shown: str) -> LoadedConfig:
    """Say that the file named by the user is not there; no place in it is shown."""
    message = f"there is no such file: `{shown[:200]}`"
    hint = "Look at the spelling and the working folder of --config, or leave the option out."
    found = Diagnostic(rule=rule("broken-configuration"), message=message, hint=hint, unit="--config")
    return LoadedConfig(config=Config(), diagnostics=(found,), path=path)


def _unreadable(path: Path, shown: str, reason: str) -> LoadedConfig:
    """Say why the system does not let a file be read; no place in it is shown."""
    message = f"the settings in `{shown[:200]}` cannot be read: {reason.lower()}"
    hint = "Look at the file and its permissions, or name another one with --config."
    found = Diagnostic(rule=rule("broken-configuration"), message=message, hint=hint, unit="--config")
    return LoadedConfig(config=Config(), diagnostics=(found,), path=path)


def _broken(path: Path, shown: str, message: str, line: int = 1, column: int = 1) -> LoadedConfig:
    span = Span(path=shown, line=line, column=column, end_line=line, end_column=column)
    return LoadedConfig(
        config=Config(),
        diagnostics=(Diagnostic(rule=rule("broken-configuration"), message=message, span=span),),
        path=path,
    )
