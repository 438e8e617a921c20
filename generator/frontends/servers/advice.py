"""What to do about a server that did not say what it offers: where its program was looked for, how to start it by hand.

The words of a command are repeated as they were given, save where one looks like a secret.
"""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from ...ir.routes import VARIABLE
from ...on_disk import is_there
from ...runtime.registry.secret_values import has_secret, is_secret_address
from .findings import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...ir.routes import Start

OF_SHELLS = frozenset({"&&", "||", "|", ";", "&", ">", ">>", "<", "2>&1"})
"""Words that mean something to a shell only."""

MOST_FOLDERS = 12
"""Folders of PATH that are named."""

MOST_SHOWN = 400
"""Characters of a command line that are repeated."""


def advice(name: str, start: Start, *, registered: bool, environ: Mapping[str, str]) -> tuple[tuple[str, ...], str]:
    """Return notes and the next action about a server that is started or reached so."""
    unset = [each for text in start.headers.values() for each in VARIABLE.findall(text) if each not in environ]
    if unset:
        return (), f"Set {unset[0]} in the environment; its value is written nowhere."
    if start.url is not None:
        check = (
            "" if is_secret_address(start.url) else f", for example with `mcpgen verify --url {shown(start.url, 200)}`"
        )
        return (), f"Look whether the server runs, whether the address is its endpoint, and what it asks for{check}."
    folder = start.cwd or str(Path.cwd())
    program = start.command[0]
    if OF_SHELLS.intersection(start.command):
        return (), "No shell runs these words: put them into a script and name that, or use `sh -c '…'`."
    if "${" in program:  # filled in when it is started
        return (), _by_hand(name, start, folder, registered=registered)
    if "/" not in program and shutil.which(program, path=environ.get("PATH")) is None:
        folders = list(dict.fromkeys(each for each in environ.get("PATH", "").split(os.pathsep) if each))
        more = f" and {len(folders) - MOST_FOLDERS} more" if len(folders) > MOST_FOLDERS else ""
        looked = ", ".join(shown(each) for each in folders[:MOST_FOLDERS]) or "none, since PATH is not set"
        notes = [f"`{shown(program)}` was looked for in the folders of PATH: {looked}{more}"]
        if len(start.command) == 1 and not registered:
            notes.append(f"no folder in {shown(folder, MOST_SHOWN)} and no server in the registry has that name either")
        return tuple(notes), f"Install `{shown(program)}`, correct its name, or name it by its path."
    if "/" in program and not is_there(Path(folder, program)):
        return (), f"Correct the path of the program, which is seen from {shown(folder, MOST_SHOWN)}."
    return (), _by_hand(name, start, folder, registered=registered)


def _by_hand(name: str, start: Start, folder: str, *, registered: bool) -> str:
    """Return how to see what a program says that can be started."""
    line = shlex.join(start.command)
    known = len(line) <= MOST_SHOWN and not has_secret(start.command)
    command = f": `cd {shlex.quote(folder)} && {line}`" if known else ""
    passes = f"`mcpgen registry add {name} --env NAME`" if registered else f"`--env {name}:NAME`"
    return f"Start it by hand to see what it says{command}. Of your variables it gets only those named by {passes}."
