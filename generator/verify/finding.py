"""What a check is and what it finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from .context import Context

Status = Literal["ok", "warn", "fail", "skip"]

Kind = Literal["project", "command", "url"]
"""What a subject is."""

ALL: frozenset[Kind] = frozenset({"project", "command", "url"})
PROCESS: frozenset[Kind] = frozenset({"project", "command"})
PROJECT: frozenset[Kind] = frozenset({"project"})

REBUILD = "Build the project again."
"""What mends a project whose files are not as they were written."""

MAX_DETAILS = 20
"""Details of one finding; a server with a thousand faulty tools has one fault a thousand times."""

MAX_DETAIL = 400
"""Characters of one detail or message: what a server says may be long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one check found: a sentence, what to do about it, and single cases as details.

    `untried`: nothing was looked at, because of a fault that another check tells of.
    """

    status: Status
    message: str
    action: str = ""
    details: tuple[str, ...] = ()
    seconds: float = 0.0
    untried: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One check: a stable id, what it asks, the kinds of subjects it makes sense for, and how it finds out."""

    id: str
    title: str
    run: Callable[[Context], Finding]
    kinds: frozenset[Kind] = ALL


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """All findings in the order of their checks."""

    subject: Kind
    name: str
    findings: tuple[tuple[Check, Finding], ...]
    seconds: float

    def count(self, status: Status) -> int:
        """Return how many checks ended so."""
        return sum(finding.status == status for _, finding in self.findings)

    @property
    def status(self) -> Status:
        """The worst status there is; `skip` when nothing was checked."""
        return next((each for each in ("fail", "warn", "ok") if self.count(each)), "skip")


def ok(message: str, details: Iterable[str] = ()) -> Finding:
    """Return that all is well."""
    return Finding(status="ok", message=_cut(message), details=_few(details))


def warn(message: str, action: str, details: Iterable[str] = ()) -> Finding:
    """Return that something could be better."""
    return Finding(status="warn", message=_cut(message), action=action, details=_few(details))


def fail(message: str, action: str, details: Iterable[str] = ()) -> Finding:
    """Return that clients will meet a fault."""
    return Finding(status="fail", message=_cut(message), action=action, details=_few(details))


def skip(reason: str) -> Finding:
    """Return that there was nothing to check, and why."""
    return Finding(status="skip", message=_cut(reason))


def untried(reason: str) -> Finding:
    """Return that a check could not be made, because of what another check tells of."""
    return Finding(status="skip", message=_cut(reason), untried=True)


def shown(value: Any, room: int = 80) -> str:
    """Return a value that a server sent in a few printable characters."""
    text = value if isinstance(value, str) else repr(value)
    clean = "".join(each if each.isprintable() else "?" for each in text[: room + 1])
    return clean if len(clean) <= room else f"{clean[: room - 1]}…"


def several(count: int, noun: str) -> str:
    """Return a number with its noun and verb: `1 tool is`, `2 tools are`."""
    return f"{plural(count, noun)} {'is' if count == 1 else 'are'}"


def plural(count: int, noun: str) -> str:
    """Return a number with its noun: `1 tool`, `2 tools`, `2 entries`, `2 processes`."""
    if count == 1:
        return f"1 {noun}"
    if noun.endswith("y"):
        return f"{count} {noun[:-1]}ies"
    return f"{count} {noun}es" if noun.endswith("s") else f"{count} {noun}s"


def _few(details: Iterable[str]) -> tuple[str, ...]:
    every = tuple(_cut(each) for each in details)
    if len(every) <= MAX_DETAILS:
        return every
    return (*every[:MAX_DETAILS], f"and {len(every) - MAX_DETAILS} more")


def _cut(text: str) -> str:
    return shown(text, MAX_DETAIL)
