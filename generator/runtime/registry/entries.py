"""Entries as values, and what makes an entry unusable although the file can be read."""

from __future__ import annotations

import hashlib
import json

from .file_text import MEMBERS
from .names import is_name, is_obeyed, shown
from .problems import Problem
from .shape import problem as shape_problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

RENAME = "Name it anew: names begin with a letter and have a-z, 0-9, `_` and `-`, 63 characters at most."
FRAMING = frozenset(
    {
        "accept",
        "connection",
        "content-length",
        "content-type",
        "host",
        "keep-alive",
        "last-event-id",
        "mcp-method",
        "mcp-name",
        "mcp-protocol-version",
        "mcp-session-id",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
"""Headers that say where a request ends, whom it is for, or what it is."""

AGAIN = "Register it again: `mcpgen registry add`, or the server's own `--mcp-install`."


class Entry:
    """One registered server: either `command`, an absolute argument list, or `url`; `record` is how it was written.

    `env` are names whose values are passed on, `values` literal ones; `headers` hold `${NAME}` for what is secret.
    """

    __slots__ = (
        "command",
        "cwd",
        "description",
        "digest",
        "env",
        "files",
        "headers",
        "name",
        "package",
        "project_root",
        "python",
        "record",
        "runtime",
        "tools",
        "url",
        "values",
        "version",
    )

    def __init__(self, name: str, record: dict[str, Any]) -> None:
        env = record.get("env", [])
        self.name = name
        self.record = record
        self.command: tuple[str, ...] = tuple(record.get("command", ()))
        self.url: str | None = record.get("url")
        self.cwd: str | None = record.get("cwd")
        given = env.items() if isinstance(env, dict) else ((variable, None) for variable in env)
        told = list(given)
        self.env: tuple[str, ...] = tuple(variable for variable, value in told if value is None)
        self.values: dict[str, str] = {variable: value for variable, value in told if value is not None}
        self.headers: dict[str, str] = record.get("headers", {})
        self.digest: str | None = record.get("digest")
        self.files: str | None = record.get("files")
        self.package: str | None = record.get("package")
        self.tools: dict[str, Any] = record.get("tools", {})
        self.python: str = record.get("python", "")
        self.runtime: str = record.get("runtime", "")
        self.description: str = record.get("description", "")
        self.version: str = record.get("version", "")
        self.project_root: str = record.get("project_root", "")

    @property
    def transport(self) -> str:
        """How it is talked to: `stdio` or `http`."""
        return "http" if self.url is not None else "stdio"


def entries_of(
    document: dict[str, Any], allow_env: Collection[str] = ()
) -> tuple[dict[str, Entry], tuple[Problem, ...]]:
    """Return the usable entries by name, in their order, and a problem for each of the others."""
    written = [(name, record) for member in MEMBERS for name, record in document.get(member, {}).items()]
    folded: dict[str, int] = {}
    for name, _ in written:
        folded[name.casefold()] = folded.get(name.casefold(), 0) + 1
    entries: dict[str, Entry] = {}
    problems: list[Problem] = []
    for name, record in written:
        found = _problem(name, record, allow_env, alone=folded[name.casefold()] == 1)
        if found is None:
            entries[name] = Entry(name, record)
        else:
            problems.append(found)
    return entries, tuple(problems)


def problem(name: str, record: object, allow_env: Collection[str] = ()) -> Problem | None:
    """Return why an entry cannot be used, or None."""
    return _problem(name, record, allow_env, alone=True)


def fingerprint(command: list[str], project_root: str) -> str:
    """Return the digest that Milo keeps of what it starts."""
    text = json.dumps({"command": command, "project_root": project_root}, sort_keys=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _problem(name: str, record: object, allow_env: Collection[str], *, alone: bool) -> Problem | None:
    if not alone:
        message = f"{shown(name)} is registered twice: names that differ only in case are one"
        return Problem("invalid-entry", message, "Remove one of the two: `mcpgen registry remove NAME`.", name)
    if not is_name(name):
        return Problem("invalid-entry", f"{shown(name)} cannot be the name of a server", RENAME, name)
    wrong = shape_problem(record)
    if wrong is not None:
        return Problem("invalid-entry", f"{shown(name)} cannot be used: {wrong}", AGAIN, name)
    assert isinstance(record, dict)  # noqa: S101 - the form says so
    return _obeyed(name, record, allow_env) or _framing(name, record) or altered(name, record)


def _obeyed(name: str, record: dict[str, Any], allow_env: Collection[str]) -> Problem | None:
    env = record.get("env", [])
    values = env if isinstance(env, dict) else {}
    found = [
        variable
        for variable in env
        if is_obeyed(variable, literal=values.get(variable) is not None) and variable not in allow_env
    ]
    if not found:
        return None
    message = f"{shown(name)} sets {', '.join(map(shown, found[:5]))}, which can change what its command runs"
    hint = f"Remove it from the entry, or allow it: `--allow-env {found[0]}`."
    return Problem("unsafe-entry", message, hint, name)


def _framing(name: str, record: dict[str, Any]) -> Problem | None:
    """Find a header that whoever sends the request sets, or one that would be sent twice."""
    seen: set[str] = set()
    for header in record.get("headers", {}):
        low = header.lower()
        if low in FRAMING or low in seen:
            why = "the protocol sets that" if low in FRAMING else "it is there twice"
            message = f"{shown(name)} has the header {shown(header)}: {why}"
            return Problem("invalid-entry", message, "Register it again without that header.", name)
        seen.add(low)
    return None


def altered(name: str, record: dict[str, Any]) -> Problem | None:
    """Find a command that is another one than was registered: whoever registers writes its fingerprint as well."""
    kept, root, command = record.get("fingerprint"), record.get("project_root"), record.get("command")
    if not kept or not isinstance(root, str) or not root or not isinstance(command, list):
        return None
    if kept == fingerprint(command, root):
        return None
    message = f"{shown(name)} has another command than it was registered with"
    return Problem("unsafe-entry", message, f"Look at the command. {AGAIN}", name)
