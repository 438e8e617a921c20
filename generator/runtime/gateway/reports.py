"""What a gateway's command line prints about it: on standard output, for people or as JSON."""

from __future__ import annotations

import os
import sys

from ..server.catalog import Catalog, CatalogError
from ..wire import jsonrpc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

OK_EXIT, FAILED_EXIT, USAGE_EXIT = 0, 1, 2

COUNTED = (("tools", "tool"), ("resources", "resource"), ("templates", "template"), ("prompts", "prompt"))
"""What is counted of each server, and what one of them is called."""


def report(package: str, folder: str, words: list[str]) -> int:
    """Print what is asked for and return the exit code: 1 when a server is not well, 2 for words that make no sense."""
    asked = [word for word in words if word != "--json"]
    if len(asked) != 1 or asked[0] not in ACTIONS:
        return _complain(
            f"{package}: give one of {', '.join(ACTIONS)}, and --json if you like; nothing else goes with it"
        )
    try:
        catalog = Catalog(package, folder)
        answer, lines, code = ACTIONS[asked[0]](catalog)
    except CatalogError as error:
        return _complain(f"{package}: {error}")
    if "--json" in words:
        lines = [jsonrpc.text(answer)]
    shown = [jsonrpc.printable(line) for line in "\n".join(lines).split("\n")]  # no terminal is to obey a table
    sys.stdout.write("\n".join(shown) + "\n")
    return code


def _complain(text: str) -> int:
    sys.stderr.write(f"{text}\n")
    return USAGE_EXIT


def counts(catalog: Catalog, server: str) -> dict[str, int]:
    """Return how many things of each kind a server has in the table."""
    return {
        kind: sum(entry["call"].get("server") == server for entry in catalog.data.get(kind) or ())
        for kind, _ in COUNTED
    }


def counted(found: dict[str, int]) -> str:
    """Return the counts in words, without what there is none of."""
    said = [f"{found[kind]} {word}{'' if found[kind] == 1 else 's'}" for kind, word in COUNTED if found.get(kind)]
    return ", ".join(said) or "nothing"


def heading(catalog: Catalog) -> str:
    """Return the gateway's name and how many servers are behind it."""
    server, rows = catalog.header["server"], catalog.data["gateway"]["servers"]
    return f"{server['name']} {server['version']}: {len(rows)} server{'' if len(rows) == 1 else 's'}"


def place(row: dict[str, Any]) -> str:
    """Return how a server is reached, without headers, which may hold secrets."""
    return row["url"] if "url" in row else " ".join(row["command"])


def _list(catalog: Catalog) -> tuple[Any, list[str], int]:
    rows = catalog.data["gateway"]["servers"]
    width = max(map(len, rows), default=0)
    answer, lines = [], [heading(catalog)]
    for name, row in rows.items():
        found = counts(catalog, name)
        transport = "http" if "url" in row else "stdio"
        answer.append({"name": name, "transport": transport, "era": row.get("era", "dual"), **found})
        lines.append(f"  {name:<{width}}  {transport:<5}  {counted(found)}  {place(row)}")
    return {"server": catalog.header["server"], "servers": answer}, lines, OK_EXIT


def _status(catalog: Catalog) -> tuple[Any, list[str], int]:
    from .state_files import AVAILABLE, folder, read_all, stem

    below = folder(os.environ) if AVAILABLE else None
    found = read_all(below, stem(catalog.header["id"], catalog.folder)) if below is not None else []
    lines = [f"{heading(catalog)}, {len(found)} running process{'' if len(found) == 1 else 'es'}"]
    for state in found:
        lines.append(f"  process {state.get('pid')}")
        lines += [f"    {name}: {_in_words(server)}" for name, server in (state.get("servers") or {}).items()]
    if not found:
        lines.append("  A process is shown from its first call of a tool on.")
    return {"processes": found}, lines, OK_EXIT


def _in_words(server: dict[str, Any]) -> str:
    said = [str(server.get("state")), f"{server.get('calls', 0)} calls"]
    if server.get("running"):
        said.append(f"{server['running']} running")
    if server.get("starts", 0) > 1:
        said.append(f"started {server['starts']} times")
    if server.get("failures"):
        said.append(f"{server['failures']} failures in a row")
    return ", ".join(said) + (f"; last: {server['last']}" if server.get("last") else "")


def _doctor(catalog: Catalog) -> tuple[Any, list[str], int]:
    from .doctor import examine

    findings = examine(catalog)
    width = max((len(each.server) for each in findings), default=0)
    lines = [heading(catalog)]
    for each in findings:
        lines.append(f"{each.state:<4}  {each.server:<{width}}  {each.text}")
        lines += [f"      {' ' * width}  = hint: {each.hint}"] if each.hint else []
    worst = FAILED_EXIT if any(each.state == "fail" for each in findings) else OK_EXIT
    return {"servers": [each.facts() for each in findings]}, lines, worst


ACTIONS = {"--list": _list, "--status": _status, "--doctor": _doctor}
