"""The gateway over everything that is registered, kept in the user's cache folder until what is registered changes.

A folder's name is the digest of the registry's entries and of this version; a table in which a server is missing that
could not be read is made again at the next start.
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

from . import __version__
from .diagnostics.model import Diagnostic, Severity
from .diagnostics.rules import rule

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .runtime.registry.entries import Entry

COMPLETE = ".complete"
"""The file that says that a folder has all servers; mcpgen writes none of that name into a project."""

KEPT_SECONDS = 30 * 24 * 3600
"""How long a folder that nobody used is kept."""

DIGITS = 24
"""Hexadecimal digits of a digest that name a folder."""


class GatewayProblem(Exception):
    """There is no gateway to be had; carries why."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        """Keep the findings."""
        super().__init__("no gateway")
        self.diagnostics = diagnostics


def cache_folder(environ: Mapping[str, str] | None = None, platform: str = sys.platform) -> Path:
    """Return the folder where mcpgen keeps what it can make again: `XDG_CACHE_HOME`, or the system's own place."""
    values = os.environ if environ is None else environ
    named = values.get("XDG_CACHE_HOME", "")
    if named and Path(named).is_absolute():
        return Path(named) / "mcpgen"
    home = Path(values.get("HOME") or Path.home())
    if platform == "win32":
        return Path(values.get("LOCALAPPDATA") or home / "AppData" / "Local") / "mcpgen" / "cache"
    return home / "Library" / "Caches" / "mcpgen" if platform == "darwin" else home / ".cache" / "mcpgen"


def prepared(*, refresh: bool = False) -> tuple[Path, tuple[Diagnostic, ...]]:
    """Return the folder of a gateway over all registered servers, and what was found; raises GatewayProblem.

    Servers that are gone, or are not what was registered, are left out and told of each time (B22).
    """
    from .frontends.servers.registered import registered_entries, usable

    every, wrong = registered_entries()
    entries, changed = usable(every)
    wrong = (*wrong, *map(_softened, changed))
    if not every:
        hint = "Register servers: `mcpgen registry add DIR`, or a server's own `--mcp-install`."
        nothing = Diagnostic(rule=rule("nothing-routed"), message="no server is registered", hint=hint)
        raise GatewayProblem((*wrong, nothing))
    if not entries:
        message = "none of the registered servers can be served"
        raise GatewayProblem((*wrong, Diagnostic(rule=rule("nothing-routed"), message=message)))
    above = cache_folder() / "gateways"
    folder = above / key(entries)
    if (folder / COMPLETE).is_file() and not refresh:
        os.utime(folder / COMPLETE)
        return folder, wrong
    found = _rendered(folder, tuple(entries))
    _sweep(above, folder)
    return folder, (*wrong, *found)


def key(entries: Mapping[str, Entry]) -> str:
    """Return what a gateway over these entries is kept under."""
    told = [__version__, [[name, entry.record, _built(entry)] for name, entry in entries.items()]]
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode("utf-8", "replace")).hexdigest()[:DIGITS]


def _built(entry: Entry) -> str:
    """Return what tells one build of a package from another; empty for servers of others, and what cannot be read."""
    if entry.package is None:
        return ""
    try:
        return hashlib.sha256((Path(entry.package) / "registry-entry.json").read_bytes()).hexdigest()
    except OSError:
        return ""


def _rendered(folder: Path, names: tuple[str, ...]) -> tuple[Diagnostic, ...]:
    """Render the gateway into its folder; returns what was found, raises GatewayProblem."""
    from .config import Config
    from .frontends.servers.sources import ServerSource
    from .gateway_pipeline import build_gateway
    from .gateway_request import NAME, GatewayRequest
    from .output.lock import Lock
    from .output.write import write
    from .runtime import VERSION

    sources = tuple(ServerSource(text=name, way="registered") for name in names)
    request = GatewayRequest(sources=sources, base=folder, config=Config(), name=NAME, package=NAME, lenient=True)
    result = build_gateway(request)
    if not result.tree or result.table is None:
        raise GatewayProblem(result.diagnostics)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    (folder / COMPLETE).unlink(missing_ok=True)
    written = write(
        result.tree, folder, Lock(generator=__version__, runtime=VERSION, server=NAME), owners=result.owners
    )
    if written.plan is None or written.refused:
        raise GatewayProblem((*result.diagnostics, *written.diagnostics))
    if len(result.table.children) == len(names):
        (folder / COMPLETE).write_bytes(b"")
    return tuple(_softened(each) for each in result.diagnostics)


def _softened(found: Diagnostic) -> Diagnostic:
    """Return an error as a warning: what it is about is left out, and the rest is served."""
    return replace(found, severity=Severity.WARNING) if found.level is Severity.ERROR else found


def _sweep(above: Path, current: Path) -> None:
    """Remove folders that nobody used for long; one that cannot be removed stays."""
    import shutil

    for folder in above.iterdir():
        used = folder / COMPLETE
        stamp = used if used.exists() else folder
        if folder != current and folder.is_dir() and time.time() - stamp.stat().st_mtime > KEPT_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)
