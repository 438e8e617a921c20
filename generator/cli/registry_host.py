"""One entry of a host for everything that is registered: the words of `mcpgen registry serve`, each of them absolute.

A host has another environment and another folder than the shell of whoever reads this, so nothing is left to either.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..backends.hosts_text import SECRET
from ..ir.routes import VARIABLE
from ..runtime.registry.making import Package
from ..runtime.registry.places import OVERRIDE, registry_path
from ..runtime.registry.problems import RegistryError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..runtime.registry.entries import Entry

NAME = "mcpgen"
"""What a host calls all of them together."""

PLACES = ("HOME", "LOCALAPPDATA")
"""What a host has in its environment as well."""


def host_entry(registry: str, allow_env: Sequence[str] = ()) -> dict[str, Any]:
    """Return the entry that starts a gateway over a registry, in the form most hosts share."""
    allowed = [word for name in allow_env for word in ("--allow-env", name)]
    program, *words = _own_words()
    named = {OVERRIDE: registry} if registry != _usual(os.environ) else {}
    entry = {"command": program, "args": [*words, "registry", "serve", *allowed, "--mcp"]}
    return {**entry, **({"env": named} if named else {})}


def needed(entries: Iterable[Entry]) -> tuple[str, ...]:
    """Return the variables that the servers have to be given and that their entries have no value for."""
    return tuple(dict.fromkeys(name for entry in entries for name in _needed(entry) if name not in entry.values))


def _needed(entry: Entry) -> Iterable[str]:
    """Yield those of one server; of a package that cannot be read, all that are passed on to it."""
    for value in entry.headers.values():
        yield from VARIABLE.findall(value)
    if entry.package is None:
        yield from entry.env
        return
    try:
        yield from map(str, Package(entry.package).entry.get("needs") or ())
    except (RegistryError, TypeError):
        yield from entry.env


def claude_code(entry: Mapping[str, Any], needs: Iterable[str] = ()) -> str:
    """Return the command that adds the entry to Claude Code; the reader gives the variables it `needs` their values."""
    known = entry.get("env", {})
    values = {**known, **{name: SECRET for name in needs if name not in known}}
    # The name comes before -e: that option takes every word up to the next one.
    named = [word for name, value in values.items() for word in ("-e", f"{name}={value}")]
    return shlex.join(["claude", "mcp", "add", NAME, *named, "--", entry["command"], *entry["args"]])


def _own_words() -> list[str]:
    """Return the words that start this program: the script it was started by, or its interpreter and its module."""
    found = shutil.which(sys.argv[0]) if sys.argv and sys.argv[0] else None
    if found is not None and Path(found).stem == NAME:
        return [str(Path(found).absolute())]
    return [sys.executable, "-P", "-m", NAME]  # -P: no module of that name in the folder a host happens to be in


def _usual(environ: Mapping[str, str]) -> str | None:
    try:
        return registry_path({name: environ[name] for name in PLACES if name in environ})
    except RegistryError:
        return None
