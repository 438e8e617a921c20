"""The file of a view: below the folder it is named from, a text in UTF-8, of a size that hosts take."""

from __future__ import annotations

import hashlib
from pathlib import Path, PurePosixPath
from typing import NamedTuple

MAX_VIEW_BYTES = 5 << 20
"""Bytes of a view's file: 5 MiB. A page with everything inline is smaller; hosts hold it in memory for each call."""

SUFFIXES = (".html", ".htm")


class ViewFile(NamedTuple):
    """A file's text without byte order mark, or why it cannot be used; `path` is its name from the folder.

    `digest` is the SHA-256 of the file as it is; `advice` says what to do about a problem.
    """

    path: str
    text: str = ""
    digest: str = ""
    problem: str | None = None
    advice: str | None = None


BELOW = "Name a file in the folder of what names it (the module, the settings) or below, by its path from there."
"""What to do about a path that leads elsewhere or nowhere."""


def read_view(name: str, folder: Path) -> ViewFile:
    """Read the file of a view by its name below `folder`; never raises."""
    shown = PurePosixPath(name.replace("\\", "/"))
    path = shown.as_posix()
    if shown.is_absolute() or ".." in shown.parts or ":" in path:
        return ViewFile(path, problem="it is not below the folder", advice=BELOW)
    if shown.suffix.lower() not in SUFFIXES:
        problem = f"its name ends in none of {', '.join(SUFFIXES)}"
        return ViewFile(path, problem=problem, advice="Name it so that it ends in one of them.")
    place = folder / shown
    try:
        if not place.resolve().is_relative_to(folder.resolve()):
            return ViewFile(path, problem="it is a link that leads out of the folder", advice=BELOW)
        if not place.is_file():
            return ViewFile(path, problem="there is no such file", advice=BELOW)
        with place.open("rb") as stream:
            content = stream.read(MAX_VIEW_BYTES + 1)
    except OSError as failure:
        problem = f"it cannot be read ({failure.strerror or type(failure).__name__})"
        return ViewFile(path, problem=problem, advice="Make it a file that can be read.")
    if len(content) > MAX_VIEW_BYTES:
        problem = f"it is larger than {MAX_VIEW_BYTES >> 20} MiB"
        return ViewFile(path, problem=problem, advice="Let the page get its data from the result of the tool.")
    try:
        return ViewFile(path, content.decode("utf-8-sig"), hashlib.sha256(content).hexdigest())
    except UnicodeDecodeError:
        return ViewFile(path, problem="it is not UTF-8", advice="Save it as UTF-8.")
