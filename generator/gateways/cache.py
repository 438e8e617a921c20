"""The gateway over everything that is registered, kept in the user's cache folder until what is registered changes.

A folder's name is the digest of the registry's entries and of this version; a table in which a server is missing that
could not be read is made again at the next start. Every start looks at the files of every server first: one that is not
what was registered is left out until somebody agrees to it (B22). Many may start at once: each makes its table by
itself, and they take turns to write. The folder is run as a program, and holds the values of variables: it is the
user's alone.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from .. import __version__
from ..diagnostics.model import Diagnostic, Severity
from ..diagnostics.rules import rule
from ..runtime.registry.file_access import check_folder
from ..runtime.registry.locking import Lock
from ..runtime.registry.making import ENTRY_FILE
from ..runtime.registry.problems import RegistryError, failure

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from ..runtime.registry.entries import Entry
    from .pipeline import GatewayResult

COMPLETE = ".complete"
"""The file that says that a folder has all servers; mcpgen writes none of that name into a project."""

KEPT_SECONDS = 30 * 24 * 3600
"""How long a folder that nobody used is kept."""

OTHERS = 0o077
"""Rights that nobody but the user gets."""

LONGEST_TURN = 60.0
"""Seconds to wait for others that write their table: each takes a fraction of one."""

PATIENCE = 15.0
"""Seconds for a server of others to be ready: hosts give a gateway some 30 until it answers, all its servers included.
Whoever asks for it (`--refresh`) has the usual time."""

DIGITS = 24
"""Hexadecimal digits of a digest that name a folder."""


class GatewayProblem(Exception):
    """There is no gateway to be had; carries why."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        """Keep the findings."""
        super().__init__("no gateway")
        self.diagnostics = diagnostics


def cache_folder(environ: Mapping[str, str] | None = None, platform: str = sys.platform) -> Path:
    """Return the folder where mcpgen keeps what it can make again: `XDG_CACHE_HOME`, or the system's own place.

    Raises RegistryError without a home.
    """
    values = os.environ if environ is None else environ
    named = values.get("XDG_CACHE_HOME", "")
    if named and Path(named).is_absolute():
        return Path(named) / "mcpgen"
    home = Path(values.get("HOME") or os.path.expanduser("~"))  # noqa: PTH111 - without a home that leaves it as it is
    if not home.is_absolute():
        raise failure(
            "unwritable-registry", "there is no home folder to keep a gateway in", "Set HOME, or XDG_CACHE_HOME."
        )
    if platform == "win32":
        return Path(values.get("LOCALAPPDATA") or home / "AppData" / "Local") / "mcpgen" / "cache"
    return home / "Library" / "Caches" / "mcpgen" if platform == "darwin" else home / ".cache" / "mcpgen"


def prepared(*, refresh: bool = False, allow_env: Collection[str] = ()) -> tuple[Path, tuple[Diagnostic, ...]]:
    """Return the folder of a gateway over all registered servers, and what was found; raises GatewayProblem."""
    from ..frontends.servers.registered import examined_entries, registered_entries

    entries, unusable = registered_entries(allow_env)
    sound, changed = examined_entries(entries)
    wrong = (*unusable, *map(_softened, changed))
    if not sound:
        raise GatewayProblem((*wrong, *_nothing(any_at_all=bool(wrong))))
    try:
        above = cache_folder() / "gateways"
        _make(above)
        folder = above / key(sound)
        if (folder / COMPLETE).is_file() and not refresh:
            _make(folder)
            os.utime(folder / COMPLETE)
            return folder, wrong
        found = _rendered(folder, tuple(sound), tuple(allow_env), None if refresh else PATIENCE)
        _sweep(above, folder)
    except GatewayProblem as problem:
        raise GatewayProblem((*wrong, *problem.diagnostics)) from None
    except RegistryError as error:
        raise GatewayProblem(
            (*wrong, _unusable(error.problem.rule, error.problem.message, error.problem.hint))
        ) from None
    except OSError as reason:
        place = reason.filename or "their folder"
        message = f"gateways cannot be kept in `{place}`: {reason.strerror or 'no reason is known'}"
        hint = "Correct that, or name another folder for caches in XDG_CACHE_HOME."
        raise GatewayProblem((*wrong, _unusable("unwritable-output", message, hint))) from None
    return folder, (*wrong, *found)


def _make(folder: Path) -> None:
    """Make a folder for the user alone; raises RegistryError where others can put something into it, or OSError."""
    before = os.umask(OTHERS)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    finally:
        os.umask(before)
    check_folder(str(folder / COMPLETE), "the folder of gateways")
    folder.chmod(0o777 & ~OTHERS)


def _nothing(*, any_at_all: bool) -> tuple[Diagnostic, ...]:
    if any_at_all:
        message, hint = "no registered server can be used", "Look at what is wrong: `mcpgen registry doctor`."
    else:
        message = "no server is registered"
        hint = "Register servers: `mcpgen registry add DIR`, or a server's own `--mcp-install`."
    return (_unusable("nothing-routed", message, hint),)


def _unusable(name: str, message: str, hint: str) -> Diagnostic:
    return Diagnostic(rule=rule(name), message=message, hint=hint)


def key(entries: Mapping[str, Entry]) -> str:
    """Return what a gateway over these entries is kept under."""
    told = [__version__, [[name, entry.record, _built(entry)] for name, entry in entries.items()]]
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode("utf-8", "replace")).hexdigest()[:DIGITS]


def _built(entry: Entry) -> str:
    """Return what tells one build of a package from another; empty for servers of others, and what cannot be read."""
    if entry.package is None:
        return ""
    try:
        return hashlib.sha256((Path(entry.package) / ENTRY_FILE).read_bytes()).hexdigest()
    except OSError:
        return ""


def _rendered(
    folder: Path, names: tuple[str, ...], allow_env: tuple[str, ...], patience: float | None
) -> tuple[Diagnostic, ...]:
    """Render the gateway into its folder; returns what was found, raises GatewayProblem, RegistryError or OSError."""
    from ..config import Config
    from ..frontends.servers.sources import ServerSource
    from .pipeline import build_gateway
    from .request import NAME, GatewayRequest

    request = GatewayRequest(
        sources=tuple(
            ServerSource(text=name, way="registered", allow_env=allow_env, start_timeout=patience) for name in names
        ),
        base=folder,
        config=Config(),
        name=NAME,
        package=NAME,
        lenient=True,
        private=True,
    )
    result = build_gateway(request)
    if not result.tree or result.table is None:
        raise GatewayProblem(result.diagnostics)
    _make(folder)
    before = os.umask(OTHERS)
    try:
        with Lock(str(folder.parent), LONGEST_TURN):
            _write(folder, result, complete=len(result.table.children) == len(names))
    finally:
        os.umask(before)
    return tuple(_softened(each) for each in result.diagnostics)


def _write(folder: Path, result: GatewayResult, *, complete: bool) -> None:
    from ..output.lock import Lock as FilesLock
    from ..output.write import write
    from ..runtime import VERSION
    from .request import NAME

    (folder / COMPLETE).unlink(missing_ok=True)
    lock = FilesLock(generator=__version__, runtime=VERSION, server=NAME)
    written = write(result.tree, folder, lock, owners=result.owners)
    if written.plan is None or written.refused:
        raise GatewayProblem((*result.diagnostics, *written.diagnostics))
    if complete:
        (folder / COMPLETE).write_bytes(b"")


def _softened(found: Diagnostic) -> Diagnostic:
    """Return an error as a warning: what it is about is left out, and the rest is served."""
    return replace(found, severity=Severity.WARNING) if found.level is Severity.ERROR else found


def _sweep(above: Path, current: Path) -> None:
    """Remove folders that nobody used for long; one that cannot be removed stays."""
    import shutil

    for folder in above.iterdir():
        if folder == current or not folder.is_dir():
            continue
        used = folder / COMPLETE
        try:
            stamp = (used if used.exists() else folder).stat().st_mtime
        except OSError:
            continue  # somebody else removes it
        if time.time() - stamp > KEPT_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)
