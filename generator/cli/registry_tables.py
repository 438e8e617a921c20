"""The registry as a table for people and as JSON, and what the doctor found."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from ..diagnostics.model import Severity
from ..diagnostics.plain import plain
from ..diagnostics.rules import rule
from ..runtime.registry.secret_values import masked, masked_address

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..runtime.registry.entries import Entry
    from ..runtime.registry.problems import Problem
    from ..runtime.registry.reading import Registry

MAX_CELL = 120
"""Characters of a cell: more than a name may have, and enough of a command; `--format json` has all of it."""

NOT_ASKED = "not asked"

Health = dict[str, Any]


def record(found: Registry) -> dict[str, Any]:
    """Return the usable entries as they are written, with their names."""
    servers = [{"name": name, **entry.record} for name, entry in found.entries.items()]
    return {"registry": found.path, "servers": servers}


def table(found: Registry) -> str:
    """Return a line for each usable entry, and where they are kept."""
    if not found.entries:
        return f"{'no entry can be used' if found.problems else 'no server is registered'} in {found.path}"
    rows = [(entry.name, entry.version or "-", _tools(entry), _runs(entry)) for entry in found.entries.values()]
    lines = _aligned([("NAME", "VERSION", "TOOLS", "RUNS"), *rows])
    return "\n".join([*lines, "", f"registry: {found.path}"])


def results(found: Registry, examined: Mapping[str, Sequence[Problem]], answers: Mapping[str, str]) -> Health:
    """Return what the doctor found of each entry, those that cannot be used included.

    Of a server behind a URL nothing is known that is not asked: `answers` has in words what those said that were.
    """
    problems: dict[str, list[Problem]] = {name: list(each) for name, each in examined.items()}
    for problem in found.problems:
        problems.setdefault(str(problem.entry), []).append(problem)
    asked = {name: answers.get(name, NOT_ASKED) for name, entry in found.entries.items() if entry.url is not None}
    servers = []
    for name, each in problems.items():
        status = _status(each)
        words = asked.get(name, "as registered")
        known = status if words != NOT_ASKED or status != "ok" else "skip"
        servers.append({"name": name, "status": known, "words": words, "problems": list(map(_said, each))})
    return {"registry": found.path, "servers": servers}


def health(found: Health) -> str:
    """Return a line for each entry with what is wrong with it, and a closing one."""
    servers = found["servers"]
    if not servers:
        return f"no server is registered in {found['registry']}"
    rows = [(each["status"], each["name"], ", ".join(_marks(each["problems"])) or each["words"]) for each in servers]
    usable = [each for each in servers if each["status"] != "fail"]
    left = sum(each["words"] == NOT_ASKED for each in usable)
    well = len(usable) - left
    asking = f", {left} {'was' if left == 1 else 'were'} not asked (--ask asks)" if left else ""
    closing = f"{well} of {len(servers)} can be used{asking}; registry: {found['registry']}"
    return "\n".join([*_aligned(rows), "", closing])


def _status(problems: Sequence[Problem]) -> str:
    levels = {rule(problem.rule).severity for problem in problems}
    return "fail" if Severity.ERROR in levels else "warn" if levels else "ok"


def _said(problem: Problem) -> dict[str, str]:
    return {
        "code": rule(problem.rule).code,
        "rule": problem.rule,
        "message": problem.message,
        "hint": problem.hint,
    }


def _marks(problems: Sequence[Mapping[str, str]]) -> list[str]:
    return list(dict.fromkeys(f"{each['code']} {each['rule']}" for each in problems))


def _tools(entry: Entry) -> str:
    count = entry.tools.get("count")
    return "-" if count is None else str(count)


def _runs(entry: Entry) -> str:
    """Return what is run or asked; what looks like a secret in it is for the eyes of machines (`--format json`)."""
    return masked_address(entry.url) if entry.url else shlex.join(masked(entry.command))


def _aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    clean = [tuple(plain(cell[:MAX_CELL]) for cell in row) for row in rows]
    sizes = [max(map(len, column)) for column in zip(*clean, strict=True)]
    return ["  ".join(cell.ljust(size) for cell, size in zip(row, sizes, strict=True)).rstrip() for row in clean]
