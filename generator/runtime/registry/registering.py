"""Putting an entry into the registry and taking it out: both may be done again, and neither touches another server."""

from __future__ import annotations

import os

from .file_text import MEMBERS
from .names import shown
from .problems import RegistryError, failure
from .shape import FIELDS
from .writing import change, find, put, take

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

TAKEN = "Choose another name, or remove that one first."
IGNORED = ("installed_at",)
"""Members of ours that do not make an entry another one."""


class Change:
    """What became of a registry: `what` is `added`, `replaced`, `unchanged`, `removed` or `absent`.

    `before` is the entry that was there, `names` what was removed.
    """

    __slots__ = ("before", "names", "path", "what")

    def __init__(self, path: str, what: str, before: Any = None, *, names: tuple[str, ...] = ()) -> None:
        self.path = path
        self.what = what
        self.before = before
        self.names = names


def register(path: str, name: str, record: dict[str, Any], *, replace: bool = False) -> Change:
    """Register an entry; raises RegistryError, also where the name is another server's and `replace` is not said."""
    done = register_all(path, {name: record}, replace=replace)[name]
    if isinstance(done, RegistryError):
        raise done
    return done


def register_all(
    path: str, records: dict[str, dict[str, Any]], *, replace: bool = False, keep: bool = False
) -> dict[str, Change | RegistryError]:
    """Register entries in one step; returns what became of each, a refusal among them. Raises RegistryError.

    With `keep` an entry that runs the same stays as it is: it may say more than the new one.
    """
    done: dict[str, Change | RegistryError] = {}

    def edit(document: dict[str, Any]) -> None:
        for name, record in records.items():
            try:
                done[name] = Change(path, *_entered(document, name, record, replace=replace, keep=keep))
            except RegistryError as refusal:
                done[name] = refusal

    change(path, edit)
    return done


def _entered(
    document: dict[str, Any], name: str, record: dict[str, Any], *, replace: bool, keep: bool
) -> tuple[str, Any]:
    """Write an entry into a document; returns what was done and the entry before. Raises RegistryError."""
    _check_case(document, name)
    before = find(document, name)
    if before is not None and (_same(before, record) or (keep and _runs(before) == _runs(record))):
        return "unchanged", before
    if before is not None and not replace and not is_same_server(before, record):
        raise _taken(name, before)
    others = _others(before) if is_same_server(before, record) else {}
    put(document, name, {**record, **others})
    return "added" if before is None else "replaced", before


def _others(before: object) -> dict[str, Any]:
    """Return the members of an entry that somebody else put there: a server's own entry does not lose them."""
    return (
        {member: value for member, value in before.items() if member not in FIELDS} if isinstance(before, dict) else {}
    )


def unregister(path: str, wanted: Callable[[str, Any], bool]) -> Change:
    """Remove the entries, usable or not, that a function wants of their names and records; raises RegistryError."""
    done = Change(path, "absent")

    def edit(document: dict[str, Any]) -> None:
        written = [(name, record) for member in MEMBERS for name, record in document.get(member, {}).items()]
        done.names = tuple(dict.fromkeys(name for name, record in written if wanted(name, record)))
        for name in done.names:
            take(document, name)

    if os.path.exists(path):
        change(path, edit)
    done.what = "removed" if done.names else "absent"
    return done


def is_same_server(before: object, record: dict[str, Any]) -> bool:
    """Tell whether an entry is an earlier one of a server, or of one that is no longer there."""
    if not isinstance(before, dict):
        return True
    if "url" in record or "url" in before:
        return before.get("url") == record.get("url")
    package = before.get("package")
    if isinstance(package, str) and not os.path.isdir(package):
        return True
    return package == record.get("package") and (package is not None or before.get("command") == record["command"])


def _same(before: object, record: dict[str, Any]) -> bool:
    if not isinstance(before, dict):
        return False
    return _plain(before) == _plain(record)


def _plain(record: dict[str, Any]) -> dict[str, Any]:
    return {member: value for member, value in record.items() if member in FIELDS and member not in IGNORED}


def _runs(record: object) -> tuple[Any, Any] | None:
    return (record.get("command"), record.get("url")) if isinstance(record, dict) else None


def _check_case(document: dict[str, Any], name: str) -> None:
    for member in MEMBERS:
        for other in document.get(member, {}):
            if other != name and other.casefold() == name.casefold():
                raise failure(
                    "name-taken",
                    f"{shown(other)} is registered, and differs from {shown(name)} only in case",
                    f"Choose another name, or remove it: `mcpgen registry remove {other}`.",
                    name,
                )


def _taken(name: str, before: dict[str, Any]) -> RegistryError:
    where = before.get("url") or before.get("package") or " ".join(map(str, before.get("command", ())))
    return failure(
        "name-taken",
        f"{shown(name)} is registered already, for `{str(where)[:200]}`",
        TAKEN,
        name,
    )
