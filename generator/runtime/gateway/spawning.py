"""How a child is started: its words, its environment and its folder, from its row of the table; never a shell.

`${python}` is the interpreter that runs, `${base}` the gateway's project folder, and any other `${NAME}` a variable of
the gateway's environment, looked up when the child starts. A child gets a few variables that programs cannot do
without, and those that its row names; never the whole environment, which holds the keys of others.
"""

from __future__ import annotations

import errno
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from subprocess import Popen
    from typing import Any

PLAIN_VARIABLES = (
    "HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER",
    "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR",
    "APPDATA", "COMSPEC", "LOCALAPPDATA", "PATHEXT", "PROGRAMDATA", "PROGRAMFILES", "SYSTEMDRIVE", "SYSTEMROOT",
    "TEMP", "TMP", "USERNAME", "USERPROFILE", "WINDIR",
)  # fmt: skip
"""What a child gets unasked: where things are, who runs it and how texts are written; the last two rows on Windows."""


PYTHON, BASE = "${python}", "${base}"
"""Stand for the interpreter that runs, and for the gateway's project folder."""


NO_ROOM = frozenset((errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE))
"""What the system says when it is at its limits, which passes."""


class Unavailable(Exception):
    """A child cannot be started, and not before somebody does something about it; the argument says why."""


class Crowded(Unavailable):
    """A child cannot be started now: the system has no room for another process."""


def filled(text: str, variables: Mapping[str, str], base: str) -> str:
    """Return a text of the table with every `${NAME}` filled in. Raises Unavailable, naming what is not set."""
    first, *rest = text.split("${")
    parts = [first]
    for piece in rest:
        name, brace, after = piece.partition("}")
        if not brace or not name:
            parts += ["${", piece]
            continue
        value = sys.executable if name == "python" else base if name == "base" else variables.get(name)
        if value is None:
            raise Unavailable(f"the environment variable {name} is not set")
        parts += [value, after]
    return "".join(parts)


def words(row: Mapping[str, Any], variables: Mapping[str, str], base: str) -> list[str]:
    """Return the argument vector of a child. Raises Unavailable."""
    return [filled(word, variables, base) for word in row["command"]]


def folder(row: Mapping[str, Any], variables: Mapping[str, str], base: str) -> str | None:
    """Return where a child runs, None for where the gateway does. Raises Unavailable."""
    cwd = row.get("cwd")
    return None if cwd is None else filled(cwd, variables, base)


def environment(row: Mapping[str, Any], variables: Mapping[str, str]) -> dict[str, str]:
    """Return the variables a child gets: those that are passed on, and over them the row's own values, as they are."""
    names = (*PLAIN_VARIABLES, *row.get("env", ()))
    return {**{name: variables[name] for name in names if name in variables}, **row.get("values", {})}


def missing(row: Mapping[str, Any], variables: Mapping[str, str], base: str) -> str:
    """Return the first path of a child's row that leads nowhere, "" when all are there or cannot be known.

    Only a path from the root is looked at: what else a word may be, its program alone knows. To be asked of a child
    that did not start, since a path may name what its program makes.
    """
    if "command" not in row:
        return ""
    try:
        named = [*words(row, variables, base), folder(row, variables, base) or ""]
    except Unavailable:
        return ""
    for path in named:
        if os.path.isabs(path) and not os.path.lexists(os.path.normpath(path)):
            return os.path.normpath(path)
    return ""


def spawn(
    row: Mapping[str, Any], variables: Mapping[str, str], base: str, more: Mapping[str, str] | None = None
) -> Popen[bytes]:
    """Start a child in a session of its own, with three pipes and `more` variables. Raises Unavailable."""
    import subprocess

    command = words(row, variables, base)
    try:
        return subprocess.Popen(  # noqa: S603 # the words are the table's, made when the gateway was built
            command,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder(row, variables, base),
            env={**environment(row, variables), **(more or {})},
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        gone = missing(row, variables, base)
        if gone and gone != command[0]:  # the system names the program even where its folder is what is missing
            raise Unavailable(absent(gone)) from None
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        kind = Crowded if isinstance(error, OSError) and error.errno in NO_ROOM else Unavailable
        raise kind(f"{command[0]} could not be started: {reason.lower()}") from None


def absent(path: str) -> str:
    """Say that a path of a child's row leads nowhere."""
    return f"{path}, which its command names, is not there"
